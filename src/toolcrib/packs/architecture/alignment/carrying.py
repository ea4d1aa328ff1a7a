"""Proposals that carry a decision out: they do something the way that the record tells.

Nobody says "use" then. What was decided is named as the means or the place of some other work:
"wrap the warning in a `__DEV__` block", "hand the files on as a Trusted Artifact".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.record.compounds import compounds
from toolcrib.packs.architecture.alignment.record.stances import Stance
from toolcrib.packs.architecture.alignment.rivals import LEAST, Met
from toolcrib.packs.architecture.alignment.things.technologies import words_of
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.naming import merely_said, said_names
from toolcrib.packs.architecture.alignment.wording.verbs.deeds import (
    Spoken,
    attitude_to,
    becomes,
    is_means,
    is_put,
)
from toolcrib.packs.architecture.alignment.wording.words import (
    NOTHING,
    Phrase,
    Stems,
    phrase,
    share,
)

# How telling all that a clause and a practice have in common must be, as a share of what a word
# of a single record tells; a practice denied must be said nearly as a whole.
_PRACTISED = 0.75
_DENIED = 0.6
_FEWEST, _MOST = 2, 3
# The same for the two words of a compound together.
_COMPOUND, _CHOSEN = 1.0, 0.5


class Carrying:
    """Finds what a record tells everybody to do and a clause does."""

    def __init__(
        self,
        decisions: Decisions,
        said: Mapping[Clause, Spoken],
        things: Mapping[Clause, dict[str, str]],
    ) -> None:
        self._rarity = decisions.rarity
        self._weigh = decisions.weigh
        self._rarest = decisions.rarest
        self._least = _PRACTISED * decisions.rarest
        self._said = said
        self._things = things

    def met(self, clause: Clause, decision: Decision) -> Iterator[Met]:
        """The practices and the subject of a record that a clause carries out, or gives up."""
        yield from self._practised(clause, decision)
        if clause.wanted:
            yield from self._compounded(clause, decision)
            yield from self._introduced(clause, decision)

    def _practised(self, clause: Clause, decision: Decision) -> Iterator[Met]:
        """What the record tells everybody to do, done with the names that it uses."""
        said = clause.words.raw if clause.taken is None else clause.taken
        title = decision.position.title_words.all
        for practice in decision.position.practised(clause.words):
            hits = whole(said_names(practice.names, said), clause.text)
            for thing in practice.things & self._things[clause].keys():
                hits |= said & words_of(thing)
            shared = clause.words.core & (practice.words.all | title)
            if sum(map(self._rarity, shared)) < self._least or merely_said(hits, clause.text):
                continue
            if clause.wanted or share(clause.words.core, practice.words, self._weigh) >= _DENIED:
                text = " ".join(sorted(hits))
                yield LEAST + 0.05, _stance(phrase(text), practice.sentence, practice.words, text)

    def _compounded(self, clause: Clause, decision: Decision) -> Iterator[Met]:
        """A thing of two words that the decision speaks of, as the means: "with a rake task"."""
        known = decision.position.compounds
        for compound in compounds(clause.text):
            sentence = known.get(compound)
            if sentence is None:
                continue
            # What the title chooses is meant, however many records speak of it.
            chosen = frozenset(compound) == decision.position.title_words.core
            least = _CHOSEN if chosen else _COMPOUND
            if sum(map(self._rarity, compound)) < least * self._rarest:
                continue
            thing = frozenset(compound)
            if self._works_with(clause, thing):
                text = " ".join(compound)
                yield LEAST, _stance(Phrase(thing, thing), sentence, phrase(sentence), text)

    def _works_with(self, clause: Clause, thing: Stems) -> bool:
        """Whether a clause takes a thing, makes one of something, or works by means of it.

        What merely happens in a place does not.
        """
        said = self._said[clause]
        if is_means(said, thing, by_it=True) or becomes(said, thing) or is_put(said, thing):
            return True
        return attitude_to(said, thing, thing) == "takes"

    def _introduced(self, clause: Clause, decision: Decision) -> Iterator[Met]:
        """A thing that is the whole title of a record, as the means: "in a kernel filter".

        A title of one word is a subject, and so is one that nothing is done with.
        """
        position = decision.position
        words = position.title_words
        if position.states or not _FEWEST <= len(words.core) <= _MOST:
            return
        if words.core <= clause.words.core and is_means(self._said[clause], words.core):
            yield LEAST, _stance(words, position.title, words, position.title)


def whole(names: frozenset[str], text: str) -> frozenset[str]:
    """The names that are not only a part of another one: "aws" is not "fog-aws"."""
    parts: set[str] = set()
    alone: set[str] = set()
    for word in text.casefold().split():
        pieces = frozenset(each.strip(".,;:()'’`\"") for each in word.split("-"))
        if len(pieces) > 1 and not pieces <= names:
            parts |= pieces - {word}
        else:
            alone |= pieces
    return names - (parts - alone)


def _stance(focus: Phrase, sentence: str, words: Phrase, text: str) -> Stance:
    """What a record says is done, as something that it wants."""
    names = frozenset(text.split())
    return Stance("used", True, focus, NOTHING, sentence, words, names=names, text=text)
