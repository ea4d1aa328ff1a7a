"""The words that an index knows, and which of them an unknown word was meant to be."""

from __future__ import annotations

import string
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

_LETTERS: Final = string.ascii_lowercase + string.digits
_SHORTEST: Final = 4
_LONGEST: Final = 24
_CHANGED_FROM: Final = 5
"""A word of four letters with another letter is another word: `bake` is no typo for `base`."""
_TWO_SLIPS_FROM: Final = 7
_MOST: Final = 3


def begun(word: str, ordered: list[str], frequency: Mapping[str, int]) -> list[str]:
    """Return the most frequent known words that begin with a word, from a sorted list."""
    if len(word) < 3 or not word.isalpha():
        return []
    first = bisect_left(ordered, word)
    stop = bisect_left(ordered, word + "\U0010ffff")
    found = ordered[first:stop]
    return sorted(found, key=lambda each: (-frequency[each], each))[: 2 * _MOST]


def mended(word: str, ordered: list[str], frequency: Mapping[str, int]) -> list[str]:
    """Return the known words one typo away from a word, or two if it is long.

    The first letter is hardly ever wrong: `mine` is not a typo for `wine`, but another word.
    """
    if not _SHORTEST <= len(word) <= _LONGEST or not (word.isascii() and word.isalpha()):
        return []
    found = {each for each in _one_slip(word) if each in frequency}
    if not found and len(word) >= _TWO_SLIPS_FROM:
        found = set(_two_slips(word, ordered))
    return sorted(found, key=lambda each: (-frequency[each], each))[:_MOST]


def split(word: str, frequency: Mapping[str, int]) -> tuple[str, str] | None:
    """Return two known words that are written as one, the most frequent such pair."""
    pairs = [
        (word[:at], word[at:])
        for at in range(3, len(word) - 2)
        if word[:at] in frequency and word[at:] in frequency
    ]
    return max(pairs, key=lambda pair: min(map(frequency.__getitem__, pair)), default=None)


def _one_slip(word: str) -> Iterator[str]:
    """All words one edit away (drop, add, change or swap letters) with the same first letter."""
    changed = _LETTERS if len(word) >= _CHANGED_FROM else ""
    for at in range(len(word) + 1):
        left, right = word[:at], word[at:]
        if len(right) > 1:
            yield left + right[1] + right[0] + right[2:]
        if not left:
            continue
        if right:
            yield left + right[1:]
            yield from (left + letter + right[1:] for letter in changed)
        yield from (left + letter + right for letter in _LETTERS)


def _two_slips(word: str, ordered: list[str]) -> Iterator[str]:
    """Known words with the same first letter that are two typos away, cheapest test first."""
    first = bisect_left(ordered, word[0])
    stop = bisect_left(ordered, word[0] + "\U0010ffff")
    letters = set(word)
    for other in ordered[first:stop]:
        alike = abs(len(other) - len(word)) <= 2 and len(letters.symmetric_difference(other)) <= 4
        if alike and _distance(word, other) <= 2:
            yield other


def _distance(one: str, other: str) -> int:
    """The edit distance between two words."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for to, wanted in enumerate(other, 1):
            change = before + (letter != wanted)
            before = row[to]
            row[to] = min(change, row[to] + 1, row[to - 1] + 1)
    return row[-1]
