"""The inverted index: which document has which word, in which field, how often.

Documents live in numbered slots that only grow; a removed one leaves its slot empty until
the table is packed. For each word and field there are two arrays side by side, the slots
and the times, so ten thousand tools fit in a few megabytes.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import mul
from typing import Final, TypeAlias

from toolcrib.search.ranking import Ranking

_MOST: Final = 255

Entry: TypeAlias = tuple["array[int]", bytearray]
Impacts: TypeAlias = tuple["array[int]", "array[float]"]


class Postings:
    """Words of documents, scored by BM25F: fields add up before they saturate."""

    __slots__ = (
        "_impacts",
        "_lengths",
        "_sums",
        "_tables",
        "_terms_of",
        "_weights",
        "count",
        "entries",
        "frequency",
        "ranking",
    )

    def __init__(self, weights: Sequence[float], ranking: Ranking) -> None:
        fields = range(len(weights))
        self._weights = tuple(weights)
        self.ranking = ranking
        self.entries: dict[str, list[Entry | None]] = {}
        self.frequency: Counter[str] = Counter()
        self.count = 0
        self._lengths: list[array[int]] = [array("I") for _ in fields]
        self._sums = [0 for _ in fields]
        self._terms_of: list[tuple[str, ...] | None] = []
        self._impacts: dict[str, Impacts] = {}
        self._tables = [_Factors(self, field) for field in fields]

    def __len__(self) -> int:
        """How many slots there are, empty ones as well."""
        return len(self._terms_of)

    def __contains__(self, word: str) -> bool:
        return word in self.entries

    def add(self, fields: Sequence[Sequence[str]]) -> int:
        """Add a document, given the words of each field; return its slot."""
        slot = len(self._terms_of)
        counts = [Counter(words) for words in fields]
        for field, (words, times) in enumerate(zip(fields, counts, strict=True)):
            self._lengths[field].append(len(words))
            self._sums[field] += len(words)
            self._append(field, slot, times)
        terms = tuple(dict.fromkeys(chain.from_iterable(counts)))
        self.frequency.update(terms)
        self._terms_of.append(terms)
        self.count += 1
        self._changed()
        return slot

    def _append(self, field: int, slot: int, counts: Mapping[str, int]) -> None:
        """Most of the time of a first index is spent in this loop."""
        entries = self.entries
        for word, times in counts.items():
            fields = entries.get(word)
            if fields is None:
                fields = entries[word] = [None] * len(self._weights)
            entry = fields[field]
            if entry is None:
                entry = fields[field] = (array("I"), bytearray())
            entry[0].append(slot)
            entry[1].append(times if times < _MOST else _MOST)

    def remove(self, slot: int) -> None:
        """Take a document out; its slot stays empty."""
        terms = self._terms_of[slot]
        if terms is None:
            return
        for word in terms:
            self._drop(word, slot)
        for field, lengths in enumerate(self._lengths):
            self._sums[field] -= lengths[slot]
        self._terms_of[slot] = None
        self.count -= 1
        self._changed()

    def _drop(self, word: str, slot: int) -> None:
        self.frequency[word] -= 1
        if not self.frequency[word]:
            del self.frequency[word], self.entries[word]
            return
        for entry in self.entries[word]:
            if entry is not None:
                at = bisect_left(entry[0], slot)
                if at < len(entry[0]) and entry[0][at] == slot:
                    del entry[0][at], entry[1][at]

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the documents: the first of these slots becomes 0, and so on."""
        new = dict(zip(slots, range(len(slots)), strict=True))
        for fields in self.entries.values():
            for field, entry in enumerate(fields):
                if entry is not None:
                    fields[field] = (array("I", map(new.__getitem__, entry[0])), entry[1])
        self._terms_of = [self._terms_of[slot] for slot in slots]
        self._lengths = [array("I", map(each.__getitem__, slots)) for each in self._lengths]
        self._changed()

    def _changed(self) -> None:
        if self._impacts:
            self._impacts.clear()
            for table in self._tables:
                table.clear()

    def rarity(self, word: str) -> float:
        """How telling a word is: high for rare ones, near zero where nearly all have it."""
        frequency = self.frequency.get(word, 0)
        return math.log1p((self.count - frequency + 0.5) / (frequency + 0.5))

    def impacts(self, word: str) -> Impacts:
        """The slots that have the word, and what it is worth in each."""
        found = self._impacts.get(word)
        if found is None:
            found = self._impacts[word] = self._weigh(word)
        return found

    def _weigh(self, word: str) -> Impacts:
        sums: dict[int, float] = {}
        for field, entry in enumerate(self.entries.get(word, ())):
            if entry is not None:
                lengths = map(self._lengths[field].__getitem__, entry[0])
                weighed = map(mul, entry[1], map(self._tables[field].__getitem__, lengths))
                if sums:
                    for slot, value in zip(entry[0], weighed, strict=True):
                        sums[slot] = sums.get(slot, 0.0) + value
                else:
                    sums = dict(zip(entry[0], weighed, strict=True))
        k1, presence, rarity = self.ranking.k1, self.ranking.presence, self.rarity(word)
        floor, rest = presence * rarity, (1 - presence) * rarity
        values = [floor + rest * value / (k1 + value) for value in sums.values()]
        return array("I", sums), array("d", values)

    def factor(self, field: int, length: int) -> float:
        """What one occurrence weighs in a field of that length."""
        average = self._sums[field] / self.count or 1.0
        b = self.ranking.b
        return self._weights[field] / (1 - b + b * length / average)

    def score(self, query: Mapping[str, float]) -> list[float]:
        """Add up what the words of a query are worth: one score per slot."""
        scores = [0.0] * len(self._terms_of)
        for word, weight in query.items():
            slots, values = self.impacts(word)
            for slot, value in zip(slots, values, strict=True):
                scores[slot] += weight * value
        return scores

    def words_of(self, slot: int) -> tuple[str, ...]:
        """The different words of a document."""
        return self._terms_of[slot] or ()

    def fields_with(self, word: str, slot: int) -> Iterator[int]:
        """The fields of a document that have a word."""
        for field, entry in enumerate(self.entries.get(word, ())):
            if entry is not None:
                at = bisect_left(entry[0], slot)
                if at < len(entry[0]) and entry[0][at] == slot:
                    yield field


class _Factors(dict[int, float]):
    """The weight of an occurrence by the length of its field, worked out where it is asked for."""

    def __init__(self, postings: Postings, field: int) -> None:
        super().__init__()
        self._postings = postings
        self._field = field

    def __missing__(self, length: int) -> float:
        found = self[length] = self._postings.factor(self._field, length)
        return found
