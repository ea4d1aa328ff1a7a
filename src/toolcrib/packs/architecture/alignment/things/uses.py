"""What else a thing may be used as, beside what it mostly is: Datadog also keeps logs.

A thing has one kind in `data/kinds.txt`. One of its further kinds counts only where the purpose is
told.
"""

from __future__ import annotations

from functools import cache

from toolcrib.packs.architecture.alignment.things import tables
from toolcrib.packs.architecture.alignment.things.technologies import family


@cache
def _further() -> dict[str, frozenset[str]]:
    return {name: frozenset(map(family, kinds)) for name, kinds in tables.items("also")}


def also(name: str) -> frozenset[str]:
    """The kinds of which a known thing may be, too, beside its own."""
    return _further().get(name, frozenset())
