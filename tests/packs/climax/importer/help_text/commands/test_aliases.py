"""Other names of commands, and what becomes of them (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.commands.aliases import is_short_for
from toolcrib.packs.climax.importer.help_text.page import parse_help


def names(text: str) -> list[str]:
    return [each.name for each in parse_help(text, ("kiln",)).subcommands]


def test_letters_behind_a_name_are_another_name_of_it() -> None:
    """C-13: `fire f   Fires it` is one command, `pot add` are the words of one."""
    listed = ("fire f        Fires it", "generate gt   Makes one", "pot add       Adds it")
    assert names("Commands:\n" + "".join(f"  {line}\n" for line in listed)) == [
        "fire",
        "generate",
        "pot add",
    ]


@pytest.mark.parametrize(
    ("alias", "short"), [("f", True), ("fr", True), ("rf", False), ("", False)]
)
def test_what_is_short_for_a_name_has_its_letters_in_their_order(alias: str, short: bool) -> None:
    """C-13: and begins as it does; `go up` is no `go`."""
    assert is_short_for(alias, "fire") is short


def test_words_that_stand_for_others_are_commands() -> None:
    """C-13: `glaze -> kiln mix && kiln fire`; other names of one command are not."""
    listed = "Commands\n    mix   Mixes\n    fire   Fires\n\nAliases\n    glaze -> kiln mix\n"
    assert names(f"Usage: kiln command\n\n{listed}") == ["mix", "fire", "glaze"]
    assert names("Usage: kiln [pot]\n\nAliases:\n  kiln, oven\n") == []


def test_the_beginning_of_a_name_behind_it_is_another_name_of_it() -> None:
    """C-13: `cooling coo   Cools it`."""
    listed = "  cooling coo   Cools it\n  fire    Fires it\n  pot add       Adds it\n"
    assert names(f"Commands:\n{listed}") == ["cooling", "fire", "pot add"]
