"""Rivals: another thing than the chosen one, for the same purpose.

A project has one of most kinds of things: one database, one linter. Who puts another one of the
kind to work for the same purpose decides anew. A known thing is told by the table of technologies,
an unknown one by its name and by the very purpose for which the record made its choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.record.stances import Stance
from toolcrib.packs.architecture.alignment.things.subjects import work_of
from toolcrib.packs.architecture.alignment.things.technologies import (
    family,
    of_other_languages,
    often_several,
    spellings,
    technologies_in,
    words_of,
)
from toolcrib.packs.architecture.alignment.wording.clauses import FRAME, Clause
from toolcrib.packs.architecture.alignment.wording.naming import said_names
from toolcrib.packs.architecture.alignment.wording.words import Phrase, Stems, phrase, share

LEAST = 0.6
"""From here on a signal counts."""

_MOSTLY = 0.6
_SAME_PURPOSE = 0.34
_AROUND = 0.2
_KNOWN_AROUND = 0.2

# Stances that choose a thing, and not only name it on the way.
_FIRMLY = ("title", "chosen")
_FIRST = 2
_SETS_UP = re.compile(
    r"^\W*(?:set up|pull in|bring in|roll out|spin up|stand up|install|introduce|import|deploy"
    r"|adopt|integrate|plug in|wire in|wire up|enable|configure|provision|subscribe to)\s+"
    r"(?:(?:an?|the|our|some)\s+)?(?P<thing>[^\s,;]+)(?: v?\d[\d.]{0,8})?"
    r"(?=\W*$|[,;]|\s+(?:for|as|to|in|on|and|so"
    r"|into|with|where|when|instead|next|at|over|behind|from|everywhere)\b)",
    re.I,
)

Met = tuple[float, Stance]


class Rivals:
    """Finds the choices of a record that a clause has a rival of."""

    def __init__(self, decisions: Decisions, things: Mapping[Clause, dict[str, str]]) -> None:
        self._weigh = decisions.weigh
        self._rarity = decisions.rarity
        self._most = decisions.rarity("")
        self._things = things

    def known(self, clause: Clause, decision: Decision, all_words: Stems) -> Iterator[Met]:
        """Another thing of a kind of which the record chose one, for the same purpose."""
        things = self._things[clause]
        if not clause.wanted or not things:
            return
        if _names_chosen(clause, decision):
            return  # "add a cron entry to X": beside what was chosen it is no rival
        yes, no = decision.position.things
        words = clause.focus if clause.chooses else clause.words
        named = " ".join(word for name in things for word in words_of(name))
        # "Add X and collect the errors there": what it is for may stand in another clause.
        rest = clause.words.core - phrase(named).all or all_words - phrase(named).all
        for name, kind in things.items():
            kind = family(kind)
            if name in yes or words.raw.isdisjoint(spellings(name, clause.text)):
                continue
            if often_several(kind) and not clause.takes(spellings(name, clause.text)):
                continue  # "Python dependencies" takes no language
            stance = self._rival(name, kind, name in no, decision)
            if stance and stance.wanted and kind not in map(family, yes.values()):
                near = decision.position.title_words
                if clause.chooses and share(clause.purpose.core, near, self._weigh) < _MOSTLY:
                    continue  # of a kind that was only turned down: for the same purpose alone
            strength = self._same_subject(rest, kind, stance, decision) if stance else 0.0
            if stance and self._fits(clause, decision) and self._is_put_to_work(clause, name):
                if self._is_about(kind, decision):
                    strength = max(strength, LEAST)  # "Hold the review over X"
                elif self._is_the_one(name, kind, stance, decision):
                    strength = max(strength, LEAST)
            if stance is not None and strength:
                yield strength, stance

    def _fits(self, clause: Clause, decision: Decision) -> bool:
        """Whether a choice names no purpose, or one that the record speaks of."""
        if not clause.chooses or not clause.purpose:
            return True
        return share(clause.purpose.core, decision.vocabulary, self._weigh) >= _SAME_PURPOSE

    @staticmethod
    def _is_about(kind: str, decision: Decision) -> bool:
        """Whether a record's title names a kind of which a project has one thing, or a thing."""
        if often_several(kind):
            return False
        title = decision.position.title_words
        things = technologies_in(decision.position.title)
        rest = title.core - phrase(" ".join(things)).all
        initials = "".join(word[0] for word in kind.split())
        named = kind in map(family, things.values()) and rest <= phrase(kind).all | {initials}
        return named or phrase(kind).core <= title.all

    @staticmethod
    def _is_the_one(name: str, kind: str, stance: Stance, decision: Decision) -> bool:
        """Whether a record firmly chose a thing of a kind of which a project has one.

        Those of another language may stand beside it: a linter for each.
        """
        position = decision.position
        own = [
            each for each, kind_ in technologies_in(stance.text).items() if family(kind_) == kind
        ]
        if not own or often_several(kind) or all(of_other_languages(name, each) for each in own):
            return False
        firm = stance.kind in _FIRMLY or not technologies_in(position.title).keys().isdisjoint(own)
        return firm or stance.sentence in position.decided[:_FIRST]

    @staticmethod
    def _is_put_to_work(clause: Clause, name: str) -> bool:
        """Whether a thing is a means in a clause, what it begins with, or what is set up."""
        words = spellings(name, clause.text)
        first = [each.strip(".,;:()").casefold() for each in clause.text.split(maxsplit=2)[:2]]
        leads = first[0] in words or (first[0] in ("let", "have") and first[-1] in words)
        return leads or clause.takes(words) or sets_up(clause.text, words)

    def _rival(self, name: str, kind: str, refused: bool, decision: Decision) -> Stance | None:
        """The choice that a thing is a rival of, or the rejected option that it is one of."""
        chosen: Stance | None = None
        asked = False
        for stance in decision.position.choices:
            theirs = technologies_in(stance.text)
            same = kind in map(family, theirs.values())
            if stance.wanted:
                if same and not refused:
                    return stance
                if stance.kind == "chosen" and stance.names:
                    chosen = chosen or stance
            elif stance.kind == "rejected" and (
                name in theirs or stance.focus.core == phrase(kind).core
            ):
                return stance
            elif stance.kind == "rejected":
                asked = asked or same
        return chosen if asked else None  # one of a kind of which all were turned down

    def unknown(self, clause: Clause, decision: Decision, names: frozenset[str]) -> Iterator[Met]:
        """A name that the record does not have, taken for the very purpose of what it chose.

        Only a record that says what its choice is for, and chose a thing by its name, can be met.
        """
        if not names or not clause.wanted:
            return
        position = decision.position
        if not position.purposes or not names.isdisjoint(position.own_raw):
            return
        rest = clause.words.core - phrase(" ".join(names)).all
        if not any(self._serves(each.core, rest, clause) for each in position.purposes):
            return
        things = self._things[clause].items()
        kinds = {family(kind) for name, kind in things if not names.isdisjoint(words_of(name))}
        named = (each for each in position.choices if each.wanted and each.names)
        stance = next((each for each in named if each.kind != "used"), None)
        if stance is None or (kinds and kinds.isdisjoint(position.kinds)):
            return  # a known thing of another kind is no rival
        yield LEAST + 0.1, stance

    def _serves(self, purpose: Stems, rest: Stems, clause: Clause) -> bool:
        """Whether the words of a clause beside a name say the purpose, and not by the way."""
        met = purpose & rest
        if not met or share(purpose, Phrase(rest, rest), self._weigh) < _MOSTLY:
            return False
        plainly = len(met) > 1 or met <= clause.purpose.core or _is_done(purpose, clause)
        return plainly and sum(map(self._rarity, met)) >= _AROUND * self._most

    def _same_subject(self, rest: Stems, kind: str, stance: Stance, decision: Decision) -> float:
        """How surely two things of one kind serve one purpose, from the words around the name."""
        known = rest & decision.vocabulary.all
        near = decision.position.title_words | phrase(kind)
        work = work_of(kind)
        if often_several(kind) and known.isdisjoint(near.all | work):
            return 0.0
        fit = len(known) / (len(rest) or 1)
        said = near | phrase(stance.sentence)
        if rest and len(rest & (said.all | work)) >= _MOSTLY * len(rest):
            return LEAST + 0.2 * fit  # what it is for stands beside what was chosen
        if sum(map(self._rarity, known)) < _AROUND * self._most or fit < _KNOWN_AROUND:
            return 0.0
        return LEAST + 0.2 * fit


def _is_done(purpose: Stems, clause: Clause) -> bool:
    """Whether the purpose is what a clause does by a name: "log through X"."""
    return any(purpose <= done for done in clause.done_by_names().values())


def sets_up(text: str, words: set[str]) -> bool:
    """Whether a clause begins with setting a thing up: "set up X for the new site"."""
    found = _SETS_UP.match(FRAME.sub("", text))
    return found is not None and found["thing"].strip(".:()").casefold() in words


def _names_chosen(clause: Clause, decision: Decision) -> bool:
    """Whether a clause names what a record chose by its title or as an option."""
    return any(
        said_names(stance.names, clause.words.raw)
        for stance in decision.position.choices
        if stance.wanted and stance.kind in _FIRMLY
    )
