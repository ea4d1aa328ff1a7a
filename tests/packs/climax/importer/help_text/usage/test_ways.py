"""Usage lines as programs really print them (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.page import parse_help


def shapes(text: str, program: str = "kiln") -> list[tuple[str, bool, bool]]:
    page = parse_help(text, (program,))
    return [(each.name, each.required, each.repeats) for each in page.operands]


def flags(text: str, program: str = "kiln") -> set[str]:
    page = parse_help(text, (program,))
    return {flag for option in page.options for flag in option.flags}


class TestOperands:
    @pytest.mark.parametrize(
        ("usage", "wanted"),
        [
            ("kiln <option(s)> <pot(s)>", [("pot(s)", True, True)]),
            ("kiln [gopts] outfile", [("outfile", True, False)]),
            ("kiln [options] <pots ...>", [("pots", True, True)]),
            ("kiln [options] <pot...>", [("pot", True, True)]),
            ("kiln [options] [pot] < list_of_pots", [("pot", False, False)]),
            ("kiln [+D dir] [names]", [("names", False, True)]),
            ("kiln [-a] pot [glaze [/_] ...]", [("pot", True, False), ("glaze", False, True)]),
            (
                "kiln [options] [pot-file [glaze-file or process-id]]",
                [("pot-file", False, False), ("glaze-file_or_process-id", False, False)],
            ),
            ("kiln [-f <file>]* [POT]", [("POT", False, False)]),
            ("kiln [OPTION [ARG]]", []),
            ("kiln [pot ...] [-n inpot outpot ...]", [("pot", False, True)]),
            ("kiln file1 [ file2 ] [ ... ]", [("FILE", True, True)]),
            ("kiln [options] [file1, file2, ...]", [("FILE", False, True)]),
            (
                "kiln PATTERN [POTS OR KILNS]",
                [("PATTERN", True, False), ("POTS_or_KILNS", False, True)],
            ),
            ("kiln [OPTION...] NAME - Fire one pot", [("NAME", True, False)]),
            ("kiln [OPTION...]  - List all the pots", []),
            ("kiln <POT 1> [<POT 2> ...]", [("POT", True, True)]),
            ("kiln <infile >outfile", []),
            ("kiln [-q] [-k pot1 pot2 ...] [-m mode] [file ...]", [("file", False, True)]),
            ("kiln in.pot [cup | +lid]", [("in.pot", True, False), ("cup or lid", False, False)]),
            ("kiln [options] POTfile [POTfile ...]", [("POTfile", True, True)]),
            ("kiln hot|cold", [("choice", True, False)]),
            ("kiln [OPTIONS] shelf | device", [("shelf or device", True, False)]),
            ("kiln [OPTION…] PotteryKit Console Program", []),
            ("kiln [pot?] [options]", [("pot", False, False)]),
            (
                "kiln [OPTION…] [POT FILE] [PLATE FILE] Thumbnail pots",
                [("POT_FILE", False, False), ("PLATE_FILE", False, False)],
            ),
            ("kiln [OPTION...] [POT DATABASE]", [("POT_DATABASE", False, False)]),
            (
                "kiln [options] NODE POT [ARG0 ARG1 ...]",
                [("NODE", True, False), ("POT", True, False), ("ARG", False, True)],
            ),
            (
                "kiln [options] shelf:SHELF POT",
                [("shelf:SHELF", True, False), ("POT", True, False)],
            ),
            (
                "kiln [-q] pot-or-lid [-c file | pot-or-URL]...",
                [("pot-or-lid", True, False), ("pot-or-URL", False, True)],
            ),
            (
                "kiln [-o <ofile>] ([-f <pot>] | 'pot') [files]",
                [("pot", False, False), ("files", False, True)],
            ),
            (
                "kiln [-options] infile[.pot]|- [...] [-o outfile[.ext]|outpath|-]",
                [("infile", True, True)],
            ),
            ("kiln [-qv] [-[wem] <[1-42]|all>] file1 file2 ...", [("FILE", True, True)]),
            ("kiln [-q] [-f pot] at /usr/bin/kiln line 12.", []),
            (
                "kiln [OPTION...] POT [POT-OPTION...]",
                [("POT", True, False), ("POT_WORD", False, True)],
            ),
            (
                "kiln infile [ptoptions] outfile",
                [("infile", True, False), ("outfile", True, False)],
            ),
            (
                "kiln [options] -n number [--] command [args...]]",
                [("command", True, False), ("args", False, True)],
            ),
            (
                "kiln <pot-old> <pot-new> <pot-templates>",
                [
                    ("pot-old", True, False),
                    ("pot-new", True, False),
                    ("pot-templates", True, False),
                ],
            ),
            ("kiln [-o outfile] [files-to-merge]", [("files-to-merge", False, True)]),
            (
                "kiln [ACTION] [OPTIONS] [POTS] - KILN driver",
                [("ACTION", False, False), ("POTS", False, True)],
            ),
            (
                "kiln [options except -q -d] in.pot out.pot",
                [("in.pot", True, False), ("out.pot", True, False)],
            ),
            (
                "kiln POT [[HEAT=]DEGREES [HEAT=DEGREES [...]]]",
                [("POT", True, False), ("HEAT", False, True)],
            ),
            ("kiln [ -<flag> [<val>] | --<name>[{=| }<val>] ]...", []),
            ("kiln [<options...>] [<pot>] [-- [<program arguments...>]]", [("pot", False, False)]),
            ("kiln [--] [<pot>]", [("pot", False, False)]),
            ("kiln [options] [pot [lids]].", [("pot", False, False), ("lids", False, True)]),
            ("kiln [options] Pot [...]", [("Pot", True, True)]),
            ("kiln [options] XMLpots ...", [("XMLpots", True, True)]),
            ("kiln [-json] [-mode a|b|...]* [-k kind|`all`] POT", [("POT", True, False)]),
            ("kiln [-m module | file]", [("file", False, False)]),
            ("kiln [options] <pot0> [... <potN>]", [("POT", True, True)]),
            ("kiln [-- <pot>...]", [("pot", False, True)]),
            ("kiln [file1.ps file2.ps ...]", [("FILE", False, True)]),
            ("kiln [-x] Pot1 [Pot2...]", [("POT", True, True)]),
            ("kiln pot1 [pot2] [pot...]", [("POT", True, True)]),
            ("kiln <-hq> <-n num> <pot>", [("pot", True, False)]),
            ("kiln [FILE|URL|-]", [("FILE_or_URL", False, False)]),
            (
                "kiln [-]{dmpq}[abc] [--x <n>] pot-file file...",
                [("OPERATION", True, False), ("pot-file", True, False), ("file", True, True)],
            ),
            ("kiln [arg] [input] [output]", [("input", False, False), ("output", False, False)]),
            ("kiln [KEY [VALUE]]...", [("KEY_VALUE", False, True)]),
            ("kiln FILE1 [FILE2]", [("FILE1", True, False), ("FILE2", False, False)]),
            ("kiln [OPTION]... [Potfile]...", [("Potfile", False, True)]),
        ],
    )
    def test_what_is_no_operand_becomes_none(self, usage, wanted):
        """C-13: operands, and which of them repeat."""
        assert shapes(f"Usage: {usage}\n\n  -x   do it\n") == wanted

    def test_a_sentence_or_a_heading_below_the_usage_is_no_part_of_it(self):
        """C-13: "Display …" is what the program does, "Options:" begins a list."""
        told = "Usage: kiln <file(s)>\n Display what is in [file(s)] (stdin by default)\n"
        headed = "Usage:\n  kiln [ -x ] pot\nOptions:\n  -x   do it\n"
        assert shapes(told) == [("file(s)", True, True)]
        assert shapes(headed) == [("pot", True, False)]

    def test_counted_ways_to_call_are_ways_to_call(self):
        """C-13: `1. diff` is no subcommand called 1."""
        text = "usage: 1. fire\n       2. fire [-c N] [POT...]\n\n  -c ARG   count\n"
        page = parse_help(text, ("kiln", "fire"))
        assert page.subcommands == ()
        assert [each.name for each in page.operands] == ["POT"]

    def test_ways_between_sentences_all_give_their_options(self):
        """C-13: options in any place, here one way to call after each sentence."""
        text = (
            "You can use kiln in two ways:\n\n1) Make a file:\n    kiln [-s] -g [name]\n\n"
            "2) Compare it:\n    kiln -x [name]\n"
        )
        assert {"-s", "-g", "-x"} <= flags(text)

    def test_a_first_way_without_operands_makes_them_optional(self):
        """C-13: `kiln` alone comes first; for --help alone it would come last."""
        first = "Usage:\n kiln [options]\n kiln [options] <device>\n\n -x  do\n"
        last = "Usage: kiln [options] <device>\n  or:  kiln [options]\n\n -x  do\n"
        assert shapes(first) == [("device", False, False)]
        assert shapes(last) == [("device", True, False)]

    def test_the_list_of_argparse_tells_values_from_operands(self):
        """C-13: `[-e [EXCLUDE ...]]` and `KEY=[VALUE]` are values."""
        text = (
            "usage: kiln [-h] [-e [EXCLUDE ...]] [-n [NON-CAP ...]] [-c KEY=[VALUE] | -j JSON]\n"
            "            pots [pots ...]\n\npositional arguments:\n  pots        what to fire\n\n"
            "options:\n  -h, --help  show this help message and exit\n"
        )
        assert shapes(text) == [("pots", True, True)]


class TestClusters:
    @pytest.mark.parametrize("cluster", ["-?abV", "-Abx#"])
    def test_a_question_mark_or_a_hash_is_a_letter_of_a_cluster(self, cluster):
        """C-13: `[-?abV]` are four options, not one that nobody can give."""
        assert flags(f"usage: kiln [{cluster}] [FILE]\n") == {f"-{each}" for each in cluster[1:]}

    def test_letters_that_are_known_make_no_new_option(self):
        """C-13: where words behind one dash are options too, a cluster of known ones is none."""
        text = (
            "Usage: kiln [ -vdV ]\n   -v   version\n   -d   debug\n   -V   verbose\n   -de  off\n"
        )
        assert flags(text) == {"-v", "-d", "-V", "-de"}


def test_a_usage_that_goes_on_with_what_it_is_for_ends_at_the_colon():
    """C-13: `kiln [-a] <pot>: put what is there into <pot>` has one operand."""
    assert shapes("kiln: bad option\nkiln [-a] <pot>: put all of it into <pot>\n") == [
        ("pot", True, False)
    ]


def test_options_in_brackets_on_lines_of_their_own_are_options():
    """C-13: options wherever they stand: `[ -c ] [ { -f | +f } <folder> ]`."""
    text = "Usage: kiln [ options ] [ <pot> ]\nOptions are:\n[ -c ] [ -k | -m ]\n[ --hot ]\n"
    assert {"-c", "-k", "-m", "--hot"} == flags(text)


def test_an_operand_has_the_same_name_in_the_usage_and_in_the_list():
    """C-13: operands; `<pot filter>` above is `pot_filter` below."""
    text = (
        "usage: kiln [options] <pot filter> [shelf...]\n\npositional arguments:\n  pot_filter\n"
        "  shelf\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    assert shapes(text) == [("pot filter", True, False), ("shelf", False, True)]


class TestOtherWays:
    @pytest.mark.parametrize(
        ("usage", "wanted"),
        [
            ("kiln [POT [...]]", [("POT", False, True)]),
            ("kiln [options] [pot [pot2 [pot3] ..]]", [("POT", False, True)]),
            ("kiln {options} pots...", [("pots", True, True)]),
            ("kiln [-ab] { -m|-x ... } file ...", [("file", True, True)]),
            ("kiln <--hot|--name <NAME>> [POTS]...", [("POTS", False, True)]),
            (
                "kiln [--size=\n<big|small>] [--since=\nREF] [\n--watch] [POT]...",
                [("POT", False, True)],
            ),
        ],
    )
    def test_operands_are_told_from_what_stands_around_them(self, usage, wanted):
        """C-13: operands, repeated values."""
        assert shapes(f"Usage: {usage}\n") == wanted

    def test_a_way_to_ask_for_the_version_needs_no_operand_and_takes_none_away(self):
        """C-13: `kiln -v` says nothing about what `kiln FILE` needs."""
        assert shapes("Usage: kiln [-o out] FILE\n       kiln -v\n") == [("FILE", True, False)]

    def test_one_of_several_options_is_not_each_of_them(self):
        """C-13: `<--hot|--name <NAME>>` wants one, and a config cannot say which."""
        page = parse_help("Usage: kiln <--hot|--name <NAME>>\n", ("kiln",))
        assert not any(option.required for option in page.options)

    def test_ways_to_call_with_a_sentence_below_each_are_all_read(self):
        """C-13: what one way needs is not needed by the others."""
        text = (
            "Usage: kiln --fire POT\n            Burn a new pot at once.\n       kiln --cool POT\n"
        )
        page = parse_help(text, ("kiln",))
        assert [(each.main, each.required) for each in page.options] == [
            ("--fire", False),
            ("--cool", False),
        ]

    @pytest.mark.parametrize("usage", ["new [OPTION...] new POT", "kiln new|n [options] POT"])
    def test_the_command_itself_is_no_operand_of_it(self, usage):
        """C-13: nor is another name of it."""
        page = parse_help(f"Usage: {usage}\n\n  -q   quietly\n", ("kiln", "new"))
        assert [each.name for each in page.operands] == ["POT"]

    def test_the_kind_of_a_value_may_stand_at_the_end(self):
        """C-13: `--output  where to  [string]` takes a value, `[boolean]` is a switch."""
        text = (
            "Options:\n  --output  where to  [string]\n"
            "  --deep    really  [boolean] [default: false]\n"
        )
        found = {each.main: each.is_switch for each in parse_help(text, ("kiln",)).options}
        assert found == {"--output": False, "--deep": True}


@pytest.mark.parametrize(
    ("usage", "operands"),
    [
        ("usage: kiln [SHAPE] [OPTIONS] POT [SHELF]", [("POT", True), ("SHELF", False)]),
        ("usage: kiln [SHELF] [OPTIONS]", [("SHELF", False)]),
        ("usage: kiln [OPTIONS] Pot1 Pot2 [...]\n   kiln [-q] < In > Out", [("POT", False)]),
        ("usage: kiln [OPTIONS] room [pots]\nOR kiln [-q] --rooms A [B...]", [("room", False)]),
    ],
)  # fmt: skip
def test_what_one_way_to_call_does_not_need_may_be_left_out(usage, operands):
    """C-13: operands as the ways to call have them, all together."""
    found = parse_help(f"{usage}\n\n  -x   do it\n", ("kiln",)).operands
    assert [(each.name, each.required) for each in found][: len(operands)] == operands


def test_a_remark_below_a_way_to_call_it_is_no_part_of_it():
    """C-13: operands as the usage has them."""
    text = (
        "Usage:\n\n    kiln [ options ] pot1 pot2 pot3 ...\n"
        "            (the result goes to pot1.out, pot2.out and so on)\n"
        "    kiln [ options ] pot1 -o outfile\n"
    )
    assert shapes(text) == [("POT", True, True)]


def test_a_plural_repeats_only_where_nothing_says_so_better():
    """C-13: argparse prints dots behind whatever repeats; a usage by hand may not."""
    listed = "positional arguments:\n  results  where they are\n\n"
    end = "options:\n  -h, --help  show this help message and exit\n"
    assert shapes(f"usage: kiln [-h] results\n\n{listed}{end}") == [("results", True, False)]
    assert shapes(f"usage: kiln [options] <results>\n\n{end}") == [("results", True, True)]


def test_operands_that_the_usage_leaves_out_are_those_of_the_list():
    """C-13: a usage by hand, and the library's own list of positional arguments."""
    text = (
        "usage: kiln [-o OUT] [options] [-- arg1 arg2 ...]\n\npositional arguments:\n"
        "  pots        what to fire\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    assert shapes(text) == [("pots", False, True)]


def test_a_subcommand_may_leave_out_the_program_in_its_usage():
    """C-13: `fire [OPTIONS] [POT]` as the first line of the page of `kiln fire`."""
    text = "fire [OPTIONS] [POT]\n  Fires it.\n\nFlags:\n  -q --quiet  say nothing\n"
    (pot,) = parse_help(text, ("kiln", "fire")).operands
    assert (pot.name, pot.required) == ("POT", False)


def test_dots_behind_a_blank_are_an_operand_of_their_own():
    """C-13: what argparse prints for the rest of the line, by the name that the list has."""
    text = (
        "usage: kiln [-h] [pot] ...\n\npositional arguments:\n  pot    what to fire\n"
        "  args   what it is told\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    assert shapes(text) == [("pot", False, False), ("args", False, True)]


def test_a_usage_by_hand_may_have_another_name_for_an_operand():
    """C-13: `FILE [FILE ...]` above, `filename` in the library's list."""
    text = (
        "usage: kiln [OPTIONS] FILE [FILE ...]\n\npositional arguments:\n"
        "  filename    what to fire\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    assert shapes(text) == [("FILE", True, True)]


def test_a_usage_of_a_subcommand_that_nothing_announces():
    """C-13: `kiln init TYPE` and nothing else in the line."""
    text = "kiln init TYPE\n\nMake a kiln.\n\nOptions:\n  --hot  Very  [boolean]\n"
    (kind,) = parse_help(text, ("kiln", "init")).operands
    assert (kind.name, kind.required) == ("TYPE", True)


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        ("kiln [options] [changelog entry]", [("changelog_entry", False, False)]),
        ("kiln [OPTIONS] INFOFILE(S)", [("INFOFILE", True, True)]),
        ("kiln {OPTIONS} pot [...pot]", [("pot", True, True)]),
        ("kiln [OPTION]... FILE... [-- BINARY_FILE...]", [("FILE", True, True)]),
        ("kiln [--help | -h | --version]\n       kiln [options] <pots>", [("pots", True, True)]),
        (
            "kiln -init|-info [options] SHELF\n  or   kiln [options] SHELF ROOM",
            [("SHELF", True, False), ("ROOM", False, False)],
        ),
        (
            "kiln [options]\n    or kiln root1 root2 [options]\n    or kiln profilename [options]",
            [("root1", False, False), ("root2", False, False)],
        ),
    ],
)
def test_operands_of_several_ways_and_notations(usage, wanted):
    """C-13: operands; what one way has behind the same words may be given."""
    assert shapes(f"Usage: {usage}\n") == wanted


def test_what_heads_a_list_of_options_is_no_operand():
    """C-13: `[WARNINGS]` in the usage are the options below `WARNINGS`."""
    text = "Usage: kiln [OPTIONS] [WARNINGS] INPUT\n\nOPTIONS\n  -q\n\nWARNINGS\n  -W  all\n"
    assert shapes(text) == [("INPUT", True, False)]


def test_a_remark_beside_an_option_of_the_usage_is_no_part_of_it():
    """C-13: operands as the usage has them, and not the words of its remarks."""
    text = (
        "syntax: kiln\n  [--print-name]      Prints the 'NAME' entry of a pot.\n"
        "  [--set-name NAME]\n  POT...\n"
    )
    assert shapes(text) == [("POT", True, True)]
    assert flags(text) == {"--print-name", "--set-name"}


def test_a_usage_by_hand_counts_where_the_list_has_no_name():
    """C-13: `<nets...>` above, `IP/MASK[:PORT]` in the library's list."""
    text = (
        "usage: kiln [-l port] <nets...>\n\npositional arguments:\n  IP/MASK[:PORT]...\n"
        "        where to\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    assert shapes(text) == [("nets", True, True)]


def test_a_placeholder_before_the_name_of_the_subcommand_is_passed_over():
    """C-13: `kiln [options] <command> fire [pots ...]` is the usage of `fire`."""
    text = "usage: kiln [options] <command> fire [-h] [pots ...]\n\npositional arguments:\n  pots\n"
    (pots,) = parse_help(text, ("kiln", "fire")).operands
    assert (pots.name, pots.repeats) == ("pots", True)


def test_lines_that_are_each_announced_are_all_ways_to_call():
    """C-13: what one of two "Usage:" lines needs is not needed by the other."""
    text = (
        "Usage: kiln [options] -f progfile [--] file ...\n"
        "Usage: kiln [options] [--] 'program' file ...\n\n  -f progfile   what to do\n"
    )
    page = parse_help(text, ("kiln",))
    assert not any(option.required for option in page.options)


class TestWaysOfOthers:
    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            (
                "Usage: kiln [options] [pot...]\n       glaze [options] [pot...]\n",
                [("pot", False, True)],
            ),
            ("Usage: kiln [-x]\n       pot [pot ...]\n", [("pot", True, True)]),
            (("SYNOPSIS\n  kiln [-x]\n"
                "       [ifile]\nDESCRIPTION\n  Fires.\n"), [("ifile", False, False)]),
            (
                ("Usage:\n  kiln -help\n  kiln [ -o <pot> ] \\\n"
                    "     [ <url> ] ...\nFires pot(s) of <url>.\n"),
                [("url", False, True)],
            ),
            (("kiln version 4 by N. N.\n"
                "$ kiln [OPTION]... [POTS]...\n\n-r  - all\n"), [("POTS", False, True)]),
            (("kiln path/to/pot.clay\n\n"
                "Options:\n --out   the way out\n"), [("path/to/pot.clay", True, False)]),
            ("usage: kiln [-[0-3] pattern] [pot]\n", [("pot", False, False)]),
            ("usage: kiln [options] pot [*rep]\n", [("pot", True, False), ("*rep", False, False)]),
            ("usage: kiln [example.org/me/pot] [flags]\n", [("example.org/me/pot", False, False)]),
        ],
    )  # fmt: skip
    def test_a_way_to_call_ends_where_another_thing_begins(self, text: str, wanted: object) -> None:
        """C-13: other programs, sections and sentences are none of its operands."""
        assert shapes(text) == wanted

    def test_digits_between_brackets_are_an_option_each(self) -> None:
        """C-13: `-[0-3] pattern`."""
        assert flags("usage: kiln [-[0-3] pattern] [pot]\n") >= {"-0", "-1", "-2", "-3"}

    def test_modes_with_their_names_are_ways_to_call(self) -> None:
        """C-13: `Create: kiln -c [options] [<pot>]`; an example is none."""
        text = "kiln: pots\nModes:\n  -c   Create\n  -t   List\n"
        modes = "Create: kiln -c [options] [<pot>]\nList: kiln -t [options] [<pot>]\n"
        assert shapes(text + modes) == [("pot", False, False)]
        assert shapes(f"{text}Example: kiln -c [options] [<pot>]\nTry: kiln -t <pot>\n") == []

    def test_a_choice_of_words_before_the_options_are_commands(self) -> None:
        """C-13: `{fire | cool} [-f] POT`; behind the options it is an operand."""
        text = "usage: kiln {fire | cool} [-f] POT [SHELF]\n       kiln --version\n"
        assert [each.name for each in parse_help(text, ("kiln",)).subcommands] == ["fire", "cool"]
        below = parse_help(text, ("kiln", "cool"))
        assert [each.name for each in below.operands] == ["POT", "SHELF"]
        assert not parse_help("usage: kiln [-f] {fire | cool}\n", ("kiln",)).subcommands


class TestMoreNotations:
    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            (("Usage: cat pots | kiln [OPTIONS] [QUERY]\n"
                "       kiln [OPTIONS] [QUERY]\n"), [("QUERY", False, False)]),
            (("Usage: kiln [options] pot [...]\n"
                "  pot [...]        The pots to fire.\n  -d   dry\n"), [("pot", True, True)]),
            ("usage: kiln [-v] POT [POTS...] [-- GLAZE_ARGS]\n", [("POT", True, True)]),
            ("Usage: kiln - Fire stdin (or the first argument) to a pot.\n\n  -q   quiet\n", []),
            ("Usage: kiln [flags] pot1.red [pot2.blue ... potN.green]\n", [("POT", True, True)]),
        ],
    )  # fmt: skip
    def test_each_is_read_as_a_person_reads_it(self, text: str, wanted: object) -> None:
        """C-13: pipes, plurals, words passed on, sentences and numbered names."""
        assert shapes(text) == wanted

    def test_what_stands_for_an_operand_is_not_needed(self) -> None:
        """C-13: `(-f LIST)|(POT)`: one of the two."""
        page = parse_help("usage: kiln [-v] (-f list)|(<pot>)\n", ("kiln",))
        assert not any(each.required for each in (*page.options, *page.operands))

    def test_an_operand_with_two_names_is_the_one_of_the_list(self) -> None:
        """C-13: `[host|url ...]` is described as `host|url`."""
        text = (
            "usage: kiln [-h] [host|url ...]\n\n"
            "positional arguments:\n  host|url    what to look at\n"
        )
        assert [shape[1:] for shape in shapes(text)] == [(False, True)]


def test_what_a_way_is_for_behind_a_wide_gap_is_no_operand() -> None:
    """C-13: operands; the words of a sentence beside them are none."""
    text = (
        "Usage: kiln [pot ..]       fire the given pots\n"
        "   or: kiln -               read them from a list\n"
        "   or: kiln -t plate        fire where a plate is\n"
    )
    assert shapes(text) == [("pot", False, True)]


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        ("kiln [options] <POT> [POTS]", [("POT", True, True)]),
        ("kiln [options] POT offset", [("POT", True, False), ("offset", True, False)]),
        ("kiln [options] POT to PLATE", [("POT", True, False), ("PLATE", True, False)]),
        ("kiln [interval [samples]]", [("interval", False, False), ("samples", False, False)]),
        ("python3 -m kiln.fire [-h] POT", [("POT", True, False)]),
        (
            "kiln [args] pots_dir label [more_args]",
            [("pots_dir", True, False), ("label", True, False), ("more_args", False, True)],
        ),
        ("<list of pots> | kiln [OPTIONS]", []),
        ("kiln [OPTIONS...] [SOURCE FILE...]", [("SOURCE_FILE", False, True)]),
        ("kiln raw_pot.ext [--now]", [("raw_pot.ext", True, False)]),
        ("fires one pot: kiln [OPTIONS] [POT]", [("POT", False, False)]),
        ("kiln [-s] [infile]\n  <infile> must be dry and clean", [("infile", False, False)]),
        ("kiln [-h] (-l [{wet,dry}] | -t) POT", [("POT", True, False)]),
    ],
)
def test_a_way_to_call_has_the_operands_that_a_person_reads_in_it(usage, wanted) -> None:
    """C-13: operands, which of them may be left out and which repeat."""
    assert shapes(f"Usage: {usage}\n\nOptions:\n  -q   say little\n") == wanted


def test_what_starts_the_program_is_no_option_of_it() -> None:
    """C-13: options; the `-m` of `python -m kiln` belongs to another program."""
    assert flags("usage: python -m kiln [-h] [-x]\n\noptions:\n  -x   do it\n") == {"-h", "-x"}


def test_a_usage_below_a_banner_and_before_the_options_is_found() -> None:
    """C-13: operands of a program whose name is drawn above its help."""
    banner = "".join(f"  /_{'_' * number}\\\n" for number in range(12))
    text = (
        f"{banner}\nCommand:\n  kiln [options] [pot | plate-file]\n\nOptions:\n  --now  at once\n"
    )
    assert shapes(text) == [("pot_or_plate-file", False, False)]


def test_what_a_hand_written_usage_shows_beside_its_options_may_be_left_out() -> None:
    """C-13: a call that the list of options allows is not refused for the sake of the usual one."""
    text = "Usage: kiln <options> --out <dir>\n\n  --out <dir>  where to\n  --list  list all pots\n"
    page = parse_help(text, ("kiln",))
    assert not any(option.required for option in page.options)


@pytest.mark.parametrize("word", ["use", "Use", "using", "command"])
def test_a_usage_that_is_called_otherwise_is_one(word) -> None:
    """C-13: operands, whatever word stands before the way to call."""
    assert shapes(f"Kiln 1.0\n{word}: kiln [options] POT\n\n  -q   quiet\n") == [
        ("POT", True, False)
    ]


def test_options_in_braces_that_offer_no_choice_may_be_left_out() -> None:
    """C-13: `{ -b size }` is not asked for; of `{-a|-b}`, a caller has to choose."""
    page = parse_help("Usage: kiln { -b size } { -q }\n", ("kiln",))
    assert [(each.main, each.required) for each in page.options] == [("-b", False), ("-q", False)]


def test_capitals_behind_a_wide_gap_are_operands() -> None:
    """C-13: ways to call that are set in columns, and no description of one."""
    text = "Usage:\n  kiln fire      [-q]\n  kiln cool      POT SHELF\n  kiln sell      Sells it\n"
    usages = {each.name: each.usage for each in parse_help(text, ("kiln",)).subcommands}
    assert usages == {"fire": "[-q]", "cool": "POT SHELF", "sell": ""}


def test_ways_between_paragraphs_stand_where_the_first_does() -> None:
    """C-13: with `kiln -b`, no name has to be given."""
    text = "kiln - fires\n\nkiln <name> ...\n    Fire all of them.\n\nkiln -b\n    Fire at once.\n"
    assert shapes(text) == [("name", False, True)]


def test_words_in_quotes_are_one() -> None:
    """C-13: `["<words>"]` is given as a single one."""
    text = 'kiln [options] ["<words>"]\n\n-f <file>   what to read\n'
    assert [each[1:] for each in shapes(text)] == [(False, False)]


def test_an_arrow_behind_a_way_points_from_what_it_is_for() -> None:
    """C-13: `<-Dry it` opens no bracket, and the next way begins below."""
    ways = ("kiln [-q] [<pot>]       <-List all pots", "kiln [-q] -d <pot>       <-Dry one")
    text = "Usage:\n  " + "\n  ".join(ways) + "\n\n  -q   quiet\n  -d   dry it\n"
    assert shapes(text) == [("pot", False, False)]


_LIST = "\n\nOptions:\n  -q   quiet\n  -o FILE   out\n"


@pytest.mark.parametrize(
    ("usage", "program", "wanted"),
    [
        ("kiln fire [OPTIONS] ... [POT]", "kiln-fire", [("POT", False, False)]),
        ("kiln fire-all [-q] POT", "kiln-fire-all", [("POT", True, False)]),
        ("kiln fire POT PLATE", "kiln", []),
    ],
)
def test_a_program_that_another_one_finds_is_called_by_two_words(usage, program, wanted) -> None:
    """C-13: `kiln fire` starts `kiln-fire`; the second word is none of its operands."""
    second = "       kiln cool POT\n       kiln sell POT" if not wanted else ""
    assert shapes(f"usage: {usage}\n{second}{_LIST}", program) == wanted


def test_what_the_names_of_a_usage_are_is_said_below_it() -> None:
    """C-13: `<name>  can be …` goes on with no usage."""
    told = "\t<pot>   can be a pot or a plate (-x only)\n\t<heat>  defaults to 900\n"
    text = f"  Usage: kiln pot [@shelf] [heat]\n{told}\n  Options:\n\t-x\tboth\n\t-q\tquiet\n"
    assert shapes(text) == [
        ("pot", True, False), ("@shelf", False, False), ("heat", False, False)
    ]  # fmt: skip


@pytest.mark.parametrize("usage", ["[@file] POT", "[@argfile] POT", "[-x @shelf] POT"])
def test_a_file_of_further_words_is_no_operand(usage: str) -> None:
    """C-13: `@file` stands for the options and operands in it."""
    assert shapes(f"Usage: kiln {usage}{_LIST}") == [("POT", True, False)]


def test_a_redirection_in_brackets_ends_its_way() -> None:
    """C-13: `[< POTS]` opens no bracket that the next way would have to close."""
    text = (
        "Usage:\n    kiln fire POT\n                [-q]\n                [< POTS]\n\n"
        "    kiln cool POT [-x]\n\n    kiln dir POT [PLATE]\n\n    kiln sell POT\n\n"
        "    kiln glaze POT COLOUR\n"
    )
    page = parse_help(text, ("kiln",))
    assert [each.name for each in page.subcommands if each.name != "dir"] == [
        "fire", "cool", "sell", "glaze"
    ]  # fmt: skip
    assert {each.name: each.usage for each in page.subcommands}["dir"] == "POT [PLATE]"


@pytest.mark.parametrize("second", ["dir [-q]", "<dir> POT", "dir..."])
def test_the_name_of_an_operand_is_no_command_beside_few_others(second: str) -> None:
    """C-13: only where all the others begin with a command, `dir` is one."""
    page = parse_help(f"Usage:\n  kiln fire POT\n  kiln {second}\n", ("kiln",))
    assert "dir" not in [each.name for each in page.subcommands]


def test_an_option_that_is_given_twice_is_an_example() -> None:
    """C-13: what has to be given is told by ways to call, and by no call."""
    text = "kiln {<option>} <pot>\n\n  -J <dir>   where\n\n"
    assert shapes(f"{text}The same is\nkiln -J b -J a\n") == [("pot", True, False)]
    assert shapes(f"{text}Or else\nkiln -J b\n") == [("pot", False, False)]


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        ("[OPTIONS] [FILES] [DSN]", [("FILES", False, True), ("DSN", False, False)]),
        ("[OPTIONS] <input_files> <plate>", [("input_files", True, True), ("plate", True, False)]),
        ("[OPTIONS] PATTERNS POT", [("PATTERNS", True, False), ("POT", True, False)]),
        ("[OPTIONS] FILES POT...", [("FILES", True, False), ("POT", True, True)]),
        ("<pot> <comma-separated glazes>", [("pot", True), ("comma-separated glazes", True)]),
        ("<pots/plates> -o FILE options", [("pots/plates", True, True)]),
    ],
)
def test_names_of_several_files_are_several_wherever_they_stand(usage, wanted) -> None:
    """C-13: repeated operands; what is separated by commas is one word."""
    found = shapes(f"Usage: kiln {usage}{_LIST}")
    assert found == [each if len(each) > 2 else (*each, False) for each in wanted]


@pytest.mark.parametrize(
    ("ways", "needed"),
    [
        ("kiln [OPTION...] POT\n  or:  kiln [OPTION...] [-a|-m]", False),
        ("kiln [OPTION...] POT\n  or:  kiln [OPTION...]", True),
        ("kiln [OPTION...] POT\n  or:  kiln [OPTION...] --version", True),
    ],
)
def test_a_way_that_names_options_and_no_operand_can_do_without(ways: str, needed: bool) -> None:
    """C-13: `or: kiln [OPTION...] [-a|-m]` does something, and names no pot."""
    assert shapes(f"Usage: {ways}\n\n  -a   all\n  -m   more\n") == [("POT", needed, False)]


def test_a_colon_below_that_of_the_usage_begins_another_way() -> None:
    """C-13: `Usage : kiln [-v] POT`, and ` : kiln -c POT` below it."""
    listed = "\n  -v   tell more\n  -c   count\n"
    text = f"Usage\t: kiln [-v] pot...| plate...\n\t: kiln  -c  pot...| plate...\n{listed}"
    assert shapes(text) == [("pot or plate", True, True)]


def test_a_list_without_values_leaves_them_to_what_it_says() -> None:
    """C-13: of `-f fmt pot.clay`, the word is the format that the list speaks of."""
    listed = "  -f, --format   Format of the pot.\n" + "".join(
        f"  -{letter}, --now{letter}   Do it at once.\n" for letter in "abc"
    )
    assert shapes(f"Usage:\n    kiln -f fmt pot.clay\n\nOptions:\n{listed}") == [
        ("pot.clay", True, False)
    ]
    assert shapes(f"Usage:\n    kiln -a fmt pot.clay\n\nOptions:\n{listed}") == [
        ("fmt", True, False), ("pot.clay", True, False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ways", "wanted"),
    [
        (
            ["HEAT", "POT HEAT", "POT PLATE HEAT"],
            [("POT", False, False), ("PLATE", False, False), ("HEAT", True, False)],
        ),
        (["POT PLATE", "PLATE POT HEAT"], [("POT", True, False), ("PLATE", True, False)]),
    ],
)
def test_what_shorter_ways_leave_out_at_the_front_may_be_left_out(ways, wanted) -> None:
    """C-13: the last word of each way is the same operand."""
    usage = "\n  or: ".join(f"kiln [OPTION]... {way}" for way in ways)
    assert shapes(f"Usage: {usage}\n\n  -q   quiet\n") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("fire (f) [OPTIONS] [POT] ...", [("POT", False, True)]),
        ("fire (fr, f) <POT1> <POT2>", [("POT1", True, False), ("POT2", True, False)]),
        ("Usage: kiln [options] fire pot", [("pot", True, False)]),
    ],
)
def test_the_page_of_a_command_may_begin_with_its_name(text: str, wanted) -> None:
    """C-13: with a short name behind it, and with a plain word for what it takes."""
    page = parse_help(f"{text}\n\nFires it.\n\n  -q   quiet\n", ("kiln", "fire"))
    assert [(each.name, each.required, each.repeats) for each in page.operands] == wanted
    assert page.subcommands == ()


def test_the_word_for_a_command_is_no_command_beside_those_that_are_listed() -> None:
    """C-13: `kiln fire command`, and its commands below."""
    text = "Usage: kiln [options] fire command\n\nCommands:\n    cup - A cup\n    pot - A pot\n"
    page = parse_help(text, ("kiln", "fire"))
    assert [each.name for each in page.subcommands] == ["cup", "pot"]


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        ("kiln\n\n  reads a pot from <stdin> and writes a .plate file to <stdout>\n", []),
        ("kiln [options] -tmp\n       kiln [options] -rx < ...\n-x option is a unit of time\n", []),
        ("kiln POT PLATE [OPTIONS...]\n POT\n    The pot.\n PLATE\n    The plate.\n",
         [("POT", True, False), ("PLATE", True, False)]),
        ("kiln [-v] pot...| plate...\n       kiln  -c  pot...| plate...\n",
         [("pot or plate", True, True)]),
        ("kiln [options] <pot>\n   or: kiln [options] -f | <pot> -s <size>\n",
         [("pot", False, False)]),
        ("kiln CUP POT [args]\n  or:  kiln [ -c ] POT [args]\n",
         [("CUP", False, False), ("POT", True, False), ("args", False, True)]),
    ],
    ids=["a sentence", "a stream", "what is below", "a value that is none", "one or the other",
         "left out at the front"],
)  # fmt: skip
def test_what_stands_below_a_way_to_call_is_told_from_the_next_way(usage: str, wanted) -> None:
    """C-13: operands of all ways together."""
    assert shapes(f"Usage: {usage}") == wanted


def test_comments_between_ways_to_call_are_none() -> None:
    """C-13: `# fires all of them` says what a way is for."""
    text = "Usage:\n    # with pots and no switches, fires them\n    kiln pot [ pot ... ]\n"
    assert shapes(text) == [("pot", True, True)]


def test_what_is_done_without_an_operand_is_no_part_of_the_usage() -> None:
    """C-13: a sentence with brackets right below it."""
    text = "usage: kiln [-q] pot [plate]\n\tIf [plate] is not given, the whole shelf is used\n"
    assert shapes(text) == [("pot", True, False), ("plate", False, False)]


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        ("usage: kiln [-h] [--hot] [pot ...]", [("pot", False, True)]),
        ("usage: kilnfire [-h] [--hot] [pot ...]", [("pot", False, True)]),
        ("usage: kiln [-h] <command> [pot ...]", []),
    ],
)
def test_a_usage_may_leave_out_the_name_of_its_command(usage: str, wanted) -> None:
    """C-13: the page of `kiln fire`, which calls itself `kiln`."""
    listed = "\n\npositional arguments:\n  pot   a pot\n\noptions:\n  --hot   hot\n"
    page = parse_help(usage + listed, ("kiln", "fire"))
    assert [(each.name, each.required, each.repeats) for each in page.operands] == wanted


def test_what_reads_the_output_is_no_part_of_the_usage() -> None:
    """C-13: `pots | kiln [OPTIONS] | plates` takes nothing."""
    assert shapes("Usage:\n  pots | kiln [OPTIONS] | plates\n  pots | kiln -zip out.pot\n") == []
