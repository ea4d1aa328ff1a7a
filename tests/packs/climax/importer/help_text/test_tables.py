"""Option tables whose columns are ruled with bars (C-13)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.tables import unruled

TABLE = """\
Usage: kiln [options]... pot|potfile [glaze|colour]...

 Options Short / Long   | Type | Description               | Example
========================+======+===========================+===========
 -m, --heat-mode        | Num  | How it is fired           | -m 3
     --quiet            |      | Says nothing              |
     --paint-file       | File | Where the colours are     | --paint-file=x
     --longest-name-of-all |   | A wide one                |
"""


def test_each_row_is_an_option_and_the_kind_of_its_value_is_known():
    """C-13: options in any column, also between bars."""
    page = parse_help(TABLE, ("kiln",))
    found = {each.flags[-1]: each for each in page.options}
    assert set(found) == {"--heat-mode", "--quiet", "--paint-file", "--longest-name-of-all"}
    assert found["--quiet"].is_switch and not found["--paint-file"].is_switch
    assert found["--heat-mode"].description.startswith("How it is fired")


def test_one_word_or_a_file_is_one_operand():
    """C-13: `pot|potfile` is one word of the call."""
    operands = parse_help(TABLE, ("kiln",)).operands
    assert [(each.required, each.repeats) for each in operands] == [(True, False), (False, True)]


@given(st.lists(st.text(alphabet="-|=+ aB<[", max_size=30), max_size=12))
def test_whatever_the_lines_are_as_many_come_out(lines):
    """C-13: bars that rule nothing are left alone."""
    assert len(unruled(lines)) == len(lines)
    if not any("+" in line or "|" in line for line in lines):
        assert unruled(lines) == lines
