"""Proposals that carry a decision out: they do something the way that the record tells.

Nobody says "use" then. What was decided is named as the means or the place of some other work:
"wrap the warning in a `__DEV__` block", "hand the files on as a Trusted Artifact".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.record.stances import Stance
from toolcrib.packs.architecture.alignment.rivals import LEAST, Met
from toolcrib.packs.architecture.alignment.things.technologies import words_of
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.deeds import Spoken, is_means
from toolcrib.packs.architecture.alignment.wording.naming import said_names
from toolcrib.packs.architecture.alignment.wording.words import (
    NOTHING,
    Phrase,
    phrase,
    share,
)

# How telling all that a clause and a practice have in common must be, as a share of what a word
# of a single record tells; a practice denied must be said nearly as a whole.
_PRACTISED = 0.75
_DENIED = 0.6
_FEWEST, _MOST = 2, 3


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
        self._least = _PRACTISED * decisions.rarest
        self._said = said
        self._things = things

    def met(self, clause: Clause, decision: Decision) -> Iterator[Met]:
        """The practices and the subject of a record that a clause carries out, or gives up."""
        yield from self._practised(clause, decision)
        if clause.wanted:
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
            if not hits or sum(map(self._rarity, shared)) < self._least:
                continue
            if clause.wanted or share(clause.words.core, practice.words, self._weigh) >= _DENIED:
                text = " ".join(sorted(hits))
                yield LEAST + 0.05, _stance(phrase(text), practice.sentence, practice.words, text)

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
    return Stance("used", True, focus, NOTHING, sentence, words, text=text)
