"""Actions: whether the verb of a clause is understood.

Those who give a thing up have ever new words for it ("jettison X", "X has had its day"). A clause
therefore says yes to a thing only by words that are known for it, that the record itself uses, or
by its build: what stands behind "in", "through" or "by" is a means or a place, and what does
something to something else is at work. By any other word it says what nobody can tell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from toolcrib.packs.architecture.alignment.wording.clauses import FRAME
from toolcrib.packs.architecture.alignment.wording.negation import (
    NEGATION,
    blanked,
    negations,
)
from toolcrib.packs.architecture.alignment.wording.verbs.attitude import (
    Attitude,
    attitude,
    removal,
)
from toolcrib.packs.architecture.alignment.wording.verbs.lexicon import (
    KNOWN,
    PARTING,
    PLACING,
    PRAISED,
    SERVING,
    TAKING,
)
from toolcrib.packs.architecture.alignment.wording.verbs.making import made_with
from toolcrib.packs.architecture.alignment.wording.verbs.valence import ENDING
from toolcrib.packs.architecture.alignment.wording.words import DOING, Stems, stems_in
from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What is said of a thing begins with one of these.
_OF_IT = _words("is are was were be been has have had does did gets got ought")
_IS = _words("is are was were be been")
_NAMING = _words("a an the our my your their its")
# Behind these a thing is a means or a place, whatever the verb is.
_MEANS = _words("in into inside within onto through via by as atop using behind")
# Behind these it may as well be what somebody parts from: the verb has to be known.
_EITHER_WAY = _words("from off to toward towards on with against over")
# What stands before these belongs to a thing: that is spoken of, and not the thing.
_THROUGH = _words("via through using")
_BY_IT = _words("via through using by as with behind")
_BY = _THROUGH | {"with"}
_INSTRUMENTS = _words("with on over under behind")
_BELONGING = _words("of for about around above after before")
_ABOUT = _words("about around above")
_BESIDE = _words("who whose whether how why when whenever before after until if what while that")
_AFTER_KNOWN = _words("behind by")
# These neither say what a thing is for nor what becomes of it.
_PASSED_OVER = _words("a an the our us we it its this that these those my well now here too also")
_MODAL = _words("can could will would should shall must may might")
# These make another verb of one that they follow: "rein in", "live by".
_PHRASAL = _words("in into through by")
_FOR = _words("for as")
_PUTTING = _words("put add attach set apply insert hang stick bind mount")
_ONTO = _words("on onto to into in")
_BECOMING = _words("become becomes became be gets get")
_TURNING = _words("turn convert change make rewrite rework transform migrate")
_TAKES = TAKING | DOING
_BASED = _words("top basis means help heart centre center core lines")  # "on top of X"
_AWAY = _words("out off away aside overboard apart")
_NEAR = 3
_NONE: Stems = frozenset()
# Verbs of which most sayings are made: "X meets its maker", "X leaves the building".
_OF_SAYINGS = _words(
    """is was has does goes gets bites leaves meets needs kicks falls dies ends comes sees takes
    faces deserves belongs costs means feels looks seems stinks sucks this us as less unless plus"""
)
_LEAVING = _words("goes comes falls leaves dies ends")
_LIGHT = _words("put send get give lay let make call show take have bring set throw")
# With an object these mostly make a saying of which only the whole tells: "call it a day with X".
_IDIOMATIC = _words(
    """call calls called take takes took taken give gives gave given keep keeps kept draw draws cut
    cuts lay lays laid throw throws threw turn turns turned have has had back backs
    backed say says said do does did pull pulls pulled find see saw fall fell fallen pay"""
)
# Where a thing is put: words of place that no record has to know.
_PLACES = _words("front top place charge production work use service action middle heart core")
# What is a number or a sort of a thing is that thing.
_AMOUNTS = _words(
    """number amount kind type sort form set list series piece couple pair handful bunch instance
    group row stack"""
)
_MAKING = frozenset(
    map(
        stem,
        _words(
            """build rebuild write rewrite design redesign model structure restructure organise
            organize centre center arrange shape wrap base form rework refactor create"""
        ),
    )
)
# "Roll out X", "try out X": here it does not go away.
_OUTWARD = frozenset(
    map(
        stem, _words("roll carry set work build try test check kick start spin hand lay flesh send")
    )
)
# Of these praise is only what is said behind "is": "X must make way".
_ROOM = frozenset(map(stem, _words("way room future first better best")))
_NICE = frozenset(map(stem, _words("good great best better fine perfect ideal first right okay")))
# Whom a thing does something to that is unwanted, and what no work is.
_PEOPLE = _words("us me you everybody everyone people its their")
_IDLE = _words("no nothing out off away down dust a an badly poorly like as")
_LOOKS = _words("look looks")
_LOOKED = _words("through after at into for up")
_INDEFINITE = _words("a an another some")
_SAID_OF = _words("to on about from against with")
_FAR = 2
_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"[^\W_]")
_ALL_THE_WAY = re.compile(r"\bend[ -]to[ -]end\b", re.I)  # nothing ends here
_NOT = _words("no not never nor neither none nothing nobody nowhere without hardly scarcely any")
# These keep from doing what another verb says, and take nothing away themselves.
_KEEPS_FROM = _words("stop cease quit avoid refuse prevent end forbid prohibit decline")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words of a clause behind what only leads to it, without those that negate."""

    words: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    negated: bool
    doubtful: bool = False
    """Whether words negate that were not taken to say no to the thing."""
    refused: frozenset[int] = frozenset()
    """The words that follow directly on one that negates."""
    outright: bool = False
    """Whether it is negated by more than "not" and its kind: by what becomes of the thing."""
    removes: bool = False
    """Whether the one word that negates takes its own object away: "remove A from B"."""
    all: Stems = frozenset()
    """All stems."""


def spoken(text: str, wanted: bool | None = None) -> Spoken:
    """Read a clause word by word; of a compound name each part counts, and the whole.

    `wanted` is what was found of the clause: what negates behind its purpose says no to that.
    """
    bare = _ALL_THE_WAY.sub(lambda found: " " * len(found[0]), blanked(text))
    frame = FRAME.match(bare)
    start = frame.end() if frame else 0
    found = [each for each in _WORD.finditer(bare, start) if not each[0].endswith("ly")]
    matches = [each for each in NEGATION.finditer(text) if bare[each.start()] == " "]
    ends = [each.end() for each in matches]
    refused = {
        at
        for at, each in enumerate(found)
        if (last := bisect_right(ends, each.start()))
        and not _LETTER.search(bare, ends[last - 1], each.start())
    }
    plain = [each[0].lower() for each in found]
    stems = tuple(frozenset(stems_in(each[0])) for each in found)
    count = negations(text)
    negated = bool(count) if wanted is None else not wanted
    first = matches[0][0].lower().split()[0] if len(matches) == 1 else ""
    outright = any(each[0].lower().split()[0] not in _NOT for each in matches)
    return Spoken(
        tuple(plain), stems, negated, bool(count % 2) and not negated, frozenset(refused), outright,
        first in ENDING and ENDING[first] not in _KEEPS_FROM, frozenset().union(*stems),
    )  # fmt: skip


def attitude_to(said: Spoken, thing: Stems, own: Stems) -> Attitude:
    """What a clause does to a thing; words of `own` are a part of what the record says of it."""
    start = next((at for at, each in enumerate(said.stems) if not each.isdisjoint(thing)), None)
    if start is None:
        return "plain"
    end = start + 1
    for at in range(start, len(said.stems)):
        if at > end + _FAR:
            break
        if not said.stems[at].isdisjoint(thing):
            end = at + 1  # also behind a word between: "A with B"
    words = [
        word if each.isdisjoint(own) or each <= STOP_WORDS else ""
        for word, each in zip(said.words, said.stems, strict=True)
    ]
    at = start
    while at and at not in said.refused and said.words[at - 1] in _PASSED_OVER:
        at -= 1
    if at in said.refused:
        words = words[:end]  # what stands behind belongs to what negates: "let X die"
    found = attitude(words, start, end)
    if found == "parts" and said.negated and said.outright and not start:
        return "plain"  # "X goes in the bin" says it once
    if found == "plain" and said.negated and said.removes:
        return removal(words[:start])
    return "open" if found == "takes" and said.doubtful else found


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
    if _is_made_by(said, place):
        return True
    if _parts(before, own) or "than" in (said.words[0], said.words[place - 1]):
        return False
    if not said.negated and _goes_away(said, place, thing):
        return False
    if not said.negated and made_with(said.words, place, _behind(said, place, thing)):
        return True  # "publish it as an X dashboard"
    if said.words[place - 1] == "leave" and not said.negated:
        return False  # "leave X to others"
    if said.words[place - 1] in _LIGHT:
        return _goes_somewhere(said, place, thing, own)
    head = next((at for at in range(place) if not before[at] <= STOP_WORDS), None)
    if head is None:
        return said.negated or not _parts(said.stems[place:], own)
    return not _is_saying(said, head, place, own) and _is_taken(said, head, place, own)


def _is_made_by(said: Spoken, place: int) -> bool:
    """Whether a clause begins with making something, and a thing is the means of it.

    Of what is made the words may be any: "build the new questions with X".
    """
    if said.negated or said.stems[0].isdisjoint(_MAKING):
        return False
    at = _link(said.words, max(0, place - _NEAR), place)
    if at is None or said.words[at] not in _BY or not _AWAY.isdisjoint(said.words[:place]):
        return False
    return any(not each <= STOP_WORDS for each in said.stems[1:at])


def _is_saying(said: Spoken, head: int, place: int, own: Stems) -> bool:
    """Whether a verb and its object make a saying before a thing: "keep an eye on X"."""
    through = said.words[place - 1] in _THROUGH  # "mails go out via X"
    away = not through and not _AWAY.isdisjoint(said.words[head:place])
    if away and not said.negated and said.stems[head].isdisjoint(_OUTWARD):
        return True  # "we have fallen out of love with X"
    at = _link(said.words, max(0, place - _NEAR), place)
    if at is None or said.words[at] not in _SAID_OF:
        return False
    object_ = [each for each in said.stems[head + 1 : at] if not each <= STOP_WORDS]
    strange = any(each.isdisjoint(_TAKES | PRAISED | own) for each in object_)
    if said.words[at] != "with" and said.words[max(0, at - 2)] in _INDEFINITE:
        return strange  # "a link to X" is a link
    return strange and said.words[head] in _IDIOMATIC


def _is_taken(said: Spoken, head: int, place: int, own: Stems) -> bool:
    """Whether the words before a thing take it, by their first verb or by how they are built."""
    telling = [each for each in said.stems[head:place] if not each <= STOP_WORDS]
    takes = any(not each.isdisjoint(_TAKES) for each in telling)
    restates = not any(each.isdisjoint(own) for each in telling)
    if restates or said.words[place - 1] in _IS:
        return True  # in the record's words, or "our templates are X"
    if _is_beside(said, head, place):
        return False  # "print a hint when X is slow", "find out who owns X"
    at = _link(said.words, max(0, place - _NEAR), place)
    # "Good riddance to X": praise is no verb.
    known = _is_known(said.stems[head], own) and said.stems[head].isdisjoint(_NICE)
    if at is None:
        # Further away it is no object: "editors maintain the landing page in X".
        if len(telling) > _FAR or any(not each.isdisjoint(KNOWN) for each in telling[1:]):
            return True
        return takes or not telling[0].isdisjoint((KNOWN if said.negated else PLACING) | own)
    if said.words[at] == "off":
        return False  # away from it, whatever the verb is
    if said.words[at] == "around" and not said.stems[head].isdisjoint(_MAKING):
        return True  # "rewrite the job around X"
    if said.words[at] in _ABOUT and said.words[at - 1] != "way":
        return False  # it is spoken of: "follow the news about X"
    if said.words[at] in _BELONGING:
        owner = next((each for each in said.stems[at - 1 :: -1] if not each <= STOP_WORDS), _NONE)
        if said.words[at - 1] in _BASED:
            return True
        # "Reverse the choice of X": what is done with the choice has to be known.
        return (known or owner == said.stems[head]) and not owner.isdisjoint(_TAKES | PRAISED)
    acts = said.words[at] == "by" and _has_object(said, head, at)
    if said.words[at] in _AFTER_KNOWN and not (known or takes or acts):
        return False  # "thank the people behind X", "we got burnt by X"
    if not known and said.words[head + 1] in _NAMING and said.words[at] in _EITHER_WAY:
        return False  # an unknown verb with its object: "withhold our support from X"
    if said.words[at] in _MEANS and (at > head + 1 or said.words[at] not in _PHRASAL):
        return True  # with nothing between it is another verb: "rein in X"
    return known or any(not each.isdisjoint(KNOWN) for each in telling[1:])


def _has_object(said: Spoken, head: int, link: int) -> bool:
    """Whether something is done to something by a means: "block the pods by X".

    "We got burnt by X" tells only what was done to us.
    """
    between = [at for at in range(head + 1, link) if not said.stems[at] <= STOP_WORDS]
    told = said.words[link - 1].endswith(("ed", "en", "nt", "pt"))
    return bool(between) and said.words[head] not in _OF_IT and not told


def _is_beside(said: Spoken, head: int, place: int) -> bool:
    """Whether a thing stands in a clause of its own, and is not taken there."""
    last = next((at for at in range(place - 1, head - 1, -1) if said.words[at] in _BESIDE), None)
    if last is None:
        return False
    if said.words[last] == "what" and _link(said.words, place - 1, place) is not None:
        return said.words[place - 1] not in _THROUGH | _FOR  # "pass what people type on as X"
    return all(each.isdisjoint(_TAKES) for each in said.stems[last + 1 : place])


def _goes_away(said: Spoken, place: int, thing: Stems) -> bool:
    """Whether it goes away, as the words behind a thing say: "cross X off the list"."""
    at = _behind(said, place, thing)
    if not _AWAY.isdisjoint(said.words[at : at + 1]):
        return said.stems[place - 1].isdisjoint(_OUTWARD)
    while at < len(said.words) and not said.stems[at] <= STOP_WORDS:
        at += 1  # the rest of a longer name
    return said.words[at : at + 1] != () and said.words[at] in _IS and _is_over(said, at + 1)


def _is_over(said: Spoken, at: int) -> bool:
    """Whether a thing is said to be something that nobody wants: "is on its way out"."""
    if not _AWAY.isdisjoint(said.words[at:]) or _parts(said.stems[at:], _NONE):
        return True
    praised = any(not each.isdisjoint(PRAISED | TAKING) for each in said.stems[at:])
    return said.words[at : at + 1] != () and said.words[at] in _NAMING and not praised


def _behind(said: Spoken, place: int, thing: Stems) -> int:
    """The place of the first word behind a thing."""
    while place < len(said.stems) and not said.stems[place].isdisjoint(thing):
        place += 1
    return place


def is_means(said: Spoken, thing: Stems, *, by_it: bool = False) -> bool:
    """Whether words side by side name a thing, and something is done with, in or by it.

    `by_it` asks for a means: what is done in a thing may have nothing to do with it.
    """
    places = [at for at, each in enumerate(said.stems) if not each.isdisjoint(thing)]
    if not places or said.negated:
        return False
    start, end = places[-len(thing) :][0], places[-1] + 1
    if end - start > len(thing) or not thing <= frozenset().union(*said.stems[start:end]):
        return False
    link = _link(said.words, max(1, start - _NEAR), start)
    return link is not None and said.words[link] in (_BY_IT if by_it else _MEANS | _INSTRUMENTS)


def becomes(said: Spoken, thing: Stems) -> bool:
    """Whether something becomes a thing: "the page is going to be a reactive form"."""
    at = next((at for at, each in enumerate(said.stems) if not each.isdisjoint(thing)), 0)
    before = said.words[max(0, at - _NEAR) : at]
    if said.negated or at < _FAR:
        return False
    return not _BECOMING.isdisjoint(before) or ("into" in before and said.words[0] in _TURNING)


def is_put(said: Spoken, thing: Stems) -> bool:
    """Whether a clause begins with putting a thing somewhere: "put the backup tag on it"."""
    at = next((at for at, each in enumerate(said.stems) if not each.isdisjoint(thing)), 0)
    end = at + len(thing)
    return (
        not said.negated
        and 0 < at <= _FAR
        and said.words[0] in _PUTTING
        and (at == 1 or said.words[1] in _NAMING | _INDEFINITE)
        and said.words[end : end + 1] != ()
        and said.words[end] in _ONTO
    )


def _goes_somewhere(said: Spoken, place: int, thing: Stems, own: Stems) -> bool:
    """Whether a verb that says little by itself has a thing alone, or a place for it.

    "Put X in front of the API", but not "put X to bed": there the saying counts as a whole.
    """
    behind = _behind(said, place, thing)
    if said.words[place - 1] == "call" and said.words[behind : behind + 1] == ("with",):
        return True  # "call X with the number"
    if said.words[behind : behind + 1] in (("its",), ("their",)):
        return False  # "hand X its papers"
    told = [each for each in said.stems[behind:] if not each <= STOP_WORDS]
    known = [_is_known(each, own) or not each.isdisjoint(_PLACES) for each in told]
    return all(known)


def _link(words: tuple[str, ...], start: int, end: int) -> int | None:
    """The place of the last preposition before a thing."""
    links = _MEANS | _EITHER_WAY | _BELONGING
    at = next((at for at in range(end - 1, start - 1, -1) if words[at] in links), None)
    if at and words[at] == "of" and words[at - 1] in _AMOUNTS:
        return _link(words, max(0, at - _NEAR), at - 1)  # "as a number of X" is as X
    return at


def _is_known_of_it(said: Spoken, thing: Stems, own: Stems) -> bool:
    """The same for what follows a thing: "X has had its day"."""
    known = (KNOWN - _ROOM) | (own - STOP_WORDS) | thing
    if not _MODAL.isdisjoint(said.words):  # "X can take a hike": what it takes has to be known
        known |= _PASSED_OVER
        said = _without_modals(said)
    rest = range(len(said.stems))
    after = next((at for at in rest if said.stems[at].isdisjoint(thing)), None)
    if after is None:
        return True
    if not _AWAY.isdisjoint(said.words[after:]) or _parts(said.stems[after:], own):
        return False  # "X is on its way out"
    if "than" in said.words[after:]:
        return False  # "X is more than that": nobody can tell whether it is praised
    if _is_at_work(said, after):
        return True
    if said.words[after] in _OF_SAYINGS - _OF_IT:
        told = [each for each in said.stems[after + 1 :] if not each <= STOP_WORDS]
        if said.stems[after].isdisjoint(KNOWN):
            return any(not each.isdisjoint(PRAISED | TAKING) for each in told)
        if not told and said.words[after] in _LEAVING:
            return False  # "X goes."
        return all(_is_known(each, own) for each in told)
    behind = next((at for at in rest if said.stems[at].isdisjoint(known)), None)
    if behind is None:
        return True
    verb = next((at for at in rest[behind:] if said.words[at] in _IS), None)
    if said.words[behind] not in _IS and verb is not None and verb + 1 < len(said.words):
        return _is_wanted(said, verb + 1, own)  # "X on top of Y would be our way"
    if said.words[behind] in _MEANS | _BELONGING:
        return True
    if said.stems[behind] <= STOP_WORDS and said.words[behind] not in _OF_IT:
        return True  # what it is for, where, or with what
    if said.words[behind + 1 : behind + 2] and said.words[behind] in _IS:
        return _is_wanted(said, behind + 1, own)
    telling = [each for each in said.stems[behind:] if not each <= STOP_WORDS]
    if said.words[behind] in _OF_IT:
        return not telling or (_is_known(telling[0], own) and telling[0].isdisjoint(_ROOM))
    # A longer name, and what it is for: "X utility classes for the styles".
    return not _FOR.isdisjoint(said.words[behind + 1 : behind + 1 + _NEAR])


def _is_at_work(said: Spoken, at: int) -> bool:
    """Whether a verb says what work a thing does to something: "X scans the images".

    What is done has to be told, and is not done to us: "X drives us mad".
    """
    verb, rest = said.words[at], said.words[at + 1 :]
    if said.negated or not rest or verb not in SERVING:
        return False
    if rest[0] in _IDLE or not _PEOPLE.isdisjoint(rest[:_FAR]):
        return False
    if verb in _LOOKS:
        return rest[0] in _LOOKED
    return any(not each <= STOP_WORDS for each in said.stems[at + 1 :])


def _without_modals(said: Spoken) -> Spoken:
    """What is said, without "can" and "must": the verb behind them tells."""
    kept = [at for at, word in enumerate(said.words) if word not in _MODAL]
    words = tuple(said.words[at] for at in kept)
    return Spoken(words, tuple(said.stems[at] for at in kept), said.negated)


def _is_wanted(said: Spoken, at: int, own: Stems) -> bool:
    """Whether a thing is called what one wants, or is what one does with it: "is deployed"."""
    told = [each for each in said.stems[at:] if not each <= STOP_WORDS]
    if not told:
        return True
    named = said.words[at] in _NAMING or said.words[at + 1 : at + 2] == ("s",)
    if any(not each.isdisjoint(PRAISED | TAKING) for each in told[: _FAR if named else 1]):
        return True
    return not named and _is_known(told[0], own)


def _parts(words: Iterable[Stems], own: Stems) -> bool:
    """Whether somebody turns against a thing; what the record says itself is no sign of it."""
    return any(not (each & PARTING).isdisjoint(each - own) for each in words)


def _is_known(stems: Stems, own: Stems) -> bool:
    if stems <= STOP_WORDS or not all(map(str.isalpha, stems)):
        return True
    return not stems.isdisjoint(KNOWN) or not stems.isdisjoint(own)
