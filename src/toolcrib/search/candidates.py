"""The documents that may be the answer, what speaks for each, and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass
from typing import Final

from toolcrib.search.ranking import Ranking

_FIRST: Final = 100


@dataclass(slots=True)
class Entry:
    """What an index keeps of one document beside its words.

    `steps` are the words of a name that is a path, none for other names.
    """

    key: str
    name: str
    steps: tuple[str, ...]
    summary: int
    boost: float
    facets: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Candidate:
    """One document in the running, and what speaks for it.

    `name` tells how the query lies in its name, `surplus` how much of a path goes beyond the
    query; `words` and `meaning` are shares of the best there is, 0 to 1.
    """

    slot: int
    entry: Entry
    name: int
    surplus: float
    words: float
    meaning: float
    score: float = 0.0

    def order(self) -> tuple[int, float, str]:
        """What candidates are sorted by; the key settles a tie."""
        return (-self.name, -self.score, self.entry.key)


def surplus(steps: Collection[str], wanted: Container[str]) -> float:
    """Return how long a path is, the words that were asked for counting half."""
    return len(steps) - sum(step in wanted for step in steps) / 2


def ranked(candidates: list[Candidate], ranking: Ranking) -> list[Candidate]:
    """Return the candidates best first, repetitions of a better one a little behind."""
    for each in candidates:
        evidence = each.words + ranking.meaning * each.meaning
        each.score = evidence * each.entry.boost / (1 + ranking.brevity * each.surplus)
    candidates.sort(key=Candidate.order)
    if candidates and (ranking.namesake or ranking.twin):
        _step_back(candidates[:_FIRST], ranking)
        candidates.sort(key=Candidate.order)
    return candidates


def _step_back(candidates: Iterable[Candidate], ranking: Ranking) -> None:
    """Five tools that say the same are one answer: let others be seen beside the first."""
    names: Counter[str] = Counter()
    summaries: Counter[int] = Counter()
    for each in candidates:
        entry = each.entry
        share = ranking.namesake * names[entry.name] + ranking.twin * summaries[entry.summary]
        each.score *= max(0.0, 1 - share)
        names[entry.name] += 1
        summaries[entry.summary] += bool(entry.summary)
