"""Names by exact spelling, by any part of them, and by resemblance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from toolcrib.core.support.suggest import nearest
from toolcrib.search.lines import LONGEST, LineTable
from toolcrib.search.tokens import fold, plain_words

EXACT, WHOLE, START, INSIDE = 4, 3, 2, 1
"""How a query lies in a name: all of it, whole words, the beginning of a word, within one."""

_SEPARATORS: Final = re.compile(r"[\W_]+")
_COMPARED: Final = 60
_SHORT: Final = 100
"""Characters of a name; what is longer is a query, and may fill the memory."""


def plain_name(name: str) -> str:
    """Return a name as it is compared: lower case, every separator one space."""
    return _kept_name(name) if len(name) <= _SHORT else _compared(name)


def _compared(name: str) -> str:
    if name.isascii():
        plain = plain_words(name)
    else:
        plain = _SEPARATORS.sub(" ", fold(name)).strip().casefold()
    return plain or " ".join(name.split()).casefold()


_kept_name: Final = lru_cache(maxsize=4096)(_compared)
"""While an index is built it asks for each name twice, and for a program with each command."""


class NameTable:
    """The names of the live slots."""

    __slots__ = ("_exact", "_leading", "_lines")

    def __init__(self) -> None:
        self._lines = LineTable()
        self._exact: dict[str, list[int]] | None = None
        self._leading: frozenset[str] | None = None

    def __getitem__(self, slot: int) -> str:
        """The name of a slot as it is compared."""
        return self._lines[slot]

    def put(self, names: Iterable[tuple[int, str]]) -> None:
        """Know many slots by their names, given as they are compared."""
        self._lines.put(names)
        self._exact = self._leading = None

    def remove(self, slot: int) -> None:
        """Forget a slot's name."""
        self._lines.remove(slot)
        self._exact = self._leading = None

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the slots: the first of these becomes 0, and so on."""
        self._lines.pack(slots)
        self._exact = self._leading = None

    def matches(self, query: str) -> dict[int, int]:
        """Slots whose name is the query or has it as a part: how well, `EXACT` to `INSIDE`."""
        if len(query) > LONGEST:
            return {}
        wanted = plain_name(query)
        if len(wanted) < min(2, len(query.strip())):  # of ", r" too little is left for a part
            return dict.fromkeys(self.exactly(wanted), EXACT)
        found: dict[int, int] = {}
        for slot, at in self._lines.places(wanted):
            found[slot] = max(found.get(slot, 0), self._rank(at, at + len(wanted)))
        return found

    def _rank(self, start: int, stop: int) -> int:
        text = self._lines.joined()
        before, after = text[start - 1], text[stop]
        if before == after == "\n":
            return EXACT
        if before in " \n":
            return WHOLE if after in " \n" else START
        return INSIDE

    def exactly(self, plain: str) -> list[int]:
        """The slots of that very name."""
        if self._exact is None:
            self._exact = {}
            for slot, name in self._lines.items():
                self._exact.setdefault(name, []).append(slot)
        return self._exact.get(plain, [])

    def leads(self, plain: str) -> bool:
        """Return whether a name is that of others without their last word: a group of them."""
        if self._leading is None:
            self._leading = frozenset(name.rpartition(" ")[0] for _, name in self._lines.items())
        return plain in self._leading

    def nearest(self, name: str, limit: int) -> list[int]:
        """Slots whose names resemble a name, the most alike first."""
        wanted = plain_name(name)[:LONGEST]
        shared: Counter[int] = Counter()
        for at in range(max(1, len(wanted) - 2)):
            shared.update({slot for slot, _ in self._lines.places(wanted[at : at + 3])})
        best = sorted(shared, key=lambda slot: (-shared[slot], self._lines[slot]))
        likely = {self._lines[slot] for slot in best[:_COMPARED]}
        found = nearest(wanted, sorted(likely), limit)
        return [slot for each in found for slot in self.exactly(each)][:limit]
