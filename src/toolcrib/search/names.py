"""Names by exact spelling, by any part of them, and by resemblance."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from toolcrib.core.support.suggest import nearest
from toolcrib.search.tokens import fold

EXACT, WHOLE, START, INSIDE = 4, 3, 2, 1
"""How a query lies in a name: all of it, whole words, the beginning of a word, within one."""

_SEPARATORS: Final = re.compile(r"[\W_]+")
_LONGEST: Final = 200
_COMPARED: Final = 60


def plain_name(name: str) -> str:
    """Return a name as it is compared: lower case, every separator one space."""
    plain = _SEPARATORS.sub(" ", fold(name)).strip().casefold()
    return plain or " ".join(name.split()).casefold()


class NameTable:
    """The names of the live slots, joined into one text so that a scan is one call in C."""

    __slots__ = ("_blob", "_exact", "_names", "_slots", "_starts")

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._exact: dict[str, list[int]] = {}
        self._blob: str | None = None
        self._starts: list[int] = []
        self._slots: list[int] = []

    def add(self, slot: int, name: str) -> str:
        """Know a slot by a name; return the name as it is compared."""
        plain = self._names[slot] = plain_name(name)
        self._exact.setdefault(plain, []).append(slot)
        self._blob = None
        return plain

    def remove(self, slot: int) -> None:
        """Forget a slot's name."""
        plain = self._names.pop(slot)
        self._exact[plain].remove(slot)
        if not self._exact[plain]:
            del self._exact[plain]
        self._blob = None

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the slots: the first of these becomes 0, and so on."""
        self._names = {number: self._names[slot] for number, slot in enumerate(slots)}
        self._exact = {}
        for slot, plain in self._names.items():
            self._exact.setdefault(plain, []).append(slot)
        self._blob = None

    def matches(self, query: str) -> dict[int, int]:
        """Slots whose name is the query or has it as a part: how well, `EXACT` to `INSIDE`."""
        if len(query) > _LONGEST:
            return {}
        wanted = plain_name(query)
        found: dict[int, int] = {}
        for number, at in self._places(wanted) if wanted else ():
            slot = self._slots[number]
            found[slot] = max(found.get(slot, 0), self._rank(at, at + len(wanted)))
        return found

    def _places(self, part: str) -> Iterator[tuple[int, int]]:
        """Every place of a text in the names: the number of the name, and where."""
        blob = self._joined()
        at = blob.find(part)
        while at >= 0:
            yield bisect_right(self._starts, at) - 1, at
            at = blob.find(part, at + 1)

    def _rank(self, start: int, stop: int) -> int:
        blob = self._joined()
        before, after = blob[start - 1], blob[stop]
        if before == after == "\n":
            return EXACT
        if before in " \n":
            return WHOLE if after in " \n" else START
        return INSIDE

    def _joined(self) -> str:
        if self._blob is None:
            self._starts, self._slots = [], list(self._names)
            at = 1
            for name in self._names.values():
                self._starts.append(at)
                at += len(name) + 1
            self._blob = "\n" + "\n".join(self._names.values()) + "\n"
        return self._blob

    def nearest(self, name: str, limit: int) -> list[int]:
        """Slots whose names resemble a name, the most alike first."""
        wanted = plain_name(name)[:_LONGEST]
        shared: Counter[int] = Counter()
        for at in range(max(1, len(wanted) - 2)):
            shared.update({number for number, _ in self._places(wanted[at : at + 3])})
        best = sorted(shared, key=lambda number: (-shared[number], self._starts[number]))
        likely = {self._names[self._slots[number]] for number in best[:_COMPARED]}
        found = nearest(wanted, sorted(likely), limit)
        return [slot for each in found for slot in self._exact[each]][:limit]
