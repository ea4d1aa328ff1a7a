"""The meaning of documents in plain Python, for where there is no numpy for whole vectors.

The gist of a document is the sum of the small vectors of its name and summary. Gists are computed
when they are asked for: in a small index for all documents, in a large one only for those that
share a word, or a near one, with the query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from toolcrib.search.embedding.pieces import BITS, NUMBERS, ZERO, known_words
from toolcrib.search.tokens import words

Text = Callable[[int], str]
"""Tells what a document is understood by, given its slot."""

SMALL: Final = 1_500
"""How many documents are all looked at for each query."""
_FAINT: Final = 0.235
"""The least similarity that counts: below that, texts of so few numbers are alike by accident."""
_SURE: Final = 0.8
"""What the best likeness counts for, where one by whole vectors counts 1."""
_COMPARED: Final = 80
"""How many of them are compared by more than signs."""
_REMEMBERED: Final = 8_000
LONGEST: Final = 400
"""How much of a text a gist takes in."""
_STEPS: Final = 16
_FLAGS: Final = [bytes(255 * (step >> bit & 1) for step in range(256)) for bit in range(4)]
"""For each bit of a step a table: 255 for the steps that have it, else 0."""
_ALL: Final = (1 << BITS) - 1
_ONES: Final = sum(1 << BITS * at for at in range(NUMBERS))
_SIGNS: Final = _ONES << BITS - 1


class Gist(NamedTuple):
    """A vector: numbers, their sum, what stands for zero among them, length and signs."""

    numbers: int
    total: int
    zero: int
    length: float
    signs: int


class Gists:
    """The gists of the documents of an index."""

    __slots__ = ("_known", "_text")

    def __init__(self, text: Text) -> None:
        self._text = text
        self._known: dict[int, Gist] = {}

    def forget(self, slot: int | None = None) -> None:
        """Forget what is known of a slot, or of all."""
        if slot is None:
            self._known.clear()
        else:
            self._known.pop(slot, None)

    def __getitem__(self, slot: int) -> Gist:
        found = self._known.get(slot)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[slot] = gist(self._text(slot))
        return found

    def compare(self, query: str, slots: Collection[int]) -> Resemblance:
        """Compare a query with documents; if `slots` are few, all are looked at."""
        return Resemblance(self, gist(query), slots if len(slots) <= SMALL else ())


class Resemblance:
    """The similarity in meaning of documents to one query.

    A product of two vectors is added up bit by bit: the numbers of the query are rounded to 16
    steps, and each of their four bits chooses numbers of the document, whose sum is what remains
    of all of them as one integer divided by the largest number of their width.
    """

    __slots__ = ("_gists", "_least", "_length", "_planes", "_signs", "_slots", "_step", "_sum")

    def __init__(self, gists: Gists | Sequence[Gist], query: Gist, slots: Collection[int]) -> None:
        self._gists = gists
        self._slots = slots
        self._signs = query.signs
        self._length = query.length
        values = [number - query.zero for number in unpacked(query.numbers)]
        self._least = min(values)
        self._step = (max(values) - self._least) / (_STEPS - 1) or 1.0
        per = 1 / self._step
        steps = [int((value - self._least) * per + 0.5) for value in values]
        self._sum = self._least * NUMBERS + self._step * sum(steps)
        self._planes = [_chosen(bytes(steps), flags) for flags in _FLAGS]

    def best(self, count: int, least: float) -> list[int]:
        """The most similar of the slots to look at, above a minimum similarity."""
        found = self.above(max(least, _FAINT))
        return nlargest(count, found, key=lambda slot: (found[slot], slot))

    def above(self, least: float) -> dict[int, float]:
        """The slots to look at that are at least so similar, each with its similarity.

        Which way each number points is compared first, which is quicker; of many, those that
        are unlike the query by that are not looked at further.
        """
        if not self._length:
            return {}
        signs, gists = self._signs, self._gists
        near = {slot: -(signs ^ gists[slot].signs).bit_count() for slot in self._slots}
        likely = nlargest(_COMPARED, near, key=near.__getitem__)
        return {slot: value for slot in likely if (value := self.likeness(slot)) >= least}

    def of(self, slots: Sequence[int]) -> list[float]:
        """The similarity of some slots, as a fraction of the best of them."""
        found = [max(0.0, self.likeness(slot)) for slot in slots]
        share = _SURE / (max(found, default=0.0) or 1.0)
        return [share * value for value in found]

    def likeness(self, slot: int) -> float:
        """The cosine of two vectors."""
        numbers, total, zero, length, _ = self._gists[slot]
        one, two, four, eight = self._planes
        # Added up as vectors first: the division is what takes longest.
        chosen = (numbers & one) + ((numbers & two) << 1)
        chosen += ((numbers & four) << 2) + ((numbers & eight) << 3)
        product = self._least * total + self._step * (chosen % _ALL) - zero * self._sum
        return product / (self._length * length or 1.0)


def gist(text: str) -> Gist:
    """The vector of a text; of length 0 if no word is known."""
    numbers, pieces = known_words().total(words(text[:LONGEST]))
    zero = ZERO * pieces
    square = sum((value - zero) ** 2 for value in unpacked(numbers))
    signs = (numbers + _ONES * ((1 << BITS - 1) - zero)) & _SIGNS
    return Gist(numbers, numbers % _ALL, zero, math.sqrt(square), signs)


def unpacked(numbers: int) -> list[int]:
    """The numbers of a vector."""
    wide = numbers.to_bytes(NUMBERS * BITS // 8, "little")
    return [low + (high << 8) for low, high in zip(wide[::3], wide[1::3], strict=True)]


def _chosen(steps: bytes, flags: bytes) -> int:
    """A mask of the numbers whose step has a bit."""
    mask = bytearray(NUMBERS * BITS // 8)
    mask[::3] = mask[1::3] = mask[2::3] = steps.translate(flags)
    return int.from_bytes(mask, "little")
