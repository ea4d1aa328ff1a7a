"""Short texts of many documents, joined so that a substring search is one call in C."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, repeat
from operator import add
from typing import Final

from toolcrib.search.tokens import fold

SHORTEST: Final = 3
LONGEST: Final = 200


class LineTable:
    """One line of text per slot, found by any part of it."""

    __slots__ = ("_joined", "_of", "_slots", "_starts")

    def __init__(self) -> None:
        self._of: dict[int, str] = {}
        self._joined: str | None = None
        self._starts: list[int] = []
        self._slots: list[int] = []

    def __getitem__(self, slot: int) -> str:
        return self._of[slot]

    def __setitem__(self, slot: int, line: str) -> None:
        self._of[slot] = line
        self._joined = None

    def __len__(self) -> int:
        return len(self._of)

    def put(self, lines: Iterable[tuple[int, str]]) -> None:
        """Add these lines."""
        self._of.update(lines)
        self._joined = None

    def remove(self, slot: int) -> None:
        """Remove a line, if present."""
        if self._of.pop(slot, None) is not None:
            self._joined = None

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the slots: the first of these becomes 0, and so on."""
        of = self._of
        self._of = {number: of[slot] for number, slot in enumerate(slots) if slot in of}
        self._joined = None

    def items(self) -> Iterator[tuple[int, str]]:
        """All lines by slot."""
        return iter(self._of.items())

    def places(self, part: str) -> Iterator[tuple[int, int]]:
        """Every place of a text within a line: the slot, and where in `joined` it is."""
        text = self.joined()
        at = text.find(part)
        while at >= 0:
            yield self._slots[bisect_right(self._starts, at) - 1], at
            at = text.find(part, at + 1)

    def joined(self) -> str:
        """All lines in one text, each between two line feeds."""
        if self._joined is None:
            self._slots = list(self._of)
            lengths = map(add, map(len, self._of.values()), repeat(1))
            self._starts = list(accumulate(lengths, initial=1))[: len(self._slots)]
            self._joined = "\n" + "\n".join(self._of.values()) + "\n"
        return self._joined


def plain_line(text: str) -> str:
    """Return a text as it is searched: lower case, every run of blanks one space."""
    return " ".join(fold(text).casefold().split())


def having(lines: LineTable, part: str) -> set[int]:
    """The slots of the lines that have a text, from three characters on, also inside a word."""
    wanted = plain_line(part) if len(part) <= LONGEST else ""
    if len(wanted) < SHORTEST:
        return set()
    return {slot for slot, _ in lines.places(wanted)}
