"""Removing known values from text, in every form they take."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.support.known_secrets import KNOWN, SHORTEST, Redactor
from toolcrib.core.support.redact import masked

VALUES = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x1FFFF, exclude_categories=("Cs",)),
    min_size=SHORTEST,
    max_size=40,
)
AROUND = st.text(st.sampled_from("abc xyz=\n"), max_size=12)


@given(VALUES, AROUND, AROUND)
def test_a_value_is_found_as_it_is_and_escaped(value: str, before: str, after: str) -> None:
    """T-18: plain, percent-encoded and JSON-escaped become ***NAME***."""
    redactor = Redactor({"NAME": value})
    forms = [
        value,
        urllib.parse.quote(value, safe=""),
        urllib.parse.quote(value),
        urllib.parse.quote_plus(value),
        urllib.parse.quote(value, safe="").lower() if value == value.lower() else value,
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
    ]
    for form in forms:
        shown = redactor.text(f"|{before}|{form}|{after}|")
        assert "***NAME***" in shown
        assert form not in shown or form in f"|{before}|***NAME***|{after}|"


@given(
    st.binary(max_size=7),
    st.text("abcdefghijkmnpqrstuvwxyz23456789-", min_size=8, max_size=40),
    st.binary(max_size=7),
)
def test_a_value_is_found_in_base64_at_every_offset(
    before: bytes, value: str, after: bytes
) -> None:
    """T-18: Base64 at each of its three offsets, in both alphabets, also across broken lines."""
    redactor = Redactor({"NAME": value})
    whole = before + value.encode() + after
    for encode in (base64.b64encode, base64.urlsafe_b64encode, base64.encodebytes):
        shown = redactor.data(encode(whole)).decode()
        assert "***NAME***" in shown
        for offset in range(3):
            inner = base64.b64encode(b"\\0" * offset + value.encode())[4:-4].decode()
            assert len(inner) < 8 or inner not in shown


@given(VALUES, st.integers(0, 200), st.integers(0, 200))
def test_a_value_across_the_border_of_a_piece_is_found(value: str, start: int, end: int) -> None:
    """T-18: across the borders of pieces: no part of it is left at either end."""
    redactor = Redactor({"NAME": value})
    data = b"." * 50 + value.encode() + b"." * 50
    start, end = sorted((min(start, len(data)), min(end, len(data))))
    shown = redactor.data(data, start, end)
    assert set(shown.replace(b"***NAME***", b"")) <= {ord(".")}


@given(st.text(max_size=200))
def test_other_text_is_left_as_it_is(text: str) -> None:
    """T-18: the opposite: nothing else changes."""
    assert Redactor({"NAME": "a-value-that-is-nowhere-else"}).text(text) == text
    assert Redactor({}).text(text) == text


def test_short_values_are_left_alone() -> None:
    """T-18: of 8 characters or more."""
    assert Redactor({"A": "1234567"}).text("x1234567x") == "x1234567x"
    assert Redactor({"A": "12345678"}).text("x12345678x") == "x***A***x"


def test_logs_and_errors_know_the_same_values() -> None:
    """T-18: what is masked for a log is masked by value, too."""
    KNOWN.remember("DEPLOY", "plain-looking-value")
    try:
        assert masked("it says plain-looking-value here") == "it says ***DEPLOY*** here"
    finally:
        KNOWN.forget("DEPLOY", "plain-looking-value")
    assert masked("it says plain-looking-value here") == "it says plain-looking-value here"


@pytest.mark.parametrize("size", [65, 900, 5_000])
def test_long_values_are_found_whole_however_many_there_are(
    size: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """T-18: keys and certificates too; and nothing of a pattern is written to stderr."""
    values = {f"N{n}": f"{n:02}/" + hashlib.sha512(str(n).encode()).hexdigest() for n in range(20)}
    values = {name: (value * (size // len(value) + 1))[:size] for name, value in values.items()}
    redactor = Redactor(values)
    for name, value in values.items():
        data = value.encode()
        shapes = {
            "plain": value,
            "json": json.dumps(value).replace("/", "\\/")[1:-1],
            "percent": "".join(f"%{byte:02X}" for byte in data),
            "lines": base64.encodebytes(data[: size // 3 * 3]).decode().rstrip("\n"),
        }
        for shape, text in shapes.items():
            found = redactor.text(f"<{text}>")
            assert re.fullmatch(rf"<\*\*\*{name}\*\*\*[^%/]{{0,4}}>", found), (
                name,
                shape,
                found[:99],
            )
    captured = capfd.readouterr()
    assert captured.err == ""


def test_the_beginning_of_a_long_value_is_removed_though_the_rest_is_cut_off() -> None:
    """T-18: as far as the text has it; what follows stays."""
    value = "".join(chr(ord("a") + n % 26) for n in range(500))
    redactor = Redactor({"KEY": value})
    assert redactor.text(f"<{value[:300]}> {value} end") == "<***KEY***> ***KEY*** end"
    assert redactor.text(value[:63]) == value[:63]


@pytest.mark.slow
def test_twenty_secrets_cost_little() -> None:
    """T-18: at most 20 ms per MiB with 20 secrets; CPU time, once the pattern is made."""
    redactor = Redactor({f"N{n}": f"{n:02}-abcdefghij-{n * 7919:020}" for n in range(20)})
    data = base64.b64encode(bytes(range(256)) * 3072)[: 1 << 20]
    redactor.data(data)
    best = min(_timed(redactor, data) for _ in range(5))
    assert best < 0.02


def _timed(redactor: Redactor, data: bytes) -> float:
    began = time.process_time()
    redactor.data(data)
    return time.process_time() - began
