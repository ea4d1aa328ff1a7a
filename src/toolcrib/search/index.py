"""The search index for tools, documents and decisions: lexical ranking, names and embeddings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from threading import RLock
from typing import Any, Final, NamedTuple, TypeAlias

from toolcrib.core.support.gc_pause import no_collections
from toolcrib.search import synonyms
from toolcrib.search.candidates import (
    Asked,
    Candidate,
    Closely,
    Evidence,
    does,
    ranked,
    surplus,
    understood,
)
from toolcrib.search.embedding.gists import SMALL, Gists, Resemblance
from toolcrib.search.embedding.vectors import Likeness, Meanings
from toolcrib.search.entries import Entries, each_once, entry_of, facet_pairs
from toolcrib.search.lines import Details, LineTable, having, plain_line
from toolcrib.search.names import EXACT, INSIDE, START, WHOLE, NameTable, plain_name
from toolcrib.search.postings import Postings
from toolcrib.search.query import Interpreter, Wanted, Wording
from toolcrib.search.ranking import TOOLS, Ranking
from toolcrib.search.scores import AnyScores, Scores, SwiftScores, foremost
from toolcrib.search.table import KeptWords, Parts
from toolcrib.search.things import KnownNames
from toolcrib.search.tokens import Repeated, telling, tokens

_LIKELY: Final = 60
_LEAST_REACH: Final = 0.1
"""What near words alone are taken to reach of a query."""
_GAPS: Final = 1_000
_SHORT: Final = 64
"""Characters of a text that other documents are likely to have as well: a program, a category."""
_TOGETHER: Final = 4_000
Text: TypeAlias = str | Sequence[str]
"""What a field holds: a text, or lines that other documents may have as well."""

_NAME: Final = {EXACT: "exact", WHOLE: "words", START: "start", INSIDE: "part"}


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


class IndexItem(NamedTuple):
    """A document to add: its key, its texts by field, and its filters.

    `boost` raises its score. A name may be a `path`: program, command, subcommand; of those, the
    shorter one is preferred.
    """

    key: str
    fields: Mapping[str, Text]
    facets: Mapping[str, Text] | None = None
    boost: float = 1.0
    path: bool = False
    stamp: str = ""
    """What it was made from: with the same stamp it need not be made again."""


class Index:
    """An index over documents with weighted fields.

    The first field is the name: a document whose name is the query, or has it as a part,
    always ranks before the others. The second one is the summary. Documents can be added and
    removed one by one; answers are the same as from a new index. Safe to use from several threads.

    With the extra `toolcrib[semantic]`, similarity of meaning counts as well. Its model loads in
    the background from the first search on; `warm` waits for it.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        *,
        semantic: bool = True,
        ranking: Ranking = TOOLS,
        context: Collection[str] = (),
        pieces: str | None = None,
        details: str | None = None,
    ) -> None:
        """`context` fields describe what a document belongs to; they match nothing on their own.

        In the field `pieces`, any fragment of three characters or more finds its document; lines
        of the field `details` are compared with the wording of a query.
        """
        if not weights:
            raise ValueError("an index needs at least one field")
        self._weights = dict(weights)
        self._ranking = ranking
        around = {number for number, field in enumerate(weights) if field in context}
        self._postings = Postings(tuple(weights.values()), ranking, around)
        self._pieces = LineTable()
        self._pieces_of = list(weights).index(pieces) if pieces else None
        self._details = Details()
        self._details_of = list(weights).index(details) if details else None
        known = KnownNames(lambda text: bool(having(self._pieces, text)), self._is_program)
        self._interpreter = Interpreter(self._postings, known)
        self._names = NameTable()
        self._meanings = Meanings(self._telling) if semantic else None
        self._gists = Gists(self._gist) if ranking.kindred and pieces else None
        self._slots: dict[str, int] = {}
        self._entries = Entries()
        self._facets: dict[tuple[str, str], set[int]] = {}
        self._repeated = Repeated()
        self._lock = RLock()

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, key: str) -> bool:
        return key in self._slots

    def add(
        self,
        key: str,
        fields: Mapping[str, Text],
        facets: Mapping[str, Text] | None = None,
        boost: float = 1.0,
        path: bool = False,
    ) -> None:
        """Add a document, replacing one with the same key; see `IndexItem`."""
        self.add_all([IndexItem(key, fields, facets, boost, path)])

    def add_all(self, items: Iterable[IndexItem]) -> None:
        """Add many documents: first some are read, then put in their places.

        Reading and placing use different tables; alternating after every document would evict them
        from the processor's cache and cost a third more.
        """
        left = iter(items)
        with no_collections():
            while some := list(islice(left, _TOGETHER)):
                some = each_once(some)
                read = [self._read(item.fields) for item in some]
                with self._lock:
                    self._put(some, *zip(*read, strict=True))

    def _read(self, fields: Mapping[str, Text]) -> tuple[list[str], list[Sequence[str]]]:
        """The texts of the fields and their stems; a line that many documents repeat once."""
        if not fields.keys() <= self._weights.keys():
            unknown = sorted(fields.keys() - self._weights.keys())
            raise ValueError(f"unknown fields: {', '.join(unknown)}")
        texts = [
            text if isinstance(text, str) else "\n".join(text or ())
            for text in map(fields.get, self._weights)
        ]
        stems: list[Sequence[str]] = [tokens(texts[0])]
        for text in texts[1:]:
            stems.append(telling(text) if len(text) > _SHORT else self._repeated[text])
        return texts, stems

    def _put(
        self,
        items: Sequence[IndexItem],
        every_text: Sequence[Sequence[str]],
        every_stem: Sequence[Sequence[Sequence[str]]],
    ) -> None:
        """Add documents with different keys, given the texts of their fields and the stems."""
        for item in items:
            if item.key in self._slots:
                self.remove(item.key)
        first = self._postings.add_all(every_stem)
        slots = range(first, first + len(items))
        self._slots.update(zip((item.key for item in items), slots, strict=True))
        names = [plain_name(texts[0]) for texts in every_text]
        self._names.put(zip(slots, names, strict=True))
        if self._pieces_of is not None:
            lines = (plain_line(texts[self._pieces_of]) for texts in every_text)
            self._pieces.put(zip(slots, lines, strict=True))
        if self._details_of is not None:
            told = (texts[self._details_of] for texts in every_text)
            self._details.put(zip(slots, told, strict=True))
        if self._meanings is not None:
            self._meanings.add_all(zip(slots, zip(names, every_text, strict=True), strict=True))
        found = self._facets
        for slot, item, name, texts, stems in zip(
            slots, items, names, every_text, every_stem, strict=True
        ):
            facets = facet_pairs(item.facets or {})
            self._entries[slot] = entry_of(item, name, texts, stems, facets)
            for pair in facets:
                if pair not in found:
                    found[pair] = set()
                found[pair].add(slot)

    def _telling(self, name: str, texts: Sequence[str]) -> tuple[str, str]:
        """The text of the fields that weigh half as much as the name, and that of the others.

        What only repeats a part of the name (the program of a tool) is said once.
        """
        heavy: list[str] = []
        light: list[str] = []
        for field, text in enumerate(texts):
            if not field or len(text) > len(name) or plain_name(text) not in name:
                (heavy if field in self._postings.heavy else light).append(text)
        return "\n".join(heavy), "\n".join(light)

    def remove(self, key: str) -> None:
        """Remove a document; unknown keys are ignored."""
        with self._lock:
            slot = self._slots.pop(key, None)
            if slot is None:
                return
            self._postings.remove(slot)
            self._names.remove(slot)
            self._pieces.remove(slot)
            self._details.remove(slot)
            if self._gists is not None:
                self._gists.forget(slot)
            for pair in self._entries[slot].facets:
                self._facets[pair].discard(slot)
            if self._meanings is not None:
                self._meanings.remove(slot)
            if len(self._postings) > _GAPS + 2 * len(self._slots):
                self.pack()

    def pack(self) -> None:
        """Close the gaps left by removed documents."""
        slots = sorted(self._slots.values())
        if len(slots) == len(self._postings) and not self._postings.kept:
            return
        new = {slot: number for number, slot in enumerate(slots)}
        self._postings.pack(slots)
        self._names.pack(slots)
        self._pieces.pack(slots)
        self._details.pack(slots)
        if self._gists is not None:
            self._gists.forget()
        if self._meanings is not None:
            self._meanings.pack(slots)
        self._slots = {key: new[slot] for key, slot in self._slots.items()}
        self._entries.pack(slots)
        self._facets = {
            pair: {new[slot] for slot in members} for pair, members in self._facets.items()
        }

    @property
    def fields(self) -> Mapping[str, float]:
        """The fields and their weights."""
        return self._weights

    def stamps(self) -> dict[str, list[str]]:
        """The keys of the documents by what they were made from."""
        with self._lock:
            return self._entries.stamps(self._slots)

    def parts(self) -> Parts:
        """Its content, to be stored; gaps are closed first."""
        with self._lock:
            self.pack()
            columns = self._entries.columns(range(len(self._slots)))
            columns["pieces"] = [self._pieces[slot] for slot in range(len(self._pieces))]
            vectors = self._meanings.vectors(len(self._slots)) if self._meanings else None
            details = self._details.kept(len(self._slots))
            return Parts(columns, list(self._postings.fields()), vectors, details)

    def begin(self, parts: Parts) -> None:
        """Start from stored content; raises `ValueError` and the like if it does not fit."""
        keys = parts.columns["key"]
        sizes = {len(lengths) for _, lengths in parts.tables}
        if self._slots or sizes != {len(keys)}:
            raise ValueError("only an empty index can start from a kept one")
        if self._meanings is not None and keys:
            self._meanings.begin(parts.vectors, len(keys))
        self._entries.begin(parts.columns)
        kept = [table for table, _ in parts.tables if isinstance(table, KeptWords)]
        self._postings.begin(kept, [lengths for _, lengths in parts.tables])
        self._names.put(enumerate(parts.columns["name"]))
        self._pieces.put(enumerate(parts.columns["pieces"]))
        self._details.begin(parts.details)
        self._facets = dict(self._entries.members())
        self._slots = dict(zip(keys, range(len(keys)), strict=True))

    def warm(self, timeout: float | None = None) -> bool:
        """Load the model and embed all documents now; return whether meaning counts."""
        return self._meanings is not None and self._meanings.wait(timeout)

    def settled(self, timeout: float) -> bool:
        """Wait a while for the meanings; return whether there is nothing left to wait for."""
        return self._meanings is None or self._meanings.settled(timeout)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        where: Mapping[str, Text] | None = None,
        explain: bool = False,
    ) -> Hits:
        """Return the best `limit` documents for a query among those that `where` lets through.

        `where` names facets; each must be equal to its value, or to one of its values, whatever
        their case. An empty query matches everything that passes, in the order of keys.
        """
        with self._lock:
            self._repeated.clear()
            allowed = self._allowed(where)
            if not query.strip():
                return self._all(allowed, limit)
            return self._found(self._interpreter.read(query), allowed, limit, explain)

    def _found(self, wanted: Wanted, allowed: set[int] | None, limit: int, explain: bool) -> Hits:
        """The matching documents, best first: by name, by fragment, by words, by meaning."""
        likeness = self._likeness(wanted.meant, allowed)
        scores = self._scores(wanted, allowed, swift=likeness is not None)
        telling, top = scores.best(max(limit, _LIKELY))
        reach = top / (self._interpreter.reachable(wanted) or 1.0)
        names = self._names.matches(wanted.query)
        pieces = having(self._pieces, wanted.query) if self._pieces_of is not None else set()
        if allowed is not None:
            names = {slot: rank for slot, rank in names.items() if slot in allowed}
            pieces &= allowed
        literal = bool(names or pieces) or wanted.is_literal(reach >= self._ranking.much)
        alike: Likeness | Resemblance | None = likeness
        likely: list[int] = []
        if likeness:
            likely = likeness.best(_LIKELY, self._alike(1.0 if literal else reach))
        elif not literal and (alike := self._resemblance(wanted.meant, allowed)):
            likely = alike.best(_LIKELY, self._alike(reach))
        near = {} if likeness or literal else self._near(wanted, reach, allowed)
        likely += foremost(near, _LIKELY)
        slots = list({*telling, *names, *pieces, *likely})
        worth = scores.of(slots)
        if near:
            worth = [value + near.get(slot, 0.0) for slot, value in zip(slots, worth, strict=True)]
            top, reach = max(worth, default=0.0), max(reach, _LEAST_REACH)
        evidence = Evidence(names, pieces, top, reach, alike)
        found = self._candidates(slots, worth, wanted, evidence)
        weight = evidence.meaning(self._ranking)
        order = ranked(found, self._ranking, weight, self._closely(wanted))
        hits = self._hits(order, limit, wanted if explain else None)
        wordless = scores.of(list({*names, *pieces, *likely})).count(0.0)
        return Hits(hits, scores.matched() + wordless)

    def _scores(self, wanted: Wanted, allowed: set[int] | None, swift: bool) -> AnyScores:
        size = len(self._postings)
        self._postings.swift = swift
        scores = SwiftScores(size) if swift else Scores(size)
        self._postings.score(wanted.words, scores)
        self._postings.score(wanted.kin, scores, heavy=True)
        self._postings.score_named(wanted.doers, scores)
        self._postings.support(wanted.words, {**wanted.hints, **wanted.doers}, scores)
        if allowed is not None:
            scores.keep(allowed)
        return scores

    def _near(self, wanted: Wanted, reach: float, allowed: set[int] | None) -> dict[int, float]:
        """The documents with words near in meaning, and the scores of these.

        They count more if the words of the query itself match little.
        """
        weight = self._ranking.kindred * max(0.0, 1 - reach) ** 2
        if not weight:
            return {}
        self._interpreter.add_kindred(wanted, weight)
        found = self._postings.few(wanted.kindred)
        if allowed is not None:
            found = {slot: worth for slot, worth in found.items() if slot in allowed}
        return found

    def _alike(self, reach: float) -> float:
        """From which likeness of meaning on a document counts without a shared word.

        If the words match the whole query, they decide; if they match little, meaning may. A few
        keywords, or a query contained literally in a name or description, are taken literally.
        """
        ranking = self._ranking
        return max(ranking.faint, ranking.alike * min(1.0, reach))

    def _likeness(self, query: str, allowed: set[int] | None) -> Likeness | None:
        """The similarity in meaning of the documents to a query, if known."""
        if self._meanings is None:
            return None
        return self._meanings.compare(query, len(self._postings), allowed)

    def _resemblance(self, query: str, allowed: set[int] | None) -> Resemblance | None:
        """The same without the extra; in a small index also until its model is loaded."""
        slots = self._slots.values() if allowed is None else allowed
        if len(slots) > SMALL and self._meanings is not None and self._meanings.expected:
            return None
        return self._gists.compare(query, slots) if self._gists is not None else None

    def _gist(self, slot: int) -> str:
        return understood(self._entries[slot], self._pieces[slot])

    def _candidates(
        self, slots: Sequence[int], scores: Sequence[float], wanted: Wanted, evidence: Evidence
    ) -> list[Candidate]:
        """The documents in these slots, with what speaks for each."""
        likeness, ranking = evidence.likeness, self._ranking
        meanings = likeness.of(slots) if likeness else [0.0] * len(slots)
        whole = evidence.whole(ranking, self._postings.rarest())
        asked = Asked(wanted.said, self._program(wanted.query), synonyms.deed(wanted.said))
        found: list[Candidate] = []
        for slot, score, meaning in zip(slots, scores, meanings, strict=True):
            entry = self._entries[slot]
            found.append(
                Candidate(
                    slot,
                    entry,
                    evidence.names.get(slot, 0),
                    slot in evidence.pieces,
                    surplus(entry, wanted.words) if ranking.brevity else 0.0,
                    does(entry, asked, ranking) if ranking.head else 0.0,
                    score / whole,
                    meaning,
                )
            )
        return found

    def _closely(self, wanted: Wanted) -> Closely | None:
        """Compare documents with the wording of a query, if it has one."""
        if self._details_of is None or len(wanted.said) < 2:
            return None
        known = (self._names, self._pieces, self._details, self._facets)
        return Closely(Wording(wanted.meant, self._postings.rarity), self._ranking, *known)

    def _program(self, query: str) -> str:
        """The program that a query begins with, if it has several commands."""
        first = query.split(None, 1)[0].strip(".,:;\"'`").casefold()
        return first if self._is_program(first) else ""

    def _is_program(self, word: str) -> bool:
        return len(self._facets.get(("cli", word), ())) > 1

    def _hits(self, found: Sequence[Candidate], limit: int, explained: Wanted | None) -> list[Hit]:
        top = max((each.score for each in found), default=0.0) or 1.0
        return [
            Hit(
                each.entry.key,
                round(2 * each.name + each.part + each.score / top, 6),
                self._why(each, explained) if explained else None,
            )
            for each in found[: max(limit, 0)]
        ]

    def _all(self, allowed: set[int] | None, limit: int) -> Hits:
        keys = sorted(self._slots if allowed is None else map(self._entries.key, allowed))
        return Hits([Hit(key, 0.0) for key in keys[: max(limit, 0)]], len(keys))

    def _allowed(self, where: Mapping[str, Text] | None) -> set[int] | None:
        if not where:
            return None
        chosen = []
        for name, values in where.items():
            among = [values] if isinstance(values, str) else values
            members = (self._facets.get((name, value.casefold()), set()) for value in among)
            chosen.append(set[int]().union(*members))
        return set.intersection(*chosen)

    def _why(self, found: Candidate, wanted: Wanted) -> dict[str, Any]:
        """The evidence for one result, in words that can be shown."""
        fields, spelt = tuple(self._weights), wanted.spellings()
        words: dict[str, Any] = {}
        for stem in wanted.asked():
            places = [fields[field] for field in self._postings.fields_with(stem, found.slot)]
            if places:
                word = spelt.get(stem) or synonyms.spelt(stem)
                said = wanted.stands_for.get(stem)
                words[word] = {"in": places} | ({"for": spelt.get(said, said)} if said else {})
        return {
            "name": _NAME.get(found.name),
            "piece": found.part,
            "words": words,
            "word_score": round(found.words, 4),
            "meaning_score": round(found.meaning, 4),
        }

    def nearest(self, name: str, limit: int = 3) -> list[str]:
        """Return the keys with the names most similar to an unknown name."""
        with self._lock:
            return [self._entries.key(slot) for slot in self._names.nearest(name, limit)]
