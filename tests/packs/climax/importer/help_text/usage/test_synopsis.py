"""Usage lines in brackets, bars and dots (C-13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.climax.importer.help_text.usage.synopsis import operands_in, parse


def read(text: str) -> list[tuple[str, bool, bool]]:
    found = operands_in(parse(text), required=True)
    return [(each.name, each.required, each.repeats) for each in found]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "[ [CHARSET] | REQUEST [FILE]... ]",
            [("CHARSET_or_REQUEST", False, False), ("FILE", False, True)],
        ),
        ("(A | B C)", [("A_or_B", True, False), ("C", False, False)]),
        ("[--all | POT LID]", [("POT", False, False), ("LID", False, False)]),
        ("[A B]", [("A", False, False), ("B", False, False)]),
    ],
)
def test_what_stands_in_the_same_place_is_one_operand(text, wanted):
    """C-13: operands of alternatives."""
    assert read(text) == wanted


@given(st.text(alphabet="[]<>(){}|.-=+ abAB12,", max_size=200))
def test_whatever_is_printed_operands_have_a_name(text):
    """C-13: no help text breaks an import, however its brackets are set."""
    assert all(name for name, _, _ in read(text))
