"""Practices: what the sentences of a decision tell everybody to do, by the names that they use.

A decision is carried out long after it was made, and then its choice is hardly ever "used": a
warning is wrapped in a `__DEV__` block, an error is made by `fmt.Errorf`. Such names often stand
in the details of a decision only. A practice is a sentence that says how something is done, and
the names in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolcrib.packs.architecture.alignment.record.using import is_order
from toolcrib.packs.architecture.alignment.things.languages import is_setting
from toolcrib.packs.architecture.alignment.things.technologies import technologies_in, words_of
from toolcrib.packs.architecture.alignment.wording.clauses import FRAME, read_clauses
from toolcrib.packs.architecture.alignment.wording.names import Names
from toolcrib.packs.architecture.alignment.wording.stating import (
    concedes,
    gives_an_example,
    tells_the_present,
)
from toolcrib.packs.architecture.alignment.wording.words import Phrase

_MOST = 60
# "Must", "we do it", "is stored in": how it is done. "Could" and "if" only think about it.
_RULES = re.compile(
    r"\b(?:must|should|shall|will|always|only|have to|has to|needs? to|we|going to|decided|chosen"
    r"|recommend\w*|propos\w+|chose|prefer\w*|(?:is|are|be|gets?) (?:\w+ly )?\w+(?:ed|en|pt|nt)"
    r"|lives?|belongs?|goes?|uses?|takes?|holds?|best|better (?:option|fit|choice)|settled)\b",
    re.I,
)
_THINKS = re.compile(
    r"\b(?:could|might|would|if|unfortunately|problems?|drawbacks?|downsides?|instead of"
    r"|rather than|question|perhaps|maybe|explor\w+|investigat\w+|discuss\w+|compar\w+"
    r"|evaluat\w+|over|versus"
    r"|previous\w*|trouble|although|even though|considered|trial\w*|tried|candidates?"
    r"|can be|may|alternative\w*|e\.g|for example|while both|whereas|in the end)\b",
    re.I,
)


# "We compared them": a story, unless it tells what was decided.
_TOLD = re.compile(
    r"\bwe (?:have |had )?(?!decided|agreed|adopted|settled|opted|selected|introduced|moved"
    r"|switched|migrated|need)\w+ed\b",
    re.I,
)
# What is not done in some cases is done in the others.
_SOMETIMES = re.compile(r"\W*(?:if|in case|when|where|unless|in (?:some|such|these) cases)\b", re.I)
# A word with a capital behind one without.
_INSIDE = re.compile(r"(?<=[a-z,;(] )[A-Z][\w+#]*(?:[.-]\w+)*")


@dataclass(frozen=True, slots=True)
class Practice:
    """A sentence that says how something is done, its words and the names in it."""

    sentence: str
    words: Phrase
    names: frozenset[str]
    things: frozenset[str] = frozenset()
    """The known things among them, by their usual names."""

    def without(self, names: frozenset[str]) -> Practice:
        """The same without some names."""
        things = frozenset(each for each in self.things if names.isdisjoint(words_of(each)))
        return Practice(self.sentence, self.words, self.names - names, things)


def read_practices(
    sentences: Iterable[str], names: Names, refused: Sequence[Phrase]
) -> list[Practice]:
    """The practices among the sentences of a decision; names of what was refused are none."""
    found: list[Practice] = []
    against: set[str] = set()
    for sentence in sentences:
        if tells_the_present(sentence) or concedes(sentence) or gives_an_example(sentence):
            continue
        for clause in read_clauses(sentence):
            own = _sure(clause.text, names)
            if not clause.wanted:
                against |= frozenset() if _SOMETIMES.match(sentence) else own
            elif own and _is_rule(clause.text, sentence):
                things = frozenset(technologies_in(clause.text))
                where = frozenset(each for each in own | things if is_setting(each, clause.text))
                found.append(Practice(sentence, clause.words, own - where, things - where))
    for phrase in refused:
        against |= phrase.raw
    kept = (each.without(frozenset(against)) for each in found[:_MOST])
    return [each for each in kept if each.names]


def _sure(text: str, names: Names) -> frozenset[str]:
    """The names in a clause; a capital at its beginning says little."""
    inside = {word.casefold() for word in _INSIDE.findall(text)}
    return frozenset(name for name in names.within(text) if name in inside or names.is_sure(name))


def _is_rule(text: str, sentence: str) -> bool:
    """Whether a clause says how something is done, and does not only think or tell about it."""
    if _THINKS.search(text) or _TOLD.search(text):
        return False
    return bool(_RULES.search(sentence)) or is_order(FRAME.sub("", text))
