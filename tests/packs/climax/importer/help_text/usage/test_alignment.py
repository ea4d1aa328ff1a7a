"""Ways to call that only their column tells apart (C-13)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.usage.alignment import with_whole_ways

BELOW_OPTIONS = (
    "Usage: kiln [OPTIONS] fire [POT [PLATE]]\n"
    "            [OPTIONS] cool POT [HOURS]\n"
    "            [OPTIONS] sell PLATE\n"
)
OF_ANOTHER = (
    "Usage: kiln [-jy] [[pot] plate]\n"
    "       kiln [-j] [-m pot] [plate]\n"
    "       nkiln -C [-jy] [[pot] plate]\n"
    "       nkiln [-Jeo]\n"
    "             [plate]\n"
)


def test_ways_below_the_options_are_commands_each_with_what_it_takes() -> None:
    """C-13: sub-commands however they are listed."""
    page = parse_help(BELOW_OPTIONS, ("kiln",))
    assert [(sub.name, sub.usage) for sub in page.subcommands] == [
        ("fire", "[POT [PLATE]]"),
        ("cool", "POT [HOURS]"),
        ("sell", "PLATE"),
    ]


def test_names_below_each_other_are_commands() -> None:
    """C-13: the program is written once, and below what follows it one command after the other."""
    text = "usage: kiln fire POT\n            cool [-f] POT\n            sell POT PLATE\n"
    page = parse_help(text, ("kiln",))
    assert [sub.name for sub in page.subcommands] == ["fire", "cool", "sell"]


def test_ways_to_call_another_program_are_not_those_of_this_one() -> None:
    """C-13: operands and options of the program that was asked for."""
    page = parse_help(OF_ANOTHER, ("kiln",))
    shape = [(each.name, each.required, each.repeats) for each in page.operands]
    assert shape == [("pot", False, False), ("plate", False, False)]
    assert {flag for option in page.options for flag in option.flags} == {"-j", "-y", "-m"}


def test_a_usage_that_goes_on_stays_one_way() -> None:
    """C-13: a line that is broken at the same column is no further way."""
    lines = ["usage: kiln [-h] [--now]", "            [--later] POT", ""]
    assert with_whole_ways(lines, "kiln") == lines


@given(
    st.lists(
        st.tuples(st.integers(0, 14), st.text(alphabet="[]<> kilnabO-", max_size=20)), max_size=8
    )
)
def test_whatever_stands_below_nothing_is_invented(below) -> None:
    """C-13: what comes out is made of what was there, and of the program's name."""
    lines = ["Usage: kiln [options] a", *(" " * indent + text for indent, text in below)]
    found = with_whole_ways(lines, "kiln")
    assert found[0] == lines[0] and len(found) <= len(lines)
    kept = {line.strip() for line in lines}
    assert {line.strip().removeprefix("kiln ").strip() for line in found} <= {
        each.removeprefix("kiln ").strip() for each in kept
    }
