"""Names by exact spelling, by any part of them, and by resemblance."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from toolcrib.core.names import nearest
from toolcrib.search.text import fold

_SEPARATORS: Final = re.compile(r"[\W_]+")
EXACT, WHOLE, START, INSIDE = 4, 3, 2, 1


def plain_name(name: str) -> str:
    """Return a name as it is compared: lower case, every separator one space."""
    return _SEPARATORS.sub(" ", fold(name)).strip().casefold()


class NameTable:
    """The names of the live slots, joined into one text so that a scan is one call in C."""

    __slots__ = ("_blob", "_exact", "_names", "_slots", "_starts")

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._exact: dict[str, set[int]] = {}
        self._blob: str | None = None
        self._starts: list[int] = []
        self._slots: list[int] = []

    def add(self, slot: int, name: str) -> None:
        """Know a slot by a name."""
        plain = plain_name(name) or name.strip().casefold()
        self._names[slot] = plain
        self._exact.setdefault(plain, set()).add(slot)
        self._blob = None

    def remove(self, slot: int) -> None:
        """Forget a slot's name."""
        plain = self._names.pop(slot)
        left = self._exact[plain]
        left.discard(slot)
        if not left:
            del self._exact[plain]
        self._blob = None

    def matches(self, query: str) -> dict[int, int]:
        """Slots whose name is the query or has it as a part: how well, 4 (exact) to 1."""
        wanted = plain_name(query) or query.strip().casefold()
        if not wanted or "\n" in wanted:
            return {}
        blob = self._joined()
        found: dict[int, int] = {}
        at = blob.find(wanted)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            slot = self._slots[number]
            rank = self._rank(blob, at, at + len(wanted))
            if rank > found.get(slot, 0):
                found[slot] = rank
            at = blob.find(wanted, at + 1)
        return found

    @staticmethod
    def _rank(blob: str, start: int, stop: int) -> int:
        before, after = blob[start - 1], blob[stop]
        if before == after == "\n":
            return EXACT
        if before in " \n":
            return WHOLE if after in " \n" else START
        return INSIDE

    def _joined(self) -> str:
        if self._blob is None:
            self._starts, self._slots = [], []
            pieces, at = [], 1
            for slot, name in self._names.items():
                self._starts.append(at)
                self._slots.append(slot)
                pieces.append(name)
                at += len(name) + 1
            self._blob = "\n" + "\n".join(pieces) + "\n"
        return self._blob

    def nearest(self, name: str, limit: int) -> list[int]:
        """Slots whose names resemble a name, the most alike first."""
        found = nearest(plain_name(name), self._exact, limit)
        return [slot for each in found for slot in sorted(self._exact[each])][:limit]
