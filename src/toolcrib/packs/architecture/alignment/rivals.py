"""Rivals: another thing than the chosen one, for the same purpose.

A project has one of most kinds of things: one database, one linter. Who puts another one of the
kind to work for the same purpose decides anew. A known thing is told by the table of technologies,
an unknown one by its name and by the very purpose for which the record made its choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.record.stances import Stance
from toolcrib.packs.architecture.alignment.things.layers import layers_of, other_layer
from toolcrib.packs.architecture.alignment.things.roles import kinds_named
from toolcrib.packs.architecture.alignment.things.subjects import work_of
from toolcrib.packs.architecture.alignment.things.technologies import (
    akin,
    family,
    kind_of,
    known_things,
    of_other_languages,
    often_several,
    spellings,
    words_of,
)
from toolcrib.packs.architecture.alignment.things.uses import also
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.naming import merely_said, said_names
from toolcrib.packs.architecture.alignment.wording.verbs.employing import employs, merely_named
from toolcrib.packs.architecture.alignment.wording.words import Phrase, Stems, phrase, share

LEAST = 0.6
"""From here on a signal counts."""

_MOSTLY = 0.6
_SAME_PURPOSE = 0.34
_AROUND = 0.2
_KNOWN_AROUND = 0.2
_TELLING = 0.3
_AT_LENGTH = 3

# Stances that choose a thing, and not only name it on the way.
_FIRMLY = ("title", "chosen")
_FIRST = 2
Met = tuple[float, Stance]


@lru_cache(1_000)
def _kinds_of(sentence: str) -> frozenset[str]:
    """The kinds of things that a sentence or a title speaks of by their terms."""
    return frozenset(map(family, kinds_named(sentence)))


class Rival(NamedTuple):
    """How surely a clause has a rival of a choice, and the words of it that it puts to work."""

    strength: float
    stance: Stance
    taken: frozenset[str] = frozenset()


class Rivals:
    """Finds the choices of a record that a clause has a rival of."""

    def __init__(self, decisions: Decisions, things: Mapping[Clause, dict[str, str]]) -> None:
        self._weigh = decisions.weigh
        self._rarity = decisions.rarity
        self._most = decisions.rarity("")
        self._things = things

    def known(self, clause: Clause, decision: Decision, all_words: Stems) -> Iterator[Rival]:
        """Another thing of a kind of which the record chose one, for the same purpose."""
        things = self._things[clause]
        if not clause.wanted or not things:
            return
        if _names_chosen(clause, decision):
            return  # "add a cron entry to X": beside what was chosen it is no rival
        yes, _ = decision.position.things
        words = clause.focus if clause.chooses else clause.words
        named = " ".join(word for name in things for word in words_of(name))
        # "Add X and collect the errors there": what it is for may stand in another clause.
        rest = clause.words.core - phrase(named).all or all_words - phrase(named).all
        for name, kind in things.items():
            said = spellings(name, clause.text)
            if words.raw.isdisjoint(said) or any(akin(name, each) for each in yes):
                continue
            met = self._as_any(name, kind, (rest, rest | all_words), clause, decision)
            if met is not None:
                plain = employs(clause.text, said) or self._is_told_of(clause, said, rest, decision)
                yield Rival(*met, said if plain else frozenset())

    def _as_any(
        self, name: str, kind: str, told: tuple[Stems, Stems], clause: Clause, decision: Decision
    ) -> Met | None:
        """What a thing meets as one of its kind, or of another that it may be used as.

        `told` are the words beside the thing in its clause, and those of the whole proposal, too:
        a further use counts where the clause tells what it is for.
        """
        near, all_ = told
        further = (each for each in sorted(also(name)) if not near.isdisjoint(work_of(each)))
        kinds = (family(kind), *further)
        ways = chain(
            (self._met(name, each, near, clause, decision) for each in kinds),
            (self._told(name, each, all_, clause, decision) for each in kinds),
        )
        return next((met for met in ways if met is not None), None)

    def _is_told_of(
        self, clause: Clause, said: frozenset[str], rest: Stems, decision: Decision
    ) -> bool:
        """Whether a clause says so much beside a thing that it is no saying about it."""
        if len(rest) < _AT_LENGTH or rest.isdisjoint(decision.counts.keys()):
            return False
        return not merely_named(clause.text, said)

    def _met(
        self, name: str, kind: str, rest: Stems, clause: Clause, decision: Decision
    ) -> Met | None:
        """The choice of a thing of one kind, and how surely another one is for the same purpose."""
        yes, no = decision.position.things
        said = spellings(name, clause.text)
        chosen = clause.chooses and clause.takes(said)
        if often_several(kind) and not chosen and not employs(clause.text, said):
            return None  # "Python dependencies" takes no language
        stance = self._rival(name, kind, name in no, decision)
        if stance is None:
            return None
        one = self._is_the_one(name, kind, stance, decision)
        works = self._is_put_to_work(clause, name)
        if not works and not self._does_its_work(clause, name, kind, rest, decision, one):
            return None  # "write down who looks after X"
        if stance.wanted and kind not in map(family, yes.values()):
            near = decision.position.title_words
            if clause.chooses and share(clause.purpose.core, near, self._weigh) < _MOSTLY:
                return None  # of a kind that was only turned down: for the same purpose alone
        if often_several(kind):
            title = decision.position.title_words.core
            if other_layer(rest, title):
                return None
            same = not layers_of(rest).isdisjoint(layers_of(title))
            if same and self._fits(clause, decision) and employs(clause.text, said):
                return LEAST, stance  # "the endpoint in X", where the server is in another language
        strength = self._same_subject(rest, kind, stance, decision)
        if (one or self._is_about(kind, decision)) and self._fits(clause, decision):
            strength = max(strength, LEAST)  # "Hold the review over X"
        return (strength, stance) if strength else None

    def _told(
        self, name: str, kind: str, rest: Stems, clause: Clause, decision: Decision
    ) -> Met | None:
        """The same for what a record puts to work, or says the purpose of, without "use".

        The other thing must be put to work for what the record speaks of there.
        """
        position = decision.position
        if name in position.things[1] or any(name in each.things for each in position.told):
            return None
        stance = self._of_kind(name, kind, decision)
        if stance is None or not employs(clause.text, spellings(name, clause.text)):
            return None
        near = position.title_words | stance.words
        if other_layer(rest, near.core) or not self._fits(clause, decision):
            return None
        met = rest & near.all
        about = kind in position.title_kinds
        if often_several(kind):
            met &= position.title_words.core
            if kind in _kinds_of(position.title):  # and not only names a thing of it
                met |= rest & work_of(kind)
        elif (
            about
            or stance not in position.told
            or stance.sentence in position.decided[:_FIRST]
            or kind in _kinds_of(stance.sentence)
        ):
            met |= rest & work_of(kind)
        elif sum(map(self._rarity, met)) < _TELLING * self._most:
            return None  # by the way a record names many things
        return (LEAST, stance) if met else None

    @staticmethod
    def _of_kind(name: str, kind: str, decision: Decision) -> Stance | None:
        """What a record put to work, or chose by its purpose, of a kind."""
        kinds = (kind, *sorted(also(name)))
        for stance in decision.position.told:
            for each in stance.things:
                if kind_of(each) == kind and not of_other_languages(name, each):
                    return stance
        roles = decision.position.roles
        return next((roles[each] for each in kinds if each in roles), None)

    def _fits(self, clause: Clause, decision: Decision) -> bool:
        """Whether a choice names no purpose, or one that the record speaks of."""
        if not clause.chooses or not clause.purpose:
            return True
        if any(said_names(words_of(name), clause.purpose.raw) for name in self._things[clause]):
            return True  # "keep them as X documents" tells by what, and not what for
        return share(clause.purpose.core, decision.vocabulary, self._weigh) >= _SAME_PURPOSE

    @staticmethod
    def _is_about(kind: str, decision: Decision) -> bool:
        """Whether a record's title names a kind of which a project has one thing, or a thing."""
        if often_several(kind):
            return False
        title = decision.position.title_words
        things = known_things(decision.position.title)
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
        own = [each for each, kind_ in _taken(stance).items() if family(kind_) == kind]
        if not own or often_several(kind) or all(of_other_languages(name, each) for each in own):
            return False
        firm = stance.kind in _FIRMLY or not known_things(position.title).keys().isdisjoint(own)
        return firm or stance.sentence in position.decided[:_FIRST]

    @staticmethod
    def _is_put_to_work(clause: Clause, name: str) -> bool:
        """Whether a thing is a means in a clause, what it begins with, or what is set up."""
        words = spellings(name, clause.text)
        first = [each.strip(".,;:()").casefold() for each in clause.text.split(maxsplit=2)[:2]]
        leads = first[0] in words or (first[0] in ("let", "have") and first[-1] in words)
        return leads or clause.takes(words) or employs(clause.text, words)

    def _does_its_work(
        self, clause: Clause, name: str, kind: str, rest: Stems, decision: Decision, sure: bool
    ) -> bool:
        """Whether a clause tells of a thing and of what its kind is for, in whatever words.

        The record must be about the kind, of which a project has one.
        """
        if often_several(kind) or kind not in decision.position.title_kinds:
            return False
        if not self._is_told_of(clause, spellings(name, clause.text), rest, decision):
            return False
        return sure or not rest.isdisjoint(work_of(kind) | decision.position.title_words.core)

    def _rival(self, name: str, kind: str, refused: bool, decision: Decision) -> Stance | None:
        """The choice that a thing is a rival of, or the rejected option that it is one of."""
        chosen: dict[str, Stance] = {}
        asked: set[str] = set()
        for stance in decision.position.choices:
            theirs = _taken(stance)
            same = kind in map(family, theirs.values())
            if stance.wanted:
                if same and not refused:
                    return stance
                if stance.kind in _FIRMLY and (stance.names or theirs):
                    chosen.setdefault(stance.kind, stance)
            elif stance.kind == "title" and not theirs and kind in _kinds_of(stance.text):
                return stance  # "No CDN"
            elif stance.kind == "rejected" and (
                name in theirs or stance.focus.core == phrase(kind).core
            ):
                return stance
            elif same:
                asked.add(stance.kind)
        if "rejected" in asked:
            return chosen.get("chosen")  # one of a kind of which all were turned down
        return chosen.get("title") if "title" in asked else None  # "from Algolia to Postgres"

    def unknown(self, clause: Clause, decision: Decision, names: frozenset[str]) -> Iterator[Rival]:
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
        yield Rival(LEAST + 0.1, stance)

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
        if often_several(kind):
            first = stance.kind == "used" and stance.sentence in decision.position.decided[:1]
            if kind not in _kinds_of(decision.position.title) and not first:
                work = frozenset()  # a title that only names a thing is not about its kind
            if known.isdisjoint(near.core | work):  # "JavaScript" speaks of no script
                return 0.0
        fit = len(known) / (len(rest) or 1)
        said = near | phrase(stance.sentence)
        if rest and len(rest & (said.all | work)) >= _MOSTLY * len(rest):
            return LEAST + 0.2 * fit  # what it is for stands beside what was chosen
        if sum(map(self._rarity, known)) < _AROUND * self._most or fit < _KNOWN_AROUND:
            return 0.0
        return LEAST + 0.2 * fit


def _taken(stance: Stance) -> Mapping[str, str]:
    """The known things of a choice, but for those that it only is for."""
    things = known_things(stance.text)
    if not stance.purpose:
        return things
    aside = stance.purpose.raw - stance.focus.raw
    return {name: kind for name, kind in things.items() if words_of(name).isdisjoint(aside)}


def _is_done(purpose: Stems, clause: Clause) -> bool:
    """Whether the purpose is what a clause does by a name: "log through X"."""
    return any(purpose <= done for done in clause.done_by_names().values())


def _names_chosen(clause: Clause, decision: Decision) -> bool:
    """Whether a clause names what a record chose by its title or as an option.

    The language that something is done in is what both speak of, and not what is chosen.
    """
    for stance in decision.position.choices:
        if stance.wanted and stance.kind in _FIRMLY:
            said = said_names(stance.names, clause.words.raw)
            if not merely_said(said, clause.text) and any(
                not _is_one_of_several(name) for name in said
            ):
                return True
    return False


def _is_one_of_several(name: str) -> bool:
    kinds = known_things(name).values()
    return bool(kinds) and all(map(often_several, kinds))
