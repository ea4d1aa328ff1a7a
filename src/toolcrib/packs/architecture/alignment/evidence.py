"""What speaks for a conflict between a proposal and a decision, and in which sentence it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from toolcrib.packs.architecture.alignment.alignment import Decision, Decisions, Related
from toolcrib.packs.architecture.alignment.choices import GIVEN_UP, Choice, read_choice
from toolcrib.packs.architecture.alignment.proposal import (
    DOING,
    Proposal,
    plain_title,
    terms,
    version,
)
from toolcrib.packs.architecture.alignment.technologies import technologies_in

OVERTURNS = re.compile(
    r"\b(?:supersed\w+|superced\w+|revert\w*|revisit\w*|reconsider\w*"
    r"|(?:previous|earlier|original|initial|prior|old|existing|first) (?:adr|decision|approach|"
    r"design|architecture|solution|strategy|proposal|implementation|version|rfc|rules?)"
    r"|previously (?:decided|documented|used|agreed|chose\w*|described|defined)"
    r"|we (?:had )?(?:originally|initially|previously) \w+"
    r"|no longer (?:valid|applies|true|holds?|needed|required|used|relevant)|outdated"
    r"|this (?:adr|document|rfc|decision|proposal) (?:replaces|updates|revises|changes))\b",
    re.I,
)
_EXTENDS = re.compile(
    r"\b(?:add(?:s|ed|ing|itional)?|extend\w*|extension\w*|support\w*|phase|annex|part|introduc\w+|"
    r"provid\w+|enabl\w+|also|further|more)\b",
    re.I,
)
_CHOOSES = re.compile(
    r"\b(?:us(?:e|es|ing)|adopt(?:s|ing)?|cho(?:ose|sen|se)|select(?:ed)?|go with|"
    r"standardi[sz]e on|(?:switch|migrate|move|change) to|store \w+ in|"
    r"build (?:it )?(?:on|with|in))\b",
    re.I,
)
_ENOUGH_OVERTURNS = 3
_SERIES = 4
_CLEARLY = 0.8
_ROW = 5
_FIRM = 0.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """The signs for a conflict, each from 0 (none) to 1 (clear)."""

    margin: float = 0.0
    """How far the decision stands out from all the others that the proposal resembles."""
    title: float = 0.0
    """How alike the titles are; less where there is a series of such titles."""
    given_up: float = 0.0
    """The proposal's title gives up what the decision chose."""
    reversed: float = 0.0
    """The titles are alike, but one of them says no."""
    slot: float = 0.0
    """Both choose something for the same purpose, and not the same thing."""
    rival: float = 0.0
    """They choose different things of one kind."""
    version: float = 0.0
    """The titles are alike, and the proposal's names a higher version."""
    rejected: float = 0.0
    """The proposal chooses what the decision had turned down."""
    overturns: float = 0.0
    """The proposal speaks of an earlier decision that it changes, and this one is the nearest."""
    extends: float = 0.0
    """The proposal's title speaks of an addition."""

    def values(self) -> tuple[float, ...]:
        """The signs in their order."""
        return tuple(getattr(self, each.name) for each in fields(self))


class Reader:
    """Looks for signs between one proposal and the decisions around it."""

    def __init__(self, proposal: Proposal, decisions: Decisions) -> None:
        self.proposal = proposal
        self.decisions = decisions
        self.choice = read_choice(plain_title(proposal.title))

    @cached_property
    def technologies(self) -> dict[str, str]:
        """The known things that it chooses: in its title, else where it says so."""
        return _chosen_technologies(plain_title(self.proposal.title), self.proposal.sentences[:12])

    @cached_property
    def _family(self) -> list[Decision]:
        return self.decisions.alike(self.proposal.subject)

    @cached_property
    def _older(self) -> int:
        """How many decisions there are that the proposal could speak of."""
        when = self.proposal.when
        return sum(1 for each in self.decisions.all if not when.before(each.when))

    @cached_property
    def _overturns(self) -> float:
        count = len(OVERTURNS.findall(self.proposal.text))
        return min(count, _ENOUGH_OVERTURNS) / _ENOUGH_OVERTURNS

    def evidence(self, found: Sequence[Related], at: int) -> Evidence:
        """All signs for the decision at place `at` of the related ones."""
        related, decision = found[at], found[at].decision
        older = [each for each in found if not each.younger]
        nearest = bool(older) and older[0] is related
        theirs = decision.choice
        alike = self.decisions.likeness(self.proposal.subject, decision.subject)
        series = 1 + min(sum(1 for each in self._family if each is not decision), _SERIES)
        newer = version(self.proposal.title) > version(decision.title)
        signs = Evidence(
            title=alike / series,
            given_up=self._share(theirs, decision, self.choice.given_up),
            reversed=alike if theirs.negated != self.choice.negated else 0.0,
            slot=self._slot(decision, theirs),
            rival=self._rival(decision) / series,
            version=alike if newer else 0.0,
            rejected=self._rejected(decision),
            overturns=self._overturns if nearest else 0.0,
            extends=1.0 if _EXTENDS.search(self.proposal.title) else 0.0,
        )
        return replace(signs, margin=self._margin(older, signs)) if nearest else signs

    def _margin(self, older: Sequence[Related], signs: Evidence) -> float:
        """How far the first stands out from the second, as a share of its score.

        Among a handful of decisions one of them always stands out: then it counts less, unless
        there is a firm sign as well.
        """
        second = older[1].score if len(older) > 1 else 0.0
        margin = (older[0].score - second) / older[0].score if older[0].score else 0.0
        firm = (signs.given_up, signs.reversed, signs.slot, signs.rival, signs.version)
        if max(*firm, signs.rejected) >= _FIRM:
            return margin
        return margin * min(self._older, _ROW) / _ROW

    def _share(self, theirs: Choice, decision: Decision, given: frozenset[str]) -> float:
        wanted = [stems for stems in (theirs.chosen, decision.subject) if stems]
        return max((self.decisions.share(each, given) for each in wanted), default=0.0)

    def _slot(self, decision: Decision, theirs: Choice) -> float:
        if not self.choice.purpose or not theirs.purpose:
            return 0.0
        same = self.decisions.likeness(self.choice.purpose, theirs.purpose)
        other = 1 - self.decisions.likeness(self.choice.chosen, theirs.chosen)
        if not same * other:
            return 0.0
        rivals = sum(
            1
            for each in self.decisions.all
            if each is not decision
            and self.decisions.likeness(self.choice.purpose, each.choice.purpose) > 0.5
        )
        return same * other / (1 + rivals)

    def _rival(self, decision: Decision) -> float:
        ours = self.technologies
        theirs = _chosen_technologies(decision.title, decision.decided[:4])
        kinds = {kind for name, kind in ours.items() if name not in theirs}
        return float(bool(kinds & set(theirs.values())) and not set(ours) & set(theirs))

    def _rejected(self, decision: Decision) -> float:
        return 1.0 if self.rejected_option(decision) else 0.0

    def rejected_option(self, decision: Decision) -> str | None:
        """What the decision had turned down and the proposal chooses, in the decision's words."""
        ours, taken = self.technologies, _chosen_technologies(decision.title, decision.decided[:4])
        if set(ours) & set(taken):
            return None
        for kind in ours.values():
            if frozenset(terms(kind)) <= decision.choice.given_up:
                return decision.title
        for option in decision.rejected:
            stems = frozenset(terms(option)) - DOING
            if set(technologies_in(option)) & set(ours) or any(
                stems == frozenset(terms(kind)) for kind in ours.values()
            ):
                return option
            if len(stems) > 1 and self.decisions.likeness(stems, self.choice.chosen) > _CLEARLY:
                return option
        return None


def _chosen_technologies(title: str, sentences: Sequence[str]) -> dict[str, str]:
    """What the title names, else what the first sentences say is used."""
    choice = read_choice(title)
    found = {
        name: kind
        for name, kind in technologies_in(title).items()
        if not frozenset(terms(name)) & choice.given_up
    }
    if found or technologies_in(title):
        return found
    for sentence in sentences:
        chosen = _CHOOSES.search(sentence)
        if chosen and (named := technologies_in(_until_turn(sentence[chosen.end() :]))):
            return named
    return {}


def _until_turn(text: str) -> str:
    turn = GIVEN_UP.search(text)
    return text[: turn.start()] if turn else text
