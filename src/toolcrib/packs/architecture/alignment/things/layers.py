"""The layers of a system, by the words for what belongs to each.

Who writes a script in another language than the server's decides nothing about the server.
"""

from __future__ import annotations

from functools import cache

from toolcrib.packs.architecture.alignment.things import tables
from toolcrib.packs.architecture.alignment.wording.words import stems_in


@cache
def _layers() -> dict[str, str]:
    return {stems_in(word)[-1]: layer for layer, words in tables.words("layers") for word in words}


def layers_of(stems: frozenset[str]) -> frozenset[str]:
    """The layers that some words speak of."""
    known = _layers()
    return frozenset(known[each] for each in stems if each in known)


def other_layer(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether some words speak of layers, others too, and of none in common."""
    first, second = layers_of(one), layers_of(two)
    return bool(first and second) and first.isdisjoint(second)
