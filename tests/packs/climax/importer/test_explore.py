"""What a program is asked, and in which order its words have to stand (C-9, C-13)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.climax.importer.ask import Printed
from toolcrib.packs.climax.importer.explore import Explorer

HELP = "usage: kiln [-h] [--now] POT\n\noptions:\n  -n, --now   do it\n"


def explored(*, probes: bool, exit_code: int = 0) -> tuple[list[tuple[str, ...]], bool]:
    """What was asked of a program that prints one page whatever it is asked; options first?"""
    asked: list[tuple[str, ...]] = []

    async def ask(words: Sequence[str]) -> Printed:
        asked.append(tuple(words))
        return Printed(stderr=HELP, exit_code=exit_code)

    (command,) = asyncio.run(Explorer(("kiln",), ask, 1, probes=probes).from_help())
    return asked, command.page.flags_first


def test_without_a_sandbox_nothing_but_help_is_asked_for() -> None:
    """C-9: an import does no harm where nothing would hold a command back."""
    asked, _ = explored(probes=False)
    assert asked == [("kiln", "--help")]


@pytest.mark.parametrize(("exit_code", "first"), [(0, False), (22, True)])
def test_usage_for_every_mistake_does_not_show_that_options_may_come_last(exit_code, first) -> None:
    """C-13: a program that answers each question by its usage has not taken the option."""
    _, flags_first = explored(probes=True, exit_code=exit_code)
    assert flags_first is first


def test_one_that_knows_no_help_shows_whether_it_looks_behind_its_operands() -> None:
    """C-13: `fire: unknown option --help`, which is not said behind an operand."""
    usage = "usage: kiln fire [options] pot\n\t--now\tdo it\n\t-o -\twhere to\n"

    async def ask(words: Sequence[str]) -> Printed:
        if words[1] != "fire":
            text = "usage: kiln <command>\n\nCommands:\n  fire  fire it\n  cool  cool it\n"
        else:
            text = f"{'fire: unknown option --help' * (words[2] == '--help')}\n{usage}"
        return Printed(stderr=text, exit_code=1)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    fire = next(command for command in commands if command.path == ("fire",))
    assert fire.page.operands_last


def test_one_page_for_all_commands_is_read_once() -> None:
    """C-9: hundreds of commands that print the program's own page cost no more than that page."""

    def explore(size: int) -> object:
        listed = "".join(f"  fire{number}   fires it\n" for number in range(min(size, 4000)))
        text = f"usage: kiln <command> [pot]\n\nCommands:\n{listed}"

        async def ask(words: Sequence[str]) -> Printed:
            return Printed(stdout=text)

        return asyncio.run(Explorer(("kiln",), ask, 1).from_help())

    # Commands and the page both grow: reading the page for each would be sixteen times the work.
    assert_grows_slowly(explore, 60)


def test_a_page_that_is_not_about_a_command_leaves_its_operands_to_the_list() -> None:
    """C-13: `fire POT [SHELF]` in the list, and a usage that names no command."""
    listed = (
        "  fire POT [SHELF]   - Fires it.\n"
        "  cool               - Cools it.\n  list POT   - Lists.\n"
    )
    usage = "Usage:\n  kiln [OPTION…] - Kilns.\n\n"

    async def ask(words: Sequence[str]) -> Printed:
        if words[1:] == ("--help",):
            return Printed(f"{usage}Subcommands:\n{listed}")
        return Printed(f"{usage}'{words[1]}' command\n\nOptions:\n  -v, --verbose   tell more\n")

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    found = {" ".join(each.path): [one.name for one in each.page.operands] for each in commands}
    assert found["fire"] == ["POT", "SHELF"] and found["cool"] == []


def test_letters_alone_are_no_help_where_there_is_more() -> None:
    """C-9: what a library prints for `--help`, and the program's own usage for `-h`."""
    letters = "The following single-character options are accepted:\n\tWith arguments: -e\n"

    async def ask(words: Sequence[str]) -> Printed:
        if words[1:] == ("--help",):
            return Printed(f"Usage: kiln [-OPTIONS] [--] [ARG1 ...]\n\n{letters}")
        return Printed("Usage: kiln [-bd] [-e heat] [pot]\n") if "-h" in words else Printed()

    (kiln,) = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    assert [each.name for each in kiln.page.operands] == ["pot"]


def test_a_command_takes_what_a_usage_line_has_behind_its_name() -> None:
    """C-13: `kiln [options] show pot1 [pot2 ...]` above a list that names `show`."""
    text = (
        "Usage: kiln [options] command\n       kiln [options] show pot1 [pot2 ...]\n\n"
        "Most used commands:\n  show - Shows it\n  cool - Cools it\n  fire - Fires it\n"
    )

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(text)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    show = next(each for each in commands if each.path == ("show",))
    assert [(one.required, one.repeats) for one in show.page.operands] == [(True, True)]


def test_a_list_that_says_what_each_takes_leaves_nothing_to_the_others() -> None:
    """C-13: `COMMAND ...` with `set-time TIME` in the list: `status` takes nothing."""
    text = (
        "kiln [OPTIONS...] COMMAND ...\n\nCommands:\n  status          Show it\n"
        "  set-heat HEAT   Set it\n\nOptions:\n"
        "  -h --help   Show this\n     --quiet   Say nothing\n"
    )

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(text)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    found = {each.path: [one.name for one in each.page.operands] for each in commands}
    assert found[("status",)] == [] and found[("set-heat",)] == ["HEAT"]


@pytest.mark.parametrize(("other", "named"), [("clay", ["url"]), ("kiln", ["repo", "dir"])])
def test_the_usage_of_a_program_that_is_only_called_is_not_the_commands_own(other, named) -> None:
    """C-13: operands are what the list says, where the page below is that of another program."""
    root = (
        "Usage: kiln <command>\n\nCommands:\n  kiln clone <url>    fetch pots\n"
        "  kiln list           list pots\n"
    )
    below = f"usage: {other} clone [<options>] <repo> [<dir>]\n\n  -q, --quiet   say little\n"

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(stdout=below if words[1:2] == ["clone"] or "clone" in words else root)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    clone = next(command for command in commands if command.path == ("clone",))
    assert [operand.name for operand in clone.page.operands] == named


def test_a_hint_that_names_another_way_to_ask_is_followed() -> None:
    """C-9: the whole help, where `--help` is refused with a few lines of it."""
    hint = "kiln: invalid option -- '-'\nFull help info : kiln -h\n  -f   fire\n"
    whole = "Usage: kiln [options]\n  -f   fire\n  -c   cool\n  -s   sell\n"

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(stdout=whole) if words[1:] == ("-h",) else Printed(stderr=hint, exit_code=1)

    (command,) = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    assert [option.main for option in command.page.options] == ["-f", "-c", "-s"]


ONE_PAGE = (
    "Usage\n  kiln [--version | --help]\n  kiln <command> [--shelf <path>] [--quiet] [<args>]\n\n"
    "Common Commands\n    fire       Fire a pot\n    cool       Cool a pot\n\n"
)


def _asked_for_fire(root: str) -> tuple[list[str], list[str]]:
    """The options and operands of `fire`, which only `kiln help fire` and `fire -h` explain."""
    own = "Usage:\n  kiln fire <pot>\n\nOptions:\n  --heat <n>   how hot\n  --now   at once\n"

    async def ask(words: Sequence[str]) -> Printed:
        if tuple(words[1:]) in (("fire", "-h"), ("help", "fire")):
            return Printed(stderr=f"Unknown option: h\n{own}", exit_code=2)
        return Printed(stdout=root)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    page = next(each.page for each in commands if each.path == ("fire",))
    return [each.main for each in page.options], [each.name for each in page.operands]


def test_a_program_that_prints_its_own_page_is_asked_as_that_page_tells() -> None:
    """C-9: `kiln fire --help` has the list of commands, and that names `kiln help <command>`."""
    options, operands = _asked_for_fire(f'{ONE_PAGE}See "kiln help <command>" for one.\n')
    assert operands == ["pot"]
    assert options == ["--heat", "--now", "--shelf", "--quiet"]


def test_a_program_that_prints_one_page_for_all_is_not_asked_again() -> None:
    """C-9: hundreds of commands would be asked three times each."""
    _, operands = _asked_for_fire(ONE_PAGE)
    assert operands == ["args"]


def test_what_a_usage_has_behind_all_commands_each_of_them_takes() -> None:
    """C-13: `<command> [--shelf <path>]`, and the page of a command has but its own options."""
    own = "Usage: kiln {} <pot>\n\nOptions:\n  --heat <n>   how hot\n"

    async def ask(words: Sequence[str]) -> Printed:
        below = [word for word in words if word in ("fire", "cool")]
        return Printed(stdout=own.format(below[0]) if below else ONE_PAGE)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    found = {each.path: [one.main for one in each.page.options] for each in commands}
    assert found[("fire",)] == ["--heat", "--shelf", "--quiet"]


def test_a_page_that_lists_its_commands_with_its_own_word_has_them_below_it() -> None:
    """C-13: `glaze mix` on the page of `kiln glaze` is `kiln glaze mix`."""
    pages = {
        (): "Usage: kiln COMMAND\n\nCOMMANDS\n  glaze  Glazes\n  fire   Fires\n",
        ("glaze",): "USAGE\n  $ kiln glaze COMMAND\n\nCOMMANDS\n  glaze mix    Mix it\n"
        "  glaze dry    Dry it\n  other dry    Dry another\n",
        ("glaze", "mix"): "USAGE\n  $ kiln glaze mix [POT] [--quiet]\n\nFLAGS\n  --quiet  hush\n",
    }

    async def ask(words: Sequence[str]) -> Printed:
        text = pages.get(tuple(word for word in words[1:] if word != "--help"))
        return Printed(stdout=text) if text else Printed(stderr="unknown command", exit_code=2)

    commands = asyncio.run(Explorer(("kiln",), ask, 2).from_help())
    found = {each.path: [one.name for one in each.page.operands] for each in commands}
    assert found[("glaze", "mix")] == ["POT"]
    assert ("glaze", "glaze", "mix") not in found


def test_commands_are_known_by_their_pages_where_the_program_has_no_option_but_help() -> None:
    """C-13: `--help` is on every page, and makes none of them the program's own."""
    parts = ("cup", "plate", "pot")
    listed = "".join(f"\t{name}, {name[:2]}    Takes each {name}\n" for name in parts)
    head = "usage: kiln <part> [options]\n\nAvailable parts:\n"
    tail = "\npositional arguments:\n  part   part to fire\n\noptions:\n  -h, --help   help\n"

    async def ask(words: Sequence[str]) -> Printed:
        if len(words) == 2:
            return Printed(head + listed + tail)
        if words[1] in parts:
            return Printed(f"usage: kiln {words[1]} [options]\n\noptions:\n  -h, --help   help\n")
        return Printed(stderr="kiln: no such part\n", exit_code=1)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    assert [" ".join(command.path) for command in commands] == ["", *parts]


def test_a_command_that_its_list_says_several_of_takes_several() -> None:
    """C-13: "Print one or more", where the list has but one word."""
    listed = "  show [POT]   Print one or more pots\n  fire [POT]   Fire the pot\n  cool   Cool\n"
    text = f"kiln [OPTIONS...] COMMAND\n\nCommands:\n{listed}\nOptions:\n  -q --quiet   Quiet\n"

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(text)

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    several = {each.path: [one.repeats for one in each.page.operands] for each in commands}
    assert several[("show",)] == [True] and several[("fire",)] == [False]


def test_a_usage_that_wants_a_command_has_them_in_the_list_below_it() -> None:
    """C-13: sub-commands in a list without a title."""
    listed = (
        "    fire:   fires pots, all of\n            them\n    cool:   cools\n    dry:    dries\n"
    )

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(f"Usage: kiln COMMAND <pot>\n\n{listed}")

    commands = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    named = {each.path: [one.name for one in each.page.operands] for each in commands}
    assert named[("fire",)] == named[("dry",)] == ["pot"]


def test_a_usage_behind_the_name_of_a_complaint_is_help() -> None:
    """C-9: `kiln: usage: kiln POT`, and an exit code of its own."""

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(stderr="kiln: usage: kiln in.pot out.pot\n", exit_code=2)

    (command,) = asyncio.run(Explorer(("kiln",), ask, 1).from_help())
    assert [each.name for each in command.page.operands] == ["in.pot", "out.pot"]
