"""The inverted index: which document has which word, in which field, how often.

Documents live in numbered slots that only grow; a removed one leaves its slot empty until
the table is packed. A posting is a slot in the array of a field and a word, repeated for each
occurrence; occurrences are counted only for words that are queried, and most never are. Ten
thousand tools fit in a few megabytes.

The first slots may come from a stored index (`storage`): their postings stay in a file mapped into
memory, and only later changes are held here.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from toolcrib.search.ranking import Ranking
from toolcrib.search.scores import AnyScores, AnySlots, AnyValues
from toolcrib.search.table import KeptWords, Table

if TYPE_CHECKING:
    from toolcrib.search.scores import Vector

_HEAVY: Final = 0.5
_SPARSE: Final = 16
_MOST_COLUMNS: Final = 16


class Impacts(NamedTuple):
    """The documents that have a word, and its score in each.

    `slots` have it themselves; `context` only in a field that says what they belong to. Of a word
    that half of all documents have, `slots` are all there are, with a score of 0 for the others:
    whole columns are added up quicker than one place after the other.
    """

    slots: AnySlots
    values: AnyValues
    best: float
    context: array[int]
    context_values: array[float]

    def pairs(self) -> Iterator[tuple[int, float]]:
        """The documents that have it themselves, and its score in each."""
        return filter(itemgetter(1), zip(self.slots, self.values, strict=True))


class Postings:
    """Words of documents, scored by BM25F: fields are summed before saturation."""

    __slots__ = (
        "_by_slot",
        "_columns",
        "_context",
        "_dead",
        "_factors",
        "_impacts",
        "_lengths",
        "_sums",
        "_tables",
        "_weights",
        "count",
        "frequency",
        "heavy",
        "ranking",
        "swift",
    )

    def __init__(
        self, weights: Sequence[float], ranking: Ranking, context: Container[int] = ()
    ) -> None:
        fields = range(len(weights))
        self._weights = tuple(weights)
        self._context = context
        self.heavy = {field for field in fields if weights[field] >= _HEAVY * weights[0]}
        self.ranking = ranking
        self.swift = False
        """Whether numpy is loaded anyway, for meaning: frequent words are then weighed by it."""
        self._columns: set[str] = set()
        self.count = 0
        self._dead: set[int] = set()
        self._tables = [Table(self._dead) for _ in fields]
        self.frequency = Frequencies(self._tables)
        self._lengths: list[array[int]] = [array("I") for _ in fields]
        self._sums = [0 for _ in fields]
        self._impacts: dict[tuple[str, bool], Impacts] = {}
        self._factors = [_Factors(self.factor, field) for field in fields]
        self._by_slot: list[Sequence[float]] = [[] for _ in fields]

    def __len__(self) -> int:
        """How many slots there are, empty ones as well."""
        return len(self._lengths[0])

    def __contains__(self, word: str) -> bool:
        return word in self.frequency

    def begin(self, words: Sequence[KeptWords], lengths: Sequence[array[int]]) -> None:
        """Start from a kept index: the words of each field, and the lengths of its documents."""
        for table, kept in zip(self._tables, words, strict=True):
            table.begin(kept)
        self._lengths = list(lengths)
        self._sums = [sum(each) for each in lengths]
        self.count = len(self)
        self._changed()

    @property
    def kept(self) -> bool:
        """Whether some of it is in a file."""
        return any(table.kept for table in self._tables)

    def fields(self) -> Iterator[tuple[Table, array[int]]]:
        """The postings and the lengths of each field, to be kept."""
        return zip(self._tables, self._lengths, strict=True)

    def add_all(self, documents: Sequence[Sequence[Sequence[str]]]) -> int:
        """Add documents, given the words of each field of each; return the slot of the first."""
        first = len(self)
        for field, lengths in enumerate(self._lengths):
            new = self._tables[field].new
            column = [fields[field] for fields in documents]
            sizes = [*map(len, column)]
            lengths.extend(sizes)
            self._sums[field] += sum(sizes)
            for slot, words in enumerate(column, first) if any(sizes) else ():
                for word in words:  # most of the time of a first index goes here
                    new[word].append(slot)
        self.count += len(documents)
        self._changed()
        return first

    def remove(self, slot: int) -> None:
        """Take a document out; its slot stays empty."""
        self._dead.add(slot)
        for field, lengths in enumerate(self._lengths):
            self._sums[field] -= lengths[slot]
        self.count -= 1
        self._changed()

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the documents: the first of these slots becomes 0, and so on."""
        new = dict(zip(slots, range(len(slots)), strict=True))
        for table in self._tables:
            table.renumber(new)
        self._dead.clear()
        self._lengths = [array("I", map(each.__getitem__, slots)) for each in self._lengths]
        self._changed()

    def _changed(self) -> None:
        self.frequency.forget()
        if self._impacts:
            self._impacts.clear()
            self._columns.clear()
            for table in self._factors:
                table.clear()
            self._by_slot = [[] for _ in self._factors]

    def rarity(self, word: str) -> float:
        """How informative a word is: high if rare, near zero if nearly all documents have it."""
        return self._rarity_of(self.frequency.get(word, 0))

    def rarest(self) -> float:
        """How informative a word is that a single document has."""
        return self._rarity_of(1)

    def _rarity_of(self, documents: int) -> float:
        return math.log1p((self.count - documents + 0.5) / (documents + 0.5))

    def impacts(self, word: str, heavy: bool = False) -> Impacts:
        """The slots that have the word, and its score in each.

        With `heavy`, only fields that weigh at least half as much as the name are used: a mere
        synonym in a long list of arguments proves nothing.
        """
        found = self._impacts.get((word, heavy))
        if found is None:
            found = self._impacts[word, heavy] = self._weigh(word, heavy)
        return found

    def _weigh(self, word: str, heavy: bool) -> Impacts:
        fields = [field for field in range(len(self._tables)) if not heavy or field in self.heavy]
        found = {field: there for field in fields if (there := self._tables[field].get(word))}
        own = [field for field in found if field not in self._context]
        postings = sum(len(found[field]) for field in own)
        if self.swift and self._many(postings) and not self.ranking.name:
            return self._weigh_swiftly(word, heavy, found)
        sums = self._sums_of(postings)
        named: dict[int, float] = {}
        for field in own:
            self._add_up(field, found[field], sums)
            if field == 0 and self.ranking.name:
                named = {slot: sums[slot] for slot in set(found[0])}
        around: dict[int, float] = defaultdict(float)
        for field in found.keys() - own:
            self._add_up(field, found[field], around)
        for slot in [slot for slot in around if _has(sums, slot)]:
            sums[slot] += around.pop(slot)
        having = len(sums) - sums.count(0.0) if isinstance(sums, list) else len(sums)
        if not heavy:
            self.frequency.note(word, having + len(around))
        context = array("I", around), array("d", self._saturated(word, around.values()))
        if isinstance(sums, list) and 2 * having >= len(sums) and not named:
            return Impacts(range(len(sums)), *self._column(word, sums), *context)
        slots = _there(sums)
        # In a list, what stands in the slots is what is not zero: that is the quicker way to it.
        given = filter(None, sums) if isinstance(sums, list) else map(sums.__getitem__, slots)
        values = self._saturated(word, given)
        self._raise_named(values, slots, named)
        best = max(values, default=0.0)
        return Impacts(array("I", slots), array("d", values), best, *context)

    def _weigh_swiftly(self, word: str, heavy: bool, found: Mapping[int, array[int]]) -> Impacts:
        """The same for a word of many documents, by numpy: to the last bit, in the same order."""
        import numpy as np

        context = {field: there for field, there in found.items() if field in self._context}
        own = {field: there for field, there in found.items() if field not in context}
        sums, around = self._sums_by_slot(own), self._sums_by_slot(context)
        slots = np.nonzero(sums)[0]
        both = sums[slots] + around[slots]
        around[slots] = 0.0
        only = np.nonzero(around)[0]
        if not heavy:
            self.frequency.note(word, len(slots) + len(only))
        most, lost, k1 = self._saturation(word)
        values, beside = (most - lost / (k1 + given) for given in (both, around[only]))
        return Impacts(
            array("I", slots.astype(np.uintc).tobytes()),
            array("d", values.tobytes()),
            float(values.max(initial=0.0)),
            array("I", only.astype(np.uintc).tobytes()),
            array("d", beside.tobytes()),
        )

    def _sums_by_slot(self, found: Mapping[int, array[int]]) -> Vector:
        """What the postings of some fields weigh in each document together."""
        import numpy as np

        if not found:
            return np.zeros(len(self))
        views = {field: np.frombuffer(slots, np.uintc) for field, slots in found.items()}
        each = [np.asarray(self._factors_of(field))[view] for field, view in views.items()]
        slots = np.concatenate([*views.values()])
        sums = np.bincount(slots, np.concatenate(each), len(self))
        return sums.astype(np.float64, copy=False)  # which they are

    def _many(self, postings: int) -> bool:
        """Whether a list as long as the index is the quicker place to add up so many postings."""
        return postings * _SPARSE >= len(self) and min(self._weights) > 0.0

    def _sums_of(self, postings: int) -> list[float] | dict[int, float]:
        """Where to add up so many postings: a list is quicker, and as long as the index.

        In a list, a sum of zero means that there is none.
        """
        return [0.0] * len(self) if self._many(postings) else defaultdict(float)

    def _add_up(self, field: int, slots: array[int], sums: list[float] | dict[int, float]) -> None:
        """Add what each posting of a field weighs to the sum of its document."""
        factors = self._factors_of(field)
        for slot in slots.tolist():  # most of the time of a word that is new goes here
            sums[slot] += factors[slot]

    def _factors_of(self, field: int) -> Sequence[float]:
        """What one occurrence weighs in a field of each document; an array for numpy."""
        factors = self._by_slot[field]
        if len(factors) != len(self):
            weighed = map(self._factors[field].__getitem__, self._lengths[field])
            factors = self._by_slot[field] = [*weighed]
        if self.swift and isinstance(factors, list):
            factors = self._by_slot[field] = array("d", factors)
        return factors

    def _saturated(self, word: str, sums: Iterable[float]) -> list[float]:
        """Saturate weights: the hundredth mention adds next to nothing."""
        most, lost, k1 = self._saturation(word)
        return [most - lost / (k1 + value) for value in sums]

    def _column(self, word: str, sums: Iterable[float]) -> tuple[list[float], float]:
        """The saturated weights of all documents, zero for those without the word, and the best.

        A column takes three times the room, so only a few are remembered.
        """
        if len(self._columns) >= _MOST_COLUMNS:
            self._forget_columns()
        self._columns.add(word)
        most, lost, k1 = self._saturation(word)
        values = [most - lost / (k1 + value) if value else 0.0 for value in sums]
        return values, max(values)

    def _forget_columns(self) -> None:
        for word in self._columns:
            self._impacts.pop((word, False), None)
            self._impacts.pop((word, True), None)
        self._columns.clear()

    def _saturation(self, word: str) -> tuple[float, float, float]:
        """The numbers of `presence + (1 - presence) * value / (k1 + value)`, times the rarity.

        With `value / (k1 + value)` as `1 - k1 / (k1 + value)` it takes half the operations.
        """
        ranking, rarity = self.ranking, self.rarity(word)
        return rarity, rarity * (1 - ranking.presence) * ranking.k1, ranking.k1

    def _raise_named(
        self, values: list[float], slots: Sequence[int], named: Mapping[int, float]
    ) -> None:
        """Raise the score of a word in documents that have it in their name.

        What most texts have may be rare among names: there it tells them apart.
        """
        ranking, rarity = self.ranking, self._rarity_of(len(named))
        for slot, name in named.items():
            values[bisect_left(slots, slot)] += rarity * ranking.name * name / (ranking.k1 + name)

    def factor(self, field: int, length: int) -> float:
        """What one occurrence weighs in a field of that length."""
        average = self._sums[field] / self.count or 1.0
        b = self.ranking.b if field in self.heavy else self.ranking.light
        return self._weights[field] / (1 - b + b * length / average)

    def score(self, words: Mapping[str, float], scores: AnyScores, heavy: bool = False) -> None:
        """Sum the scores of words in the documents that have them."""
        if self.swift and self._columns:
            self._forget_columns()
        for word, weight in words.items():
            found = self.impacts(word, heavy)
            scores.add(found.slots, found.values, weight)

    def few(self, words: Mapping[str, float]) -> dict[int, float]:
        """The scores of rare words in the heavy fields of the few documents that have them."""
        scores: dict[int, float] = defaultdict(float)
        for word, weight in words.items():
            for slot, value in self.impacts(word, True).pairs():
                scores[slot] += weight * value
        return scores

    def score_named(self, words: Mapping[str, float], scores: AnyScores) -> None:
        """The same for documents whose whole name is one of the words."""
        lengths = self._lengths[0]
        for word, weight in words.items():
            named = {slot for slot in self._tables[0].get(word) if lengths[slot] == 1}
            if named:
                pairs = self.impacts(word, True).pairs()
                chosen = {slot: value for slot, value in pairs if slot in named}
                scores.add(array("I", chosen), array("d", chosen.values()), weight)

    def support(
        self, words: Mapping[str, float], hints: Mapping[str, float], scores: AnyScores
    ) -> None:
        """Add evidence that counts only for documents that already have a score.

        That is a word of the query in what a document belongs to, and what merely hints at one.
        """
        for word, weight in words.items():
            found = self.impacts(word)
            scores.add_where_scored(found.context, found.context_values, weight)
        for word, weight in hints.items():
            found = self.impacts(word, True)
            scores.add_where_scored(found.slots, found.values, weight)

    def fields_with(self, word: str, slot: int) -> Iterator[int]:
        """The fields of a document that have a word."""
        for field, table in enumerate(self._tables):
            if table.has(word, slot):
                yield field


def _there(sums: list[float] | dict[int, float]) -> list[int]:
    """The slots that have a sum, in order."""
    return sorted(sums) if isinstance(sums, dict) else [*compress(range(len(sums)), sums)]


def _has(sums: list[float] | dict[int, float], slot: int) -> bool:
    """Whether a slot has a sum."""
    return slot in sums if isinstance(sums, dict) else bool(sums[slot])


class Frequencies(Mapping[str, int]):
    """The number of documents that have each word, counted on demand."""

    __slots__ = ("_counted", "_ordered", "_tables")

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._counted: dict[str, int] = {}
        self._ordered: list[str] | None = None

    def __getitem__(self, word: str) -> int:
        found = self._counted.get(word)
        if found is None:
            slots = set().union(*(table.get(word) for table in self._tables))
            if not slots:
                raise KeyError(word)
            found = self._counted[word] = len(slots)
        return found

    def note(self, word: str, documents: int) -> None:
        """Reuse a count made elsewhere."""
        if documents:
            self._counted[word] = documents

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and any(word in table for table in self._tables)

    def __iter__(self) -> Iterator[str]:
        return iter(self.ordered())

    def __len__(self) -> int:
        return len(self.ordered())

    def ordered(self) -> list[str]:
        """All words, sorted."""
        if self._ordered is None:
            self._ordered = sorted(set().union(*(table.words() for table in self._tables)))
        return self._ordered

    def forget(self) -> None:
        """Drop all counts after a change of the documents."""
        self._ordered = None
        if self._counted:
            self._counted = {}


class _Factors(dict[int, float]):
    """The weight of an occurrence by the length of its field, computed on demand."""

    def __init__(self, factor: Callable[[int, int], float], field: int) -> None:
        super().__init__()
        self._factor = factor
        self._field = field

    def __missing__(self, length: int) -> float:
        found = self[length] = self._factor(self._field, length)
        return found
