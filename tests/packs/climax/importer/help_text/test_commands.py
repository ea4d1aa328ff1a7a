"""Lists of subcommands as programs really print them (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.page import parse_help


def names(text: str) -> list[str]:
    return [each.name for each in parse_help(text, ("kiln",)).subcommands]


def test_the_program_before_each_command_is_no_part_of_its_name():
    """C-13: `kiln fire <pot>` in a list is the command `fire`."""
    text = "kiln <command>\n\nCommands:\n  kiln fire <pot>  Fire it\n  kiln cool        Cool it\n"
    assert names(text) == ["fire", "cool"]


def test_commands_with_their_description_below_and_blank_lines_between():
    """C-13: sub-commands however they are listed."""
    text = (
        "Where <command> is one of:\n\n  kiln fire [--hot] [pot]\n    fire a pot\n\n"
        "  kiln glaze add [name]\n    add a glaze\n"
    )
    assert names(text) == ["fire", "glaze add"]


def test_names_that_are_set_to_the_right():
    """C-13: each has an indentation of its own, and ends where the others do."""
    listed = "".join(
        f"{name:>12}   Does {name}\n" for name in ("init", "fire", "db", "cool", "mix")
    )
    dashed = listed.replace("   Does", " - Does")
    assert names(f"    Commands\n\n{listed}\n    Flags\n\n    --x   y\n")[:3] == [
        "init",
        "fire",
        "db",
    ]
    assert names(f"Where commands include:\n{dashed}")[-1] == "mix"


def test_letters_with_a_colon_are_commands():
    """C-13: `a : Add files`."""
    assert names("Usage: kiln <command>\n\n<Commands>\n  a : Add\n  rn : Rename\n") == ["a", "rn"]


def test_topics_of_the_help_are_no_commands():
    """C-13: what can only be read about cannot be called."""
    text = (
        "list of commands:\n\nFiring:\n\n fire    fire a pot\n\nadditional help topics:\n\n"
        "Words:\n\n glazes    what glazes there are\n"
    )
    assert names(text) == ["fire"]


def test_choices_below_the_name_of_an_argument_are_commands():
    """C-13: argparse with a metavar, and a formatter that leaves blank lines between."""
    text = (
        "usage: kiln [-h] TYPE ...\n\npositional arguments:\n  TYPE\n    pot    about pots\n"
        "    glaze  about glazes\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    spaced = (
        "usage: kiln [-h] {fire,cool} ...\n\nsubcommands:\n  {fire,cool}\n    fire\n"
        "      Fire a pot.\n\n    cool\n      Cool it.\n"
    )
    assert names(text) == ["pot", "glaze"]
    assert parse_help(text, ("kiln",)).operands == ()
    assert names(spaced) == ["fire", "cool"]


def test_sentences_are_no_commands():
    """C-13: two words of which the first has a capital begin a sentence."""
    assert names("Command Line Only:\n  The default is HOT\n        and a pot\n") == []
