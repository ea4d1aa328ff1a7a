"""Texts of many documents: short ones joined, so that a substring search is one call in C."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, repeat
from operator import add
from typing import Final, NamedTuple

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


class KeptTexts(NamedTuple):
    """Texts of a stored index in one piece, and where each of them ends."""

    ends: array[int] | memoryview
    joined: bytes | memoryview


class Details:
    """The text of a field per slot, as it was written.

    Those of a stored index stay in its file until they are asked for.
    """

    __slots__ = ("_kept", "_of")

    def __init__(self) -> None:
        self._of: dict[int, str] = {}
        self._kept: KeptTexts | None = None

    def __getitem__(self, slot: int) -> str:
        found = self._of.get(slot)
        if found is None and self._kept is not None and slot < len(self._kept.ends):
            ends, joined = self._kept
            start = ends[slot - 1] if slot else 0
            found = str(joined[start : ends[slot]], "utf-8", "surrogatepass")
        return found or ""

    def put(self, texts: Iterable[tuple[int, str]]) -> None:
        """Know the texts of more slots."""
        self._of.update(each for each in texts if each[1])

    def remove(self, slot: int) -> None:
        """Forget the text of a slot that is not used again."""
        self._of.pop(slot, None)

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the slots: the first of these becomes 0, and so on."""
        texts = map(self.__getitem__, slots)
        self._of = {number: text for number, text in enumerate(texts) if text}
        self._kept = None

    def begin(self, kept: KeptTexts) -> None:
        """Start from the texts of a stored index; raises `ValueError` if they do not fit."""
        if (kept.ends[-1] if len(kept.ends) else 0) != len(kept.joined):
            raise ValueError("details that do not fit their places")
        self._kept = kept

    def kept(self, count: int) -> KeptTexts:
        """The texts of the first `count` slots, to be stored."""
        encoded = [self[slot].encode(errors="surrogatepass") for slot in range(count)]
        ends = array("Q")
        total = 0
        for text in encoded:
            total += len(text)
            ends.append(total)
        return KeptTexts(ends, b"".join(encoded))


def plain_line(text: str) -> str:
    """Return a text as it is searched: lower case, every run of blanks one space."""
    return " ".join(fold(text).casefold().split())


def having(lines: LineTable, part: str) -> set[int]:
    """The slots of the lines that have a text, from three characters on, also inside a word."""
    wanted = plain_line(part) if len(part) <= LONGEST else ""
    if len(wanted) < SHORTEST:
        return set()
    return {slot for slot, _ in lines.places(wanted)}
