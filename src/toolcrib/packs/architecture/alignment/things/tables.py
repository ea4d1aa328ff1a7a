"""The tables of known things in `data/`: a key in each line, a colon, and what belongs to it.

A line that is indented goes on with the one before; `#` begins a comment. What stands in a table
is knowledge of the trade, collected without looking at any proposal.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent / "data"
_INDENT: Final = " " * 4


@cache
def table(name: str) -> tuple[tuple[str, str], ...]:
    """The rows of a table: each key with the text behind it, single blanks between its words."""
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = (
        line.partition(":") for line in "\n".join(lines).replace(f"\n{_INDENT}", " ").splitlines()
    )
    return tuple((key, rest.strip()) for key, _, rest in rows)


@cache
def words(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The rows of a table of single words."""
    return tuple((key, tuple(rest.split())) for key, rest in table(name))


@cache
def items(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The rows of a table whose entries are parted by commas."""
    return tuple(
        (key, tuple(each.strip() for each in rest.split(","))) for key, rest in table(name)
    )
