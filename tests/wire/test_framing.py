"""Messages out of bytes, however the bytes are cut."""

from __future__ import annotations

import re
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.wire.framing import Detected, Headers, LineFraming, RefusedBytes

CAP = 64
BOM = b"\xef\xbb\xbf"
# Whatever is no empty line is a message; only the first one decides, and may have marks before it.
LATER = st.binary(min_size=1, max_size=CAP).filter(lambda b: b"\n" not in b and not b.isspace())
FIRST = LATER.filter(lambda b: b == b.lstrip() and not b.lower().startswith((BOM, b"content-")))
BODIES = st.tuples(FIRST, st.lists(LATER, max_size=5)).map(lambda pair: [pair[0], *pair[1]])
# Any bytes, and bytes that nearly are headers.
NOISE = st.binary(max_size=300) | st.lists(
    st.sampled_from([b"Content-", b"Length:", b" ", b"7", b"99", b"\r\n", b"\n", b"{}", BOM, b"x"])
    | st.binary(max_size=9),
    max_size=20,
).map(b"".join)
CUTS = st.lists(st.integers(1, 40), min_size=1)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    parts = []
    while data:
        for cut in cuts:
            parts.append(data[:cut])
            data = data[cut:]
    return [part for part in parts if part]


def fed(
    framing: Detected | LineFraming | Headers, data: bytes, cuts: list[int]
) -> list[bytes | RefusedBytes]:
    return [frame for piece in pieces(data, cuts) for frame in framing.feed(piece)]


@given(BODIES, CUTS)
def test_lines_come_out_whole_however_they_are_cut(bodies: list[bytes], cuts: list[int]) -> None:
    """D-6: one message per line."""
    assert fed(Detected(CAP), b"".join(body + b"\n" for body in bodies), cuts) == bodies


@given(st.lists(st.binary(max_size=CAP), min_size=1, max_size=6), CUTS)
def test_framed_messages_come_out_whole_however_they_are_cut(
    bodies: list[bytes], cuts: list[int]
) -> None:
    """D-6: a client that opens with Content-Length headers is read in that framing."""
    data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    assert fed(Detected(CAP), data, cuts) == bodies


@given(st.integers(CAP + 1, CAP * 20), CUTS)
def test_one_message_above_the_cap_costs_no_other(size: int, cuts: list[int]) -> None:
    """FAULTS: refused once, resynchronised at the next newline."""
    data = b'{"a":1}\n' + b"x" * size + b"\n" + b'{"b":2}\n'
    first, refused, last = fed(LineFraming(CAP), data, cuts)
    assert (first, last) == (b'{"a":1}', b'{"b":2}')
    assert refused == RefusedBytes(f"Message exceeds {CAP} bytes")


@given(st.integers(CAP + 1, CAP * 20), CUTS)
def test_one_framed_message_above_the_cap_costs_no_other(size: int, cuts: list[int]) -> None:
    """FAULTS: refused, memory bounded, and go on with the next message."""
    big = b"Content-Length: %d\r\n\r\n%s" % (size, b"x" * size)
    refused, last = fed(Headers(CAP), big + b"Content-Length: 2\r\n\r\n{}", cuts)
    assert isinstance(refused, RefusedBytes) and last == b"{}"


@given(NOISE, CUTS)
def test_no_bytes_at_all_can_break_the_framing(data: bytes, cuts: list[int]) -> None:
    """FAULTS: the process survives whatever comes, in bounds, and goes on with the next message."""
    framing = Detected(CAP)
    frames = fed(framing, data, cuts)
    assert all(isinstance(frame, RefusedBytes) or len(frame) <= CAP for frame in frames)
    if framing.wrap(["{}"]) == b"{}\n":
        assert framing.feed(b'\n{"a":1}\n')[-1] == b'{"a":1}'
    else:
        assert framing.wrap(["{}"]) == b"Content-Length: 2\r\n\r\n{}"
        # A length that was announced is waited for; nothing else is, and no header in vain.
        more = b"\r\n" * 40 + b"Content-Length: 2\r\n\r\n{}"
        answers = [framing.feed(more) for _ in range(200)]
        assert answers[-1] == [b"{}"] or re.search(rb"\d{5}", data)


@given(NOISE, CUTS, CUTS)
def test_how_bytes_are_cut_makes_no_difference(
    data: bytes, some: list[int], others: list[int]
) -> None:
    """FAULTS: what is read is what was sent, whatever the pipe makes of it."""
    one, other = Detected(CAP), Detected(CAP)
    assert [*fed(one, data, some), *one.end()] == [*fed(other, data, others), *other.end()]


@given(st.lists(st.sampled_from([BOM, b"\n", b"\r\n", b" "]), max_size=5), CUTS)
def test_marks_and_empty_lines_before_the_first_message_are_skipped(
    marks: list[bytes], cuts: list[int]
) -> None:
    """FAULTS: BOM before the first message: accepted, in either framing, however it is cut."""
    before = b"".join(marks)
    assert fed(Detected(CAP), before + b'{"a":1}\n', cuts) == [b'{"a":1}']
    assert fed(Detected(CAP), before + b"Content-Length: 2\r\n\r\n{}", cuts) == [b"{}"]


def test_a_mark_before_a_later_message_is_a_part_of_it() -> None:
    """FAULTS: bytes are never silently dropped; only an opening may have a BOM."""
    assert Detected(CAP).feed(b"{}\n" + BOM + b"{}\n") == [b"{}", BOM + b"{}"]


def test_empty_lines_before_the_first_message_take_no_memory() -> None:
    """FAULTS: memory bounded, also before anything was said."""
    framing = Detected(CAP)
    tracemalloc.start()
    for _ in range(100):
        assert framing.feed(b"\n" * 100_000) == []
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1_000_000
    assert framing.feed(b"{}\n") == [b"{}"]


@given(BODIES, CUTS)
def test_the_last_line_needs_no_newline(bodies: list[bytes], cuts: list[int]) -> None:
    """FAULTS: an answer comes to all that was said before the end."""
    framing = Detected(CAP)
    assert [*fed(framing, b"\n".join(bodies), cuts), *framing.end()] == bodies
    assert Detected(CAP).end() == []


def test_half_a_framed_message_is_handed_on_at_the_end() -> None:
    """FAULTS: truncated: told, not forgotten."""
    framing = Detected(CAP)
    assert framing.feed(b'Content-Length: 20\r\n\r\n{"jsonrpc"') == []
    assert framing.end() == [b'{"jsonrpc"']


def test_headers_without_a_length_are_told() -> None:
    """FAULTS: a broken header is refused, the next one is read."""
    frames = Headers(CAP).feed(b"Content-Type: x\r\n\r\nContent-Length: 2\r\n\r\n{}")
    assert frames == [RefusedBytes("Header block without Content-Length"), b"{}"]


def test_further_headers_and_any_case_are_accepted() -> None:
    """D-6: headers as older clients write them."""
    data = b"content-length: 2\r\nContent-Type: application/json\r\n\r\n{}"
    assert Detected(CAP).feed(data) == [b"{}"]


def test_an_answer_comes_in_the_framing_of_the_question() -> None:
    """D-6: a client is answered in its own framing, in bytes and not in characters."""
    framed, lines = Detected(CAP), Detected(CAP)
    framed.feed(b"Content-Length: 2\r\n\r\n{}")
    lines.feed(b"{}\n")
    assert framed.wrap(['"é"']) == b'Content-Length: 4\r\n\r\n"\xc3\xa9"'
    assert lines.wrap(["{}"]) == b"{}\n"
    assert lines.wrap(["1", "2"]) == b"1\n2\n"
    assert framed.wrap(["1", '"é"']).endswith(b'1Content-Length: 4\r\n\r\n"\xc3\xa9"')
