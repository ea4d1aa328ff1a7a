"""What a clause does to a thing, by the verb, noun or saying that governs it.

`deeds.py` asks whether a clause says yes in words that are known. Before that, this module asks
whether it parts from the thing, as the tables of `valence.py` and `sayings.py` know it: the thing
is the object of a verb that ends or leaves it, stands behind the preposition of such a verb, is
told to go away by a particle, or a predicate says that it is over. A word of parting that governs
something else leaves it open what becomes of the thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.verbs.forms import every_form
from toolcrib.packs.architecture.alignment.wording.verbs.lexicon import TAKING
from toolcrib.packs.architecture.alignment.wording.verbs.sayings import (
    LEMMA,
    parts,
    said_words,
    takes,
)
from toolcrib.packs.architecture.alignment.wording.verbs.valence import (
    BAD,
    BAD_NOUNS,
    ENDING,
    ENDING_NOUNS,
    ENDS,
    LAST_PLACES,
    PARTICLES,
    PARTING_WITH,
    SPENDS,
    STAYS,
    TOO_MUCH,
    TORMENTS,
    USE_OF,
    WEAKER,
)
from toolcrib.packs.architecture.alignment.wording.words import NOTHING, Phrase
from toolcrib.search.stem import stem

_FAR = 4
# So many words around a thing may tell what becomes of it.
_REACH = 12

Attitude = Literal["parts", "takes", "open", "plain"]
"""It parts from the thing, takes it by a saying, leaves it open, or no such word is there."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# These stand between the words of a saying and change nothing.
_PASSED = _words(
    """a an the our my your their his her its this that these those all any every each some now just
    finally simply really already soon please also then once eventually today tomorrow still even
    very quite rather pretty truly s own good old whole entire legacy"""
) - _words("good rather all any every")
_COPULA = frozenset(every_form("be become get feel look seem remain prove grow sound")) | _words(
    "is are am were been being proven"
)
_AUXILIARY = _words(
    "will would should shall must can could may might has have had do does did to ought going about"
)
_TO = _words("need needs has have had ought")
_WHEN = _words(
    """quarter year month week day sprint release spring summer autumn winter january february
    march april may june july august september october november december monday tuesday
    wednesday thursday friday tomorrow tonight here again anyway altogether completely often fast
    too then"""
)
_OPENERS = _words("time think say believe")
_GROWS = frozenset(
    every_form(
        "renew extend continue grow spread expand prolong live stay remain widen deepen broaden"
    )
)
_MORE = _words("too so very much far way just nothing more most quite such bit little simply only")
_LINKS = _words("of for on to with in from about around off at against into behind")
_MEANS = _words("with using via through by in into as inside within onto")
_TIME = _words(
    "by at until till before after in on this next from with within over during for when"
)
_LIGHT = frozenset(
    every_form(
        """
        give hand show send take put lay throw kick bring deal serve wish condemn drop toss
        chuck push turn leave move walk escort drive banish consign relegate retire"""
    )
)
_WANTS = frozenset(
    every_form(
        """
        want wish like need see have get make let declare consider call hope prefer"""
    )
) | _words("time happier glad better nobody everybody think say believe if")
_NEEDS = frozenset(every_form("need deserve require get face meet await see merit find"))
_BRINGS = frozenset(every_form("cause bring give make create add cost mean"))
_ANOTHER = _words(
    "replacement replacements alternative alternatives substitute substitutes successor"
)
_ALONE = _words("off out over past done toast history dead gone finished retired")
_PUTS = frozenset(
    every_form(
        """
        put place plug build wire embed bake fit slot install mount integrate bring"""
    )
)
_INTO = _words("into inside onto atop")
_DUTIES = _words("job task business duty responsibility province turn")
_BECOMES = frozenset(every_form("become"))
_MAKES = frozenset(every_form("make drive leave get"))
_KEEPS = frozenset(every_form("keep continue"))
_BESIDE = _words("who what how when whether which that where why")
_PEOPLE = _words("us me everybody everyone people team teams you them")
_UNTIL = _words("by at until till before after in near since")
_LEADS = _words(
    """to and or we i us you they will would should shall must can could may might lets let please
    not never team teams everybody everyone just rather then had consider start begin plan
    propose suggest recommend want"""
)


def attitude(words: Sequence[str], start: int, end: int) -> Attitude:
    """What a clause of these words does to the thing from `start` to `end`."""
    before = [each for each in words[:start] if each not in _PASSED]
    after = [each for each in words[end:] if each not in _PASSED][:_REACH]
    if len(before) > _REACH:
        before = ["", *before[-_REACH:]]
    if before and before[-1] in _OPENERS:
        before = []
    plain = [LEMMA.get(each, each) for each in before]
    behind = _said_of(after)
    if parts(plain, behind):
        return "parts"
    if takes(plain, behind):
        return "takes"
    if before and before[-1] in _BECOMES:
        return "takes"  # "trimming the log becomes an X job": whatever was done there before
    found = [_by_verb(before, after), _by_noun(before), _by_predicate(before, after)]
    if found.count("parts") > 1 and found[0] == "parts" == found[1]:
        return "open"  # "stop the removal of X"
    for each in ("parts", "open", "takes"):
        if each in found:
            return each
    return "plain"


def removal(before: Sequence[str]) -> Attitude:
    """What becomes of a thing where something is removed: that, its use, or what it holds."""
    words = [each for each in before if each not in _PASSED]
    if not _linked(words):
        return "plain"
    return "takes" if _is_use(words) else "open"


def _said_of(after: Sequence[str]) -> list[str]:
    """The words behind a thing without those that only say when or how surely: "X has to go"."""
    words = [LEMMA.get(each, each) for each in after]
    at = 0
    while at < len(words) and _is_auxiliary(after, at):
        at += 1
    if words[at : at + 1] == ["be"] and after[at + 1 : at + 2] and after[at + 1].endswith("ing"):
        at += 1
    rest = words[at:]
    if rest[:1] == ["turn"] and rest[1:4] == ["out", "to", "be"]:
        return rest[3:]
    if rest and after[at] in _COPULA and rest[0] != "get":
        return ["be", *rest[2 if rest[1:2] == ["like"] else 1 :]]
    return rest


def _is_auxiliary(after: Sequence[str], at: int) -> bool:
    """Whether a word only leads to the verb: "has to go", but not "needs a successor"."""
    return after[at] in _AUXILIARY or (after[at] in _TO and after[at + 1 : at + 2] == ["to"])


def _by_verb(before: Sequence[str], after: Sequence[str]) -> Attitude:
    """What the verb before a thing does to it."""
    for at, word in enumerate(before):
        if at and before[at - 1] not in _LEADS and not word.endswith(("ing", "ed")):
            continue
        found = _governed(word, before[at + 1 :], after)
        if found != "plain":
            return found
    return "plain"


def _governed(word: str, between: Sequence[str], after: Sequence[str]) -> Attitude:
    """The same for one word, what stands between it and the thing, and what follows."""
    particle = between[0] if between else ""
    if _goes(word, particle) and _is_use(between[1:]):
        return "parts"
    if not _linked(between) and _goes(word, _particle(after)):
        return "parts"
    if word in _LIGHT and not between and _ends_in(after[:5]):
        return "parts"
    if after[:1] == ["for"] and _ends_in(after[1:3]):
        return "parts"  # "mark X for deletion"
    if word in _PUTS and not between and after[:1] and after[0] in _INTO:
        return "takes"
    if not _BESIDE.isdisjoint(between):
        return "open" if word in ENDING else "plain"
    if between and word in PARTING_WITH.get(_link(between), ()):
        return "parts"
    if between[-2:] == ["away", "from"]:
        return "parts"
    if word not in ENDING:
        keeps = word in _GROWS or stem(word) in TAKING
        used = _is_use(between) and between[:1] != [] and between[0] in USE_OF
        return "takes" if keeps and used else "plain"
    if word in STAYS.get(particle or (after[0] if after else ""), ()):
        return "plain"
    if not _linked(between):
        return "open" if ENDING[word] in WEAKER and _is_compound(after) else "parts"
    if between[-1] in _MEANS and len(between) > 1:
        return "plain"
    return "parts" if _is_use(between) else "open"


def _particle(after: Sequence[str]) -> str:
    """The particle behind a thing, also behind the rest of its name: "switch X servers off"."""
    for at, each in enumerate(after[:_FAR]):
        if each in PARTICLES:
            # "turn X back on" wants it again
            return "" if each == "back" and after[at + 1 : at + 2] == ["on"] else each
        if each in _LINKS or each in _COPULA or each in _AUXILIARY:
            break
    return ""


def _goes(word: str, particle: str) -> bool:
    """Whether a thing goes away by a verb and its particle."""
    return word in PARTICLES.get(particle, ()) and word not in STAYS.get(particle, ())


def _link(between: Sequence[str]) -> str:
    """The preposition before a thing or its use: "from", in "away from our use of"."""
    at = len(between) - 1
    if between[at] == "of" and at and between[at - 1] in USE_OF:
        at -= 2
    return between[at] if at >= 0 else ""


def _linked(between: Sequence[str]) -> bool:
    return not _LINKS.isdisjoint(between) or not _MEANS.isdisjoint(between)


def _is_use(between: Sequence[str]) -> bool:
    """Whether nothing is named between a verb and a thing but the use of it."""
    return all(each in USE_OF or each in _LINKS for each in between)


def _is_compound(after: Sequence[str]) -> bool:
    """Whether a thing only tells which of another is meant: "limit X timeouts"."""
    return bool(after) and after[0] not in _TIME | _LINKS | {"and", "or", "to"}


def _ends_in(words: Sequence[str]) -> bool:
    """Whether a place or a present is the end of a thing: "send X into retirement"."""
    return any(each in LAST_PLACES and each not in _ANOTHER for each in words)


def _by_noun(before: Sequence[str]) -> Attitude:
    """What a noun of ending before a thing says: "the end of X", "a replacement for X"."""
    if before[-1:] == ["of"] and not _DUTIES.isdisjoint(before[-2:-1]):
        return "takes"  # "that is the job of X"
    for at, word in enumerate(before[:-1]):
        if word not in ENDING_NOUNS or not _is_use(before[at + 1 :]):
            continue
        if before[at + 1] not in _LINKS or (at and before[at - 1] in _UNTIL):
            continue
        return "parts"
    if len(before) > 1 and before[-1] in _LINKS and before[-2] in BAD_NOUNS:
        return "open"
    return "plain"


def _by_predicate(before: Sequence[str], after: Sequence[str]) -> Attitude:
    """What is said of a thing, or of its use, behind it."""
    if not after or not _is_subject(before):
        return "plain"
    at, is_so = 0, False
    while at < len(after) and (_is_auxiliary(after, at) or after[at] in _COPULA):
        is_so = is_so or after[at] in _COPULA
        at += 1
    if after[at : at + 3] == ["out", "to", "be"]:
        at, is_so = at + 3, True
    excess = False
    while at < len(after) and after[at] in _MORE:
        excess = excess or (after[at] == "too")
        at += 1
    rest = after[at:]
    if not rest:
        return "plain"
    if excess and is_so:
        return "parts"
    if rest[0] in _GROWS and (before or is_so):
        return "takes"
    if is_so and not before and stem(rest[0]) in TAKING and rest[0].endswith("ed"):
        return "takes"  # "X must be used by everybody"
    found = _said(rest, is_so or bool(before and before[0] in _WANTS))
    if found == "plain" and before and not ENDING_NOUNS.isdisjoint(rest):
        return "parts"  # "our affair with X comes to an end"
    if found == "plain" and after[0] in _BECOMES:
        return "open"  # "X becomes a job": what it was before nobody has to want
    of_use = before and before[0] in USE_OF and (at or rest[0] in LEMMA)
    return "open" if found == "plain" and of_use else found


def _said(rest: Sequence[str], is_so: bool) -> Attitude:
    word = rest[0]
    alone = len(rest) == 1 or rest[1] in _TIME | _LINKS | _WHEN | _PEOPLE
    if is_so:
        if word in BAD and (alone or word not in _ALONE):
            return "parts"
        if not BAD_NOUNS.isdisjoint(rest[:3]):
            return "parts"
        if word in ENDING and word != ENDING[word] and not word.endswith("ing"):
            return "open" if ENDING[word] in WEAKER else "parts"
        if len(rest) > 1 and _goes(word, rest[1]):
            return "parts"
        if word in _LIGHT and _ends_in(rest[1:5]):
            return "parts"
    if word in _MAKES and rest[1:2] and rest[1] in _PEOPLE:
        return "parts" if rest[2:3] and rest[2] in BAD else "open"
    if word in _KEEPS and rest[1:2] and rest[1].endswith("ing") and rest[1] not in ENDS:
        return "takes"  # "X can keep handling the logins"
    if word in ENDS and alone:
        return "parts"
    if word in SPENDS and rest[1:2] and (rest[1] in TOO_MUCH or rest[1:3] == ["too", "much"]):
        return "parts"  # "X costs more for the same thing"
    if word in _NEEDS and not ENDING_NOUNS.isdisjoint(rest[1:4]):
        return "parts"
    if word in TORMENTS:
        return "parts" if not _PEOPLE.isdisjoint(rest[1:3]) else "open"
    if word in _BRINGS and any(each.removesuffix("s") in BAD_NOUNS for each in rest[1:6]):
        return "parts"
    return "plain"


def _is_subject(before: Sequence[str]) -> bool:
    """Whether what follows a thing is said of it: nothing stands before it but its use."""
    if not before or before[0] in _WANTS:
        return True
    return before[-1] in _LINKS and _is_use(before)


def _vocabulary() -> frozenset[str]:
    tables = (ENDING, ENDS, TORMENTS, BAD, BAD_NOUNS, ENDING_NOUNS, USE_OF, said_words())
    verbs = (each for table in (PARTICLES, PARTING_WITH) for each in table.values())
    words = {word for table in (*tables, *verbs) for word in table}
    return frozenset(stem(word) for word in words | set(LEMMA) | _PEOPLE | _WHEN)


PARTING_STEMS = _vocabulary()
"""The stems of all words of the tables: they say what becomes of a thing, and name none."""


def core_of(clause: Clause) -> Clause:
    """A clause without the words that say what becomes of its thing."""
    focus, purpose = (
        Phrase(each.core - PARTING_STEMS, each.all - PARTING_STEMS, each.raw)
        for each in (clause.focus, clause.purpose)
    )
    if not focus and purpose:  # "set a date for the end of X"
        focus, purpose = purpose, NOTHING
    return replace(clause, focus=focus or clause.focus, purpose=purpose, taken=None)
