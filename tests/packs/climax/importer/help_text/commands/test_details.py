"""Lines of a list of commands that are no entries (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.commands.lists import subcommands


def _listed(text: str) -> list[tuple[str, str | None]]:
    return [(each.name, each.usage) for each in subcommands(text.splitlines())]


def test_what_is_done_without_a_command_hides_none() -> None:
    """C-13: the first entry of the list has no name."""
    text = (
        "Commands:\n               fires the pots\n  cool         cools them\n"
        "  dry [shelf]  dries\n"
    )
    assert _listed(text) == [("cool", None), ("dry", "[shelf]")]


def test_what_a_command_takes_is_shown_below_it() -> None:
    """C-13: the name again, with its operand."""
    text = (
        "the first argument must be one of the following:\n show, --show     shows the kiln\n"
        "   show <pot>      shows the pot\n cool, --cool     cools it\n dry, --dry       dries\n"
    )
    assert _listed(text) == [("show", "<pot>"), ("cool", None), ("dry", None)]


def test_the_second_word_of_several_is_what_they_take() -> None:
    """C-13: `fire pot` and `dry pot`, beside a command of one word."""
    text = "Commands:\n  count      counts\n  fire pot   fires it\n  dry pot    dries it\n"
    assert _listed(text) == [("count", None), ("fire", "<pot>"), ("dry", "<pot>")]
    other = "Commands:\n  all        all\n  pot list   lists\n  pot show   shows\n  cup list   ls\n"
    assert [name for name, _ in _listed(other)] == ["all", "pot list", "pot show", "cup list"]


def test_names_of_operands_behind_a_command_are_none_of_it() -> None:
    """C-13: `load filename` in a list of commands."""
    text = "Commands:\n  exit   exits\n  load filename   loads it\n  copy infile outname   copies\n"
    assert _listed(text) == [("exit", None), ("load", "<filename>"), ("copy", "<infile> <outname>")]
