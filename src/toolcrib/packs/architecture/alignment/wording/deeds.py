"""What is done with a thing: whether the words that a clause has for it are understood.

Those who give a thing up have ever new words for it ("jettison X", "X has had its day"), those who
take one have few. A clause therefore says yes to a thing only by words that are known here, or that
the record itself uses; by any other word it says what nobody can tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolcrib.packs.architecture.alignment.wording.clauses import FRAME
from toolcrib.packs.architecture.alignment.wording.negation import blanked, negations
from toolcrib.packs.architecture.alignment.wording.words import DOING, Stems
from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS, tokens

# To take a thing, or to stay with it.
_TAKING = """
    accept acquire adopt agree appoint approve assume back base bet bless build buy carry champion
    choose commit confirm continue converge count default depend double elect embed embrace employ
    endorse engage entrust establish exploit favour favor focus follow go grab harness hire hold
    introduce invest keep land lean like love maintain mandate make nominate onboard opt pick pilot
    plan plump prefer proceed procure promote propose purchase pursue rally ratify reach recommend
    rely remain rest retain reuse sanction select settle side stand standardise standardize start
    stay stick subscribe suggest support swear switch take trust try use utilise utilize vote want
    trial welcome work yes"""
# To do one's work with it, on it or by it, as the titles of records say it.
_WORKING = """
    add allow analyse analyze annotate apply assign attach authenticate authorise authorize
    automate await bind bring build bundle cache capture centralise centralize change check
    collect combine compile compose compress compute configure connect consolidate convert copy
    create declare define deliver deploy derive describe design detect develop display distribute
    document draw embed emit enable encode encrypt enforce ensure evaluate execute export
    expose express extend extract fetch filter fix fork format gather generate get give group
    guard handle hash have host implement import improve include increase inject install integrate
    invoke join launch let limit lint list load lock log manage map mark measure merge migrate
    mirror mock model monitor mount move name negotiate notify offer offload open operate order
    organise organize orchestrate package parse perform persist pin place poll port present
    preserve process produce propagate protect provide provision publish pull push put query queue
    raise read rebuild receive record redirect reduce refactor register release render replace
    replicate report represent require resolve restrict retry return rewrite roll rotate route run
    save scale scan schedule secure seed send serialise serialize serve set setup share
    ship show sign simplify specify store stream structure stub submit subscribe supply sync
    synchronise synchronize tag target test throttle track transform translate transport treat
    trigger type unify update upgrade upload validate verify version visualise visualize warn watch
    wrap write"""
# What is said of a thing that is wanted.
_PRAISED = """
    answer best better choice default fine first fit future good great ideal need norm okay perfect
    preferred recommended right solution standard suit suitable sure sufficient way win winner"""
_KNOWN = DOING | {stem(each) for each in f"{_TAKING} {_WORKING} {_PRAISED}".split()}
# What is said of a thing begins with one of these.
_OF_IT = frozenset("is are was were be been has have had does did gets got".split())  # noqa: SIM905
_FAR = 2
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
    if place:
        between = sum(not each <= STOP_WORDS for each in said.stems[1:place])
        # Further away it is no object: "editors maintain the landing page in X".
        return between >= _FAR or (said.words[0] != "than" and _is_known(said.stems[0], own))
    return said.negated or _is_known_of_it(said, thing, own)


def _is_known_of_it(said: Spoken, thing: Stems, own: Stems) -> bool:
    """The same for what follows a thing: "X has had its day"."""
    behind = next(
        (
            at
            for at, each in enumerate(said.stems)
            if each.isdisjoint(thing) and each.isdisjoint(own) and each.isdisjoint(_KNOWN)
        ),
        None,
    )
    if behind is None or (said.stems[behind] <= STOP_WORDS and said.words[behind] not in _OF_IT):
        return True  # what it is for, where, or with what
    told = [each for each in said.stems[behind:] if not each <= STOP_WORDS]
    return not told or any(_is_known(each, own) for each in told)


def _is_known(stems: Stems, own: Stems) -> bool:
    if stems <= STOP_WORDS or not all(map(str.isalpha, stems)):
        return True
    return not stems.isdisjoint(_KNOWN) or not stems.isdisjoint(own)
