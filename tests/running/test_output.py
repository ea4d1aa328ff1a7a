"""What a command printed, within bounds and fit to be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.running.output import Capture, readable, render


def captured(data: bytes, cap: int = 1 << 20, piece: int = 7) -> Capture:
    capture = Capture(cap)
    for start in range(0, len(data), piece):
        capture.feed(data[start : start + piece])
    return capture


@given(st.binary(max_size=300), st.integers(2, 100), st.integers(1, 50))
def test_the_beginning_and_the_end_are_kept_and_the_rest_is_counted(
    data: bytes, cap: int, piece: int
) -> None:
    """C-10: streamed and capped, head and tail kept, how much was cut is known."""
    capture = captured(data, cap, piece)
    head, tail = capture.parts()
    assert capture.size == len(data)
    assert len(head) + capture.cut + len(tail) == len(data)
    assert data.startswith(head)
    assert data.endswith(tail)
    assert len(head) + len(tail) == min(cap, len(data))


def test_a_flood_of_tiny_pieces_does_not_weigh_more_than_its_bytes() -> None:
    """C-10: memory stays bounded however the output comes."""
    capture = Capture(1000)
    for _ in range(100_000):
        capture.feed(b"y")
    assert len(capture._tail) < 5


def test_what_was_cut_is_stated() -> None:
    """C-10: how much was cut stands in the text and in a note."""
    stream = readable(captured(b"A" * 500 + b"B" * 1000 + b"C" * 500, cap=200), "stdout")
    assert stream.truncated
    assert "[… 1800 bytes left out …]" in stream.text
    assert stream.text.startswith("AAA")
    assert stream.text.endswith("CCC")
    assert stream.notes == ("stdout was cut: 1800 of 2000 bytes are left out",)


def test_a_character_that_the_cut_went_through_is_left_out() -> None:
    """C-10: a cut makes no invalid characters of valid ones."""
    for cap in range(20, 32):
        stream = readable(captured("ä€😀".encode() * 50, cap=cap), "stdout")
        assert "\ufffd" not in stream.text
        assert len(stream.notes) == 1


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        (b"plain\n\ttab\r\n", "plain\n\ttab\r\n", None),
        ("grün ✓\n".encode(), "grün ✓\n", None),
        (b"\x1b[31mred\x1b[0m \x1b]0;title\x07end", "red end", "terminal sequences were removed"),
        (b"\x1b[?25l\x1b(Bx\x1b", "x", "terminal sequences were removed"),
        (b"a\0b\x07c", "abc", "control characters"),
        (b"N\x08NA\x08A _\x08x", "NA x", "control characters"),
        (b"ok \xff\xfe bad", "ok \ufffd\ufffd bad", "2 bytes that are not UTF-8 were replaced"),
    ],
)
def test_what_no_client_can_show_is_replaced_and_stated(
    data: bytes, text: str, note: str | None
) -> None:
    """C-10: binary, invalid UTF-8, ANSI, NUL: replaced or stripped, and stated."""
    stream = readable(captured(data), "stderr")
    assert stream.text == text
    assert not stream.notes if note is None else note in stream.notes[0]


def test_binary_data_is_named_instead_of_shown() -> None:
    """C-10: a picture is no text, whatever one replaces in it."""
    stream = readable(captured(bytes(range(256)) * 20), "stdout")
    assert stream.text == "(binary data, 5120 bytes)"
    assert "binary" in stream.notes[0]


def test_an_unfinished_sequence_hides_nothing() -> None:
    """C-10: no output can make the rest of it disappear."""
    stream = readable(captured(b"\x1b]0;" + b"x" * 10_000 + b" important"), "stdout")
    assert "important" in stream.text


@given(st.binary(max_size=500))
def test_any_bytes_become_text_without_controls(data: bytes) -> None:
    """C-10: whatever a child prints, the wire stays clean."""
    text = readable(captured(data), "stdout").text
    text.encode()
    assert not any(ord(each) < 32 and each not in "\t\n\r" for each in text)


@pytest.mark.parametrize(
    ("stdout", "stderr", "code", "text"),
    [
        ("hello\n", "", 0, "hello"),
        ("  indented\n  too\n\n\n", "", 0, "  indented\n  too"),
        ("kept  \n \n\t\n", "kept\t", 0, "kept  \n\n[stderr]\nkept\t"),
        ("crlf\r\n\r\n", "", 0, "crlf"),
        ("out\n", "err\n", 0, "out\n\n[stderr]\nerr"),
        ("out", "err", 3, "out\n\n[stderr]\nerr\n\n[exit code: 3]"),
        ("", "err", 1, "[stderr]\nerr\n\n[exit code: 1]"),
        ("", "", 1, "[exit code: 1]"),
        ("", "", 0, "(no output)"),
        ("\n \n", "\n", 0, "(no output)"),
    ],
)
def test_the_text_is_laid_out_as_the_contract_says(
    stdout: str, stderr: str, code: int, text: str
) -> None:
    """C-6: stdout, `[stderr]`, `[exit code: N]`, joined by blank lines; `(no output)`.

    C-11: trailing blank lines are stripped, and nothing else.
    """
    assert render(stdout, stderr, code) == text


def test_notes_come_last() -> None:
    """C-6: what toolcrib has to say stands apart from what the command said."""
    assert render("x", "", 0, ("a", "b")) == "x\n\n[note: a]\n\n[note: b]"
