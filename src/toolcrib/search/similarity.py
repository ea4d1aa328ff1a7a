"""How alike long texts are: the angle between their weighted words.

A long text has no one thing to look for, so what counts is not how well a document answers
but how much of what both say is the same: the cosine of tf-idf vectors, with frequent
mentions damped and rare words lifted.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from typing import Final

from toolcrib.search.postings import Postings

_DAMPED: Final = 0.5
_LIFTED: Final = 1.25


class Profiles:
    """The documents of an index as vectors of words; lengths are kept until they change."""

    __slots__ = ("_lengths", "_postings")

    def __init__(self, postings: Postings) -> None:
        self._postings = postings
        self._lengths: array[float] | None = None

    def forget(self) -> None:
        """The documents have changed."""
        self._lengths = None

    def like(self, counts: Mapping[str, float]) -> list[float]:
        """Return the likeness (0 to 1) of each slot to a text, given how often it has a word."""
        sums = [0.0] * len(self._postings)
        length = 0.0
        for word, times in counts.items():
            if word in self._postings:
                weight = times**_DAMPED * self._telling(word)
                length += weight * weight
                for slot, value in self._weights(word):
                    sums[slot] += weight * value
        if self._lengths is None:
            self._lengths = self._measure()
        own = math.sqrt(length) or 1.0
        return [
            each / (own * other) if each else 0.0
            for each, other in zip(sums, self._lengths, strict=True)
        ]

    def _telling(self, word: str) -> float:
        frequency = self._postings.frequency[word]
        return math.pow(1 + math.log(self._postings.count / frequency), _LIFTED)

    def _weights(self, word: str) -> Iterator[tuple[int, float]]:
        telling = self._telling(word)
        for slot, times in self._postings.mentions(word).items():
            yield slot, times**_DAMPED * telling

    def _measure(self) -> array[float]:
        """The length of each document's vector."""
        squares = [0.0] * len(self._postings)
        for word in self._postings.frequency:
            telling = self._telling(word) ** 2
            for slot, times in self._postings.mentions(word).items():
                squares[slot] += telling * times ** (2 * _DAMPED)
        return array("d", map(math.sqrt, squares))
