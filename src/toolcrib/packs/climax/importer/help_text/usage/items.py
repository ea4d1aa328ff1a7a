"""The things in a usage line, and what can be said of each by looking at it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from toolcrib.packs.climax.importer.help_text.usage.words import names_thing

# `gopts` has no vowel before it; `adopt` is a word.
NOISE = re.compile(
    r"(?:.*[ _/-]|[b-df-hj-np-tv-z]{2,4})?"
    r"(?:options?|flags?|[b-df-hj-np-tv-z]{0,2}opts?|switche?s?)(?:\(s\))?",
    re.I,
)


@dataclass(slots=True)
class UsageItem:
    """One thing in a usage line."""

    kind: str
    """flag, plus (a flag that begins with one), operand, literal or group."""
    text: str = ""
    value: str | None = None
    value_optional: bool = False
    joined: bool = False
    glued: bool = False
    optional: bool = False
    repeats: bool = False
    enum: tuple[str, ...] = ()
    alternatives: list[list[UsageItem]] = field(default_factory=list)


def is_noise(item: UsageItem) -> bool:
    """Whether an item only says that options may stand there: `[command options]`."""
    words = words_of(item) if item.kind == "group" else [item.text]
    return bool(words) and NOISE.fullmatch(" ".join(words)) is not None


def is_operand(item: UsageItem) -> bool:
    """Whether an item stands for what the caller names."""
    return item.kind == "operand"


def all_operands(alternatives: Sequence[Sequence[UsageItem]]) -> bool:
    """Whether each alternative has operands and nothing else."""
    return all(each and all(map(is_operand, each)) for each in alternatives)


def words_of(group: UsageItem) -> list[str]:
    """The words of a group that has nothing else in it."""
    if len(group.alternatives) != 1:
        return []
    items = group.alternatives[0]
    return [item.text for item in items] if all(is_word(item) for item in items) else []


def choice_in(group: UsageItem) -> str:
    """What `[{a,b}]` holds, where it holds nothing else."""
    items = group.alternatives[0] if len(group.alternatives) == 1 else []
    return "|".join(items[0].enum) if len(items) == 1 else ""


def either_of(group: UsageItem) -> str:
    """What `{ <list> | ALL }` holds, where each of its alternatives is a word."""
    words = [each[0] for each in group.alternatives if len(each) == 1 and is_word(each[0])]
    if len(words) < max(len(group.alternatives), 2):
        return ""
    literal = all(word.kind == "literal" for word in words)
    return ("|" if literal else "_or_").join(word.text for word in words)


def are_words(alternatives: Sequence[Sequence[UsageItem]]) -> bool:
    """Whether `pot | glaze colour` are words, of which one alternative has several."""
    plain = all(each and all(map(is_word, each)) for each in alternatives)
    return plain and len(alternatives) > 1 and any(len(each) > 1 for each in alternatives)


def takes_value(alternative: Sequence[UsageItem]) -> bool:
    """Whether an alternative is an option with its value, and nothing else."""
    return len(alternative) == 1 and alternative[0].kind == "flag" and bool(alternative[0].value)


def is_literal(alternative: Sequence[UsageItem]) -> bool:
    """Whether an alternative is one plain word, which is no name of an operand."""
    return len(alternative) == 1 and alternative[0].kind == "literal"


def stands_for_thing(item: UsageItem) -> bool:
    """Whether its word is the name of something that a caller has."""
    return names_thing(item.text)


def left_out(item: UsageItem) -> UsageItem:
    """A flag as if it stood in brackets; anything else as it is."""
    return replace(item, optional=True) if item.kind == "flag" else item


def is_option(items: Sequence[UsageItem]) -> bool:
    """Whether the only item is a flag without a value."""
    return [item.kind for item in items] == ["flag"] and items[0].value is None


def may_be_left_out(item: UsageItem) -> UsageItem:
    """An item in brackets."""
    return UsageItem("group", "[", optional=True, alternatives=[[item]])


def in_place_of_value(item: UsageItem, before: Sequence[UsageItem]) -> UsageItem:
    """Of `[-e expr]|expr`, the word may be left out, as the option may give the same."""
    options = [one for group in before for each in group.alternatives for one in each]
    if not any(one.kind == "flag" and one.value == item.text for one in options):
        return item
    return may_be_left_out(replace(item, kind="operand"))


def nested_words(group: UsageItem) -> list[str]:
    """The words of a group that holds nothing but words, and such groups: `[script [args]]`."""
    found: list[str] = []
    for item in group.alternatives[0] if len(group.alternatives) == 1 else ():
        inner = [item.text] if is_word(item) else nested_words(item) if item.optional else []
        if not inner:
            return []
        found += inner
    return found


def is_word(item: UsageItem) -> bool:
    """Whether an item is a word, and no choice of several."""
    return item.kind in ("literal", "operand") and not item.enum


def only_flags(item: UsageItem | None) -> list[UsageItem]:
    """The flags of `(-m | --message)`, which share the value that follows."""
    if item is None or item.kind != "group" or item.optional or len(item.alternatives) < 2:
        return []
    flags = [each[0] for each in item.alternatives if len(each) == 1 and each[0].kind == "flag"]
    # Of `{-m|-x ...}`, the dots are what the flags take; of `(-m MODE | -x)`, one has its own.
    own = any(flag.repeats or flag.value for flag in flags)
    return flags if len(flags) == len(item.alternatives) and not own else []
