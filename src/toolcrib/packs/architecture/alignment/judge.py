"""From signals to a verdict: does a decision support the proposal, conflict with it, or neither?

A proposal that restates a decision supports it. One that gives up what was chosen, adopts what was
rejected, or adopts something else for the same purpose conflicts. If signals of equal strength
disagree, or another decision explains far more of the proposal, there is no verdict.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from typing import Literal

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions, Related
from toolcrib.packs.architecture.alignment.matcher import Matcher
from toolcrib.packs.architecture.alignment.overturning import newer_version, says_so
from toolcrib.packs.architecture.alignment.proposal import Proposal, plain_title
from toolcrib.packs.architecture.alignment.signal import Signal
from toolcrib.packs.architecture.alignment.things.technologies import technologies_in
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.expanding import expand
from toolcrib.packs.architecture.alignment.wording.naming import spelt
from toolcrib.packs.architecture.alignment.wording.negation import negations, without_negation
from toolcrib.packs.architecture.alignment.wording.words import (
    DOING,
    NOTHING,
    Phrase,
    last_term,
    phrase,
    share,
)
from toolcrib.search.tokens import tokens

Alignment = Literal["supports", "conflicts", "related"]

_MARGIN = 0.1
_CLAIMED = 0.2
_RESTATED = 0.9
_FEWEST_QUOTED = 6
_SAME_TEXT = 0.5
_LONGEST_QUOTE = 280
_SHARED, _OFTEN = 3, 5
_NEAR = 1
_FEW = 3
_CUT_OFF = re.compile(r",? ?\b(?:because|since|as|for the following reasons) ?:?$", re.I)
_WORD = re.compile(r"[^\W\d_][\w-]{2,40}")


@dataclass(frozen=True, slots=True)
class AlignmentVerdict:
    """What is to be said about one decision; `surely` is how much of the proposal it rests on.

    `what` is the reason without the sentence that shows it.
    """

    alignment: Alignment
    what: str = ""
    surely: float = 0.0
    signal: Signal | None = None


_UNDECIDED = AlignmentVerdict("related")


class Judge:
    """Judges how each decision relates to one proposal."""

    def __init__(self, proposal: Proposal, decisions: Decisions) -> None:
        self._proposal = proposal
        self._decisions = decisions
        self._weigh = decisions.weigh
        self._matcher = Matcher(proposal, decisions)
        self._tokens = " ".join(tokens(proposal.text))
        self._words = _all_words(proposal)
        title = expand(plain_title(proposal.title))
        self._title, self._title_words = title, phrase(without_negation(title))
        self._title_spelt = spelt(plain_title(proposal.title))
        self._restated: dict[Decision, bool | None] = {}

    def judge_all(self, found: Sequence[Related]) -> list[AlignmentVerdict]:
        """A verdict for each; a conflict stands only where no other decision is rather meant."""
        # The title of one record, said again, also stands in those that link to it.
        titles = any(self._restates_title(each.decision) for each in found)
        whole = self._proposal.position is not None
        verdicts = [
            self.judge(each, may_quote=at < _NEAR if whole else not titles)
            for at, each in enumerate(found)
        ]
        if self._proposal.position is not None:
            self._overturn(found, verdicts)
        best = max((each.surely for each in verdicts if each.alignment != "related"), default=0.0)
        return [
            _UNDECIDED
            if verdict.alignment == "conflicts" and verdict.surely < best - _CLAIMED
            else verdict
            for verdict in verdicts
        ]

    def judge(self, related: Related, may_quote: bool = True) -> AlignmentVerdict:
        """The verdict on one decision, without a look at the others."""
        decision = related.decision
        outright = self._matcher.outright(decision)
        title = self._restates_title(decision)
        # What the title says as a whole goes before an option that is a part of what was chosen.
        denied = title is False and outright is not None and outright.agrees
        if outright is not None and not denied and not self._is_title(decision):
            if outright.agrees or not related.younger:
                return self._verdict(decision, outright, [outright])
            return _UNDECIDED
        if may_quote and self._quotes(decision):
            return AlignmentVerdict("supports", "It says the same", 1.0)
        names_subject = not decision.position.states and self._proposal.states
        if title is True and not names_subject and not self._differs(decision):
            return AlignmentVerdict("supports", "It decided the same", 1.0)
        if title is False and not related.younger:
            return AlignmentVerdict("conflicts", "One says yes where the other says no", 1.0)
        signals = self._matcher.signals(decision)
        if related.younger:
            signals = [each for each in signals if each.agrees]
        signal = _deciding(signals)
        if signal is None:
            return _UNDECIDED
        return self._verdict(decision, signal, signals)

    def _verdict(
        self, decision: Decision, signal: Signal, signals: Sequence[Signal]
    ) -> AlignmentVerdict:
        """What one signal says; how surely, all of them tell."""
        covered = decision.position.title_words
        for each in signals:
            covered = covered | each.stance.words
            if each.rule == "rival":  # the other thing is what the verdict rests on
                named = (*technologies_in(each.clause.text), *sorted(each.taken))
                covered = covered | phrase(" ".join(named))
        surely = signal.strength * share(self._words.core, covered, self._weigh)
        alignment: Alignment = "supports" if signal.agrees else "conflicts"
        return AlignmentVerdict(alignment, _why(signal), surely, signal)

    def _is_title(self, decision: Decision) -> bool:
        """Whether the proposal is the record's title, word for word."""
        return self._title_spelt == decision.position.spelt_title

    def _overturn(self, found: Sequence[Related], verdicts: list[AlignmentVerdict]) -> None:
        """A whole record conflicts with the nearest older one that it argues against."""
        older = [at for at, each in enumerate(found) if not each.younger]
        said = says_so(self._proposal, [found[at] for at in older])
        for place, at in enumerate(older):
            verdict = verdicts[at]
            if newer_version(self._proposal, found[at], self._decisions):
                what = "The proposal replaces its version"
            elif place == 0 and said is not None and verdict.alignment == "related":
                what = f"The proposal overturns an earlier decision: {quoted(said)} It is nearest"
            elif place and verdict.alignment == "conflicts":
                verdicts[at] = _UNDECIDED
                continue
            else:
                continue
            verdicts[at] = AlignmentVerdict("conflicts", what, 1.0)

    def refuses_too(self, decision: Decision, verdict: AlignmentVerdict) -> bool:
        """Whether a verdict rests on what a rejected record itself refuses: "we do not take X".

        Such a record and its status say the same; a title that refuses was itself turned down.
        """
        if verdict.alignment == "related" or decision.position.denied_title[1]:
            return False
        if verdict.signal is not None:
            return not verdict.signal.stance.wanted
        clauses = self._proposal.clauses
        said = bool(clauses) and not any(each.wanted for each in clauses)
        return said and verdict.alignment == "supports"

    def _quotes(self, decision: Decision) -> bool:
        """Whether the proposal stands, word for word, in what the record says for itself."""
        if self._proposal.position is not None:
            return self._is_same_text(decision)
        return (
            self._tokens.count(" ") >= _FEWEST_QUOTED - 1
            and self._tokens in decision.position.own_words
        )

    def _is_same_text(self, decision: Decision) -> bool:
        text = " ".join(decision.body.casefold().split())
        if not any(each in text for each in self._probes):
            return False  # a look at a few words spares reading the whole text
        there = sum(1 for each in self._lines if each in decision.position.all_words)
        return bool(there) and there / len(self._lines) >= _SAME_TEXT

    def _restates_title(self, decision: Decision) -> bool | None:
        """Whether the proposal is the record's title again: said (True) or denied (False)."""
        if decision not in self._restated:
            self._restated[decision] = self._says_title(decision)
        return self._restated[decision]

    def _says_title(self, decision: Decision) -> bool | None:
        one, (two, denied) = self._title_words, decision.position.denied_title
        alike = min(share(one.core, two, self._weigh), share(two.core, one, self._weigh))
        if alike < _RESTATED:
            return None
        if self._proposal.position is None and self._title != decision.title:
            clauses = read_clauses(self._title)
            if len({clause.wanted for clause in clauses}) > 1 or not all(
                share(clause.focus.core, two, self._weigh) >= _RESTATED for clause in clauses
            ):
                return None
            if negations(self._title) % 2 and all(clause.wanted for clause in clauses):
                return None  # what is negated is not the thing: "…, but decided against it"
        return bool(negations(self._title) % 2) == denied

    def _differs(self, decision: Decision) -> bool:
        """Whether a whole record has the title of another, but not its text."""
        return self._proposal.position is not None and not self._is_same_text(decision)

    def reason(self, decision: Decision, verdict: AlignmentVerdict) -> str:
        """Why, with the sentence of the decision that shows it."""
        signal, what = verdict.signal, verdict.what
        words = signal.stance.words if signal else self._words
        if signal and signal.stance.sentence in decision.position.quotable:
            return f"{what}: {quoted(signal.stance.sentence)}"
        if not what:
            shared = self._shared_words(decision)
            about = f"Both speak of {', '.join(shared)}" if shared else "It speaks of such things"
            what = f"{about}; the words do not decide. Compare what it decided"
        return what + self.decided(decision, words)

    def decided(self, decision: Decision, words: Phrase = NOTHING) -> str:
        """The sentence of the decision that says most about some words and its own choice."""
        position = decision.position
        title = position.title_words.all

        def telling(at: int) -> float:
            stems = position.quotable_stems[at]
            shown = sum(map(self._weigh, stems & title))
            shown += 2 * sum(map(self._weigh, stems & words.all))
            return shown / math.sqrt(len(stems) + 4)

        best = max(range(len(position.quotable)), key=telling, default=None)
        return "." if best is None else f": {quoted(position.quotable[best])}"

    @cached_property
    def _spelt(self) -> dict[str, str]:
        """The proposal's telling words by their stems."""
        found: dict[str, str] = {}
        for word in dict.fromkeys(_WORD.findall(self._proposal.text)):
            stem = last_term(word)
            if stem and stem not in DOING:
                found.setdefault(stem, word)
        return found

    @cached_property
    def _probes(self) -> list[str]:
        """A few words out of the midst of each longer sentence, as they are written."""
        words = [each.casefold().split() for each in self._proposal.sentences]
        middles = [each[len(each) // 2 :][:_FEW] for each in words if len(each) >= 2 * _FEW]
        return [" ".join(each) for each in middles]

    @cached_property
    def _lines(self) -> list[str]:
        """The stems of each longer sentence of the proposal."""
        lines = (" ".join(tokens(each.casefold())) for each in self._proposal.sentences)
        return [each for each in lines if each.count(" ") >= _FEWEST_QUOTED - 1]

    def _shared_words(self, decision: Decision) -> list[str]:
        """The most telling words that both use, as the proposal writes them."""
        counts, rarity, spelt = decision.counts, self._decisions.rarity, self._spelt
        most = nsmallest(
            _SHARED,
            spelt.keys() & counts.keys(),
            key=lambda stem: (-rarity(stem) * min(counts[stem], _OFTEN), stem),
        )
        return [spelt[stem] for stem in most]


def _all_words(proposal: Proposal) -> Phrase:
    """All that a proposal speaks of; of a whole record, which is long, the stems are enough."""
    if proposal.position is not None:
        stems = frozenset(proposal.terms) - DOING
        return Phrase(stems, stems)
    words = NOTHING
    for clause in proposal.clauses:
        words = words | clause.words
    return words


def _deciding(signals: Sequence[Signal]) -> Signal | None:
    """The strongest signal, unless one for the other side is about as strong."""
    if not signals:
        return None
    first = max(signals, key=lambda each: each.strength)
    if first.agrees and not first.clause.wanted:
        # Who takes one thing that was turned down may well refuse another one.
        taken = [each for each in signals if each.rule == "rejected" and each.clause.wanted]
        first = max(taken, key=lambda each: each.strength, default=first)
        signals = taken or signals
    against = [each.strength for each in signals if each.agrees != first.agrees]
    return first if first.strength > max(against, default=0.0) + _MARGIN else None


def _why(signal: Signal) -> str:
    """What a signal says, in words."""
    thing = " ".join(signal.stance.text.split()).strip(" .") or "this"
    if signal.agrees:
        if signal.rule == "said":
            return "It says the same"
        if signal.stance.wanted:
            return f"It made the same choice ({thing})"
        return f"It did not take this either ({thing})"
    if signal.rule == "said":
        return "One says yes where the other says no"
    if signal.rule == "rival" and signal.stance.wanted:
        return f"Another choice of the same kind as {thing}"
    if signal.stance.wanted:
        return f"The proposal gives up what it chose ({thing})"
    return f"It considered this and did not take it ({thing})"


def quoted(sentence: str) -> str:
    """A sentence in quotation marks, cut where it is very long."""
    text = _CUT_OFF.sub("", " ".join(sentence.split()).strip("*_>-+# |"))
    if len(text) > _LONGEST_QUOTE:
        text = text[: text.rfind(" ", 0, _LONGEST_QUOTE)] + "…"
    return f"“{text}”"
