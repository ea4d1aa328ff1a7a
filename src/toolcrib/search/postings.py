"""The inverted index: which document has which word, in which field, how often.

Documents live in numbered slots that only grow; a removed one leaves its slot empty until
the table is packed. A posting is a slot in the array of a field and a word, there as many
times as the word is: to count them is left to who asks for that word, and nobody ever asks
for most words. Ten thousand tools fit in a few megabytes.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import mul
from typing import Final, TypeAlias

from toolcrib.search.ranking import Ranking
from toolcrib.search.scores import AnyScores

_HEAVY: Final = 0.5

Impacts: TypeAlias = tuple["array[int]", "array[float]"]


class Postings:
    """Words of documents, scored by BM25F: fields add up before they saturate."""

    __slots__ = (
        "_factors",
        "_impacts",
        "_lengths",
        "_sums",
        "_tables",
        "_weights",
        "_words_of",
        "count",
        "frequency",
        "heavy",
        "ranking",
    )

    def __init__(self, weights: Sequence[float], ranking: Ranking) -> None:
        fields = range(len(weights))
        self._weights = tuple(weights)
        self.heavy = {field for field in fields if weights[field] >= _HEAVY * weights[0]}
        self.ranking = ranking
        self.count = 0
        self._tables = [_Table() for _ in fields]
        self.frequency = Frequencies(self._tables)
        self._lengths: list[array[int]] = [array("I") for _ in fields]
        self._sums = [0 for _ in fields]
        self._words_of: list[tuple[str, ...]] = []
        self._impacts: dict[tuple[str, bool], Impacts] = {}
        self._factors = [_Factors(self, field) for field in fields]

    def __len__(self) -> int:
        """How many slots there are, empty ones as well."""
        return len(self._words_of)

    def __contains__(self, word: str) -> bool:
        return word in self.frequency

    def add(self, fields: Sequence[Sequence[str]]) -> int:
        """Add a document, given the words of each field; return its slot."""
        slot = len(self._words_of)
        for field, words in enumerate(fields):
            self._lengths[field].append(len(words))
            self._sums[field] += len(words)
            table = self._tables[field]
            for word in words:  # most of the time of a first index goes here
                table[word].append(slot)
        self._words_of.append(tuple(chain.from_iterable(fields)))
        self.count += 1
        self._changed()
        return slot

    def remove(self, slot: int) -> None:
        """Take a document out; its slot stays empty."""
        for word in set(self._words_of[slot]):
            for table in self._tables:
                table.drop(word, slot)
        for field, lengths in enumerate(self._lengths):
            self._sums[field] -= lengths[slot]
        self._words_of[slot] = ()
        self.count -= 1
        self._changed()

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the documents: the first of these slots becomes 0, and so on."""
        new = dict(zip(slots, range(len(slots)), strict=True))
        for table in self._tables:
            for word, entry in table.items():
                table[word] = array("I", map(new.__getitem__, entry))
        self._words_of = [self._words_of[slot] for slot in slots]
        self._lengths = [array("I", map(each.__getitem__, slots)) for each in self._lengths]
        self._changed()

    def _changed(self) -> None:
        self.frequency.forget()
        if self._impacts:
            self._impacts.clear()
            for table in self._factors:
                table.clear()

    def rarity(self, word: str) -> float:
        """How telling a word is: high for rare ones, near zero where nearly all have it."""
        frequency = self.frequency.get(word, 0)
        return math.log1p((self.count - frequency + 0.5) / (frequency + 0.5))

    def impacts(self, word: str, heavy: bool = False) -> Impacts:
        """The slots that have the word, and what it is worth in each.

        With `heavy`, only the fields that weigh at least half as much as the name are looked
        at: in long lists of arguments a word that merely stands for another proves nothing.
        """
        found = self._impacts.get((word, heavy))
        if found is None:
            found = self._impacts[word, heavy] = self._weigh(word, heavy)
        return found

    def _weigh(self, word: str, heavy: bool) -> Impacts:
        sums: dict[int, float] = {}
        named: dict[int, float] = {}
        for field, table in enumerate(self._tables):
            if word not in table or (heavy and field not in self.heavy):
                continue
            times = Counter(table[word])
            lengths = map(self._lengths[field].__getitem__, times)
            weighed = map(mul, times.values(), map(self._factors[field].__getitem__, lengths))
            if sums:
                for slot, value in zip(times, weighed, strict=True):
                    sums[slot] = sums.get(slot, 0.0) + value
            else:
                sums = dict(zip(times, weighed, strict=True))
            if field == 0 and self.ranking.name:
                named = dict(sums)
        return array("I", sums), array("d", self._saturated(word, sums, named))

    def _saturated(
        self, word: str, sums: Mapping[int, float], named: Mapping[int, float]
    ) -> Iterator[float]:
        """Bring weights to what they are worth: the hundredth mention adds next to nothing."""
        ranking, rarity = self.ranking, self.rarity(word)
        floor, rest, extra = ranking.presence, 1 - ranking.presence, ranking.name
        for slot, value in sums.items():
            worth = floor + rest * value / (ranking.k1 + value)
            in_name = named.get(slot) if named else None
            if in_name:
                worth += extra * in_name / (ranking.k1 + in_name)
            yield rarity * worth

    def factor(self, field: int, length: int) -> float:
        """What one occurrence weighs in a field of that length."""
        average = self._sums[field] / self.count or 1.0
        b = self.ranking.b
        return self._weights[field] / (1 - b + b * length / average)

    def score(
        self, words: Mapping[str, float], kin: Mapping[str, float], scores: AnyScores
    ) -> None:
        """Add up what the words of a query, and their kin, are worth."""
        for group, heavy in ((words, False), (kin, True)):
            for word, weight in group.items():
                scores.add(*self.impacts(word, heavy), weight)

    def fields_with(self, word: str, slot: int) -> Iterator[int]:
        """The fields of a document that have a word."""
        for field, table in enumerate(self._tables):
            if table.has(word, slot):
                yield field


class _Table(dict[str, "array[int]"]):
    """The postings of one field; a word gets its array where it is first asked for."""

    def __missing__(self, word: str) -> array[int]:
        found = self[word] = array("I")
        return found

    def has(self, word: str, slot: int) -> bool:
        """Whether a document has a word."""
        entry = self.get(word)
        if entry is None:
            return False
        at = bisect_left(entry, slot)
        return at < len(entry) and entry[at] == slot

    def drop(self, word: str, slot: int) -> None:
        """Take a word of a document out, and the word itself with the last one."""
        entry = self.get(word)
        if entry is not None:
            del entry[bisect_left(entry, slot) : bisect_right(entry, slot)]
            if not entry:
                del self[word]


class Frequencies(Mapping[str, int]):
    """In how many documents each word is, counted where it is asked for."""

    __slots__ = ("_counted", "_ordered", "_tables")

    def __init__(self, tables: Sequence[_Table]) -> None:
        self._tables = tables
        self._counted: dict[str, int] = {}
        self._ordered: list[str] | None = None

    def __getitem__(self, word: str) -> int:
        found = self._counted.get(word)
        if found is None:
            slots = set().union(*(table.get(word, ()) for table in self._tables))
            if not slots:
                raise KeyError(word)
            found = self._counted[word] = len(slots)
        return found

    def __contains__(self, word: object) -> bool:
        return any(word in table for table in self._tables)

    def __iter__(self) -> Iterator[str]:
        return iter(self.ordered())

    def __len__(self) -> int:
        return len(self.ordered())

    def ordered(self) -> list[str]:
        """All words, sorted."""
        if self._ordered is None:
            self._ordered = sorted(set().union(*self._tables))
        return self._ordered

    def forget(self) -> None:
        """The documents have changed."""
        self._ordered = None
        if self._counted:
            self._counted = {}


class _Factors(dict[int, float]):
    """The weight of an occurrence by the length of its field, worked out where it is asked for."""

    def __init__(self, postings: Postings, field: int) -> None:
        super().__init__()
        self._postings = postings
        self._field = field

    def __missing__(self, length: int) -> float:
        found = self[length] = self._postings.factor(self._field, length)
        return found
