"""Small word vectors in plain Python, for the meaning of short texts without the extra.

They come with the package (`data/vectors.txt`, made by `scripts/vectors.py`): 128 numbers of half a
byte for each piece that lower-case words are made of. A vector is one large integer with a number
in every 24 bits, so that adding two vectors is adding two integers.
"""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).parents[1] / "data" / "vectors.txt"
"""A comment, the pieces, and in base64 the levels and the vectors, each on a line."""
NUMBERS: Final = 128
"""How many numbers a vector has."""
ZERO: Final = 128
"""What stands for zero in the numbers of one piece, so that none is negative."""
WORD: Final = "\u2581"
"""The mark at the beginning of a word."""
BITS: Final = 24
"""How much room a number has in a vector: what is added up stays below that."""

_LEVELS: Final = 16
_BYTES: Final = NUMBERS // 2
_WIDE: Final = BITS // 8
_LONGEST: Final = 24
_REMEMBERED: Final = 8_000
_DIGITS: Final = b"0123456789abcdef"


class Sum(NamedTuple):
    """The sum of the vectors of some pieces, and how many these are."""

    numbers: int
    pieces: int


class WordVectors(dict[str, Sum]):
    """The vectors of words, each the sum of its pieces; computed when asked for."""

    def __init__(self, names: list[str], codes: bytes) -> None:
        super().__init__()
        self._ranks = dict(zip(names, range(len(names)), strict=True))
        self._codes = codes[_LEVELS:]
        self._shown = bytes.maketrans(_DIGITS, codes[:_LEVELS])
        if len(self._codes) != _BYTES * len(names):
            raise ValueError("vectors of another vocabulary")

    def __missing__(self, word: str) -> Sum:
        if len(self) >= _REMEMBERED:
            self.clear()
        ranks = [self._ranks[piece] for piece in self.parted(word) if piece in self._ranks]
        found = self[word] = Sum(sum(map(self._numbers, ranks)), len(ranks))
        return found

    def parted(self, word: str) -> list[str]:
        """The pieces of a word: of two neighbours, those of the foremost pair are joined first."""
        if WORD + word in self._ranks:
            return [WORD + word]
        parts = [WORD, *word[:_LONGEST]]
        while True:
            pairs = [one + other for one, other in pairwise(parts)]
            ranks = [self._ranks.get(pair, len(self._ranks)) for pair in pairs]
            best = min(ranks, default=len(self._ranks))
            if best == len(self._ranks):
                return parts
            at = ranks.index(best)
            parts[at : at + 2] = [pairs[at]]

    def _numbers(self, rank: int) -> int:
        """The vector of one piece: its half bytes, each made a number of its own."""
        wide = bytearray(_WIDE * NUMBERS)
        code = self._codes[_BYTES * rank : _BYTES * (rank + 1)]
        wide[::_WIDE] = code.hex().encode().translate(self._shown)
        return int.from_bytes(wide, "little")

    def total(self, words: Iterable[str]) -> Sum:
        """The sum of the vectors of words."""
        numbers = pieces = 0
        for word in words:
            one, count = self[word]
            numbers += one
            pieces += count
        return Sum(numbers, pieces)


@cache
def known_words() -> WordVectors:
    """The vectors of this package; read on first use."""
    _, pieces, codes = FILE.read_text(encoding="utf-8").splitlines()
    return WordVectors(pieces.split(" "), a2b_base64(codes))
