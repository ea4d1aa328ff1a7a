"""The postings of one field: those of a stored index, and those added since."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from toolcrib.search.lines import KeptTexts

_NONE: Final[array[int]] = array("I")


class KeptWords:
    """The words of one field of a kept index; their slots stay in the file until asked for.

    `ends` has, for each word in order, where its slots end in the bytes `slots`.
    """

    __slots__ = ("_ends", "_numbers", "_slots")

    def __init__(self, words: Sequence[str], ends: Sequence[int], slots: memoryview) -> None:
        self._numbers = dict(zip(words, range(len(words)), strict=True))
        self._ends = ends
        self._slots = slots

    def __contains__(self, word: object) -> bool:
        return word in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def slots(self, word: str) -> array[int]:
        """The slots of a word, repeated for each occurrence."""
        number = self._numbers.get(word)
        if number is None:
            return _NONE
        start = self._ends[number - 1] if number else 0
        found = array("I")
        wide = found.itemsize
        found.frombytes(self._slots[wide * start : wide * self._ends[number]])
        return found


class Table:
    """The slots of each word; `dead` are those of documents that were removed."""

    __slots__ = ("_dead", "_kept", "_new")

    def __init__(self, dead: set[int]) -> None:
        self._dead = dead
        self._kept: KeptWords | None = None
        self._new = _Arrays()

    @property
    def kept(self) -> bool:
        """Whether some of it is in a file."""
        return self._kept is not None

    @property
    def new(self) -> dict[str, array[int]]:
        """What was added since the stored index; the array of a word is created on first use."""
        return self._new

    def begin(self, kept: KeptWords) -> None:
        """Start from the words of a kept index."""
        self._kept = kept

    def get(self, word: str) -> array[int]:
        """All slots of a word, sorted, repeated for each occurrence."""
        slots = self._every(word)
        if self._dead and slots:
            dead = self._dead
            return array("I", [slot for slot in slots if slot not in dead])
        return slots

    def _every(self, word: str) -> array[int]:
        new = self._new.get(word, _NONE)
        if self._kept is None:
            return new
        old = self._kept.slots(word)
        return old + new if new else old

    def __contains__(self, word: str) -> bool:
        if word not in self._new and (self._kept is None or word not in self._kept):
            return False
        return not self._dead or any(slot not in self._dead for slot in self._every(word))

    def words(self) -> set[str]:
        """All words that a document has."""
        known = set(self._new)
        if self._kept is not None:
            known.update(self._kept)
        return known if not self._dead else {word for word in known if word in self}

    def renumber(self, new: dict[int, int]) -> None:
        """Give the living slots other numbers."""
        entries = {
            word: array("I", map(new.__getitem__, slots))
            for word in self.words()
            if (slots := self.get(word))
        }
        self._kept = None
        self._new = _Arrays(entries)

    def has(self, word: str, slot: int) -> bool:
        """Whether a document has a word."""
        slots = self._every(word)
        at = bisect_left(slots, slot)
        return at < len(slots) and slots[at] == slot and slot not in self._dead


class _Arrays(dict[str, "array[int]"]):
    def __missing__(self, word: str) -> array[int]:
        found = self[word] = array("I")
        return found


class Parts(NamedTuple):
    """The content of an index, to be written to a file or read from one."""

    columns: Mapping[str, Any]
    tables: Sequence[tuple[Table | KeptWords, array[int]]]
    vectors: bytes | memoryview | None
    details: KeptTexts
