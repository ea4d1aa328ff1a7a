"""One index for tools, documents and decisions: say what you mean, get the right one first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import filterfalse
from threading import RLock
from typing import Any

from toolcrib.search.nametable import NameTable
from toolcrib.search.postings import Postings
from toolcrib.search.text import STOP_WORDS, tokens


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: its key, its score within this answer, and on request why it matched."""

    key: str
    score: float
    why: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Hits:
    """The best results of a search, best first, and how many matched in all."""

    hits: list[Hit]
    total: int


class Index:
    """An index over documents with weighted fields; the first field is the name.

    A document whose name is the query, or has it as a part, always ranks before the others.
    Documents come and go one by one; the answers are those of an index built afresh.
    Safe to use from several threads.
    """

    def __init__(self, weights: Mapping[str, float], *, semantic: bool = True) -> None:
        if not weights:
            raise ValueError("an index needs at least one field")
        self._fields = tuple(weights)
        self._semantic = semantic
        self._postings = Postings(list(weights.values()), [0.5] * len(weights))
        self._names = NameTable()
        self._slots: dict[str, int] = {}
        self._keys: dict[int, str] = {}
        self._boosts: dict[int, float] = {}
        self._facets: dict[tuple[str, str], set[int]] = {}
        self._facets_of: dict[int, tuple[tuple[str, str], ...]] = {}
        self._lock = RLock()

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, key: str) -> bool:
        return key in self._slots

    def add(
        self,
        key: str,
        fields: Mapping[str, str | Sequence[str]],
        facets: Mapping[str, str | Sequence[str]] | None = None,
        boost: float = 1.0,
    ) -> None:
        """Add a document, in the place of one with the same key; `boost` lifts its score."""
        unknown = sorted(set(fields) - set(self._fields))
        if unknown:
            raise ValueError(f"unknown fields: {', '.join(unknown)}")
        texts = [_joined(fields.get(field, "")) for field in self._fields]
        stems = [_meaningful(tokens(text), number) for number, text in enumerate(texts)]
        pairs = tuple(
            (name, value.casefold())
            for name, values in (facets or {}).items()
            for value in ([values] if isinstance(values, str) else values)
        )
        with self._lock:
            self.remove(key)
            slot = self._postings.add(stems)
            self._names.add(slot, texts[0])
            self._slots[key] = slot
            self._keys[slot] = key
            self._boosts[slot] = boost
            self._facets_of[slot] = pairs
            for pair in pairs:
                self._facets.setdefault(pair, set()).add(slot)

    def remove(self, key: str) -> None:
        """Take a document out; an unknown key is no matter."""
        with self._lock:
            slot = self._slots.pop(key, None)
            if slot is None:
                return
            self._postings.remove(slot)
            self._names.remove(slot)
            del self._keys[slot], self._boosts[slot]
            for pair in self._facets_of.pop(slot):
                members = self._facets.get(pair)
                if members:
                    members.discard(slot)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        where: Mapping[str, str] | None = None,
        explain: bool = False,
    ) -> Hits:
        """Return the best `limit` documents for a query among those that `where` lets through.

        `where` names facets; all must be equal, whatever their case. An empty query matches
        everything that passes, in the order of keys.
        """
        with self._lock:
            allowed = self._allowed(where)
            if not query.strip():
                return self._all(allowed, limit)
            wanted = _query_terms(query)
            scores = self._postings.score(wanted)
            ranks = self._names.matches(query)
            for slot in ranks:
                scores.setdefault(slot, 0.0)
            if allowed is not None:
                scores = {slot: score for slot, score in scores.items() if slot in allowed}
            boosts, keys = self._boosts, self._keys
            top = max((score * boosts[slot] for slot, score in scores.items()), default=0.0)
            rows = (
                (-ranks.get(slot, 0), -score * boosts[slot], keys[slot], slot)
                for slot, score in scores.items()
            )
            hits = [
                Hit(key, self._shown(-rank, -score, top), self._why(slot, wanted, -rank, explain))
                for rank, score, key, slot in nsmallest(limit, rows)
            ]
            return Hits(hits, len(scores))

    @staticmethod
    def _shown(rank: int, score: float, top: float) -> float:
        return round(rank + (score / top if top else 0.0), 6)

    def _all(self, allowed: set[int] | None, limit: int) -> Hits:
        slots = self._keys if allowed is None else allowed
        keys = sorted(self._keys[slot] for slot in slots)
        return Hits([Hit(key, 0.0) for key in keys[:limit]], len(keys))

    def _allowed(self, where: Mapping[str, str] | None) -> set[int] | None:
        if not where:
            return None
        sets = [self._facets.get((name, value.casefold()), set()) for name, value in where.items()]
        return set.intersection(*sets)

    def _why(
        self, slot: int, wanted: Mapping[str, float], rank: int, explain: bool
    ) -> dict[str, Any] | None:
        if not explain:
            return None
        words = {
            word: [self._fields[field] for field in self._postings.fields_with(word, slot)]
            for word in wanted
        }
        name = {4: "exact", 3: "words", 2: "start", 1: "part"}.get(rank)
        return {"name": name, "words": {word: where for word, where in words.items() if where}}

    def similar(
        self,
        text: str,
        *,
        title: str | None = None,
        limit: int = 10,
        exclude: Collection[str] = (),
    ) -> Hits:
        """Return the documents most like a long text, best first; names have no privilege."""
        with self._lock:
            wanted = {
                stem: 1 + math.log(times)
                for stem, times in Counter(tokens(text)).items()
                if stem not in STOP_WORDS
            }
            for stem in tokens(title or ""):
                if stem not in STOP_WORDS:
                    wanted[stem] = wanted.get(stem, 0.0) + 1.0
            skipped = {self._slots[key] for key in exclude if key in self._slots}
            scores = self._postings.score(wanted)
            rows = (
                (-score * self._boosts[slot], self._keys[slot])
                for slot, score in scores.items()
                if slot not in skipped
            )
            best = nsmallest(limit, rows)
            top = -best[0][0] if best else 1.0
            hits = [Hit(key, round(-score / top, 6)) for score, key in best]
            return Hits(hits, len(scores.keys() - skipped))

    def nearest(self, name: str, limit: int = 3) -> list[str]:
        """Return the keys whose names most resemble a name that is not there."""
        with self._lock:
            return [self._keys[slot] for slot in self._names.nearest(name, limit)]


def _joined(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else "\n".join(value)


def _meaningful(stems: list[str], field: int) -> list[str]:
    return stems if field == 0 else list(filterfalse(STOP_WORDS.__contains__, stems))


def _query_terms(query: str) -> dict[str, float]:
    stems = tokens(query)
    wanted = [each for each in stems if each not in STOP_WORDS] or stems
    return dict.fromkeys(wanted, 1.0)
