"""Clauses that say what a record says, but otherwise.

By one word that denies another, in the way that a sentence refused, in another manner, or in the
words of what a rule forbids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.record.stances import as_stance
from toolcrib.packs.architecture.alignment.signal import Signal
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.naming import said_names
from toolcrib.packs.architecture.alignment.wording.words import (
    other_manners,
    raw_words,
    share,
)

# A sentence denied must be met as a whole, what is forbidden in nearly all that its words tell.
_DENIED, _FORBIDDEN = 0.75, 0.75
_SAME_PURPOSE = 0.34
_FEWEST_SHARED = 2
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

    def signals(self, clause: Clause, decision: Decision, whole: bool) -> Iterator[Signal]:
        """What the record says, but otherwise; a whole record only by one word of it."""
        if clause.wanted and not whole:
            yield from self._refused_way(clause, decision)
            yield from self._forbidden(clause, decision)
            yield from self._other_manner(clause, decision)
        for stem, opposite in self._words[clause]:
            words = clause.words.with_word(stem, opposite)
            for stance in decision.position.choices:
                if opposite not in stance.words.core or stem in stance.words.all:
                    continue
                met = share(stance.focus.core, words, self._weigh)
                strength = 0.9 * met
                if met >= _DENIED and len(stance.focus.core) > 1:
                    agrees = clause.wanted != stance.wanted
                    yield Signal(strength, agrees, clause, stance, stance.kind)

    def _refused_way(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """The way that a sentence of the decision refused: "… rather than at release time"."""
        for stance in decision.position.refused_ways:
            own = stance.focus.core
            if own <= clause.words.core and sum(map(self._rarity, own)) >= _TELLING * self._most:
                rest = clause.words.core - own
                if rest and share(rest, decision.vocabulary, self._weigh) >= _SAME_PURPOSE:
                    yield Signal(_DENIED, False, clause, stance, "said")

    def _forbidden(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """What the record tells everybody not to do, in nearly all the words that tell it."""
        for stance in decision.position.prohibitions:
            met = stance.focus.core & clause.words.core
            if len(met) < _FEWEST_SHARED or sum(map(self._rarity, met)) < _TELLING * self._most:
                continue
            if share(stance.focus.core, clause.words, self._rarity) >= _FORBIDDEN:
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
