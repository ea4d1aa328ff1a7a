"""Candidates: documents that may be the answer, their scores and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from toolcrib.search.ranking import Ranking
from toolcrib.search.stem import stem

_FIRST: Final = 100
_stem = lru_cache(maxsize=4096)(stem)


@dataclass(slots=True)
class IndexedDocument:
    """What an index keeps of one document beside its words.

    `words` are those of its name, and `path` tells whether they are steps of a path; `opening` is
    the first word of its summary, and `summary` a number that equal ones share. `stamp` says what
    it was made from, where that is known.
    """

    key: str
    name: str
    words: tuple[str, ...]
    path: bool
    opening: str
    summary: int
    boost: float
    facets: tuple[tuple[str, str], ...]
    stamp: str = ""


@dataclass(slots=True)
class Candidate:
    """One document in the running, and what speaks for it.

    `name` tells how the query lies in its name, `part` whether its summary has all of it as a
    piece, `surplus` how much of a path goes beyond the query, `does` how far it says to do what
    the query begins with; `words` and `meaning` are shares of what there is to reach, 0 to 1.
    """

    slot: int
    entry: IndexedDocument
    name: int
    part: bool
    surplus: float
    does: float
    words: float
    meaning: float
    score: float = 0.0

    def order(self) -> tuple[int, bool, float, str]:
        """What candidates are sorted by; the key settles a tie."""
        return (-self.name, not self.part, -self.score, self.entry.key)


def surplus(entry: IndexedDocument, wanted: Container[str]) -> float:
    """Return how long a path is, the words that were asked for counting half."""
    if not entry.path:
        return 0.0
    steps = dict.fromkeys(entry.words)
    return len(steps) - sum(step in wanted for step in steps) / 2


def does(entry: IndexedDocument, said: Sequence[str], program: str, ranking: Ranking) -> float:
    """Return what a tool gains for being of the program, and doing the deed, that is asked for.

    People ask "list the branches": what is to be done comes first, after the program at most.
    """
    cli = next((value for facet, value in entry.facets if facet == "cli"), None)
    own = _stem(cli) if cli else ""
    head = next((word for word in said if word != own), "")
    gain = ranking.head * (head in entry.words) + ranking.opening * (head == entry.opening)
    return gain + ranking.program * (bool(program) and cli == program)


def ranked(candidates: list[Candidate], ranking: Ranking) -> list[Candidate]:
    """Return the candidates best first, repetitions of a better one a little behind."""
    for each in candidates:
        evidence = each.words + ranking.meaning * each.meaning
        lifted = evidence * each.entry.boost * (1 + each.does)
        each.score = lifted / (1 + ranking.brevity * each.surplus)
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
