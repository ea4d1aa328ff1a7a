"""Candidates: documents that may match, their scores and their order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from toolcrib.search import synonyms
from toolcrib.search.names import plain_name
from toolcrib.search.ranking import Ranking
from toolcrib.search.stem import stem

if TYPE_CHECKING:
    from toolcrib.search.embedding.gists import Resemblance
    from toolcrib.search.embedding.vectors import Likeness
    from toolcrib.search.lines import Details, LineTable
    from toolcrib.search.names import NameTable
    from toolcrib.search.query import Wording

_FIRST: Final = 100
_CLOSELY: Final = 20
"""How many candidates are compared with the wording of a query."""
_T = TypeVar("_T")
_stem = lru_cache(maxsize=4096)(stem)


@dataclass(slots=True)
class IndexedDocument:
    """What an index stores of one document besides its words.

    `words` are those of its name, and `path` says whether they are steps of a path; `opening` is
    the first word of its summary, and `summary` a number that equal summaries share. `stamp`
    identifies the version of its source, if known.
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


class Evidence(NamedTuple):
    """The evidence for the documents of one answer besides the scores of their words.

    `top` is the best of those, and `reach` its share of what the query could have reached.
    """

    names: Mapping[int, int]
    pieces: Collection[int]
    top: float
    reach: float
    likeness: Likeness | Resemblance | None

    def whole(self, ranking: Ranking, rarest: float) -> float:
        """Return the score of words that counts 1; `rarest` is what a word of one document tells.

        The best document has that share of it that it has of what the query could have reached,
        as far as the words can be trusted.
        """
        if not self.top:
            return 1.0
        whole: float = self.top * self.reach**-ranking.reach / self._trust(ranking, rarest)
        return whole

    def meaning(self, ranking: Ranking) -> float:
        """Return the weight of meaning: it counts more where the words reach little."""
        lacking = max(0.0, 1 - self.reach / ranking.much)
        weight: float = ranking.meaning * (1 + ranking.wordless * lacking)
        return weight

    def _trust(self, ranking: Ranking, rarest: float) -> float:
        """How far the words that match can be trusted, 0 to 1.

        They can if they are much of the query, or tell more than a match by chance: of a long
        question about anything, some tool has one rare word or two common ones.
        """
        sure = max(self.reach / ranking.much, self.top / rarest / ranking.chance)
        trust: float = min(1.0, sure) ** ranking.doubt
        return trust


@dataclass(slots=True)
class Candidate:
    """One candidate document and its evidence.

    `name` says how the query matches its name, `part` whether its summary contains the query,
    `surplus` how much longer its path is than the query, `does` how well it matches the action
    that the query begins with; `words` and `meaning` are fractions of the best possible score, 0
    to 1.
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
        """The sort key of candidates; the document's key breaks ties."""
        return (-self.name, not self.part, -self.score, self.entry.key)


def surplus(entry: IndexedDocument, wanted: Iterable[str]) -> float:
    """Return the length of a path, with steps that the query has counting half.

    What has no path is one step, and so is a program itself, however many words its name has.
    """
    if not entry.path:
        return 1.0
    steps = set(entry.words)
    asked = len(steps.intersection(wanted))
    if entry.name == plain_name(program_of(entry) or ""):
        return 1 - min(asked, 1) / 2
    return len(steps) - asked / 2


def program_of(entry: IndexedDocument) -> str | None:
    """Return the program that a tool belongs to."""
    for facet, value in entry.facets:
        if facet == "cli":
            return value
    return None


def understood(entry: IndexedDocument, summary: str) -> str:
    """Return the text that a document is understood by: name, summary and program."""
    program = program_of(entry) or ""
    return f"{entry.name} {summary} {program if program not in entry.name else ''}"


class Closely(NamedTuple):
    """Compares candidates with the wording of a query, beyond their words."""

    wording: Wording
    ranking: Ranking
    names: NameTable
    summaries: LineTable
    details: Details
    facets: Mapping[tuple[str, str], Collection[int]]

    def gain(self, each: Candidate) -> float:
        """Return what a candidate gains by its wording; below zero what it loses."""
        summary = f"{each.entry.name} {self.summaries[each.slot]}"
        agreed = self.wording.agreement(summary, self.details[each.slot])
        gained = self.ranking.phrase * agreed.phrases + self.ranking.detail * agreed.details
        gained -= self.ranking.folded * agreed.folded
        return gained - self.ranking.group if self._is_group(each.entry) else gained

    def _is_group(self, entry: IndexedDocument) -> bool:
        """Whether a command has commands of its own."""
        of = ("cli", program_of(entry) or "")
        several = entry.path and len(self.facets.get(of, ())) > 1
        return several and self.names.leads(entry.name)


class Asked(NamedTuple):
    """The words of a query, its program if it begins with one, and the verbs for what it wants."""

    said: Sequence[str]
    program: str
    deed: frozenset[str]


def does(entry: IndexedDocument, asked: Asked, ranking: Ranking) -> float:
    """Return the bonus of a tool for matching the program and the action of the query.

    People ask "list the branches": the action comes first, or right after the program.
    """
    cli = program_of(entry)
    own = _stem(cli) if cli else ""
    head = next((word for word in asked.said if word != own), "")
    gain = ranking.head * (head in entry.words) + ranking.opening * (head == entry.opening)
    told = synonyms.verbs().intersection((entry.opening, *entry.words)) if asked.deed else ()
    if told:
        gain += -ranking.verb if asked.deed.isdisjoint(told) else ranking.verb
    return gain + ranking.program * (bool(asked.program) and cli == asked.program)


def ranked(
    candidates: list[Candidate], ranking: Ranking, meaning: float, closely: Closely | None = None
) -> list[Candidate]:
    """Return the candidates best first, with repetitions of a better one ranked lower.

    `meaning` is the weight of meaning in this answer. The best of them are looked at `closely`.
    """
    for each in candidates:
        evidence = each.words + meaning * each.meaning
        lifted = evidence * each.entry.boost * (1 + each.does)
        each.score = lifted / (1 + ranking.brevity * each.surplus)
    if ranking.wrapper:
        _hold_back(candidates, ranking)
    candidates.sort(key=Candidate.order)
    if closely and len(candidates) > 1:
        for each in candidates[:_CLOSELY]:
            each.score *= 1 + closely.gain(each)
        candidates.sort(key=Candidate.order)
    if candidates and (ranking.namesake or ranking.twin):
        _step_back(candidates[:_FIRST], ranking)
        candidates.sort(key=Candidate.order)
    return candidates


def _hold_back(candidates: Iterable[Candidate], ranking: Ranking) -> None:
    """Rank a wrapper's command below the one that it passes on: `pass git log`, `git log`."""
    names = {each.entry.name for each in candidates}
    for each in candidates:
        if each.entry.path and each.entry.name.partition(" ")[2] in names:
            each.score *= 1 - ranking.wrapper


def _step_back(candidates: Iterable[Candidate], ranking: Ranking) -> None:
    """Rank repetitions lower, so that other tools are visible beside the first."""
    names: dict[str, int] = {}
    summaries: dict[int, int] = {}
    copies: dict[tuple[str, int], int] = {}
    for each in candidates:
        entry = each.entry
        share = ranking.namesake * _seen(names, entry.name)
        if entry.summary:
            share += ranking.twin * _seen(summaries, entry.summary)
            if entry.path and (command := entry.name.partition(" ")[2]):
                share += ranking.copy * _seen(copies, (command, entry.summary))
        if share:
            each.score *= max(0.0, 1 - share)


def _seen(counts: dict[_T, int], key: _T) -> int:
    """Return how often a key was there before, and count it."""
    before = counts.get(key, 0)
    counts[key] = before + 1
    return before
