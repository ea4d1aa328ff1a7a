"""The query: its words, and the synonyms and corrections that may stand for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import Final

from toolcrib.search import spelling, synonyms
from toolcrib.search.kindred import kindred
from toolcrib.search.kindred import knows as is_common
from toolcrib.search.postings import Postings
from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS, TALK, tokens, words

LONGEST: Final = 20_000
_MOST_WORDS: Final = 64
_JOINED_WITHIN: Final = 500
_MOST_KINDRED: Final = 8
_FEW_DOCUMENTS: Final = 64


@dataclass(slots=True)
class Wanted:
    """Stems with their weights: those of the query, their corrections, and related ones.

    `kin` alone makes a document match, `hints` only support one that matches anyway, and a program
    among `doers` matches if it is the whole name; stems `kindred` in meaning are used only if
    these match little. `stands_for` maps an added stem to its word in the query; `missing` counts
    the words that nothing stands for; `head` is the first word.
    """

    query: str
    words: dict[str, float]
    kin: dict[str, float] = field(default_factory=dict)
    doers: dict[str, float] = field(default_factory=dict)
    hints: dict[str, float] = field(default_factory=dict)
    kindred: dict[str, float] = field(default_factory=dict)
    stands_for: dict[str, str] = field(default_factory=dict)
    missing: int = 0
    said: tuple[str, ...] = ()

    def add(self, word: str, weight: float, said: str) -> None:
        """Add a stem that is close to a word of the query."""
        if weight > self.words.get(word, 0.0):
            self.words[word] = weight
            self.stands_for[word] = said

    def add_kin(self, group: dict[str, float], word: str, weight: float, said: str) -> None:
        """Add a stem with a similar meaning to a word of the query."""
        if word not in self.stands_for and word not in self.words:
            group[word] = weight
            self.stands_for[word] = said

    def asked(self) -> Iterator[str]:
        """All stems that may match a document."""
        return chain(self.words, self.kin, self.doers, self.hints, self.kindred)

    def spellings(self) -> dict[str, str]:
        """The stems of the query as they were written in it."""
        written = words(self.query[:LONGEST])
        return {stem(word): word for word in reversed(written)}


def content(text: str) -> list[str]:
    """The stems of a text that carry meaning; all of them where none does."""
    stems = tokens(text[:LONGEST])
    return [each for each in stems if each not in STOP_WORDS] or stems


class Interpreter:
    """Interprets queries with the words of an index."""

    __slots__ = ("_postings",)

    def __init__(self, postings: Postings) -> None:
        self._postings = postings

    def read(self, query: str) -> Wanted:
        """Turn a query into weighted stems that the index knows."""
        distinct = list(dict.fromkeys(content(query)))
        if len(distinct) > _MOST_WORDS:
            distinct = self._telling(distinct)
        talk = TALK if not TALK.issuperset(distinct) else frozenset[str]()
        little = self._postings.ranking.talk
        known = (each for each in distinct if each in self._postings)
        wanted = Wanted(query, {each: little if each in talk else 1.0 for each in known})
        wanted.said = tuple(distinct)
        for each in distinct:
            if each not in self._postings and not synonyms.knows(each):
                self._guess(each, wanted)
        self._join(query, wanted)
        self._widen(wanted)
        served = {*wanted.words, *wanted.stands_for.values()}
        wanted.missing = sum(each.isalpha() and each not in served for each in distinct)
        return wanted

    def _telling(self, stems: list[str]) -> list[str]:
        """The rarest words of a long query, in their order."""
        known = [each for each in stems if each in self._postings]
        kept = set(
            sorted(known, key=lambda each: (self._postings.frequency[each], each))[:_MOST_WORDS]
        )
        return [each for each in known if each in kept]

    def _guess(self, word: str, wanted: Wanted) -> None:
        """An unknown word: written together, cut short, or misspelt.

        A common word is neither misspelt nor cut short: who says `fact` does not mean `fast`, and
        `how does it work` does not ask for a workflow.
        """
        ranking, frequency = self._postings.ranking, self._postings.frequency
        pair = spelling.split(word, frequency)
        for part in pair or ():
            wanted.add(part, ranking.mended, word)
        if pair:
            return
        if is_common(word):
            return
        ordered = frequency.ordered()
        for other in spelling.begun(word, ordered, frequency):
            wanted.add(other, ranking.begun, word)
        for other in spelling.mended(word, ordered, frequency):
            wanted.add(other, ranking.mended, word)

    def _join(self, query: str, wanted: Wanted) -> None:
        """Two neighbours that the index knows as one word."""
        said = [word for word in words(query[:_JOINED_WITHIN]) if stem(word) not in STOP_WORDS]
        for one, other in pairwise(said):
            joined = stem(one + other)
            if joined in self._postings:
                wanted.add(joined, self._postings.ranking.joined, f"{one} {other}")

    def _widen(self, wanted: Wanted) -> None:
        """Add synonyms that are not in the query anyway.

        If the index has a word, its associated words are no reason to match: the authors use the
        word itself.
        """
        ranking = self._postings.ranking
        for closeness, weight in (
            (synonyms.same, ranking.same),
            (synonyms.does, ranking.deed),
            (synonyms.near, ranking.near),
        ):
            for word in wanted.said if weight else ():
                if closeness is synonyms.does:
                    group = wanted.doers
                else:
                    hint = closeness is synonyms.near and word in wanted.words
                    group = wanted.hints if hint else wanted.kin
                for other in closeness(word):
                    if other in self._postings:
                        wanted.add_kin(group, other, weight, word)

    def add_kindred(self, wanted: Wanted, weight: float) -> None:
        """Add the words of the index that are nearest in meaning to each word of the query.

        A word in many documents of a large index is left out: little information at a high cost.
        """
        frequency = self._postings.frequency
        most = max(_FEW_DOCUMENTS, self._postings.count // _FEW_DOCUMENTS)
        for word in (each for each in wanted.said if each not in TALK):
            near = (other for other in kindred(word) if other in self._postings)
            for other in islice(near, _MOST_KINDRED):
                if frequency[other] <= most:
                    wanted.add_kin(wanted.kindred, other, weight, word)
