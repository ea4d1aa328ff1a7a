"""Things that are made with a thing: "a Quarto dashboard", "an RSpec example".

Before the noun of something that somebody makes, a name says what it is made with, whatever the
verb is. The article has to be an indefinite one: "the X job" is there already. Nouns of people,
money, events and properties are in no table, so "an X user" and "an X bill" take nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolcrib.packs.architecture.alignment.wording.verbs.forms import every_form


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MADE = _words(
    """action adapter app application applet assertion backend binding bot bucket bundle chart class
    client collection component connector container controller crate dashboard decorator
    definition deployment diagram document endpoint example expression extension factory file filter
    fixture form frontend function gem handler helper hook image index interface item job kernel
    layer layout lambda library listener loader macro manifest message middleware migration mixin
    model module monorepo namespace notebook operator package page panel pipeline playbook plugin
    policy procedure process program project provider proxy query queue recipe record repository
    resolver resource role route rule runner schema script serializer server service site spec
    stack stage step store story stream subscriber suite table task template test topic trait
    trigger type validator variable view volume widget worker workflow workspace wrapper"""
)
_INDEFINITE = _words("a an one another two three second third")
# Verbs that only speak of something, or work on what is there.
_OTHER_WORK = frozenset(
    every_form(
        """
        alert announce ask assess audit benchmark blame book buy check clean compare complain
        correct count debug describe diagnose discuss document estimate evaluate examine explain fix
        find identify inspect investigate list mark measure mention monitor notice observe patch pin
        profile question read rename repair report restart review see show study survey tell tidy
        track train translate tune update upgrade visit wait warn watch"""
    )
)
_ASIDE = _words(
    "who whose why when whenever how whether if what before after until like than about"
)
_NEAR = 2


def made_with(words: Sequence[str], start: int, end: int) -> bool:
    """Whether the thing from `start` to `end` is what something new is made with."""
    noun = words[end] if end < len(words) else ""
    if noun not in _MADE and noun.removesuffix("s") not in _MADE:
        return False
    if _INDEFINITE.isdisjoint(words[max(0, start - _NEAR) : start]):
        return False
    before = words[:start]
    return _ASIDE.isdisjoint(before) and _OTHER_WORK.isdisjoint(before[:1])
