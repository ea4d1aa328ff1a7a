"""What sentences say of operands (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.page import parse_help


def _operands(text: str) -> str:
    found = parse_help(f"{text}\n\nOptions:\n  -q  quiet\n", ("kiln",)).operands
    words = (each.name + ("..." if each.repeats else "") for each in found)
    shown = zip(words, found, strict=True)
    return " ".join(word if each.required else f"[{word}]" for word, each in shown)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("With no POT, standard input is read.", "[POT]"),
        ("If no pots are given, all are fired.", "[POT]"),
        ("If no filenames are given, all are fired.", "POT"),
        ("With neither POT nor PLATE, the shelf is shown.", "[POT]"),
        ("  POT   the pot (default: stdin)", "[POT]"),
        ("  POT   the pot. If omitted, standard input is read", "[POT]"),
        ("Arguments:\n  POT   the pot (optional)", "[POT]"),
        ("Arguments:\n  POT   one or more pots", "POT..."),
        ("Arguments:\n  POT   The pots to fire", "POT..."),
        ("Operands:\n\n  POT   : Specify pots to fire or to cool", "POT..."),
        ("Arguments:\n  POT   The pots' shelf", "POT"),
        ("Arguments:\n  POT   What all pots stand on", "POT"),
        ("Arguments:\n  POT   the pot", "POT"),
        ("  POT   one or more of them is meant", "POT"),
        ("Pot:\n  Files or directories, leave blank to read standard input.", "[POT...]"),
        ("Pot:\n  The pot to fire.", "POT"),
        ("  POT   Files to fire", "POT..."),
        ("  POT   input pot filename(s)", "POT..."),
        ("List all pots or only those that match.", "[POT]"),
    ],
)
def test_what_is_said_of_an_operand_counts_as_brackets_and_dots(said: str, meant: str) -> None:
    """C-13: operands, by whatever tells of them."""
    assert _operands(f"Usage: kiln [options] POT\n\n{said}") == meant


def test_brackets_of_a_library_are_believed_before_sentences() -> None:
    """C-13: argparse prints brackets around whatever may be left out."""
    text = (
        "usage: kiln [-h] pot\n\npositional arguments:\n  pot   the pot (default: all)\n\n"
        "options:\n  -h, --help  show this help message and exit\n"
    )
    assert [each.required for each in parse_help(text, ("kiln",)).operands] == [True]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("[arguments]\n\nArguments:\n  <pot>    The pot\n  [plate]  The plate", "pot [plate]"),
        ("[ARGS]\n\nArgs:\n  <pot>    The pot\n  <plate>  The plate", "[pot] [plate]"),
        ("ARGS\n\nArgs:\n  <pot>    The pot\n  <plate>...  The plates", "pot plate..."),
        ("\n\nArguments:\n  pot    The pot (required)", "pot"),
        ("<args>", "args..."),
        ("[args]\n\nArguments:\n  -q  quiet", "[args...]"),
    ],
)
def test_a_name_for_all_arguments_is_what_their_list_has(text: str, meant: str) -> None:
    """C-13: `[arguments]` in the usage, and each of them below."""
    assert _operands(f"Usage: kiln [options] {text}") == meant


def test_files_may_be_told_of_by_another_word_for_them() -> None:
    """C-13: `file1 [file2 ...]`, and "if no filenames are given"."""
    text = "Usage: kiln potfile\n\nIf no filenames are given, standard input is read.\n"
    assert [each.required for each in parse_help(text, ("kiln",)).operands] == [False]
