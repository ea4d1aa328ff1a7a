"""Lists whose options keep the brackets of the usage (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.brackets import unbracketed_lists
from toolcrib.packs.climax.importer.help_text.page import parse_help

_LIST = (
    "  [-q]            Quiet: says nothing\n"
    "  [-t degrees]    How hot it gets\n"
    "  [-s p1[,...]]   Shelves for pot(s) <p1>,... only\n"
    "  pot             What is fired\n"
)


def test_options_that_are_listed_in_brackets_are_no_operands() -> None:
    """C-13: what stands below the usage in the same brackets is its list."""
    page = parse_help(f"kiln [-q] [-t degrees] [-s ...] pot\n{_LIST}", ("kiln",))
    assert [(each.name, each.required) for each in page.operands] == [("pot", True)]
    values = {each.main: each.value for each in page.options}
    assert values == {"-q": None, "-t": "degrees", "-s": "p1[,...]"}


def test_brackets_that_no_usage_has_above_stay_as_they_are() -> None:
    """C-13: with a word beside each option, the lines are the usage itself."""
    lines = f"Usage: kiln\n{_LIST}".splitlines()
    assert unbracketed_lists(lines) == lines


def test_letters_behind_a_choice_of_options_are_their_values() -> None:
    """C-13: of `[[-b|-f] [c|f]]`, nothing is an operand."""
    page = parse_help("Usage: kiln [-q] [[-b|-f] [c|f]] POT\n", ("kiln",))
    assert [each.name for each in page.operands] == ["POT"]
