"""Lists that are nothing but names: `add, copy, move`, or several to a line in columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

NAME = r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,60}(?::[A-Za-z0-9][\w-]{0,40}){0,6}"
"""What a command may be called."""
FEWEST = 5
"""How many of a kind make a list."""
_COMMAS = re.compile(r"[\w.+-]{1,60}(?:, ?[\w.+-]{1,60})*,?")
_COLUMNS = re.compile(rf"{NAME}(?: {{2,}}{NAME})+|{NAME}")


def comma_list(lines: Sequence[str]) -> list[str]:
    """The names of a paragraph that is nothing but `add, copy, re-` and `move, wait`."""
    first = next((at for at, line in enumerate(lines) if line), 0)
    filled = [line.strip() for line in takewhile(bool, lines[first:])]
    if not any("," in line for line in filled) or not all(map(_COMMAS.fullmatch, filled)):
        return []
    # A name may be broken at a dash of its own.
    text = re.sub(r"- (?=\w)", "-", " ".join(filled))
    return [name for name in re.split(r",?\s+|,", text) if name]


def in_columns(lines: Sequence[str]) -> list[str]:
    """The names of lines that have nothing but names, several to a line."""
    names_only = bool(lines) and all(map(_COLUMNS.fullmatch, lines))
    return [name for line in lines for name in line.split()] if names_only and _wide(lines) else []


def _wide(lines: Sequence[str]) -> bool:
    """Whether names stand beside each other on most lines of a list that has nothing but names.

    What a few commands do may be said in a word each; what many do is not.
    """
    fewest = 2 if len(lines) >= FEWEST else 3
    return sum(len(line.split()) >= fewest for line in lines) > len(lines) / 2
