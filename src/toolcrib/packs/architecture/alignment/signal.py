"""A signal: one clause of a proposal meets one stance of a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from toolcrib.packs.architecture.alignment.record.stances import Stance
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.words import terms

_NONE_OF = re.compile(
    r"\b(?:no|without(?: an?| any)?)"
    r" (?P<thing>(?!longer|need|matter|way|one|other|new|more)[\w-]+)",
    re.I,
)

Rule = Literal["title", "chosen", "used", "rejected", "said", "rival"]


@dataclass(frozen=True, slots=True)
class Signal:
    """One clause meets one stance: how surely they speak of the same thing, and on which side."""

    strength: float
    agrees: bool
    clause: Clause
    stance: Stance
    rule: Rule
    taken: frozenset[str] = frozenset()
    """Of a rival: the words of the other thing, where the clause puts it to work."""


def settled(signals: Sequence[Signal], cases_of: Callable[[str], frozenset[str]]) -> list[Signal]:
    """The signals without those that others of them, or the record's exceptions, settle."""
    doubtful = (_is_exception(each, cases_of) or _takes_what_is_kept_out(each) for each in signals)
    allowed = [each for each, doubt in zip(signals, doubtful, strict=True) if not doubt]
    return by_the_means(one_of_several(unless_said(allowed)))


def _is_exception(signal: Signal, cases_of: Callable[[str], frozenset[str]]) -> bool:
    """Whether the record allows a thing for other cases only: "X only for old systems"."""
    clause, stance = signal.clause, signal.stance
    if signal.rule not in ("used", "chosen", "title") or not (signal.agrees and clause.wanted):
        return False
    named = stance.names & clause.words.raw or {stance.text}
    cases = frozenset(stem for each in named for stem in cases_of(each))
    return bool(cases) and cases.isdisjoint(clause.words.core)


def _takes_what_is_kept_out(signal: Signal) -> bool:
    """Whether a clause has, beside a thing, what the record has it without: "X, with no tokens"."""
    clause, stance = signal.clause, signal.stance
    if signal.rule not in ("used", "chosen") or not (signal.agrees and clause.wanted):
        return False
    out = _kept_out(stance.sentence) - stance.focus.all - _kept_out(clause.text)
    return not out.isdisjoint(clause.focus.core)


def _kept_out(text: str) -> frozenset[str]:
    """The stems of what a text says that there is none of."""
    return frozenset(stem for each in _NONE_OF.finditer(text) for stem in terms(each["thing"]))


def unless_said(signals: Sequence[Signal]) -> list[Signal]:
    """The signals without those of a clause that says, with a no less, what the record says.

    "Delete the X property" gives no X up where the record itself has it deleted.
    """
    if all(each.agrees for each in signals):
        return list(signals)
    said: dict[str, float] = {}
    for each in signals:
        if each.rule == "said" and each.agrees:
            text = each.clause.text
            said[text] = max(said.get(text, 0.0), each.strength)
    return [
        each for each in signals if each.agrees or each.strength > said.get(each.clause.text, 0.0)
    ]


def one_of_several(signals: Sequence[Signal]) -> list[Signal]:
    """The signals without those that give up one thing where another of the record's is taken.

    Of "X to build and Y to test", "test with Y, not with X" gives nothing up.
    """
    taken = [
        each
        for each in signals
        if each.agrees and each.clause.wanted and each.stance.wanted and _names(each)
    ]
    beside = {
        (each.clause.text, frozenset(_names(each)))
        for each in signals
        if any(
            one.clause.text != each.clause.text  # which may have been read both ways
            and one.stance.sentence == each.stance.sentence
            and _names(one).isdisjoint(_names(each))
            for one in taken
        )
    }
    return [
        each
        for each in signals
        if each.agrees
        or each.clause.wanted
        or not each.stance.wanted
        or (each.clause.text, frozenset(_names(each))) not in beside
    ]


def by_the_means(signals: Sequence[Signal]) -> list[Signal]:
    """The signals without those of a thing that a clause names, while it takes another one.

    "Open the MySQL files through the MariaDB driver" takes MariaDB; MySQL is what it works on.
    """
    sides: dict[str, set[bool]] = {}
    taken: set[str] = set()
    for each in signals:
        sides.setdefault(each.clause.text, set()).add(each.agrees)
        if _takes(each):
            taken.add(each.clause.text)
    return [
        each
        for each in signals
        if len(sides[each.clause.text]) == 1
        or each.clause.text not in taken
        or not _names(each)
        or _takes(each)
    ]


def _takes(signal: Signal) -> bool:
    if signal.rule == "rival":
        return bool(signal.taken)
    return signal.clause.wanted and signal.clause.takes(_names(signal))


def _names(signal: Signal) -> set[str]:
    """The names of a thing; what is only practised has them as its text."""
    if signal.stance.names or signal.rule != "used":
        return set(signal.stance.names)
    return set(signal.stance.text.split())
