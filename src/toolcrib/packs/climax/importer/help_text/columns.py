"""Options that stand beside each other: two to a line, or long ones right of the short ones.

A column in which nearly every cell begins with a dash holds options; one that holds descriptions
has a dash only here and there. Lines of such columns are cut, so that each option begins a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

_CELL = re.compile(r"(?<= )(?=\S)")
_OPTION = re.compile(r"(?:\+\|)?--?[A-Za-z0-9?#@%*!]|\+[A-Za-z](?= )")
_SPELLED = re.compile(
    r"\s*-{1,2}[^\s,=\[<]+(?:[ =]?[\[<{]*[^\s,]+[\]>}]*(?:,[^\s,]+)*)?"
    r"(?:, *-{1,2}[^\s,=\[<]+(?:[ =]?[\[<{]*[^\s,]+[\]>}]*)?)*,?\s*"
)
# `-c Create  -r Add/Replace`: an option, and in a few words what it does.
_TOLD = re.compile(r"(--?[A-Za-z0-9][\w-]*) ([A-Z]?[a-z][A-Za-z/]*(?: [A-Za-z][a-z/]*){0,4})")
# `With arguments: -e -f`: the help that a library of Perl prints for its programs.
_LETTERS = re.compile(r"\s*(?:(With arguments)|(Boolean \(without arguments\))): ((?:-\w ?)+)")
_LONG_ROW = re.compile(r"(?:--[a-z][\w-]*(?:=\S+)?(?: |$)){2,}")
_WIDE = re.compile(r" {2,}")
_OPENING = ("[", "(", "{", "<", "|")
_FEWEST = 3
_SHARE = 0.7


def uncolumned(lines: Sequence[str]) -> list[str]:
    """The lines with every option of a further column on a line of its own.

    Where the cell before it is nothing but the spelling of an option, both are one option.
    """
    lines = [each for line in lines for each in _of_row(line)]
    columns = _option_columns(lines)
    if not columns:
        return list(lines)
    base = min(_indent(line) for line in lines if _starts(line, _indent(line)))
    found: list[str] = []
    for line in lines:
        found += _cut(line, columns, base)
    return found


def _of_row(line: str) -> list[str]:
    """The options of a line that has one after the other, each with what it does beside it."""
    letters = _LETTERS.fullmatch(line)
    if letters is not None:
        value = " VALUE" if letters[1] else ""
        return [f"  {flag}{value}" for flag in letters[3].split()]
    if line.count("  -") < _FEWEST - 1:
        return [line]
    cells = _WIDE.split(line.strip())
    if len(cells) >= 2 * _FEWEST and len(cells) % 2 == 0 and _alternate(cells):
        # `-c   Creates it   -r   Adds to it   -q   Says nothing`
        return [f"  {flag}  {text}" for flag, text in zip(cells[::2], cells[1::2], strict=True)]
    told = [_TOLD.fullmatch(cell) for cell in cells]
    found = [f"{line[: _indent(line)]}{match[1]}  {match[2]}" for match in told if match]
    return found if len(found) == len(told) >= _FEWEST else [line]


def _alternate(cells: Sequence[str]) -> bool:
    """Whether every other cell is an option, and each of those behind them what it does."""
    flags = all(re.fullmatch(r"--?[A-Za-z0-9][\w-]*", cell) for cell in cells[::2])
    return flags and not any(cell.startswith("-") for cell in cells[1::2])


def _option_columns(lines: Sequence[str]) -> list[int]:
    """The places, right of the first, where options begin on several lines and little else does."""
    firsts = [_indent(line) for line in lines if _starts(line, _indent(line))]
    if len(firsts) < _FEWEST:
        return []
    options: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for line in lines:
        for at in _cells(line):
            (options if _starts(line, at) else others)[at] += 1
    first = min(firsts)
    return [
        at
        for at, times in sorted(options.items())
        if at > first + 8 and times >= _FEWEST and times / (times + others[at]) >= _SHARE
    ]


def _cells(line: str) -> Iterator[int]:
    """Where something begins: the text of the line, and whatever follows two blanks."""
    indent = _indent(line)
    if line:
        yield indent
    for match in _CELL.finditer(line, indent + 1):
        if line[match.start() - 2 : match.start()] == "  ":
            yield match.start()


def _cut(line: str, columns: Sequence[int], base: int) -> list[str]:
    # One blank is enough before an option of such a column: a long description may fill the first.
    places = [at for at in columns if line[at - 1 : at] == " " and _starts(line, at)]
    places = [at for at in places if line[:at].rstrip()[-1:] not in _OPENING]
    # `--in=<pot> --out=<pot>`: a line of a usage, whatever it stands below.
    if _LONG_ROW.fullmatch(line.strip()):
        return [line]
    if not places:
        return [line]
    bounds = [0, *places, len(line)]
    cells = [line[start:end].rstrip() for start, end in pairwise(bounds)]
    found: list[str] = []
    for cell in filter(str.strip, cells):
        text = cell.strip()
        if found and _SPELLED.fullmatch(found[-1]):
            found[-1] = f"{found[-1].rstrip().rstrip(',')}, {text}"
        else:
            found.append(" " * base + text if not found or _starts(text, 0) else cell)
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _starts(line: str, at: int) -> bool:
    return _OPTION.match(line, at) is not None
