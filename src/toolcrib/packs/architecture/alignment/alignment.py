"""Which decisions speak of what somebody proposes: likeness of words, and of subjects."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.alignment.choices import Choice, read_choice
from toolcrib.packs.architecture.alignment.proposal import (
    LONGEST_TITLE,
    Proposal,
    When,
    plain_text,
    plain_title,
    subject,
    terms,
)
from toolcrib.packs.architecture.alignment.technologies import technologies_in
from toolcrib.packs.architecture.library.records import Record
from toolcrib.search.tokens import sentences

# How much each likeness counts beside the cosine of the texts. Fitted on public decision records;
# see docs/decisions/0007-alignment-by-evidence.md.
_BM25 = 0.2
_TITLES = 0.1
_NAMED = 0.05
_OFTEN_NAMED = 0.1
# A decision that is younger than the proposal is seldom what the proposal speaks of.
_YOUNGER = 0.5

_DECIDED = ("decision", "chosen", "resolution", "solution", "proposal", "outcome")
_CONSIDERED = (
    "considered", "alternatives", "options", "other options", "rejected", "considerations",
)  # fmt: skip
# A list item up to where its explanation begins.
_OPTION = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(.{3,80}?)(?:[.:;,(–—]|\s-\s|$)", re.M)
_OFTEN = 5
_LONGEST_BODY = 200_000
_LONGEST_READ = 30_000
_K1, _B = 1.2, 0.75


NAMED_WITHIN = 3_000
"""How far into a text things are looked for, in characters: what matters is named early."""


def kinds(text: str) -> list[str]:
    """A term for each kind of thing that a text names: two databases have something in common."""
    return sorted({f"~{kind}" for kind in technologies_in(text).values()})


@cache
def _weight(count: int) -> float:
    """What a word counts that is said so often."""
    return 1 + math.log(count)


class Decision:
    """A decision record and what its text says; `title` is without its number.

    The costly parts are worked out when they are asked for.
    """

    def __init__(self, record: Record, body: str) -> None:
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
        _ = self.subject, self.choice

    @cached_property
    def subject(self) -> frozenset[str]:
        """What its title is about."""
        return subject(self.title)

    @cached_property
    def choice(self) -> Choice:
        """What its title chooses."""
        return read_choice(self.title)

    @cached_property
    def outline(self) -> Outline:
        """Its sections."""
        return Outline(self.body)

    def section(self, *titles: str) -> str:
        """The words below the first heading that begins with one of `titles`, or nothing."""
        for section in self.outline.sections:
            if section.title.casefold().startswith(titles):
                return plain_text(self.body[section.body_start : section.end])
        return ""

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences of the record; of a very long one those of its beginning."""
        return sentences(plain_text(self.body[:_LONGEST_READ]))

    @cached_property
    def decided(self) -> list[str]:
        """The sentences of its decision; of its whole text when it has no such section."""
        found = sentences(self.section(*_DECIDED)) or self.sentences[:20]
        return [each for each in found if not each.startswith("#")]

    @cached_property
    def rejected(self) -> list[str]:
        """The options that it considered and did not take, each in a few words."""
        options = [
            option.strip(" *_`\"'.:").removesuffix(".md")
            for option in _OPTION.findall(self.section(*_CONSIDERED))
        ]
        taken = " ".join([self.title, *self.decided[:3]]).casefold()
        return [each for each in options if each and each.casefold() not in taken]


@dataclass(frozen=True, slots=True)
class Related:
    """A decision and how much it has to do with the proposal; `younger` says it came later."""

    decision: Decision
    score: float
    younger: bool = False


class Decisions:
    """All decisions of a library at one moment, ready to be compared with proposals."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self.all = list(decisions)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at, decision in enumerate(self.all):
            for stem, count in decision.counts.items():
                self._postings[stem].append((at, count))
        total = len(self.all)
        self._rarity = {
            stem: math.log((total + 1) / (len(places) + 0.5))
            for stem, places in self._postings.items()
        }
        self._norms = [self._norm(each.counts) for each in self.all]
        lengths = [sum(each.counts.values()) for each in self.all]
        average = (sum(lengths) / len(lengths) if lengths else 1) or 1
        self._stretches = [_K1 * (1 - _B + _B * length / average) for length in lengths]

    def _norm(self, counts: Counter[str]) -> float:
        rarity = self._rarity
        weights = [_weight(count) * rarity[stem] for stem, count in counts.items()]
        return math.sqrt(sum([weight * weight for weight in weights])) or 1.0

    def rarity(self, stem: str) -> float:
        """How telling a stem is here: none that is in every decision, most the unknown ones."""
        return self._rarity.get(stem, math.log(2 * len(self.all) + 2))

    def related(self, proposal: Proposal, limit: int = 10) -> list[Related]:
        """The decisions that have most to do with a proposal, best first."""
        counts = Counter(proposal.terms)
        counts.update(kinds(proposal.text[:NAMED_WITHIN]))
        cosines, matches = self._compare(counts)
        titles = frozenset(terms(plain_title(proposal.title)))
        found = []
        for at, decision in enumerate(self.all):
            if not matches[at]:
                continue
            score = cosines[at] + _BM25 * matches[at]
            score += _TITLES * self.likeness(titles, decision.title_terms)
            score += self._named(decision.title_terms, counts)
            younger = proposal.when.before(decision.when)
            found.append(Related(decision, score * _YOUNGER if younger else score, younger))
        found.sort(key=lambda each: (-each.score, each.decision.record.uri))
        return found[:limit]

    def _compare(self, counts: Counter[str]) -> tuple[list[float], list[float]]:
        """For each decision the cosine with the proposal, and the share of its words that fit."""
        cosines = [0.0] * len(self.all)
        matches = [0.0] * len(self.all)
        square = most = 0.0
        for stem, count in counts.items():
            postings = self._postings.get(stem)
            if postings is None:
                continue
            rarity = self._rarity[stem]
            weight = _weight(count) * rarity
            square += weight * weight
            most += rarity
            weight *= rarity
            for at, times in postings:
                cosines[at] += weight * _weight(times)
                matches[at] += rarity * times / (times + self._stretches[at])
        norm = math.sqrt(square) or 1.0
        return (
            [each / norm / theirs for each, theirs in zip(cosines, self._norms, strict=True)],
            [each / (most or 1.0) for each in matches],
        )

    def _named(self, title: frozenset[str], counts: Counter[str]) -> float:
        """How much of a decision's title the proposal names, and how often."""
        whole = sum(self.rarity(stem) for stem in title)
        if not whole:
            return 0.0
        once = often = 0.0
        for stem in title:
            if stem in counts:
                once += self.rarity(stem)
                often += self.rarity(stem) * min(counts[stem], _OFTEN) / _OFTEN
        return (_NAMED * once + _OFTEN_NAMED * often) / whole

    def likeness(self, one: Iterable[str], other: Iterable[str]) -> float:
        """The cosine of two sets of stems, rare ones counting more; 1 when they are the same."""
        left, right = frozenset(one), frozenset(other)
        both = sum(self.rarity(stem) ** 2 for stem in left & right)
        if not both:
            return 0.0
        sizes = [sum(self.rarity(stem) ** 2 for stem in each) for each in (left, right)]
        return both / math.sqrt(sizes[0] * sizes[1])

    def share(self, wanted: Iterable[str], given: Iterable[str]) -> float:
        """How much of `wanted` is in `given`, rare stems counting more."""
        stems, there = frozenset(wanted), frozenset(given)
        whole = sum(self.rarity(stem) for stem in stems)
        return sum(self.rarity(stem) for stem in stems & there) / whole if whole else 0.0

    def alike(self, stems: Sequence[str] | frozenset[str], least: float = 0.4) -> list[Decision]:
        """The decisions whose titles are about the same."""
        return [each for each in self.all if self.likeness(stems, each.subject) > least]
