"""Usage lines in brackets, bars and dots (C-13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.climax.importer.help_text.usage.synopsis import operands_in, options_in, parse


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
        ("[pot | glaze colour]", [("pot_or_glaze", False, False), ("colour", False, False)]),
        ("[host | pot]", [("host_or_pot", False, False)]),
        ("[wet | dry]", [("choice", False, False)]),
        ("[-s shelf | top_shelf] POT", [("POT", True, False)]),
    ],
)
def test_what_stands_in_the_same_place_is_one_operand(text, wanted):
    """C-13: operands of alternatives."""
    assert read(text) == wanted


@given(st.text(alphabet="[]<>(){}|.-=+ abAB12,", max_size=200))
def test_whatever_is_printed_operands_have_a_name(text):
    """C-13: no help text breaks an import, however its brackets are set."""
    assert all(name for name, _, _ in read(text))


def test_parts_that_stick_to_a_word_are_no_operands() -> None:
    """C-13: of `[+]HEAT[.][b]`, only the name counts."""
    assert read("[POT] [[+]HEAT[.][b]]") == [("POT", False, False), ("HEAT", False, False)]


def test_of_bare_alternatives_none_has_to_be_given() -> None:
    """C-13: `-n NAME | -f FILE POT` takes one of two options."""
    found = {each.main: each for each in options_in(parse("-n NAME | -f FILE POT"), required=True)}
    assert not found["-n"].required and not found["-f"].required
    assert read("-n NAME | -f FILE POT") == [("POT", True, False)]


def test_a_choice_in_braces_behind_an_option_is_its_value() -> None:
    """C-13: `[-P { <list> | ALL }]` takes one of them, and is no switch."""
    text = "[ -P { <list> | ALL } ] [ -m (wet|dry) ] [ -q ]"
    values = [each.value for each in options_in(parse(text), required=False)]
    assert values == ["list_or_ALL", "wet|dry", None]
