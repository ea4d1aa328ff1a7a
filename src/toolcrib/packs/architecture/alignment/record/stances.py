"""A stance: a thing that a record says yes or no to, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolcrib.packs.architecture.alignment.record.mentions import Mention
from toolcrib.packs.architecture.alignment.record.practices import Practice
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.words import NOTHING, Phrase, phrase

Kind = Literal["title", "chosen", "used", "rejected", "said"]
"""Where a stance stands in the record."""


@dataclass(frozen=True, slots=True)
class Stance:
    """A thing that the record wants or not; `sentence` is where it says so."""

    kind: Kind
    wanted: bool
    focus: Phrase
    purpose: Phrase = NOTHING
    sentence: str = ""
    words: Phrase = NOTHING
    apart: frozenset[str] = frozenset()
    """For an option: the stems that tell it from those on the other side."""
    names: frozenset[str] = frozenset()
    """Those among them that are names, in small letters."""
    groups: tuple[frozenset[str], ...] = ()
    """The names of each part of what was chosen: of "A and B" one is enough."""
    text: str = ""
    things: frozenset[str] = frozenset()
    """The known things that it names, by their usual names."""


def as_stance(practice: Practice) -> Stance:
    """A practice as something that the record wants, by all its names."""
    text = " ".join(sorted(practice.names))
    return Stance(
        "used", True, phrase(text), NOTHING, practice.sentence, practice.words,
        names=practice.names, text=text,
    )  # fmt: skip


def as_mentioned(mention: Mention) -> Stance:
    """A name that a record mentions, as something that it wants or turned down."""
    name = frozenset((mention.name,))
    return Stance(
        "used", mention.wanted, phrase(mention.name), NOTHING, mention.sentence,
        phrase(mention.sentence), names=name, text=mention.name,
    )  # fmt: skip


def is_only_choice(stance: Stance, choices: Sequence[Stance]) -> bool:
    """Whether a record weighs no options, and its title or an outright choice says it all."""
    if not stance.wanted or stance.kind not in ("title", "chosen"):
        return False
    return not any(each.kind == "rejected" for each in choices)


def has_name(other: Phrase, name: str) -> bool:
    """Whether a name is among the words of a phrase, in one word or in several."""
    return name in other.raw or set(name.split("-")) <= other.raw


def denies(other: Phrase, name: str, clause: Clause) -> bool:
    """Whether what stands on the other side takes a name away from a choice.

    What was chosen keeps its name where a rejected option only adds to it: "X with Y".
    """
    return has_name(other, name) and (not clause.wanted or other.core <= clause.focus.core)


def only_in(one: Phrase, others: Sequence[Phrase]) -> frozenset[str]:
    """The stems of a phrase that none of the others has."""
    there = NOTHING
    for other in others:
        there = there | other
    return frozenset(stem for stem in one.core if stem not in there.all)
