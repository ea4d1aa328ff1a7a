"""The postings of one field: those of a kept index, and those that came since."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

_NONE: array[int] = array("I")


class WordsOfField:
    """The words of one field of a kept index; their slots stay in the file until asked for.

    `ends` tells for each word, in order, where its slots end among all `slots`.
    """

    __slots__ = ("_ends", "_numbers", "_slots")

    def __init__(self, words: Sequence[str], ends: Sequence[int], slots: Sequence[int]) -> None:
        self._numbers = dict(zip(words, range(len(words)), strict=True))
        self._ends = ends
        self._slots = slots

    def __contains__(self, word: object) -> bool:
        return word in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def slots(self, word: str) -> array[int]:
        """The slots of a word, as often as it is there."""
        number = self._numbers.get(word)
        if number is None:
            return _NONE
        start = self._ends[number - 1] if number else 0
        return array("I", self._slots[start : self._ends[number]])


class Table(dict[str, "array[int]"]):
    """What came since a kept index; a word gets its array where it is first asked for.

    `dead` are the slots of the kept index that were removed.
    """

    __slots__ = ("_dead", "kept")

    def __init__(self, dead: set[int]) -> None:
        super().__init__()
        self._dead = dead
        self.kept: WordsOfField | None = None

    def __missing__(self, word: str) -> array[int]:
        found = self[word] = array("I")
        return found

    def __contains__(self, word: object) -> bool:
        if super().__contains__(word):
            return True
        if self.kept is None or word not in self.kept:
            return False
        return not self._dead or bool(self.get(str(word)))

    def get(self, word: str) -> array[int]:  # type: ignore[override]
        """All slots of a word, sorted, as often as it is there."""
        new = super().get(word, _NONE)
        if self.kept is None:
            return new
        old = self.kept.slots(word)
        if self._dead:
            old = array("I", [slot for slot in old if slot not in self._dead])
        return old + new if new else old

    def words(self) -> set[str]:
        """All words that a document has."""
        if self.kept is None:
            return set(self)
        kept = (word for word in self.kept if not self._dead or word in self)
        return set(self).union(kept)

    def all(self) -> dict[str, array[int]]:
        """All slots by word."""
        if self.kept is None:
            return self
        return {word: self.get(word) for word in self.words()}

    def replace(self, entries: dict[str, array[int]]) -> None:
        """Hold these and nothing else."""
        self.kept = None
        self.clear()
        self.update(entries)

    def has(self, word: str, slot: int) -> bool:
        """Whether a document has a word."""
        entry = self.get(word)
        at = bisect_left(entry, slot)
        return at < len(entry) and entry[at] == slot

    def drop(self, word: str, slot: int) -> None:
        """Take a word of a document that came since out, and the word itself with the last one."""
        entry = super().get(word)
        if entry is not None:
            del entry[bisect_left(entry, slot) : bisect_right(entry, slot)]
            if not entry:
                del self[word]
