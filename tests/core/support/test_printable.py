"""Text of strangers on a terminal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.support.printable import escaped, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("Grüße 漢字 🙂", "Grüße 漢字 🙂"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb", "a\\x0db"),
        ("ab\u202ecd", "ab\\u202ecd"),
        ("x\u200by", "x\\u200by"),
        ("\U000e0041", "\\U000e0041"),
        ("half \ud800", "half \\ud800"),
    ],
)
def test_what_a_terminal_would_act_upon_is_written_out(text: str, shown: str) -> None:
    """HOUSE: a text cannot move the cursor, turn its direction or hide a part of itself."""
    assert printable(text) == shown


@given(st.text())
def test_nothing_acting_is_left_and_harmless_text_stays(text: str) -> None:
    """HOUSE: whatever the text is."""
    shown = printable(text)
    assert not set(shown) & set("\x00\x07\x08\x1b\r\x7f\x9b\u202e\u2066\u200b\ufeff")
    assert printable(shown) == shown


@given(st.text())
def test_json_that_is_escaped_means_the_same_and_does_nothing(text: str) -> None:
    """T-21: a log of JSON lines can be shown on a terminal, too."""
    line = json.dumps({"text": text}, ensure_ascii=False)
    assert json.loads(escaped(line)) == {"text": text}
    assert not set(escaped(line)) & set("\x1b\r\x9b\u202e\u200b")
