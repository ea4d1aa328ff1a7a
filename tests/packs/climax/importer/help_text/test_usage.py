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
        ],
    )
    def test_what_is_no_operand_becomes_none(self, usage, wanted):
        """C-13: operands, and which of them repeat."""
        assert shapes(f"Usage: {usage}\n\n  -x   do it\n") == wanted

    def test_a_sentence_or_a_heading_below_the_usage_is_no_part_of_it(self):
        """C-13: "Display …" is what the program does, "Options:" begins a list."""
        told = "Usage: kiln <file(s)>\n Display information about <file(s)>.\n"
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
