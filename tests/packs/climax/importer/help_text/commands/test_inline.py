"""C-13: commands that a sentence lists."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.commands.inline import inline_commands
from toolcrib.packs.climax.importer.help_text.page import parse_help


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Available subcommands: add copy delete\nmove rename\n",
         ["add", "copy", "delete", "move", "rename"]),
        ("  command   Command to run. Available: add, re-\n            move, show, tell\n",
         ["add", "re-move", "show", "tell"]),
        ("Valid commands: add, copy,  move,\n\t\tshow, tell\n",
         ["add", "copy", "move", "show", "tell"]),
        ("Known commands are: add, copy, move, and show.\n", ["add", "copy", "move", "show"]),
    ],
)  # fmt: skip
def test_names_behind_a_colon_are_commands(text, names):
    """C-13: sub-commands however they are listed."""
    assert [each.name for each in inline_commands(text.splitlines())] == names


@pytest.mark.parametrize(
    "text",
    [
        "Available commands: see the manual for all of them\n",
        "Available formats: csv json text yaml\n",
        "Valid commands: add, copy\n",
        "Available commands: add, copy it, move, show\n",
    ],
)
def test_a_sentence_is_no_list(text):
    """C-13: words of a sentence become no commands."""
    assert inline_commands(text.splitlines()) == []


def test_a_page_with_a_list_needs_no_sentence():
    """C-13: what is listed with what it does is better than names alone."""
    text = (
        "Available commands: add copy move show\n\nCommands:\n  add   Adds one\n  show  Shows it\n"
    )
    assert [each.name for each in parse_help(text, ("kiln",)).subcommands] == ["add", "show"]


def test_commands_that_stand_only_below_the_usage_are_found_with_what_they_take() -> None:
    """C-13: the program alone, and below it each command on a line; a file is no command."""
    text = (
        "Usage:\n\nkiln\n        [--version] [-v|--verbose]\n        [-f|--force]\n\n"
        "\thelp [-c]\n\tfire <pot>\n\t    [-j|--hot <heat>]\n\tcool [--slow] <pot>...\n\tclear\n"
        "\tlist [<pot>...]\n\tversion \n\n<pot> is the name of one\n"
    )
    page = parse_help(text, ("kiln",))
    found = {each.name: each.usage for each in page.subcommands}
    assert list(found) == ["fire", "cool", "clear", "list", "version"]
    assert found["fire"] == "<pot> [-j|--hot <heat>]"
    few = "Usage:\n\nkiln\n\tpot\n\tshelf\n"
    assert parse_help(few, ("kiln",)).subcommands == ()


def test_commands_in_braces_behind_their_title_are_read() -> None:
    """C-13: sub-commands however they are listed."""
    page = parse_help(
        "Usage: kiln [OPTIONS]\n\nOPTIONS: -h, COMMANDS{fire, cool, dry-out}\n", ("kiln",)
    )
    assert [each.name for each in page.subcommands] == ["fire", "cool", "dry-out"]
