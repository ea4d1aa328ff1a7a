"""Clauses that say what a record says, but otherwise.

By one word that denies another, in the way that a sentence refused, in another manner, or in the
words of what a rule forbids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.record.stances import as_stance
from toolcrib.packs.architecture.alignment.signal import Signal
from toolcrib.packs.architecture.alignment.wording.amounts import amounts
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.naming import said_names
from toolcrib.packs.architecture.alignment.wording.verbs.deeds import (
    attitude_to,
    becomes,
    spoken,
)
from toolcrib.packs.architecture.alignment.wording.words import (
    Stems,
    last_term,
    other_manners,
    prefixed,
    raw_words,
    share,
)

# A sentence denied must be met as a whole, what is forbidden in nearly all that its words tell.
_DENIED, _FORBIDDEN = 0.75, 0.75
_SAME_PURPOSE = 0.34
_FEWEST_SHARED = 2
_FEWEST_SAID = 3
# The share of a clause that a sentence must have to be compared with it.
_SAID = 0.4
# How telling the words must be, as a share of the rarity of an unknown one.
_TELLING = 0.3


class Opposing:
    """Finds what a record says and a clause says otherwise."""

    def __init__(
        self, decisions: Decisions, words: Mapping[Clause, Sequence[tuple[str, str]]]
    ) -> None:
        self._weigh = decisions.weigh
        self._rarity = decisions.rarity
        self._most = decisions.rarity("")
        self._words = words
        """For each clause its stems that have an opposite, with that."""
        self._prefixed = {clause: prefixed(clause.words.raw) for clause in words}

    def signals(self, clause: Clause, decision: Decision, whole: bool) -> Iterator[Signal]:
        """What the record says, but otherwise; a whole record only by one word of it."""
        if clause.wanted and not whole:
            yield from self._refused_way(clause, decision)
            yield from self._forbidden(clause, decision)
            yield from self._other_manner(clause, decision)
            yield from self._other_amount(clause, decision)
        yield from self._other_words(clause, decision, whole)

    def _other_words(self, clause: Clause, decision: Decision, whole: bool) -> Iterator[Signal]:
        """The same, but for words that deny those of the record: `public` for `private`."""
        words, by_prefix = clause.words, self._prefixed[clause]
        if not self._words[clause] and by_prefix.keys().isdisjoint(decision.position.stated_raw):
            return  # as nearly always
        said = [] if whole else decision.position.saying(words, _SAID)
        for stance in (*decision.position.choices, *said):
            denied = [
                (stem, opposite)
                for stem, opposite in self._words[clause]
                if opposite in stance.words.core and stem not in stance.words.all
            ]
            for opposite in by_prefix.keys() & stance.words.raw:
                denied.append((last_term(by_prefix[opposite]), last_term(opposite)))
            if not denied:
                continue
            turned = reduce(lambda known, pair: known.with_word(*pair), denied, words)
            met = share(stance.focus.core, turned, self._weigh)
            least = _FEWEST_SAID if stance.kind == "said" else _FEWEST_SHARED
            if met >= _DENIED and len(stance.focus.core) >= least:
                agrees = clause.wanted != stance.wanted
                if agrees and len(stance.focus.core & words.core) < _FEWEST_SHARED:
                    continue  # "public" alone is not what "no internal feature" asks for
                yield Signal(0.9 * met, agrees, clause, stance, stance.kind)

    def _refused_way(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """The way that a sentence of the decision refused: "… rather than at release time"."""
        for stance in decision.position.refused_ways:
            own = stance.focus.core
            if own <= clause.words.core and sum(map(self._rarity, own)) >= _TELLING * self._most:
                rest = clause.words.core - own
                # "The team gets an X", where X is on the list of what nobody may have.
                had = stance.sentence in decision.position.forbidden and _is_had(clause, own)
                if had or (rest and share(rest, decision.vocabulary, self._weigh) >= _SAME_PURPOSE):
                    yield Signal(_DENIED, False, clause, stance, "said")

    def _forbidden(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """What the record tells everybody not to do, in nearly all the words that tell it."""
        for stance in decision.position.prohibitions:
            met = stance.focus.core & clause.words.core
            if len(met) < _FEWEST_SHARED or sum(map(self._rarity, met)) < _TELLING * self._most:
                continue
            if share(stance.focus.core, clause.words, self._rarity) >= _FORBIDDEN:
                yield Signal(_DENIED, False, clause, stance, "said")

    def _other_amount(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """One for all, where the record has one for each, or the other way round."""
        for amount in amounts(clause.text):
            for stance, other in decision.position.amounts:
                met = amount.thing & other.thing
                if amount.one == other.one or not met:
                    continue
                around = clause.words.core & stance.words.core
                plainly = len(met) > 1 or len(around) >= _FEWEST_SAID
                if plainly and sum(map(self._rarity, around)) >= _TELLING * self._most:
                    yield Signal(_DENIED, False, clause, stance, "said")

    def _other_manner(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """What was chosen, but mandatory where the record has it optional, and the like."""
        manner = other_manners(clause.words.raw)
        if not manner:
            return
        told = [each for each in decision.position.choices if each.wanted]
        told += [as_stance(each) for each in decision.position.practised(clause.words)]
        for stance in told:
            if manner & raw_words(stance.sentence) and said_names(stance.names, clause.words.raw):
                yield Signal(_DENIED, False, clause, stance, stance.kind)


def _is_had(clause: Clause, thing: Stems) -> bool:
    """Whether a clause takes a thing, or somebody gets one."""
    said = spoken(clause.text, clause.wanted)
    return becomes(said, thing) or attitude_to(said, thing, thing) == "takes"
