"""Which options of a usage take the word behind them (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.page import parse_help


@pytest.mark.parametrize(
    ("usage", "listed"),
    [
        ("kiln -m mode [-options] [pots...]", "-m or --mode     mode: hot, cold"),
        ("kiln [-options] pots+ -m plate", "-m or --made     how it is made"),
    ],
)
def test_a_usage_shows_that_an_option_takes_a_value_which_the_list_does_not(usage, listed) -> None:
    """C-13: options with a value; it is none of the operands."""
    page = parse_help(f"usage: {usage}\noptions:\n\t{listed}\n\t-q or --quiet   quiet\n", ("kiln",))
    assert [each.name for each in page.operands] == ["pots"]
    assert [each.value is not None for each in page.options] == [True, False]


def test_a_value_that_another_way_takes_without_the_option_is_an_operand() -> None:
    """C-13: `-c POT` beside `POT`."""
    page = parse_help("Usage: kiln [-v] POT\n       kiln -c POT\n", ("kiln",))
    assert [each.is_switch for each in page.options] == [True, True]
    assert [(each.name, each.required) for each in page.operands] == [("POT", True)]
