"""Scores: the weighted sum of the query's words in each document."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from heapq import nlargest
from operator import add
from typing import TYPE_CHECKING, Final, TypeAlias

_SAMPLE: Final = 16
"""Of so many slots one is looked at for a bound."""
_OF_SAMPLE: Final = 4
_LEAST: Final = 5e-324
"""The smallest of all numbers above zero."""

AnySlots: TypeAlias = "array[int] | range"
"""Some slots, or all of them."""
AnyValues: TypeAlias = "array[float] | list[float]"

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]


class Scores:
    """One score per slot, in plain Python."""

    __slots__ = ("_empty", "_values")

    def __init__(self, size: int) -> None:
        self._values = [0.0] * size
        self._empty = True

    def add(self, slots: AnySlots, values: AnyValues, weight: float) -> None:
        """Add what one word is worth to the slots that have it."""
        # Most of a search's time goes here: what need not be added or multiplied is not.
        if isinstance(slots, range):
            self._add_column(values, weight)
            return
        scores, pairs = self._values, zip(slots, values, strict=True)
        if self._empty and weight == 1.0:
            self._empty = not slots
            for slot, value in pairs:
                scores[slot] = value
        elif self._empty:
            self._empty = not slots
            for slot, value in pairs:
                scores[slot] = weight * value
        elif weight == 1.0:
            for slot, value in pairs:
                scores[slot] += value
        else:
            for slot, value in pairs:
                scores[slot] += weight * value

    def _add_column(self, values: AnyValues, weight: float) -> None:
        """Add what one word is worth to all slots."""
        scores = self._values
        if weight != 1.0:
            pairs = zip(scores, values, strict=True)
            self._values = [score + weight * value for score, value in pairs]
        else:
            self._values = [*values] if self._empty else [*map(add, scores, values)]
        self._empty = False

    def add_where_scored(self, slots: AnySlots, values: AnyValues, weight: float) -> None:
        """Add what a word is worth to those of the slots that have a score."""
        scores = self._values
        for slot, value in zip(slots, values, strict=True):
            if scores[slot]:
                scores[slot] += weight * value

    def keep(self, allowed: set[int]) -> None:
        """Take the score from all other slots."""
        self._values = [
            score if slot in allowed else 0.0 for slot, score in enumerate(self._values)
        ]

    def best(self, count: int) -> tuple[list[int], float]:
        """Return the slots of the best `count` scores, those of a tie all, and the best score."""
        scores = self._values
        # The best of some of them are no better than the best of all: below that none is looked at.
        # Sorting so few is quicker than a heap. A quarter of them nearly always stands for enough.
        some = sorted(scores[::_SAMPLE])
        likely: list[int] = []
        for place in (1 + count // _OF_SAMPLE, count):
            if len(likely) < count:
                floor = (some[-place] if len(some) >= place else 0.0) or _LEAST
                likely = [slot for slot, score in enumerate(scores) if score >= floor]
        if not likely:
            return [], 0.0
        best = sorted(map(scores.__getitem__, likely))
        least = best[max(0, len(best) - count)]
        return [slot for slot in likely if scores[slot] >= least], best[-1]

    def of(self, slots: Sequence[int]) -> list[float]:
        """The scores of some slots."""
        return [self._values[slot] for slot in slots]

    def matched(self) -> int:
        """How many slots have any score."""
        return len(self._values) - self._values.count(0.0)


class SwiftScores:
    """The same sums to the last bit, by numpy: for where that is loaded anyway, for meaning."""

    __slots__ = ("_values",)

    def __init__(self, size: int) -> None:
        import numpy as np

        self._values: Vector = np.zeros(size)

    def add(self, slots: AnySlots, values: AnyValues, weight: float) -> None:
        """Add what one word is worth to the slots that have it."""
        import numpy as np

        if isinstance(slots, range):
            self._values += weight * np.asarray(values)
            return
        self._values[np.frombuffer(slots, np.uintc)] += weight * np.asarray(values)

    def add_where_scored(self, slots: AnySlots, values: AnyValues, weight: float) -> None:
        """Add what a word is worth to those of the slots that have a score."""
        import numpy as np

        at = np.asarray(slots, np.uintc)
        scored = self._values[at] > 0.0
        self._values[at[scored]] += weight * np.asarray(values)[scored]

    def keep(self, allowed: set[int]) -> None:
        """Take the score from all other slots."""
        import numpy as np

        kept = np.fromiter(allowed, np.intp, len(allowed))
        values = np.zeros_like(self._values)
        values[kept] = self._values[kept]
        self._values = values

    def best(self, count: int) -> tuple[list[int], float]:
        """Return the slots of the best `count` scores, those of a tie all, and the best score."""
        import numpy as np

        found = self._values[self._values > 0.0]
        if not found.size:
            return [], 0.0
        count = min(count, found.size)
        least = np.partition(found, -count)[-count]
        slots: list[int] = np.nonzero(self._values >= least)[0].tolist()
        return slots, float(found.max())

    def of(self, slots: Sequence[int]) -> list[float]:
        """The scores of some slots."""
        values: list[float] = self._values[list(slots)].tolist()
        return values

    def matched(self) -> int:
        """How many slots have any score."""
        import numpy as np

        return int(np.count_nonzero(self._values))


AnyScores: TypeAlias = Scores | SwiftScores


def foremost(worth: Mapping[int, float], count: int) -> list[int]:
    """Return the slots of the best `count` scores of a few, those of a tie all."""
    least = min(nlargest(count, worth.values()), default=0.0)
    return [slot for slot, value in worth.items() if value >= least]
