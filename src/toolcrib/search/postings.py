"""The inverted index: which document has which word, in which field, how often.

Documents live in numbered slots that only grow; a removed one leaves its slot empty until
the table is packed. A posting is one integer, `slot << 8 | times`, in an array per word
and field, so ten thousand tools fit in a few megabytes.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

_MOST: Final = 255


class Postings:
    """Words of documents, scored by BM25F: fields add up before they saturate."""

    __slots__ = ("_b", "_cache", "_k1", "_lengths", "_sums", "_tables", "_terms_of", "_weights",
                 "count", "frequency", "generation", "postings")  # fmt: skip

    def __init__(self, weights: Sequence[float], b: Sequence[float], k1: float = 1.2) -> None:
        self._weights = tuple(weights)
        self._b = tuple(b)
        self._k1 = k1
        fields = len(self._weights)
        self.postings: dict[str, list[array[int] | None]] = {}
        self.frequency: Counter[str] = Counter()
        self.count = 0
        self.generation = 0
        self._lengths: list[array[int]] = [array("I") for _ in range(fields)]
        self._sums = [0] * fields
        self._terms_of: list[tuple[str, ...] | None] = []
        self._cache: dict[str, tuple[array[int], array[float]]] = {}
        self._tables: list[dict[int, float]] = [{} for _ in range(fields)]

    def __len__(self) -> int:
        return len(self._terms_of)

    def add(self, fields: Sequence[Sequence[str]]) -> int:
        """Add a document, given the words of each field; return its slot."""
        slot = len(self._terms_of)
        counts = [Counter(words) for words in fields]
        for number, (words, times) in enumerate(zip(fields, counts, strict=True)):
            self._lengths[number].append(len(words))
            self._sums[number] += len(words)
            self._append(number, slot << 8, times)
        terms = tuple(dict.fromkeys(chain.from_iterable(counts)))
        self.frequency.update(terms)
        self._terms_of.append(terms)
        self.count += 1
        self._changed()
        return slot

    def _append(self, field: int, base: int, counts: Mapping[str, int]) -> None:
        """Most of the time of a first index is spent in this loop."""
        postings = self.postings
        for word, times in counts.items():
            posting = base | (times if times < _MOST else _MOST)
            lists = postings.get(word)
            if lists is None:
                lists = postings[word] = [None] * len(self._weights)
            entry = lists[field]
            if entry is None:
                lists[field] = array("Q", (posting,))
            else:
                entry.append(posting)

    def remove(self, slot: int) -> None:
        """Take a document out; its slot stays empty."""
        terms = self._terms_of[slot]
        if terms is None:
            return
        for word in terms:
            self._drop(word, slot)
        for number, lengths in enumerate(self._lengths):
            self._sums[number] -= lengths[slot]
        self._terms_of[slot] = None
        self.count -= 1
        self._changed()

    def _drop(self, word: str, slot: int) -> None:
        left = self.frequency[word] - 1
        if not left:
            del self.frequency[word], self.postings[word]
            return
        self.frequency[word] = left
        for entry in self.postings[word]:
            if entry is not None:
                at = bisect_left(entry, slot << 8)
                if at < len(entry) and entry[at] >> 8 == slot:
                    del entry[at]

    def _changed(self) -> None:
        self.generation += 1
        if self._cache:
            self._cache.clear()
        for table in self._tables:
            table.clear()

    def terms_of(self, slot: int) -> tuple[str, ...]:
        """The different words of a document."""
        return self._terms_of[slot] or ()

    def rarity(self, word: str) -> float:
        """How telling a word is: high for rare ones, near zero where nearly all have it."""
        frequency = self.frequency.get(word, 0)
        return math.log1p((self.count - frequency + 0.5) / (frequency + 0.5))

    def impacts(self, word: str) -> tuple[array[int], array[float]]:
        """Slots that have the word, and its saturated weight (0 to 1) in each."""
        found = self._cache.get(word)
        if found is None:
            found = self._cache[word] = self._compute(word)
        return found

    def _compute(self, word: str) -> tuple[array[int], array[float]]:
        sums: dict[int, float] = {}
        for field, entry in enumerate(self.postings.get(word, ())):
            if not entry:
                continue
            table, lengths = self._tables[field], self._lengths[field]
            for posting in entry:
                slot = posting >> 8
                length = lengths[slot]
                factor = table.get(length)
                if factor is None:
                    factor = table[length] = self._factor(field, length)
                sums[slot] = sums.get(slot, 0.0) + (posting & _MOST) * factor
        k1 = self._k1
        return array("L", sums), array("d", [value / (k1 + value) for value in sums.values()])

    def _factor(self, field: int, length: int) -> float:
        average = self._sums[field] / self.count or 1.0
        b = self._b[field]
        return self._weights[field] / (1 - b + b * length / average)

    def score(self, query: Mapping[str, float]) -> dict[int, float]:
        """Add up the weighted impacts of all words of a query, by slot."""
        scores: dict[int, float] = {}
        get = scores.get
        for word, weight in query.items():
            if word in self.postings:
                factor = weight * self.rarity(word)
                slots, impacts = self.impacts(word)
                for slot, impact in zip(slots, impacts, strict=True):
                    scores[slot] = get(slot, 0.0) + factor * impact
        return scores

    def fields_with(self, word: str, slot: int) -> Iterable[int]:
        """The fields of a document that have a word."""
        for field, entry in enumerate(self.postings.get(word, ())):
            if entry:
                at = bisect_left(entry, slot << 8)
                if at < len(entry) and entry[at] >> 8 == slot:
                    yield field
