"""Where a program lists what its help only points to (C-9, C-13)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from toolcrib.packs.climax.importer.ask import Printed
from toolcrib.packs.climax.importer.explore import Explorer
from toolcrib.packs.climax.importer.model import ProgramCommand


def explored(pages: Mapping[str, str], *, refusal: str = "") -> dict[str, ProgramCommand]:
    """The commands of a program that answers these words with these pages."""

    async def ask(words: Sequence[str]) -> Printed:
        if words[0] == "man":
            return Printed(stdout=pages.get("man", ""), exit_code="man" not in pages)
        asked = " ".join(words[1:])
        if asked in pages:
            return Printed(stdout=pages[asked])
        return Printed(stderr=refusal or f"kiln: unknown command: {asked}\n", exit_code=1)

    commands = asyncio.run(Explorer(("kiln",), ask, 2).from_help())
    return {" ".join(command.path): command for command in commands}


def page(word: str, operand: str) -> str:
    return f"Usage: kiln {word} [-q] {operand}\n\n  -q   quietly, please\n"


ROOT = (
    "Usage: kiln [options] ...\n\n  -v   verbose one\n\n"
    "Pottery\nfire   burn it\nglaze  paint it\ncool   wait\n"
)


def test_names_that_answer_for_themselves_are_commands_whatever_heads_them():
    """C-13: sub-commands however they are listed."""
    pages = {
        "--help": ROOT,
        **{f"{word} --help": page(word, "POT") for word in ("fire", "glaze", "cool")},
    }
    found = explored(pages)
    assert set(found) == {"", "fire", "glaze", "cool"}
    assert [each.name for each in found["fire"].page.operands] == ["POT"]


def test_names_that_just_repeat_the_program_are_no_commands():
    """C-13: a list of formats is no list of commands, though `--help` is answered behind each."""
    pages = {
        "--help": ROOT,
        **{f"{word} --help": ROOT for word in ("fire", "glaze", "cool", "nosuchword")},
    }
    assert set(explored(pages)) == {""}


def test_one_page_for_every_word_does_not_make_commands_of_words():
    """C-13: a program that takes any word for a command has said nothing about this one."""
    pages = {"--help": ROOT}
    for word in ("fire", "glaze", "cool", "nosuchword"):
        pages[f"{word} --help"] = f"Usage: kiln {word} FILE\n\n  --deep   deeper\n"
    assert set(explored(pages)) == {""}


def test_a_usage_that_promises_options_is_completed_by_the_manual():
    """C-9: `[OPTIONS]`, and a list of them only in the manual page."""
    manual = "KILN(1)   Pots   KILN(1)\n\nOPTIONS\n"
    manual += "".join(
        f"       --{word}\n              what {word} is for\n\n" for word in ("hot", "dry", "wet")
    )
    found = explored({"--help": "Usage: kiln [OPTIONS] FILE\n\nSee the manual.\n", "man": manual})
    assert {option.main for option in found[""].page.options} == {"--hot", "--dry", "--wet"}
    assert not any(option.required for option in found[""].page.options)
    assert [each.name for each in found[""].page.operands] == ["FILE"]


def test_a_subcommand_that_lists_the_program_again_is_not_followed_without_end():
    """C-9: `kiln fire help` prints the program's own list, with a complaint above it."""
    root = "Usage: kiln <command>\n\nCommands:\n  fire   burn it\n  cool   wait\n"
    pages = {
        "--help": root,
        "help fire": f"no such topic\n{root}",
        "help cool": f"no such topic\n{root}",
    }
    assert set(explored(pages)) <= {"", "fire", "cool"}


def test_a_complaint_about_the_question_is_no_list_of_options():
    """C-13: no error text becomes an option."""
    root = "Usage: kiln [command]\n\nCommands:\n  fire   burn it\n  cool   wait\n"
    found = explored(
        {"--help": root, "help fire": page("fire", "POT")}, refusal="--help : Unknown option\n"
    )
    assert [each.name for each in found["fire"].page.operands] == ["POT"]


DASHED = "Pottery tool\n\nCommands:\n\n -fire   Burns it\n -glaze  Paints it\n -cool   Waits\n"


def test_commands_that_are_spelt_like_options_are_commands_if_each_has_its_own_help():
    """C-13: sub-commands however they are listed."""
    words = ("-fire", "-glaze", "-cool")
    pages = {"--help": DASHED, **{f"{word} --help": page(word, "POT") for word in words}}
    found = explored(pages)
    assert set(found) == {"", "-fire", "-glaze", "-cool"}
    assert found["-fire"].page.options[0].flags == ("-q",)


def test_options_that_are_called_commands_stay_options():
    """C-13: `dpkg -i --help` prints the help of dpkg; its commands are options."""
    words = ("-fire", "-glaze", "-cool")
    found = explored({"--help": DASHED, **{f"{word} --help": DASHED for word in words}})
    assert set(found) == {""}
    assert {option.main for option in found[""].page.options} == set(words)


def test_a_program_that_knows_no_help_is_read_by_what_it_prints_without_words():
    """C-9: a usage that is printed unasked is as good."""
    found = explored({"": "Usage: kiln [OPTIONS] [POTS]\n--fire   burn it\n--glaze  paint it\n"})
    assert [option.main for option in found[""].page.options] == ["--fire", "--glaze"]


def test_a_list_right_below_the_usage_is_read():
    """C-13: names behind a tab and two dashes, each with a page of its own."""
    root = (
        "usage: kiln <command> [options]\n\tfire\t-- fire it\n\tcool\t-- cool it\n\tmix\t-- mix\n"
    )
    pages = {f"{word} --help": page(word, "POT") for word in ("fire", "cool", "mix")}
    assert set(explored({"--help": root, **pages})) == {"", "fire", "cool", "mix"}


def test_a_program_that_tells_to_be_called_alone_is_called_alone():
    """C-13: `Type "kiln" to list available commands.`"""
    told = 'Fires pots. Type "kiln" to list available commands.'
    root = f"kiln [CMD] [OPTIONS]\n  {told}\n\n  -v  tell\n"
    listed = "Commands:\n fire    fire it\n cool    cool it\n"
    pages = {f"{word} --help": page(word, "POT") for word in ("fire", "cool")}
    assert {"fire", "cool"} <= set(explored({"--help": root, "": listed, **pages}))


def test_an_option_that_lists_all_commands_is_asked():
    """C-13: sub-commands however they are listed."""
    root = (
        "Usage:\n    kiln <command> [<args>]\n\nThe most used commands are:\n\n"
        "    fire - fire it\n\nUse '--list-cmds' to list all available commands.\n"
    )
    words = ("fire", "cool", "glaze", "mix", "sell")
    listed = "Available commands in the kiln\n\n" + "".join(f"{w:>9} - to {w} it\n" for w in words)
    pages = {f"{word} --help": page(word, "POT") for word in words}
    found = explored({"--help": root, "--list-cmds": listed, **pages})
    assert set(found) == {"", *words}


def test_prose_of_a_manual_is_no_list_of_commands():
    """C-13: where `help` opens a manual, what it says of commands in passing is none."""
    manual = (
        "KILN(1)             Kiln Manual             KILN(1)\n\nNAME\n       kiln - fires\n\n"
        "COMMANDS\n       o When a pot is hot, leave it\n       o and then wait\n"
    )
    root = "Usage: kiln <command>\n\nSee kiln help.\n\n  -v  tell more\n"
    assert set(explored({"--help": root, "help": manual})) == {""}


def test_a_word_behind_the_command_is_tried_where_the_usage_shows_it():
    """C-9: `{ COMMAND | help }`, and everything else prints the page of the program."""
    root = "Usage: kiln [ -v ] OBJECT { COMMAND | help }\nwhere  OBJECT := { pot | glaze }\n"
    pot = "Usage: kiln pot show [ NAME ]\n       kiln pot drop NAME\n"
    found = explored({"--help": root, "help pot": root, "pot help": pot})
    assert {"pot show", "pot drop"} <= set(found)


def test_names_alone_are_tools_where_the_list_has_nothing_else():
    """C-13: a program that explains none of its commands has them all the same."""
    root = "usage: kiln [-h] [command]\n\nCommand to run. Available: cool, fire, mix, sell\n"
    pages = {"--help": root, **{f"{word} --help": root for word in ("cool", "fire", "mix", "sell")}}
    assert {"cool", "fire", "mix", "sell"} <= set(explored(pages))


def test_a_program_that_knows_no_word_help_has_said_nothing():
    """C-9: what it prints then is about itself, and not about the command."""
    root = (
        "Usage: kiln [OPTIONS] COMMAND [ARGS]...\n\nCommands:\n  fire  fire it\n  cool  cool it\n"
    )
    refusal = "Usage: kiln [OPTIONS] COMMAND [ARGS]...\n\nError: No such command 'help'.\n"
    pages = {"--help": root, "help fire": refusal, "help cool": refusal}
    found = explored(pages, refusal="kiln: where are the settings?\n")
    assert [each.name for each in found["fire"].page.operands] == ["ARGS"]


MANUAL = (
    "KILN(1)             Kiln Manual             KILN(1)\n\nNAME\n       kiln - fires pots\n\n"
    "SYNOPSIS\n       kiln [options] POT\n\nOPTIONS\n       --heat N\n              how hot\n\n"
    "       --quiet\n              say nothing\n\n       --now\n              at once\n"
)


def test_a_help_that_says_nothing_of_its_options_leaves_them_to_the_manual():
    """C-9: `--help`, man page: where the one has examples alone, the other is read."""
    samples = "KILN is a furnace. An example of what is needed:\n --heat 900\n --shelf 4\n"
    found = explored({"--help": samples, "man": MANUAL})[""]
    assert {"--heat", "--quiet", "--now"} <= {each.main for each in found.page.options}
    assert [each.name for each in found.page.operands] == ["POT"]


def test_a_help_that_says_something_is_believed_before_the_manual():
    """C-9: what a program prints is of the version that is there."""
    said = "KILN is a furnace.\n --heat N   how hot\n --shelf N   where\n"
    found = explored({"--help": said, "man": MANUAL})[""]
    assert [each.main for each in found.page.options] == ["--heat", "--shelf"]


def test_operands_come_from_the_manual_where_the_help_has_no_usage():
    """C-13: a help of options alone; a manual about others tells nothing."""
    options = "".join(f"  --{word}   {word} it\n" for word in ("dry", "fire", "cool", "sell"))
    manual = f"NAME\n       kiln\n\nSYNOPSIS\n       kiln [options] pot plate\n\nOPTIONS\n{options}"
    found = explored({"--help": f"Kiln fires pots.\n\nOptions:\n{options}", "man": manual})
    assert [each.name for each in found[""].page.operands] == ["pot", "plate"]
    other = manual.replace("  --", "  --no-")
    found = explored({"--help": f"Kiln fires pots.\n\nOptions:\n{options}", "man": other})
    assert found[""].page.operands == ()
