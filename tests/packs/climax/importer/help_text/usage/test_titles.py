"""Usages below titles, behind titles, and of plain words alone (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.page import parse_help

_LIST = "\n\nOptions:\n  -q  quiet\n  -o FILE  out\n"


def _shapes(text: str, *path: str) -> list[tuple[str, bool, bool]]:
    operands = parse_help(text, path or ("kiln",)).operands
    return [(each.name, each.required, each.repeats) for each in operands]


def test_ways_to_call_below_their_titles_are_read() -> None:
    """C-13: `Usage of fire:`, what each way is for, and the way further in."""
    text = (
        "Usage of fire:\n    Fire a new pot:\n        kiln fire -new POT\n\n"
        "    Fire it again:\n        kiln fire -shelf shelf POT\n\n"
        'Flags:\n  -new=false: a new one\n  -shelf="": where it stands\n  -heat=9: how hot\n'
    )
    assert _shapes(text, "kiln", "fire") == [("POT", True, False)]
    values = {each.main: each.value for each in parse_help(text, ("kiln", "fire")).options}
    assert values == {"-new": None, "-shelf": "string", "-heat": "int"}


@pytest.mark.parametrize(
    "title",
    ["Syntax is: kiln", "Basic usage: kiln", "Run as: kiln", "*** Usage: kiln", "kiln usage:",
     "Usage: perl kiln.pl", "Usage: node kiln.js", "Usage: <kiln>", "Usage: kiln.exe"],
)  # fmt: skip
def test_whatever_announces_a_usage_it_is_read(title: str) -> None:
    """C-13: operands, however the usage is headed."""
    assert _shapes(f"{title} [options] <pot>{_LIST}") == [("pot", True, False)]


def test_an_example_is_no_usage() -> None:
    """C-13: what somebody typed once is no rule."""
    assert _shapes(f"Simple example: kiln [options] <pot>{_LIST}") == []


@pytest.mark.parametrize(
    ("way", "names"),
    [
        ("pot", ["pot"]),
        ("pot plate", ["pot", "plate"]),
        ("-o file pot", ["pot"]),
        ("-c pot.cfg [-q] input output", ["input", "output"]),
        ("(-q | -z) <pot>", ["pot"]),
        ("[command/options] [pot]", ["pot"]),
        ("[-q] INPUT.clay Output_File", ["INPUT.clay", "Output_File"]),
        ("[-q] $POT", ["POT"]),
        ("help", []),
    ],
)
def test_plain_words_of_the_only_usage_are_operands(way: str, names: list[str]) -> None:
    """C-13: where no command is listed, no command is meant."""
    assert [name for name, *_ in _shapes(f"usage: kiln {way}{_LIST}")] == names


def test_what_another_program_writes_is_a_way_to_call_without_a_file() -> None:
    """C-13: `cat POT | kiln` names no pot."""
    text = f"Usage\n  $ kiln <pot>\n  $ cat <pot> | kiln{_LIST}"
    assert _shapes(text) == [("pot", False, False)]


@pytest.mark.parametrize("heading", ["EXAMPLE USAGE:", "Examples usage:", "Some example usage:"])
def test_what_an_example_of_usage_gives_is_no_operand(heading: str) -> None:
    """C-13: the words that somebody typed there are values of that one call."""
    typed = f"\n\n{heading}\n  Fire it slowly.\n    kiln -o out.txt -q 'Host: POT' 200\n"
    assert _shapes(f"Kiln, a furnace{_LIST}{typed}") == []
    assert _shapes(f"Basic usage:\n  kiln [options] <pot>{_LIST}{typed}") == [("pot", True, False)]


def test_a_usage_behind_a_complaint_in_its_line_is_read() -> None:
    """C-13: operands, where a program tells its usage as it complains."""
    text = "Unknown flag: '-'; Usage: kiln [-q] [--] [pot ...]\n  -q   be quiet\n"
    assert _shapes(text) == [("pot", False, True)]
