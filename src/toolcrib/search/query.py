"""What is looked for: the words of a query, and the words that may stand for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from toolcrib.search import spelling as vocabulary
from toolcrib.search import synonyms as thesaurus
from toolcrib.search.postings import Postings
from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS, tokens, words

LONGEST: Final = 20_000
_MOST_WORDS: Final = 64
_JOINED_WITHIN: Final = 500


@dataclass(slots=True)
class Wanted:
    """Stems with their weights: those that were said, or nearly so, and their kin.

    `stands_for` tells which word of the query an added stem is there for.
    """

    query: str
    words: dict[str, float]
    kin: dict[str, float] = field(default_factory=dict)
    stands_for: dict[str, str] = field(default_factory=dict)

    def add(self, word: str, weight: float, said: str) -> None:
        """Look for a stem that is nearly what was said."""
        if weight > self.words.get(word, 0.0):
            self.words[word] = weight
            self.stands_for[word] = said

    def add_kin(self, word: str, weight: float, said: str) -> None:
        """Look for a stem that means much the same as what was said."""
        if word not in self.words and weight > self.kin.get(word, 0.0):
            self.kin[word] = weight
            self.stands_for[word] = said

    def spellings(self) -> dict[str, str]:
        """The stems of the query as they were written in it."""
        written = words(self.query[:LONGEST])
        return {stem(word): word for word in reversed(written)}


def content(text: str) -> list[str]:
    """The stems of a text that carry meaning; all of them where none does."""
    stems = tokens(text[:LONGEST])
    return [each for each in stems if each not in STOP_WORDS] or stems


class Interpreter:
    """Reads queries in the light of the words that an index has."""

    __slots__ = ("_postings",)

    def __init__(self, postings: Postings) -> None:
        self._postings = postings

    def read(self, query: str) -> Wanted:
        """Turn a query into weighted stems that the index knows."""
        said = content(query)
        distinct = list(dict.fromkeys(said))
        if len(distinct) > _MOST_WORDS:
            distinct = self._telling(distinct)
        wanted = Wanted(query, {each: 1.0 for each in distinct if each in self._postings})
        for each in distinct:
            if each not in self._postings and not thesaurus.knows(each):
                self._guess(each, wanted)
        self._join(query, wanted)
        for each in distinct:
            self._widen(each, wanted)
        return wanted

    def _telling(self, stems: list[str]) -> list[str]:
        """The rarest words of a long query, in their order."""
        known = [each for each in stems if each in self._postings]
        kept = set(
            sorted(known, key=lambda each: (self._postings.frequency[each], each))[:_MOST_WORDS]
        )
        return [each for each in known if each in kept]

    def _guess(self, word: str, wanted: Wanted) -> None:
        """An unknown word: written together, cut short, or misspelt."""
        ranking, frequency = self._postings.ranking, self._postings.frequency
        pair = vocabulary.split(word, frequency)
        for part in pair or ():
            wanted.add(part, ranking.mended, word)
        if pair:
            return
        ordered = frequency.ordered()
        for other in vocabulary.begun(word, ordered, frequency):
            wanted.add(other, ranking.begun, word)
        for other in vocabulary.mended(word, ordered, frequency):
            wanted.add(other, ranking.mended, word)

    def _join(self, query: str, wanted: Wanted) -> None:
        """Two neighbours that the index knows as one word."""
        said = [word for word in words(query[:_JOINED_WITHIN]) if stem(word) not in STOP_WORDS]
        for one, other in pairwise(said):
            joined = stem(one + other)
            if joined in self._postings:
                wanted.add(joined, self._postings.ranking.joined, f"{one} {other}")

    def _widen(self, word: str, wanted: Wanted) -> None:
        """Words that mean the same; only those that are not looked for anyway."""
        ranking = self._postings.ranking
        for closeness, weight in (
            (thesaurus.same, ranking.same),
            (thesaurus.deeds, ranking.deed),
            (thesaurus.near, ranking.near),
        ):
            if weight:
                for other in closeness(word):
                    if other in self._postings:
                        wanted.add_kin(other, weight, word)
