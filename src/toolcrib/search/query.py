"""The query: its words, the synonyms and corrections that may stand for them, and its wording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import Final, NamedTuple

from toolcrib.search import spelling, synonyms
from toolcrib.search.embedding.kindred import kindred
from toolcrib.search.embedding.kindred import knows as is_common
from toolcrib.search.postings import Postings
from toolcrib.search.stem import stem
from toolcrib.search.things import UNKNOWN, KnownNames, by_kind
from toolcrib.search.tokens import STOP_WORDS, TALK, chunks, telling, tokens, words

LONGEST: Final = 20_000
_MOST_WORDS: Final = 64
_JOINED_WITHIN: Final = 500
_MOST_KINDRED: Final = 8
_FEW_DOCUMENTS: Final = 64
_WORDED_WITHIN: Final = 500
_MOST_WORDED: Final = 24
_FEW_WORDS: Final = 4
_SENTENCE: Final = 5
"""From so many words on, some of which tell something, a query is no list of keywords."""
_TELLING: Final = 2
_OPENING: Final = 4
"""Letters that all forms of a word share."""


@dataclass(slots=True)
class Wanted:
    """Stems with their weights: those of the query, their corrections, and related ones.

    `kin` alone makes a document match, `hints` only support one that matches anyway, and a program
    among `doers` matches if it is the whole name; stems `kindred` in meaning are used only if
    these match little. `stands_for` maps an added stem to its word in the query; `missing` counts
    the words that nothing stands for; `head` is the first word. `meant` is the query with files
    and addresses by their kind.
    """

    query: str
    meant: str
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

    def is_literal(self, found: bool) -> bool:
        """Return whether it is a few keywords: who writes a sentence need not know the right words.

        A sentence of few is taken literally too if they are `found`, or if it hardly tells anything
        (`how does the thing work`).
        """
        if len(self.said) >= _FEW_WORDS:
            return False
        sentence = len(self.query.split(None, _SENTENCE)) >= _SENTENCE
        return found or not sentence or len(set(self.said) - TALK) < _TELLING

    def spellings(self) -> dict[str, str]:
        """The stems of the query as they were written in it."""
        written = words(self.meant[:LONGEST])
        return {stem(word): word for word in reversed(written)}


def content(text: str) -> list[str]:
    """The stems of a text that carry meaning; all of them where none does."""
    stems = tokens(text[:LONGEST])
    return [each for each in stems if each not in STOP_WORDS] or stems


class Interpreter:
    """Interprets queries with the words of an index."""

    __slots__ = ("_known", "_postings")

    def __init__(self, postings: Postings, known: KnownNames = UNKNOWN) -> None:
        self._postings = postings
        self._known = known

    def read(self, query: str) -> Wanted:
        """Turn a query into weighted stems that the index knows."""
        meant = by_kind(query[:LONGEST], self._known) if self._postings.ranking.kinds else query
        distinct = list(dict.fromkeys(content(meant)))
        if len(distinct) > _MOST_WORDS:
            distinct = self._telling(distinct)
        talk = TALK if not TALK.issuperset(distinct) else frozenset[str]()
        little = self._postings.ranking.talk
        known = (each for each in distinct if each in self._postings)
        wanted = Wanted(query, meant, {each: little if each in talk else 1.0 for each in known})
        wanted.said = tuple(distinct)
        for each in distinct:
            if each not in self._postings and not synonyms.knows(each):
                self._guess(each, wanted)
        self._join(meant, wanted)
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

    def reachable(self, wanted: Wanted) -> float:
        """The score of a document that is the best for every word of a query."""
        best: dict[str, float] = {}
        for group, heavy in ((wanted.words, False), (wanted.kin, True), (wanted.doers, True)):
            for word, weight in group.items():
                said = wanted.stands_for.get(word, word)
                worth = weight * self._postings.impacts(word, heavy).best
                best[said] = max(best.get(said, 0.0), worth)
        unknown = wanted.missing * self._postings.ranking.missing * self._postings.rarity("")
        return sum(best.values()) + unknown

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


class Agreement(NamedTuple):
    """How far a document is worded as the query, each a share of what could agree, 0 to 1.

    `phrases` stand side by side in its name or summary, `details` in one of its details only;
    `folded` words are there in another form only.
    """

    phrases: float
    details: float
    folded: float


class Pair(NamedTuple):
    """Two words side by side: their stems, how they begin, and how much they tell."""

    stems: tuple[str, str]
    openings: tuple[str, str]
    worth: float


class Wording:
    """How a query is worded: which of its words stand side by side, and in which form.

    An index of words forgets both: `installed packages` and "install a package" have the same
    stems, and options of one word each are as good as one option that has both.
    """

    __slots__ = ("_all_pairs", "_all_words", "_pairs", "_words")

    def __init__(self, query: str, rarity: Callable[[str], float]) -> None:
        """`rarity` tells how informative a stem is."""
        said = dict.fromkeys(words(query[:_WORDED_WITHIN]))
        stems = {word: stem(word) for word in said}
        told = [word for word in said if stems[word] not in STOP_WORDS][:_MOST_WORDED]
        self._words = [(word, stems[word], rarity(stems[word])) for word in told]
        self._pairs = list(_pairs(self._words))
        self._all_words = sum(worth for _, _, worth in self._words) or 1.0
        self._all_pairs = sum(pair.worth for pair in self._pairs) or 1.0

    def agreement(self, summary: str, details: str) -> Agreement:
        """Compare a document, given by its name and summary in lower case, and its details."""
        stems, written = telling(summary), set(chunks(summary))
        known, beside = set(stems), set(pairwise(stems))
        folded = sum(
            worth for word, of, worth in self._words if of in known and word not in written
        )
        phrases = sum(pair.worth for pair in self._pairs if pair.stems in beside)
        others = [pair for pair in self._pairs if pair.stems not in beside]
        detailed = sum(pair.worth for pair in _among(others, details))
        return Agreement(
            phrases / self._all_pairs, detailed / self._all_pairs, folded / self._all_words
        )


def _pairs(said: Sequence[tuple[str, str, float]]) -> Iterator[Pair]:
    """The neighbours among the words of a query, each pair once."""
    seen: set[tuple[str, str]] = set()
    for (one, first, worth), (other, second, more) in pairwise(said):
        if (first, second) not in seen:
            seen.add((first, second))
            yield Pair((first, second), (one[:_OPENING], other[:_OPENING]), worth + more)


def _among(pairs: Sequence[Pair], details: str) -> list[Pair]:
    """The pairs that stand side by side in one of the details, one of which is a line."""
    lower = details.lower() if pairs else ""
    found: list[Pair] = []
    for pair in pairs:  # most lines have neither word: looking for letters is the quicker test
        one, other = pair.openings
        if one not in lower or other not in lower:
            continue
        lines = (line for line in lower.split("\n") if one in line and other in line)
        if any(pair.stems in pairwise(telling(line)) for line in lines):
            found.append(pair)
    return found
