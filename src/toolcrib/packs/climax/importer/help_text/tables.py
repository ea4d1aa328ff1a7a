"""Tables whose columns are ruled with bars: ` -o, --outfile | File | Where to write | -o x`.

The bars are no text. What a column with the kinds of values says is put behind the option, as other
programs print it, and the rest of a row is its description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_RULE = re.compile(r"\s*\|?[=-]{2,}(?:[+|][=-]{2,})+\|?\s*")
_BAR = re.compile(r"(?<=\s)\|(?=\s)")
_KINDS = re.compile(r"(?:value )?types?|values?|arguments?|args?|params?|parameters?", re.I)
_OPTION = re.compile(r"--?[A-Za-z0-9]")


def unruled(lines: Sequence[str]) -> list[str]:
    """The lines, where each row of a ruled table is written in two columns."""
    found = list(lines)
    for at, line in enumerate(lines):
        if _RULE.fullmatch(line) and at and "|" in lines[at - 1]:
            _unrule(found, at)
    return found


def _unrule(lines: list[str], rule: int) -> None:
    """Rewrite the rows below a rule, in place; what stands above it names the columns."""
    header = _cells(lines[rule - 1])
    lines[rule - 1] = lines[rule] = ""
    for at in range(rule + 1, len(lines)):
        cells = _cells(lines[at])
        if len(cells) != len(header) or _RULE.fullmatch(lines[at]):
            break
        lines[at] = _row(cells, header)


def _cells(line: str) -> list[str]:
    text = line.strip()
    framed = text.startswith("|") and text.endswith("|")
    return [cell.strip() for cell in _BAR.split(f"{text[1:-1] if framed else text} ")]


def _row(cells: Sequence[str], header: Sequence[str]) -> str:
    name, rest = cells[0], list(zip(header[1:], cells[1:], strict=True))
    if not _OPTION.match(name):
        return f"  {name}  {'  '.join(cell for _, cell in rest if cell)}".rstrip()
    kinds = [f" <{cell}>" for title, cell in rest if _KINDS.fullmatch(title) and cell]
    told = [cell for title, cell in rest if not _KINDS.fullmatch(title) and cell]
    example = [f"(for example {cell})" for cell in told[1:] if _OPTION.match(cell)]
    others = [cell for cell in told[1:] if not _OPTION.match(cell)]
    return f"  {name}{''.join(kinds)}  {' '.join([*told[:1], *others, *example])}".rstrip()
