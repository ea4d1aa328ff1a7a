"""Ways to call that only their column tells apart: below the program, or below what follows it.

Usage: kiln [OPTIONS] fire POT          Usage: kiln [-q] POT
            [OPTIONS] cool POT                 kiln-old [-q] [-t degrees] POT
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from toolcrib.packs.climax.importer.help_text.text import indent_of

_ANNOUNCED = re.compile(r"\s*(?:usage|synopsis|syntax)\s*:\s*", re.I)
_LITERAL = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?= |$)")
_BRACKET = re.compile(r"\[\s*(?:options?|flags?|args|opts)\s*\](?=\s+\S)", re.I)
# `glaze [-q] POT`: a program, and what it takes.
_CALL = re.compile(r"([a-z][\w.-]{1,40})\s+[\[<{(-]")
_FEWEST_LITERALS = 2
_MOST_LINES = 60


def with_whole_ways(lines: Sequence[str], program: str) -> list[str]:
    """The lines with the program before each way to call it, and without those of other programs.

    Only what stands right below an announced usage is changed.
    """
    found = list(lines)
    if not program:
        return found
    start = re.compile(rf"(?:\S*/)?{re.escape(program)}(?:\.py)?\s+(?=\S)")
    for at, line in enumerate(lines):
        announced = _ANNOUNCED.match(line)
        first = start.match(line, announced.end()) if announced else None
        if announced is None or first is None:
            continue
        below = list(takewhile(bool, lines[at + 1 : at + 1 + _MOST_LINES]))
        found[at + 1 : at + 1 + len(below)] = _named(below, line[first.end() :], first, program)
        return [*_without_others(found, at, announced.end(), program)]
    return found


def _named(below: list[str], way: str, first: re.Match[str], program: str) -> list[str]:
    """The lines below a usage; those that begin like the way in it have the program before them."""
    column = first.end()
    aligned = [line[column:] for line in below if indent_of(line) == column]
    noise = _BRACKET.match(way)
    repeated = noise is not None and any(text.startswith(noise[0]) for text in aligned)
    named = _LITERAL.match(way) is not None and len(aligned) >= _FEWEST_LITERALS
    named = named and all(map(_LITERAL.match, aligned))
    if not (repeated or named):
        return below
    begins = noise[0] if noise is not None and repeated else ""
    return [
        " " * first.start() + f"{program} {line[column:]}"
        if indent_of(line) == column and line.startswith(begins, column)
        else line
        for line in below
    ]


def _without_others(lines: Sequence[str], at: int, column: int, program: str) -> Iterator[str]:
    """The lines without the ways to call a program that is called otherwise, below those of `at`.

    It is another one where the program itself is named again, or its name is a part of the other.
    """
    below = list(takewhile(bool, lines[at + 1 : at + 1 + _MOST_LINES]))
    again = any(line.startswith(f"{program} ", column) for line in below)
    yield from lines[: at + 1]
    others = False
    for line in below:
        here = indent_of(line)
        call = _CALL.match(line, here) if here == column else None
        if here <= column:
            name = call[1] if call is not None else program
            others = name != program and (again or program in name) and column > 0
        if not others:
            yield line
    yield from lines[at + 1 + len(below) :]
