"""What the things of a kind are for, in everyday words.

Who takes another thing of a kind for a stylesheet takes it for what `Sass` and `Tailwind` are
for, even where the record about them has no such word. By itself such a word decides nothing.
"""

from __future__ import annotations

from functools import cache

from toolcrib.packs.architecture.alignment.things import tables
from toolcrib.packs.architecture.alignment.things.technologies import FAMILIES
from toolcrib.packs.architecture.alignment.wording.words import stems_in


@cache
def _kinds() -> dict[str, frozenset[str]]:
    """For each stem the kinds whose work it is."""
    found: dict[str, set[str]] = {}
    for kind, words in tables.words("work"):
        for word in words:
            found.setdefault(stems_in(word)[-1], set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}


@cache
def work_of(kind: str) -> frozenset[str]:
    """The stems of the words for the work of a kind, and of those that do the same work."""
    same = {kind, *(each for each, first in FAMILIES.items() if first == kind)}
    return frozenset(word for word, kinds in _kinds().items() if not same.isdisjoint(kinds))
