"""C-13: help texts in the shapes that real programs print, each with what a person reads in it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from toolcrib.packs.climax.importer.ask import Printed
from toolcrib.packs.climax.importer.explore import FROM_LIST, NO_DESCRIPTION
from toolcrib.packs.climax.importer.help_text.columns import uncolumned
from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.values import choices
from toolcrib.packs.climax.importer.model import HelpPage
from toolcrib.packs.climax.importer.program import import_program


def flags(page: HelpPage) -> list[tuple[str, ...]]:
    return [option.flags for option in page.options]


def operands(page: HelpPage) -> list[tuple[str, bool, bool]]:
    return [(each.name, each.required, each.repeats) for each in page.operands]


def imported(pages: dict[str, str], **more: Any) -> tuple[dict[str, Any], Any]:
    """The tools by name, and the report, of a program that prints these pages."""

    async def ask(argv: Any) -> Printed:
        text = pages.get(" ".join(argv))
        return Printed(text) if text is not None else Printed("", "kiln: unknown command", 2)

    result = import_program("kiln", runner=ask, **more)
    tools = yaml.safe_load(result.yaml_text)["tools"]
    return {tool["name"]: tool for tool in tools}, result.report


LONG_RIGHT_OF_SHORT = """\
kiln [OPTIONS] [FILES]
  -f FORMAT, -r FORMAT  --from=FORMAT, --read=FORMAT
  -o FILE               --output=FILE
                        --data-dir=DIRECTORY
  -M KEY[:VALUE]        --metadata=KEY[:VALUE]
                        --wrap=auto|none
  -s                    --standalone
"""
TWO_TO_A_LINE = """\
Kiln 3.0 (July 2008). Usage:
kiln [-options] [-b path] [-n suffixes] [potfile list]
  The default action is to add pots.
  -f   freshen: only changed pots   -u   update: only changed or new pots
  -d   delete pots from the file    -m   move into the file (delete others)
  -r   go into shelves              -j   junk the names of shelves
  -F   fix a potfile (-FF try more) -D   do not add shelves
  -n   don't fire these suffixes
"""


class TestColumns:
    """C-13: options in any column."""

    def test_long_options_right_of_the_short_ones_belong_to_them(self) -> None:
        """C-13: a spelling beside a spelling is the same option; one alone is another."""
        page = parse_help(LONG_RIGHT_OF_SHORT, ("kiln",))
        assert flags(page) == [
            ("-f", "-r", "--from"), ("--read",), ("-o", "--output"), ("--data-dir",),
            ("-M", "--metadata"), ("--wrap",), ("-s", "--standalone"),
        ]  # fmt: skip
        assert operands(page) == [("FILES", False, True)]

    def test_two_options_on_a_line_are_two(self) -> None:
        """C-13: each with its own description, also where only one blank stands between."""
        page = parse_help(TWO_TO_A_LINE, ("kiln",))
        told = {option.main: option.description for option in page.options}
        assert told["-u"] == "update: only changed or new pots"
        assert told["-f"] == "freshen: only changed pots"
        assert told["-D"] == "do not add shelves"
        assert operands(page) == [("potfile", False, False), ("list", False, True)]

    def test_a_value_that_only_the_usage_has_is_known(self) -> None:
        """C-13: `[-n suffixes]` takes a value, whatever the list leaves out."""
        page = parse_help(TWO_TO_A_LINE, ("kiln",))
        assert next(each.value for each in page.options if each.main == "-n") == "suffixes"

    def test_descriptions_that_name_options_stay_descriptions(self) -> None:
        """C-13: a dash here and there makes no column of options."""
        lines = [
            "  -a, --all      take all of them, as with",
            "                 --every and",
            "  -b, --both     take both",
            "  -c, --clay     what to take: see",
            "                 the manual",
        ]
        assert uncolumned(lines) == lines

    def test_a_frame_around_the_options_is_no_part_of_them(self) -> None:
        """C-13: what rich draws around a section."""
        page = parse_help(
            "Usage: kiln [OPTIONS] NAME\n\n"
            "╭─ Options ──────────────────────────────────────╮\n"
            "│ --heat  -h      INTEGER  How hot [default: 9]  │\n"
            "│ --help                   Show this message.    │\n"
            "╰────────────────────────────────────────────────╯\n",
            ("kiln",),
        )
        assert flags(page) == [("--heat", "-h"), ("--help",)]
        assert page.options[0].type == "integer"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  -PS/PA/PU[list]: kinds", [("-PS",), ("-PA",), ("-PU",)]),
        ("  -n/-R: Never/always", [("-n",), ("-R",)]),
        ("  -[no]header   headers", [("-header",), ("-noheader",)]),
        ("  --version,-version,/V [<file>]\n        = Print it", [("--version", "-version")]),
        ("  -v|vv|vvv, --verbose   more", [("-v", "--verbose"), ("-vv",), ("-vvv",)]),
    ],
)
def test_spellings_that_share_a_dash_are_options_of_their_own(
    line: str, expected: list[tuple[str, ...]]
) -> None:
    """C-13: every way to write several options at once."""
    found = set(flags(parse_help(f"Usage: kiln\n\nOptions:\n{line}\n", ("kiln",))))
    assert set(expected) <= found


class TestUsage:
    """C-13: operands."""

    @pytest.mark.parametrize(
        ("usage", "expected"),
        [
            ("kiln [Scan Type(s)] [Options] {target specification}",
             [("target_specification", True, False)]),
            ("kiln [options] [files]", [("files", False, True)]),
            ("kiln [options] file.js [file.js] [dir]",
             [("file.js", True, True), ("dir", False, False)]),
            ("kiln [options] [file/dir/glob ...]", [("file/dir/glob", False, True)]),
            ("kiln [options] [spec..]", [("spec", False, True)]),
            ("kiln [options] [entry points]", [("entry_points", False, True)]),
            ("kiln [OPTION]... PATTERNS [FILE]...",
             [("PATTERNS", True, False), ("FILE", False, True)]),
            ("kiln copy source:path dest:path [flags]",
             [("source:path", True, False), ("dest:path", True, False)]),
            ("kiln [-46Ab] [-p port] destination [command [argument ...]]",
             [("destination", True, False), ("command", False, False), ("argument", False, True)]),
            ("kiln [-h] [-p [PYTHONS ...]] [--version]", []),
            ("kiln [-Vv] [-(G|N)name=val] <dot files>", [("dot files", True, True)]),
        ],
    )  # fmt: skip
    def test_what_is_no_option_is_an_operand(
        self, usage: str, expected: list[tuple[str, bool, bool]]
    ) -> None:
        """C-13: required, optional, several."""
        path = ("kiln", "copy") if "copy" in usage else ("kiln",)
        assert operands(parse_help(f"Usage: {usage}\n", path)) == expected

    def test_ways_to_call_are_taken_together(self) -> None:
        """C-13: what repeats in one way repeats; a way for --help alone takes nothing away."""
        text = (
            "Usage: kiln [OPTION] FROM TO\n  or:  kiln [OPTION] FROM... DIR\n  or:  kiln [OPTION]\n"
        )
        assert operands(parse_help(text, ("kiln",))) == [("FROM", True, True), ("TO", True, False)]

    def test_letters_in_one_bracket_are_options_each(self) -> None:
        """C-13: `[-46Ab]`; a word with one dash stays a word."""
        assert {("-4",), ("-6",), ("-A",), ("-b",)} <= set(
            flags(parse_help("usage: kiln [-46Ab] [-p port] host\n", ("kiln",)))
        )
        words = parse_help("usage: kiln [-no] [-in file]\n\n  -in file  read it\n", ("kiln",))
        assert ("-n",) not in flags(words)

    def test_a_switch_before_an_operand_takes_no_value(self) -> None:
        """C-13: the list says that `--args` takes none, so the filter is an operand."""
        text = "Usage: kiln --args <filter> [file...]\n\nOptions:\n  --args   the rest are words\n"
        assert operands(parse_help(text, ("kiln",))) == [
            ("filter", True, False), ("file", False, True),
        ]  # fmt: skip

    def test_commands_that_are_options_are_no_operand(self) -> None:
        """C-13: `dpkg [<option>...] <command>`, and the commands have dashes."""
        text = "Usage: kiln [<option>...] <command>\n\nCommands:\n  -i, --install   install it\n"
        assert parse_help(text, ("kiln",)).operands == ()


class TestValues:
    """C-13: defaults, numbers and their neighbours, repetition."""

    @pytest.mark.parametrize(
        "text",
        [
            'Number of tries (default is 10), or "infinite"',
            "how many jobs, or auto",
            "parallel jobs (default: auto)",
            "a size: 10k, 5M",
        ],
    )
    def test_a_number_with_a_word_beside_it_is_text(self, text: str) -> None:
        """C-13: `auto` and `inf` could not be given to an integer."""
        page = parse_help(f"Options:\n  --jobs N   {text}\n", ("kiln",))
        assert (page.options[0].type, page.options[0].enum) == ("string", ())

    def test_a_plain_number_is_one(self) -> None:
        """C-13: the neighbour is what makes the difference."""
        page = parse_help("Options:\n  --jobs N   how many (default: 4)\n", ("kiln",))
        assert page.options[0].type == "integer"

    @pytest.mark.parametrize(
        ("name", "text"),
        [("MODE", "can be 'auto', 'inf' or a number"), ("SECONDS|never", ""), ("N|auto", "")],
    )
    def test_words_beside_something_open_are_no_choices(self, name: str, text: str) -> None:
        """C-13: an enum would refuse the number."""
        assert choices(name, text) == ()

    def test_with_and_without_a_value_on_two_lines_is_both(self) -> None:
        """C-13: `--opt` and `--opt=WORD`."""
        text = "Usage: kiln\n\n  --glaze        glaze it\n  --glaze=KIND   with this\n"
        tools, _ = imported({"kiln --help": text})
        assert {arg["name"]: arg.get("type") for arg in tools["kiln"]["args"]} == {
            "glaze": "boolean", "glaze_value": None,
        }  # fmt: skip

    def test_what_repeats_is_an_array(self) -> None:
        """C-13: repeated values, of options and operands."""
        tools, _ = imported(
            {
                "kiln --help": "Usage: kiln [OPTIONS] POT...\n\nOptions:\n"
                "  --with KIND   add a kind (can be specified multiple times)\n"
                "  --once KIND   must not be given more than once\n"
            }
        )
        kinds = {arg["name"]: arg.get("type") for arg in tools["kiln"]["args"]}
        assert kinds == {"pot": "array", "with": "array", "once": None}

    def test_a_default_stands_in_the_description_and_nowhere_else(self) -> None:
        """C-13: passed on every call it would override the project's own settings."""
        long = "how wide a line may be, and so on and on " * 6
        tools, _ = imported(
            {"kiln --help": f"Usage: kiln\n\nOptions:\n  --width N   {long} (default: 88)\n"}
        )
        (width,) = tools["kiln"]["args"]
        assert "default" not in width
        assert "88" in width["description"]


COLUMNS_OF_NAMES = """\
help:

Standard commands
asn1parse         ca                ciphers
cms               crl               dgst

Cipher commands (see the `enc' command for more details)
aes-128-cbc       aes-256-cbc       base64
"""
GROUPS = """\
Usage:
  command [options]

Available commands:
  about              Tells what it is.
  build              Builds it.

 cache
  cache clear        Clears a cache.
  cache list         Lists caches.
"""


class TestCommands:
    """C-13: sub-commands however they are listed."""

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            (COLUMNS_OF_NAMES, ["asn1parse", "ca", "ciphers", "cms", "crl", "dgst",
                                "aes-128-cbc", "aes-256-cbc", "base64"]),
            (GROUPS, ["about", "build", "cache clear", "cache list"]),
            ("AVAILABLE SERVICES\n       o acm\n\n       o account\n\n       o batch\n",
             ["acm", "account", "batch"]),
            ("Usage: kiln <command>\n\nrequired arguments:\n  <command>\n    fire    fire it\n"
             "    cool    cool it\n", ["fire", "cool"]),
            ("Usage: kiln\n\nsubcommands:\n  what to do\n\n  {run,r,list}\n    run (r)   run it\n"
             "    list      list it\n", ["run", "list"]),
            ("Most used commands:\n  update - Retrieve lists\n  upgrade - Do it\n",
             ["update", "upgrade"]),
            ("Commands:\n  init      Begin.\n                        Templates:\n"
             "                        - one\n  lock      Lock.\n", ["init", "lock"]),
            ("Main Commands\n   add   Add\n\nInteracting with Others\n   mail   Mail\n\n"
             "Low-level Commands\n   pack   Pack\n", ["add", "mail", "pack"]),
        ],
    )  # fmt: skip
    def test_a_list_is_read_in_its_shape(self, text: str, names: list[str]) -> None:
        """C-13: columns, groups, bullets, below a placeholder, with dashes."""
        assert [each.name for each in parse_help(text, ("kiln",)).subcommands] == names

    def test_a_program_with_one_page_for_all_has_its_commands_all_the_same(self) -> None:
        """C-13: operands as the list has them, options as the page has them."""
        page = (
            "kiln [OPTIONS...] COMMAND ...\n\nKeep pots.\n\nUnit Commands:\n"
            "  start UNIT...                       Start units\n"
            "  stop UNIT...                        Stop units\n"
            "  set-property UNIT PROPERTY=VALUE... Set properties\n\n"
            "Options:\n     --user   for the user\n"
        )
        pages = dict.fromkeys(
            ["kiln --help", "kiln start --help", "kiln set-property --help"], page
        )
        tools, report = imported(pages)
        start = {arg["name"]: arg for arg in tools["kiln_start"]["args"]}
        assert start["unit"] == {
            "name": "unit", "type": "array", "required": True, "positional": True,
        }  # fmt: skip
        assert start["user"]["type"] == "boolean"
        args = tools["kiln_set_property"]["args"]
        assert [arg["name"] for arg in args if "positional" in arg] == ["unit", "property"]
        assert report.grouped()[FROM_LIST] == ["kiln start", "kiln stop", "kiln set-property"]

    def test_a_listing_that_the_help_names_is_asked_for(self) -> None:
        """C-13: `kiln list` and `kiln --help all`."""
        pages = {
            "kiln --help": "Usage: kiln [options...] <pot>\n -a, --all  all\n\n"
            'For all options use "--help all".\n',
            "kiln --help all": "Usage: kiln [options...] <pot>\n -a, --all  all\n"
            " -b, --both  both\n",
        }
        tools, _ = imported(pages)
        assert {arg["name"] for arg in tools["kiln"]["args"]} == {"pot", "all", "both"}

    def test_a_program_that_names_no_command_is_asked_for_them(self) -> None:
        """C-13: one synopsis on each line."""
        listed = "".join(f"{name} ({name[:2]}) [-ad] [-t target]\n" for name in
                         ("attach", "bind", "break", "choose", "clear"))  # fmt: skip
        tools, _ = imported(
            {"kiln --help": "usage: kiln [-2C] [-f file] [command [flags]]\n",
             "kiln list-commands": listed}
        )  # fmt: skip
        assert {"kiln_attach", "kiln_bind", "kiln_clear"} <= set(tools)
        assert {arg["flag"] for arg in tools["kiln_attach"]["args"]} == {"-a", "-d", "-t"}

    def test_commands_that_only_the_manual_explains_are_found(self) -> None:
        """C-13: a synopsis for each, and what it is for below."""
        entries = "".join(
            f"     {name}-window [-ad] [-t\n           target]\n"
            f"                   (alias: {name})\n"
            f"             To {name} a window.\n\n"
            for name in ("break", "kill", "last", "next", "split")
        )
        tools, _ = imported(
            {"kiln --help": "usage: kiln [-2C] [command [flags]]\n",
             "man kiln": f"KILN(1)   Manual   KILN(1)\n\nCOMMANDS\n{entries}"}
        )  # fmt: skip
        assert tools["kiln_kill_window"]["description"] == "To kill a window."
        flags = {arg["flag"] for arg in tools["kiln_kill_window"]["args"]}
        assert flags == {"-a", "-d", "-t"}

    def test_choices_with_pages_of_their_own_are_commands(self) -> None:
        """C-13: the value of an operand has no help; a command has."""
        root = "usage: kiln [-h] {fire,cool}\n\npositional arguments:\n  {fire,cool}\n"
        fire = "usage: kiln fire [-h] POT\n\noptions:\n  -h, --help  show this help\n"
        tools, _ = imported(
            {"kiln --help": root, "kiln fire --help": fire, "kiln cool --help": fire}
        )
        assert {"kiln_fire", "kiln_cool"} <= set(tools)
        (choice,) = [a for a in imported({"kiln --help": root})[0]["kiln"]["args"] if "enum" in a]
        assert choice["enum"] == ["fire", "cool"]


class TestOrderAndErrors:
    """C-13: what was found out by asking."""

    def test_options_stand_first_where_the_program_wants_it(self) -> None:
        """C-9: help behind an operand is the question; operands behind the options the answer."""
        page = "Usage: kiln [OPTIONS] IMAGE [COMMAND] [ARG...]\n\nOptions:\n  --rm   remove it\n"
        anywhere, _ = imported({"kiln --help": page, "kiln /dev/null/none --help": page})
        assert [arg.get("flag") for arg in anywhere["kiln"]["args"][:3]] == [None] * 3
        first, _ = imported({"kiln --help": page})
        assert [arg.get("flag") for arg in first["kiln"]["args"][:3]] == [""] * 3

    @pytest.mark.parametrize(
        "complaint",
        ["kiln: unknown option -- -", "error: unrecognized arguments: --help",
         "ERROR: no config file was found, using none", "Traceback (most recent call last):"],
    )  # fmt: skip
    def test_no_error_text_is_a_description(self, complaint: str) -> None:
        """C-13: a program that gives none is told."""
        tools, report = imported({"kiln --help": f"{complaint}\nusage: kiln [-a] pot\n"})
        assert tools["kiln"]["description"] == "Run `kiln`"
        assert report.grouped()[NO_DESCRIPTION] == ["kiln"]


class TestOthers:
    """Shapes of programs that nobody had looked at."""

    def test_a_bar_before_the_program_begins_another_way_to_call_it(self) -> None:
        """C-13: webpack's usage; its headings are underlined, its commands have short names."""
        text = (
            "Usage: kiln [entries...] [options] | kiln [command] [options]\n\n"
            "Options\n───────\n  -m, --merge   Merge several.\n\n"
            "Commands\n────────\n  build|b [entries...] [options]  Fire it.\n"
            "  info|i [options]                Say what there is.\n"
        )
        page = parse_help(text, ["kiln"])
        assert operands(page) == [("entries", False, True)]
        assert [each.name for each in page.subcommands] == ["build", "info"]
        assert flags(page) == [("-m", "--merge")]

    def test_operands_that_stand_for_each_other_are_not_all_wanted(self) -> None:
        """C-13: cloc's files, or two sets, or reports; `(s)` is several."""
        text = "Usage: kiln [options] <file(s)/dir(s)> | <set 1> <set 2> | <report files>\n"
        assert operands(parse_help(text, ["kiln"])) == [("file(s)/dir(s)", True, True)]
        assert operands(parse_help("usage: kiln FILE(s)\n", ["kiln"])) == [("FILE", True, True)]

    def test_a_bar_between_words_still_means_commands(self) -> None:
        """C-13: what stands for each other need not be operands."""
        page = parse_help("usage: kiln start | stop\n", ["kiln"])
        assert operands(page) == []

    def test_options_in_brackets_are_no_command(self) -> None:
        """C-13: skopeo's `[command options]`."""
        page = parse_help("Usage:\nkiln look [command options] POT-NAME\n", ["kiln", "look"])
        assert operands(page) == [("POT-NAME", True, False)] and not page.subcommands

    def test_a_word_that_is_repeated_is_no_command(self) -> None:
        """C-13: pngquant's files, datamash's operations."""
        page = parse_help("usage: kiln [options] -- potfile [potfile ...]\n", ["kiln"])
        assert operands(page) == [("potfile", True, True)] and not page.subcommands
        page = parse_help("Usage: kiln [OPTION] op [fld] [op fld ...]\n", ["kiln"])
        assert [name for name, _, _ in operands(page)] == ["op", "fld"]

    def test_a_word_in_mixed_case_is_an_operand(self) -> None:
        """C-13: jest's `[TestPathPatterns]`."""
        page = parse_help("Usage: kiln [--config=<file>] [TestPathPatterns]\n", ["kiln"])
        assert operands(page) == [("TestPathPatterns", False, True)]

    def test_what_the_usage_names_may_be_defined_below_it(self) -> None:
        """C-13: ip's objects; other definitions are no commands."""
        text = (
            "Usage: kiln [ OPTIONS ] OBJECT { COMMAND | help }\n"
            "where  OBJECT := { pot | shelf |\n                   glaze }\n"
            "       HEAT := { low | high }\n"
        )
        page = parse_help(text, ["kiln"])
        assert [each.name for each in page.subcommands] == ["pot", "shelf", "glaze"]

    def test_a_star_marks_the_usual_command(self) -> None:
        """C-13: towncrier's `build*`."""
        text = "Usage: kiln COMMAND\n\nCommands:\n  fire*  Fire it.\n  cool   Cool it.\n"
        names = [each.name for each in parse_help(text, ["kiln"]).subcommands]
        assert names == ["fire", "cool"]

    def test_dashes_are_used_only_where_they_change_nothing(self) -> None:
        """C-10, C-13: xmlstarlet's esc prints them."""
        usage = "usage: kiln [-h] [--quiet] FILE\n\noptions:\n  -q, --quiet  say nothing\n"
        pages = {"kiln --help": usage, "kiln /dev/null/none --help": "no such pot"}
        same = {**pages, "kiln -- /dev/null/none": "no pot", "kiln /dev/null/none": "no pot"}
        printed = {**pages, "kiln -- /dev/null/none": "--", "kiln /dev/null/none": "no pot"}
        assert imported(same)[0]["kiln"]["command"] == "--"
        assert "command" not in imported(printed)[0]["kiln"]

    def test_words_in_a_row_are_options_each(self) -> None:
        """C-13: find's tests; three spellings of one option are still one."""
        text = (
            "Usage: kiln [path...] [expression]\n\nTests:\n"
            "      -links N -lname PATTERN -name PATTERN -empty\n"
        )
        found = {each.main: each.value for each in parse_help(text, ["kiln"]).options}
        assert found == {"-links": "N", "-lname": "PATTERN", "-name": "PATTERN", "-empty": None}
        text = "Usage: kiln [options]\n\nOptions:\n  -h -? --help  print this\n"
        assert len(flags(parse_help(text, ["kiln"]))) == 1

    def test_a_bar_within_a_word_separates_nothing(self) -> None:
        """C-13: docker's `DEST_PATH|-`."""
        text = "Usage:  kiln cp [OPTIONS] SRC_PATH|- POT:DEST_PATH\n"
        page = parse_help(text, ["kiln", "cp"])
        assert [required for _, required, _ in operands(page)] == [True, True]
