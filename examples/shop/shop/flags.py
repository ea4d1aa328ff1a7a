"""Feature flags: off unless `SHOP_FLAGS` names them. See ADR 0010."""

from __future__ import annotations

import os
from collections.abc import Iterable

# Every flag has an owner and a day after which it must be gone.
KNOWN = {
    "bulk-discount": "mara, remove after 2025-09-01: ten percent off from six pieces on",
    "gift-wrap": "jonas, remove after 2025-11-01: wrap an order for two euros",
}


class Flags:
    """The flags that are on. A name that nobody declared is a mistake, not a 'no'."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._on = frozenset(names)
        for name in self._on:
            _check(name)

    @classmethod
    def from_environment(cls) -> Flags:
        """`SHOP_FLAGS=bulk-discount,gift-wrap` turns two of them on."""
        names = os.environ.get("SHOP_FLAGS", "").split(",")
        return cls(name.strip() for name in names if name.strip())

    def on(self, name: str) -> bool:
        """Whether a flag is on."""
        _check(name)
        return name in self._on


def _check(name: str) -> None:
    if name not in KNOWN:
        raise KeyError(f"no flag {name!r}; known: {', '.join(sorted(KNOWN))}")
