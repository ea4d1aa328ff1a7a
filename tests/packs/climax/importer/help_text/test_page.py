"""C-9: help texts of every style are read as the options, operands and subcommands they print.

The texts are small programs' own, printed by the real library where it comes with Python, and
written in its manner where it does not.
"""

from __future__ import annotations

import argparse
import optparse

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.climax.importer.help_text.page import parse_help, shared_operands
from toolcrib.packs.climax.importer.model import Style


def options(page):
    return {option.main: option for option in page.options}


def operands(page):
    return {operand.name: operand for operand in page.operands}


class TestArgparse:
    @pytest.fixture
    def parser(self):
        parser = argparse.ArgumentParser(prog="paint", description="Paint a wall.")
        parser.add_argument("wall", help="which wall")
        parser.add_argument("more", nargs="*", help="further walls")
        parser.add_argument("-c", "--colour", choices=["red", "green"], help="which colour")
        parser.add_argument("--coats", type=int, metavar="N", help="how many (default: 2)")
        parser.add_argument("--name", required=True, help="the painter's name")
        parser.add_argument("-n", "--dry-run", action="store_true", help="only look")
        return parser

    def test_options_have_values_choices_and_types(self, parser):
        """C-9, C-13: types and enums; a default stays in the description."""
        page = parse_help(parser.format_help(), ("paint",))
        found = options(page)
        assert page.style is Style.ARGPARSE
        assert page.description == "Paint a wall."
        assert set(found) == {"--help", "--colour", "--coats", "--name", "--dry-run"}
        assert found["--colour"].enum == ("red", "green")
        assert found["--colour"].flags == ("-c", "--colour")
        assert found["--coats"].type == "integer"
        assert "2" in found["--coats"].description
        assert found["--dry-run"].type == "boolean"
        assert found["--name"].required
        assert not found["--coats"].required

    def test_positionals_are_operands_with_their_descriptions(self, parser):
        """C-9: required positionals."""
        found = operands(parse_help(parser.format_help(), ("paint",)))
        assert list(found) == ["wall", "more"]
        assert found["wall"].required
        assert found["wall"].description == "which wall"
        assert not found["more"].required
        assert found["more"].repeats

    def test_subparsers_are_subcommands(self):
        parser = argparse.ArgumentParser(prog="shop")
        below = parser.add_subparsers(required=True)
        below.add_parser("open", help="open the shop")
        below.add_parser("close", help="close the shop")
        page = parse_help(parser.format_help(), ("shop",))
        assert [(sub.name, sub.description) for sub in page.subcommands] == [
            ("open", "open the shop"),
            ("close", "close the shop"),
        ]
        assert not page.operands


def test_optparse_prints_one_option_per_line():
    """C-9: the older library of Python is read too."""
    parser = optparse.OptionParser(prog="paint", usage="%prog [options] file")
    parser.add_option("-o", "--output", metavar="FILE", help="where to")
    parser.add_option("-q", action="store_true", help="be quiet")
    page = parse_help(parser.format_help(), ("paint",))
    assert set(options(page)) == {"--help", "--output", "-q"}
    assert options(page)["--output"].value == "FILE"
    assert list(operands(page)) == ["file"]


CLICK = """\
Usage: kiln fire [OPTIONS] POT...

  Fire one or more pots.

Options:
  -t, --temperature INTEGER RANGE  Degrees.  [default: 900; 0<=x<=1300]
  --glaze [matt|shiny]             Which glaze.  [required]
  --log / --no-log                 Keep a log.
  --help                           Show this message and exit.
"""

COBRA = """\
Run the kiln

Usage:
  kiln run NAME [flags]

Aliases:
  run, r

Examples:
  kiln run --no-such-option

Flags:
      --dry-run             only say what would happen
  -l, --level string        log level ("debug", "info", "warn") (default "info")
  -n, --number int          how many (default 3)
      --pull                pull first (default true)
      --wait duration       how long (ms|s|m|h) (default 0s)

Global Flags:
  -h, --help   help for run
"""

CLAP = """\
Fire pots

Usage: kiln [OPTIONS] <POT> [COMMAND]

Commands:
  heat, h  Heat the kiln
  cool     Cool it down
  help     Print this message

Arguments:
  <POT>  The pot

Options:
  -g, --glaze <GLAZE>
          Which glaze

          Possible values:
          - matt:  without shine
          - shiny: with it

  -c, --color <WHEN>  Colours [possible values: auto, always, never]
      --bin [<NAME>]  Only this one
  -v, --verbose...    Say more
  -h, --help          Print help
"""

GIT = """\
usage: git pot [-q | --quiet] [--[no-]glaze] [(-m | --message) <msg>] [--] [<path>...]
   or: git pot list [--all]
   or: git pot drop <pot>

    -q, --quiet           say less
    -m, --message <msg>   what it is about
    -u, --untracked[=<mode>]
                          show others too
"""

GNU = """\
Usage: pot [OPTION]... [FILE]...
  or:  pot [OPTION]... --from=F
Make pots of FILEs.

Mandatory arguments to long options are mandatory for short options too.
  -a, --all                  all of them
      --extract, --get       take out
  -d, --depth=N              at most N levels; --depth=0
                             is the same as
                             --all
      --exclude-everything-at-once leave out
      --color[=WHEN]         WHEN can be 'always', 'never', or 'auto'
      --very-long-option-name-here=VALUE
                             explained below
  -NUM                       the same as --depth
      --help     display this help and exit
"""

GO = """\
Usage of pot:
  -addr string
    \taddress to listen on (default "localhost:80")
  -v\tsay more
"""

KUBECTL = """\
Show pots.

Options:
    -A, --all-shelves=false:
\tOn all shelves.

    --chunk-size=500:
\tHow many at once.

    --server-print=true:
\tLet the server print.

    -l, --selector='':
\tOnly these.

Usage:
  kubectl pot (TYPE | TYPE/NAME) [options]
"""

NPM = """\
Fire a pot

Usage:
npm fire [<pot> ...]

Options:
[-S|--save|--no-save] [--strategy <hoisted|nested>] [--exclude <pkg|glob>]

  -S|--save
    Keep it.

  --strategy
    Which way.

  --exclude
    What to leave out.

alias: f

Run "npm help fire" for more info
"""


class TestOtherStyles:
    """C-9: click, cobra, clap, git, GNU, Go, kubectl and npm print in their own ways."""

    def test_click(self):
        page = parse_help(CLICK, ("kiln", "fire"))
        found = options(page)
        assert page.style is Style.CLICK
        assert found["--temperature"].type == "integer"
        assert "900" in found["--temperature"].description
        assert found["--glaze"].enum == ("matt", "shiny")
        assert found["--glaze"].required
        assert {"--log", "--no-log"} <= set(found)
        assert operands(page)["POT"].required

    def test_cobra(self):
        page = parse_help(COBRA, ("kiln", "run"))
        found = options(page)
        assert page.style is Style.COBRA
        assert set(found) == {"--dry-run", "--level", "--number", "--pull", "--wait", "--help"}
        assert found["--level"].enum == ("debug", "info", "warn")
        assert found["--number"].type == "integer"
        assert "3" in found["--number"].description
        assert found["--pull"].enum == ("true", "false")
        assert found["--wait"].enum == ()
        assert operands(page)["NAME"].required

    def test_clap(self):
        page = parse_help(CLAP, ("kiln",))
        found = options(page)
        assert page.style is Style.CLAP
        assert found["--glaze"].enum == ("matt", "shiny")
        assert found["--color"].enum == ("auto", "always", "never")
        assert found["--bin"].value_optional
        assert found["--verbose"].is_switch
        assert [sub.name for sub in page.subcommands] == ["heat", "cool"]

    def test_git(self):
        page = parse_help(GIT, ("git", "pot"))
        found = options(page)
        assert page.style is Style.GIT
        assert {"--quiet", "--glaze", "--no-glaze", "--message", "--untracked"} == set(found)
        assert found["--message"].flags == ("-m", "--message")
        assert found["--untracked"].value_optional
        assert [sub.name for sub in page.subcommands] == ["list", "drop"]
        assert page.runnable

    def test_gnu(self):
        page = parse_help(GNU, ("pot",))
        found = options(page)
        assert page.style is Style.GNU
        assert page.description == "Make pots of FILEs."
        assert found["--depth"].type == "integer"
        assert found["--depth"].description.endswith("is the same as --all")
        assert found["--extract"].description == found["--get"].description == "take out"
        assert found["--exclude-everything-at-once"].is_switch
        assert found["--exclude-everything-at-once"].description == "leave out"
        assert found["--color"].enum == ("always", "never", "auto")
        assert found["--very-long-option-name-here"].value == "VALUE"
        assert "-NUM" not in found
        assert any(note.subject == "-NUM" for note in page.notes)
        assert operands(page)["FILE"].repeats

    def test_go(self):
        page = parse_help(GO, ("pot",))
        assert options(page)["-addr"].value == "string"
        assert options(page)["-v"].is_switch

    def test_kubectl(self):
        page = parse_help(KUBECTL, ("kubectl", "pot"))
        found = options(page)
        assert page.style is Style.KUBECTL
        assert found["--all-shelves"].type == "boolean"
        assert found["--chunk-size"].type == "integer"
        assert "500" in found["--chunk-size"].description
        assert found["--server-print"].enum == ("true", "false")
        assert found["--selector"].type == "string"
        assert found["--selector"].flags == ("-l", "--selector")

    def test_npm(self):
        page = parse_help(NPM, ("npm", "fire"))
        found = options(page)
        assert page.style is Style.NPM
        assert found["--save"].flags == ("-S", "--save")
        assert found["--no-save"].is_switch
        assert found["--strategy"].enum == ("hoisted", "nested")
        assert found["--exclude"].enum == ()
        assert operands(page)["pot"].repeats

    def test_colours_tabs_and_overstriking_are_seen_through(self):
        """C-9: what a terminal would show is what is read."""
        text = "\x1b[1mUsage:\x1b[0m pot\r\n\r\n  -\x08-a, --a\x08all\t\tall\n"
        assert options(parse_help(text, ("pot",)))["--all"].description == "all"


class TestDescriptions:
    def test_what_stands_two_blanks_in_is_a_description(self):
        """C-13: click and its like print it so; two columns have their gap further right."""
        page = parse_help("Usage: kiln [OPTIONS]\n\n  Fire pots of all kinds.\n\n", ("kiln",))
        assert page.description == "Fire pots of all kinds."

    @pytest.mark.parametrize(
        "text",
        ["Report bugs to <https://kiln.example>.", "kiln version: kiln/1.22", "POT := {a|b}"],
    )
    def test_what_says_nothing_of_the_program_is_none(self, text):
        """C-13: no imprint becomes a description."""
        assert parse_help(f"{text}\n\nUsage: kiln [-x]\n  -x  do\n", ("kiln",)).description == ""


def test_a_page_for_all_commands_tells_what_each_takes():
    """C-13: `kiln <command> <archive> [<file>...]`."""
    found = shared_operands("Usage: kiln <command> [<switches>...] <pot> [<files>...]\n", "kiln")
    assert [(each.name, each.required) for each in found] == [("pot", True), ("files", False)]


@pytest.mark.parametrize(
    "line",
    [
        "  --option{0} VALUE   what it does",
        "  command{0}   what it does",
        "Heading {0}:\n\n  --opt{0}  what it does",
        "Commands:\n\n  fire{0}   what it does\n",
        "  {{a,b}}",
        "  <command>",
        "  -a{0}\n",
        "",
        "x | y\n---|---",
        "usage: kiln{0} [-a] FILE",
        "  -a{0}  this          -b{0} that",
        "  name\n    word{0}   what it is",
    ],
)
def test_a_help_four_times_as_long_takes_about_four_times_as_long(line):
    """C-9: a help of many thousand lines is read in seconds, whatever they are."""

    def read(size: int) -> object:
        count = min(size, 20_000)
        text = "\n".join(line.format(number) for number in range(count))
        return parse_help(f"Usage: kiln POT\n\npositional arguments:\n{text}\n", ("kiln",))

    assert_grows_slowly(read, 500)


def test_a_text_that_shows_no_values_tells_of_them_in_words():
    """C-13: options take the value that their description speaks of; switches stay switches."""
    text = (
        "Usage: kiln {OPTIONS}\n\n  --outfile, -o  Write the result to this file.\n"
        "  --timeout, -t  Time to wait in ms, default 5000\n  --deep, -d     Go on below.\n"
        "  --help, -h     Show this.\n"
    )
    page = parse_help(text, ("kiln",))
    takes = {each.main: not each.is_switch for each in page.options}
    assert takes == {"--outfile": True, "--timeout": True, "--deep": False, "--help": False}


def test_a_text_that_shows_values_means_switches_where_it_shows_none():
    """C-13: the same words beside options with values change nothing."""
    text = (
        "Usage: kiln [OPTIONS]\n\n  --out FILE  where to\n  --keep      Keep this file.\n"
        "  --deep      Go on.\n  --help      Show this.\n"
    )
    page = parse_help(text, ("kiln",))
    assert [each.main for each in page.options if not each.is_switch] == ["--out"]


def test_options_that_the_usage_has_a_name_for_are_those_in_brackets_below_it():
    """C-13: options in any column, here behind the name that stands for them."""
    text = "Usage: kiln [common options] [-j] [POT]\nCommon options: [-31] [-A pots] [-d date]\n"
    page = parse_help(text, ("kiln",))
    values = {each.main: each.value for each in page.options}
    assert values == {"-3": None, "-1": None, "-A": "pots", "-d": "date", "-j": None}


def test_capitals_that_nobody_can_say_are_an_option_and_no_name_for_many():
    """C-13: `-MMD` is one option; what `-NUM` stands for is not understood, and listed."""
    page = parse_help("usage: kiln POT\n\n  -MMD   list the pots\n  -NUM   so many\n", ("kiln",))
    assert [each.main for each in page.options] == ["-MMD"]
    assert [note.subject for note in page.notes] == ["-NUM"]


def test_a_letter_before_capitals_is_an_option_with_its_value_right_behind_it():
    """C-13: `-rREV` takes a value, and does not stand for many options."""
    page = parse_help("Usage: kiln POT\n\n  -rREV   name one\n  -q      say little\n", ("kiln",))
    assert [(each.main, each.value, each.glued) for each in page.options] == [
        ("-r", "REV", True),
        ("-q", None, False),
    ]


def test_what_a_list_of_commands_has_as_the_usage_does_is_an_operand():
    """C-13: operands; `[mode]` is what the program takes without a command."""
    text = (
        "Usage:\n  $ kiln [mode]\n\nCommands:\n  [mode]  how hot it gets\n\n"
        "Options:\n  --now   at once\n"
    )
    page = parse_help(text, ("kiln",))
    assert page.subcommands == ()
    assert [(each.name, each.required) for each in page.operands] == [("mode", False)]


def test_commands_no_further_in_than_their_heading_are_a_list_even_over_several_lines():
    """C-13: sub-commands however they are listed, with what each takes."""
    text = (
        "usage: kiln <command>\n\n   commands:\n   fire [-b <heat>] \\\n"
        "        <pot>      fire a pot\n"
        "   cool            cool all\n   list            list all\n   sell <pot>      sell one\n"
        "   each [<-g>]\n     <order>       do it for each\n"
    )
    page = parse_help(text, ("kiln",))
    assert [(sub.name, sub.usage) for sub in page.subcommands] == [
        ("fire", "[-b <heat>] <pot>"),
        ("cool", None),
        ("list", None),
        ("sell", "<pot>"),
        ("each", "[<-g>]"),
    ]


def test_an_option_behind_a_star_is_one():
    """C-13: options in any column; the star beside some of them is explained elsewhere."""
    text = "Usage: kiln POT [options]\n  -i: say what is there\n* -w [pot]: write a pot\n"
    assert [each.main for each in parse_help(text, ("kiln",)).options] == ["-i", "-w"]


def test_a_sentence_may_begin_with_run():
    """C-9: "Run the command in the kiln." says what it is for; "Run kiln --help" does not."""
    usage = "kiln [OPTIONS...] POT\n\n"
    options = "\n  -q --quiet   say nothing\n"
    told = parse_help(f"{usage}Run the pot through the kiln.\n{options}", ("kiln",))
    assert told.description == "Run the pot through the kiln."
    hint = parse_help(f"{usage}Run kiln --help for more of it.\n{options}", ("kiln",))
    assert hint.description == ""
