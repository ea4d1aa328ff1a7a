"""Which decisions concern a proposal: similarity of words, of subjects and of meaning."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from heapq import nlargest
from typing import TYPE_CHECKING

from toolcrib.packs.architecture.alignment.proposal import (
    LONGEST_TITLE,
    Proposal,
    When,
    plain_title,
    subject,
)
from toolcrib.packs.architecture.alignment.record.parts import plain_text, with_role
from toolcrib.packs.architecture.alignment.record.position import Position
from toolcrib.packs.architecture.alignment.things.subjects import work_of
from toolcrib.packs.architecture.alignment.things.technologies import technologies_in
from toolcrib.packs.architecture.alignment.wording.words import Phrase, Weigh, terms
from toolcrib.packs.architecture.library.records import DocumentRecord
from toolcrib.search.embedding.kindred import kindred
from toolcrib.search.synonyms import near as near_to
from toolcrib.search.synonyms import same

if TYPE_CHECKING:
    from toolcrib.search.embedding.gists import Gist

# How much each likeness counts beside the cosine of the texts. Fitted on public decision records;
# see docs/decisions/0007-alignment-by-evidence.md.
_BM25 = 0.2
# What is longer than a gist takes in has words enough by which it is compared.
_MEANING, _MEANING_OF_LONG = 0.3, 0.15
_TITLES = 0.1
_NAMED = 0.05
_OFTEN_NAMED = 0.1
# A decision that is younger than the proposal is seldom what the proposal speaks of.
_YOUNGER = 0.5
# From so many times on, a word said again adds nothing.
_OFTEN = 5

_LEAST_WEIGHT = 0.3
_LONGEST_BODY = 200_000
_K1, _B = 1.2, 0.75
# So many words speak for a text; the others of a long one tell little and cost most of the time.
_SPEAKING = 100
# So near in meaning are two texts by chance, and so near must they be that have no word in common.
_CHANCE, _ALIKE = 0.1, 0.25
_UNDERSTOOD_BY = 600
# A text of so few words is read with other words for them, which count less than its own: those
# that mean the same, and those that are near in meaning.
_SHORT, _NEAREST = 40, 4
_SAME, _KINDRED = 0.4, 0.2


NAMED_WITHIN = 3_000
"""How far into a text things are looked for, in characters: what matters is named early."""


def kinds(text: str) -> list[str]:
    """A term for each kind of thing that a text names: two databases have something in common."""
    return sorted({f"~{kind}" for kind in technologies_in(text).values()})


@cache
def _weight(count: int) -> float:
    """What a word counts that is said so often."""
    return 1 + math.log(count)


@cache
def _read_tables() -> None:
    """Read now the tables of words that a comparison may ask for."""
    for look_up in (same, near_to, kindred, work_of):
        look_up("")


class Decision:
    """A decision record and what its text says; `title` is without its number.

    The costly parts are worked out when they are asked for.
    """

    def __init__(self, record: DocumentRecord, body: str) -> None:
        self.record = record
        self.body = body[:_LONGEST_BODY]
        self.title = plain_title(record.title[:LONGEST_TITLE])
        text = plain_text(self.body)
        self.counts = Counter(terms(text))
        self.counts.update(kinds(f"{self.title} {text[:NAMED_WITHIN]}"))
        self.title_terms = frozenset(terms(self.title))
        self.when = When(record.number, record.date)

    def get_ready(self) -> None:
        """Work out now what every comparison asks for."""
        _read_tables()
        self.position.get_ready()
        _ = (self.gist, self.subject, self.vocabulary)

    @cached_property
    def position(self) -> Position:
        """What it stands for."""
        return Position(self.title, self.body)

    @cached_property
    def gist(self) -> Gist:
        """The meaning of its title, and of how its decision begins, or else its text."""
        from toolcrib.search.embedding.gists import gist  # its table of words is large

        start = next((part.body_start for part, _ in with_role(self.position.parts, "decision")), 0)
        return gist(f"{self.title}. {plain_text(self.body[start : start + _UNDERSTOOD_BY])}")

    @cached_property
    def vocabulary(self) -> Phrase:
        """All its words."""
        return Phrase(frozenset(), frozenset(self.counts))

    @cached_property
    def subject(self) -> frozenset[str]:
        """What its title is about."""
        return subject(self.title)


@dataclass(frozen=True, slots=True)
class Related:
    """A decision and how much it has to do with the proposal; `younger` says it came later."""

    decision: Decision
    score: float
    younger: bool = False


class _Telling(dict[str, float]):
    """A number for each known stem, and one for all others."""

    def __init__(self, known: Mapping[str, float], unknown: float) -> None:
        super().__init__(known)
        self._unknown = unknown

    def __missing__(self, stem: str) -> float:
        return self._unknown


class Decisions:
    """All decisions of a library at one moment, ready to be compared with proposals."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self.all = list(decisions)
        self._whens = [each.when for each in self.all]
        counted: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at, decision in enumerate(self.all):
            for stem, count in decision.counts.items():
                counted[stem].append((at, count))
        total = len(self.all)
        self._rarity = {
            stem: math.log((total + 1) / (len(places) + 0.5)) for stem, places in counted.items()
        }
        unknown = math.log(2 * total + 2)
        self.rarity: Weigh = _Telling(self._rarity, unknown).__getitem__
        """How telling a stem is here: none that is in every decision, most the unknown ones."""
        weights = {stem: max(rarity, _LEAST_WEIGHT) for stem, rarity in self._rarity.items()}
        self.weigh: Weigh = _Telling(weights, unknown).__getitem__
        """What a stem counts in a comparison: a little even where it is in every decision."""
        self.rarest = math.log((total + 1) / 1.5)
        """How telling a stem is that a single decision has."""
        self._title_postings: dict[str, list[int]] = defaultdict(list)
        self._title_weights: list[tuple[float, float]] = []
        for at, decision in enumerate(self.all):
            rarities = [self._rarity.get(stem, 0.0) for stem in decision.title_terms]
            self._title_weights.append((sum(rarities), sum(each * each for each in rarities)))
            for stem in decision.title_terms:
                self._title_postings[stem].append(at)
        self._norms = [self._norm(each.counts) for each in self.all]
        lengths = [sum(each.counts.values()) for each in self.all]
        average = (sum(lengths) / len(lengths) if lengths else 1) or 1
        stretches = [_K1 * (1 - _B + _B * length / average) for length in lengths]
        self._postings = {
            stem: self._posted(self._rarity[stem], places, stretches)
            for stem, places in counted.items()
        }

    def _posted(
        self, rarity: float, places: Sequence[tuple[int, int]], stretches: Sequence[float]
    ) -> list[tuple[int, float, float]]:
        """What a stem said once adds to the likeness of each decision that has it, in two ways."""
        square, norms = rarity * rarity, self._norms
        return [
            (at, square * _weight(often) / norms[at], rarity * often / (often + stretches[at]))
            for at, often in places
        ]

    def _norm(self, counts: Counter[str]) -> float:
        rarity = self._rarity
        weights = [_weight(count) * rarity[stem] for stem, count in counts.items()]
        return math.sqrt(sum([weight * weight for weight in weights])) or 1.0

    def related(self, proposal: Proposal, limit: int = 10) -> list[Related]:
        """The decisions that have most to do with a proposal, best first."""
        counts = Counter(proposal.terms)
        counts.update(kinds(proposal.text[:NAMED_WITHIN]))
        counts = self._most_telling(counts)
        scores = self._compare(counts, self._meant(counts))
        titles = self._titles(counts, frozenset(terms(plain_title(proposal.title))))
        for at, likeness in titles.items():
            if scores[at]:
                scores[at] += likeness
        weight, alike = self._alike(proposal)
        for at, likeness in alike.items():
            if scores[at] or likeness >= _ALIKE:
                scores[at] += weight * (likeness - _CHANCE)
        younger = set()
        if proposal.when.known:
            younger = {at for at, when in enumerate(self._whens) if proposal.when.before(when)}
            for at in younger:
                scores[at] *= _YOUNGER
        # Among equals the address decides, so that an answer does not depend on the order.
        least = min(nlargest(limit, scores), default=0.0)
        found = [at for at, score in enumerate(scores) if score and score >= least]
        found.sort(key=lambda at: (-scores[at], self.all[at].record.uri))
        return [Related(self.all[at], scores[at], at in younger) for at in found[:limit]]

    @cached_property
    def _gists(self) -> list[Gist]:
        return [each.gist for each in self.all]

    def _alike(self, proposal: Proposal) -> tuple[float, dict[int, float]]:
        """What meaning weighs, and by place how alike decisions are in whatever words they use."""
        from toolcrib.search.embedding.gists import LONGEST, Resemblance, gist

        weight = _MEANING if len(proposal.text) <= LONGEST else _MEANING_OF_LONG
        places = range(len(self.all))
        return weight, Resemblance(self._gists, gist(proposal.text), places).above(_CHANCE)

    def _most_telling(self, counts: Counter[str]) -> Counter[str]:
        """The words that speak for a long text: those that tell most."""
        if len(counts) <= _SPEAKING:
            return counts
        weighed = nlargest(
            _SPEAKING, counts, key=lambda stem: _weight(counts[stem]) * self._rarity.get(stem, 0.0)
        )
        return Counter({stem: counts[stem] for stem in weighed})

    def _meant(self, counts: Counter[str]) -> dict[str, float]:
        """Other words for those of a short text, with what each counts beside them.

        A sentence or two seldom have the words of the record that they are about.
        """
        if len(counts) > _SHORT:
            return {}
        found: dict[str, float] = {}
        for stem in counts:
            near = (
                (same(stem), _SAME),
                (near_to(stem), _SAME / 2),
                (kindred(stem)[:_NEAREST], _KINDRED),
            )
            for words, weight in near:
                for word in words:
                    found[word] = max(found.get(word, 0.0), weight)
        known = self._rarity
        return {word: each for word, each in found.items() if word in known and word not in counts}

    def _titles(self, counts: Counter[str], title: frozenset[str]) -> dict[int, float]:
        """By place, what the titles add: alike to the proposal's, and named in its text."""
        both: dict[int, float] = defaultdict(float)
        named: dict[int, float] = defaultdict(float)
        for stem, count in counts.items():
            rarity = self._rarity.get(stem, 0.0)
            often = _NAMED + _OFTEN_NAMED * min(count, _OFTEN) / _OFTEN
            for at in self._title_postings.get(stem, ()):
                named[at] += rarity * often
                if stem in title:
                    both[at] += rarity * rarity
        own = sum(self.rarity(stem) ** 2 for stem in title)
        found = {}
        for at, value in named.items():
            once, squares = self._title_weights[at]
            alike = both[at] / math.sqrt(own * squares) if at in both and own and squares else 0.0
            found[at] = (value / once if once else 0.0) + _TITLES * alike
        return found

    def _compare(self, counts: Counter[str], meant: Mapping[str, float]) -> list[float]:
        """The likeness of each decision: the cosine of the texts, and the share of words that fit.

        What a stem of a decision counts for it stands in the postings; here it is only added up.
        """
        known = [stem for stem in counts if stem in self._postings]
        weights = [_weight(counts[stem]) * self._rarity[stem] for stem in known]
        norm = math.sqrt(sum([each * each for each in weights])) or 1.0
        most = sum([self._rarity[stem] for stem in known]) or 1.0
        scores = [0.0] * len(self.all)
        said = [(stem, _weight(counts[stem]), 1.0) for stem in known]
        said += [(stem, share, share) for stem, share in meant.items()]
        for stem, often, share in said:
            alike, fits = often / norm, share * _BM25 / most
            for at, cosine, match in self._postings[stem]:
                scores[at] += alike * cosine + fits * match
        return scores

    def likeness(self, one: Iterable[str], other: Iterable[str]) -> float:
        """The cosine of two sets of stems, rare ones counting more; 1 when they are the same."""
        left, right = frozenset(one), frozenset(other)
        both = sum(self.rarity(stem) ** 2 for stem in left & right)
        if not both:
            return 0.0
        sizes = [sum(self.rarity(stem) ** 2 for stem in each) for each in (left, right)]
        return both / math.sqrt(sizes[0] * sizes[1])
