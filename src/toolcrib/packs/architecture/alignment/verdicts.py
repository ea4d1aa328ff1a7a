"""From signs to a verdict: does a decision support the proposal, conflict with it, or neither?"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolcrib.packs.architecture.alignment.alignment import Decision, Related
from toolcrib.packs.architecture.alignment.choices import given_up_in
from toolcrib.packs.architecture.alignment.evidence import OVERTURNS, Evidence, Reader
from toolcrib.packs.architecture.alignment.proposal import DOING, terms
from toolcrib.packs.architecture.alignment.technologies import technologies_in
from toolcrib.search.tokens import tokens

Alignment = Literal["supports", "conflicts", "related"]

# What each sign counts, in the order of `Evidence`. Fitted on public decision records and rounded;
# how, and what came of it, stands in docs/decisions/0007-alignment-by-evidence.md.
_BIAS = -4.9
_WEIGHTS = Evidence(
    margin=6.5,
    title=3.0,
    given_up=1.5,
    reversed=3.5,
    slot=3.5,
    rival=2.4,
    version=2.0,
    rejected=2.0,
    overturns=1.2,
    extends=-2.5,
)
# From here on a sign is clear enough to be quoted; without one there is no conflict.
_CLEAR = Evidence(
    margin=math.inf,
    title=0.25,
    given_up=0.5,
    reversed=0.3,
    slot=0.3,
    rival=0.3,
    version=0.5,
    rejected=0.5,
    overturns=0.3,
    extends=math.inf,
)
# The sign that says most about why comes first.
_TELLING = (
    *("rejected", "given_up", "reversed", "version", "slot", "rival", "overturns", "title"),
)
_LEAST = 0.4
_MOSTLY = 0.65
_PARTLY = 0.3
_CLEARLY = 0.8
_LONGEST_QUOTE = 280
_WORD = re.compile(r"[^\W\d_][\w-]{2,40}")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said about one decision, and the sentence that it rests on."""

    alignment: Alignment
    reason: str


def likelihood(evidence: Evidence) -> float:
    """How likely the signs make a conflict, from 0 to 1."""
    pairs = zip(evidence.values(), _WEIGHTS.values(), strict=True)
    total = _BIAS + sum(sign * weight for sign, weight in pairs)
    return 1 / (1 + math.exp(-total))


def clear_signs(evidence: Evidence) -> list[str]:
    """The names of the signs that are clear, the most telling first."""
    return [name for name in _TELLING if getattr(evidence, name) >= getattr(_CLEAR, name)]


class Judge:
    """Says of each related decision how the proposal stands to it."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def judge(self, found: Sequence[Related], at: int) -> Verdict:
        """The verdict on the decision at place `at` of the related ones."""
        related, decision = found[at], found[at].decision
        evidence = self._reader.evidence(found, at)
        signs = clear_signs(evidence)
        same = self.same_choice(decision, evidence)
        if not same and signs and not related.younger and likelihood(evidence) > _LEAST:
            return Verdict("conflicts", self._conflict(decision, signs[0]))
        decided = quote(self.decided(decision))
        if same:
            return Verdict("supports", f"It made the same choice{decided}")
        return Verdict("related", self._related(decision, decided))

    def same_choice(self, decision: Decision, evidence: Evidence) -> bool:
        """Whether the proposal clearly takes what the decision took."""
        against = (evidence.given_up, evidence.reversed, evidence.version, evidence.rejected)
        if max(against) >= 0.5 or evidence.rival:
            return False
        reader = self._reader
        if set(technologies_in(decision.title)) & set(reader.technologies):
            return True
        theirs, ours = decision.choice, reader.choice
        if not theirs.chosen or not DOING.intersection(tokens(decision.title)):
            return False
        both = theirs.purpose and ours.purpose
        if both and reader.decisions.likeness(theirs.purpose, ours.purpose) < _PARTLY:
            return False
        return reader.decisions.share(theirs.chosen, ours.chosen) >= _MOSTLY

    def same_again(self, decision: Decision) -> bool:
        """Whether the proposal comes back to what an overtaken decision had chosen."""
        reader = self._reader
        if reader.choice.negated != decision.choice.negated:
            return False
        if reader.choice.given_up & decision.choice.chosen:
            return False
        ours, theirs = reader.proposal.subject, decision.subject
        named = len(theirs) > 2 and reader.decisions.share(theirs, ours) >= _CLEARLY
        return named or reader.decisions.likeness(ours, theirs) >= _MOSTLY

    def _conflict(self, decision: Decision, sign: str) -> str:
        proposal = self._reader.proposal
        decided = self.decided(decision)
        if sign == "rejected":
            option = self._reader.rejected_option(decision) or ""
            turned_down = next((each for each in decision.sentences if option in each), option)
            return f"It considered this option and did not take it{quote(turned_down)}"
        said = self._telling_sentence(decision, sign) or proposal.title
        what = {
            "given_up": "The proposal gives up what it chose",
            "reversed": "One says yes where the other says no",
            "slot": "Another choice for the same purpose",
            "rival": "Another choice of the same kind",
            "version": "The proposal replaces its version",
            "overturns": "The proposal overturns an earlier decision, and this is the nearest one",
            "title": "The same subject, decided again",
        }[sign]
        return f"{what}{quote(said)} It decided{quote(decided)}"

    def _telling_sentence(self, decision: Decision, sign: str) -> str | None:
        """The sentence of the proposal that shows the sign."""
        sentences = self._reader.proposal.sentences
        share = self._reader.decisions.share
        if sign == "overturns":
            return next((each for each in sentences if OVERTURNS.search(each)), None)
        if sign in ("given_up", "slot", "rival"):
            wanted = decision.choice.chosen or decision.subject
            for sentence in sentences:
                if any(share(wanted, stems) >= 0.5 for stems in given_up_in(sentence)):
                    return sentence
        return None

    def decided(self, decision: Decision) -> str:
        """The sentence of the decision that says most about its choice and the proposal."""
        wanted = decision.choice.chosen | decision.choice.purpose | self._reader.proposal.subject
        rarity = self._reader.decisions.rarity

        def telling(sentence: str) -> float:
            stems = frozenset(terms(sentence))
            return sum(rarity(stem) for stem in stems & wanted) / math.sqrt(len(stems) + 4)

        sentences = [each for each in decision.decided[:12] if len(each.split()) > 2]
        best = max(sentences, key=telling, default="")
        return best if best and telling(best) else decision.record.title

    def _related(self, decision: Decision, decided: str) -> str:
        shared = self._shared_words(decision)
        about = f"Both speak of {', '.join(shared)}" if shared else "It speaks of similar things"
        return f"{about}; the words do not decide. Compare what it decided{decided}"

    def _shared_words(self, decision: Decision) -> list[str]:
        """The most telling words that both use, as the proposal writes them."""
        rarity = self._reader.decisions.rarity
        spelt: dict[str, str] = {}
        for word in _WORD.findall(self._reader.proposal.text):
            stem = terms(word)[-1:]
            if stem and stem[0] in decision.counts and stem[0] not in DOING:
                spelt.setdefault(stem[0], word)
        ranked = sorted(
            spelt, key=lambda stem: (-rarity(stem) * min(decision.counts[stem], 5), stem)
        )
        return list(dict.fromkeys(spelt[stem] for stem in ranked))[:3]


def quote(sentence: str) -> str:
    """A sentence in quotation marks, with what leads to it."""
    text = " ".join(sentence.split()).strip("*_>-+# |")
    if len(text) > _LONGEST_QUOTE:
        text = text[: text.rfind(" ", 0, _LONGEST_QUOTE)] + "…"
    return f": “{text}”"
