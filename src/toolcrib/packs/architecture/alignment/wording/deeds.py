"""Actions: whether the verb of a clause is understood.

Those who give a thing up have ever new words for it ("jettison X", "X has had its day"). A clause
therefore says yes to a thing only by words that are known for it, that the record itself uses, or
by its build: what stands behind "in", "through" or "by" is a means or a place, and what does
something to something else is at work. By any other word it says what nobody can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from toolcrib.packs.architecture.alignment.wording.clauses import FRAME
from toolcrib.packs.architecture.alignment.wording.lexicon import KNOWN, PARTING, PRAISED, TAKING
from toolcrib.packs.architecture.alignment.wording.negation import blanked, negations
from toolcrib.packs.architecture.alignment.wording.words import Stems
from toolcrib.search.tokens import STOP_WORDS, tokens


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What is said of a thing begins with one of these.
_OF_IT = _words("is are was were be been has have had does did gets got")
_IS = _words("is are was were be been")
_NAMING = _words("a an the our my your their its")
# Behind these a thing is a means or a place, whatever the verb is.
_MEANS = _words("in into inside within onto through via behind by as atop using")
# Behind these it may as well be what somebody parts from: the verb has to be known.
_EITHER_WAY = _words("from of off for to toward towards on with about against over")
_NEAR = 3
# Verbs of which most sayings are made: "X meets its maker", "X leaves the building".
_OF_SAYINGS = _words(
    """is was has does goes gets bites leaves meets needs kicks falls dies ends comes sees takes
    faces deserves belongs costs means feels looks seems stinks sucks this us as less unless plus"""
)
_LIGHT = _words("put send get give lay leave call show take have bring set throw")
_FAR = 2
_SHORTEST_VERB = 4
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words of a clause behind what only leads to it, without those that negate."""

    words: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    negated: bool


def spoken(text: str) -> Spoken:
    """Read a clause word by word; of a compound name each part counts, and the whole."""
    found = _WORD.findall(FRAME.sub("", blanked(text)))
    plain = [each for each in found if not each.endswith("ly")]
    stems = tuple(frozenset(tokens(each)) for each in plain)
    return Spoken(tuple(each.lower() for each in plain), stems, bool(negations(text)))


def understood(said: Spoken, thing: Stems, own: Stems) -> bool:
    """Whether it is known what a clause says of a thing.

    `thing` are the stems that name it, and `own` those that the record itself uses.
    """
    place = next((at for at, each in enumerate(said.stems) if not each.isdisjoint(thing)), None)
    if place is None:
        return True
    if not place:
        return said.negated or _is_known_of_it(said, thing, own)
    before = said.stems[:place]
    if _parts(before, own) or said.words[0] == "than":
        return False
    link = _link(said.words[max(0, place - _NEAR) : place])
    if said.words[place - 1] in _LIGHT:
        return _goes_somewhere(said, place, thing, own)
    if link in _MEANS:
        return True
    if _is_known(before[0], own):
        return True
    if link is not None:
        return any(not each <= STOP_WORDS and not each.isdisjoint(KNOWN) for each in before[1:])
    # Further away it is no object: "editors maintain the landing page in X".
    return sum(not each <= STOP_WORDS for each in before[1:]) >= _FAR


def _goes_somewhere(said: Spoken, place: int, thing: Stems, own: Stems) -> bool:
    """Whether a verb that says little by itself has a thing alone, or a place for it.

    "Put X in front of the API", but not "put X to bed": there the saying counts as a whole.
    """
    behind = place
    while behind < len(said.stems) and not said.stems[behind].isdisjoint(thing):
        behind += 1
    told = [each for each in said.stems[behind:] if not each <= STOP_WORDS]
    return not told or any(_is_known(each, own) for each in told)


def _link(words: tuple[str, ...]) -> str | None:
    """The last preposition before a thing."""
    return next((each for each in reversed(words) if each in _MEANS | _EITHER_WAY), None)


def _is_known_of_it(said: Spoken, thing: Stems, own: Stems) -> bool:
    """The same for what follows a thing: "X has had its day"."""
    known = KNOWN | (own - STOP_WORDS) | thing
    rest = range(len(said.stems))
    after = next((at for at in rest if said.stems[at].isdisjoint(thing)), None)
    if after is not None and said.words[after] in _OF_SAYINGS - _OF_IT:
        told = [each for each in said.stems[after + 1 :] if not each <= STOP_WORDS]
        if said.stems[after].isdisjoint(KNOWN):
            return any(not each.isdisjoint(PRAISED | TAKING) for each in told)
        return not told or any(_is_known(each, own) for each in told)
    behind = next((at for at in rest if said.stems[at].isdisjoint(known)), None)
    if behind is None:
        return True
    if said.stems[behind] <= STOP_WORDS and said.words[behind] not in _OF_IT:
        return True  # what it is for, where, or with what
    if _is_at_work(said, behind):
        return not _parts(said.stems[behind:], own)
    if said.words[behind + 1 : behind + 2] and said.words[behind] in _IS:
        return _is_wanted(said, behind + 1, own)
    telling = [each for each in said.stems[behind:] if not each <= STOP_WORDS]
    return not telling or any(_is_known(each, own) for each in telling)


def _is_at_work(said: Spoken, at: int) -> bool:
    """Whether a word is a verb that does something to something else: "draws the chart"."""
    word = said.words[at]
    return (
        at + 1 < len(said.words)
        and len(word) >= _SHORTEST_VERB
        and word.endswith("s")
        and not word.endswith("ss")
        and word not in _OF_SAYINGS
    )


def _is_wanted(said: Spoken, at: int, own: Stems) -> bool:
    """Whether a thing is called what one wants, or is what one does with it: "is deployed"."""
    told = [each for each in said.stems[at:] if not each <= STOP_WORDS]
    if not told:
        return True
    if any(not each.isdisjoint(PRAISED | TAKING) for each in told):
        return True
    named = said.words[at] in _NAMING or said.words[at + 1 : at + 2] == ("s",)
    return not named and any(_is_known(each, own) for each in told)


def _parts(words: Iterable[Stems], own: Stems) -> bool:
    """Whether somebody turns against a thing; what the record says itself is no sign of it."""
    return any(not (each & PARTING).isdisjoint(each - own) for each in words)


def _is_known(stems: Stems, own: Stems) -> bool:
    if stems <= STOP_WORDS or not all(map(str.isalpha, stems)):
        return True
    return not stems.isdisjoint(KNOWN) or not stems.isdisjoint(own)
