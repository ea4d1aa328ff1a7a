"""Word vectors: what comes with the package, and its use in plain Python.

`data/vectors.bin` is made by `scripts/vectors.py`. It has the pieces that words are made of, and a
vector for each in two halves. The first half stands for the whole by itself and is used without
numpy; with it, both are (`model.py`). Every number is one of sixteen levels, half a byte.

Here a vector is one large integer with a number in every 24 bits, so that adding two vectors is
adding two integers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).parents[1] / "data" / "vectors.bin"
"""A comment and the pieces, each on a line, the levels of both halves, and the halves."""
NUMBERS: Final = 128
"""How many numbers half a vector has."""
ZERO: Final = 128
"""What stands for zero in the numbers of one piece, so that none is negative."""
INSIDE: Final = "##"
"""The mark of a piece that does not begin a word."""
BITS: Final = 24
"""How much room a number has in a vector: what is added up stays below that."""
LEVELS: Final = 16
BYTES: Final = NUMBERS // 2
"""How long half a vector is in the file."""

_WIDE: Final = BITS // 8
_LONGEST: Final = 24
_REMEMBERED: Final = 8_000
_DIGITS: Final = b"0123456789abcdef"


class Pieces:
    """The pieces that words are made of, each with its place in the file."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self._places = dict(zip(names, range(len(names)), strict=True))
        self._longest = max(map(len, names), default=0)

    def of(self, word: str) -> list[int]:
        """The places of a word's pieces, the longest first; letters that no piece has are left out.

        A word that is known as a whole is one piece.
        """
        whole = self._places.get(word)
        if whole is not None:
            return [whole]
        found, at, mark = [], 0, ""
        word = word[:_LONGEST]
        while at < len(word):
            end = min(len(word), at + self._longest)
            while end > at and mark + word[at:end] not in self._places:
                end -= 1
            if end > at:
                found.append(self._places[mark + word[at:end]])
            at, mark = max(end, at + 1), INSIDE
        return found


class VectorFile(NamedTuple):
    """What the file has: pieces, the levels of each half, and the first half of each vector."""

    pieces: Pieces
    levels: tuple[bytes, bytes]
    first: bytes
    rest: int
    """Where in the file the second halves begin."""


def read(file: Path) -> VectorFile:
    """Read all but the second halves; raises `ValueError` for a damaged file."""
    with file.open("rb") as data:
        data.readline()
        pieces = Pieces(data.readline().decode().split())
        levels = data.read(LEVELS), data.read(LEVELS)
        size = BYTES * len(pieces.names)
        first = data.read(size)
        rest = data.tell()
    if not size or len(first) != size or rest + size != file.stat().st_size:
        raise ValueError("vectors of another vocabulary")
    return VectorFile(pieces, levels, first, rest)


@cache
def vector_file() -> VectorFile:
    """The vectors of this package; read on first use."""
    return read(FILE)


class Sum(NamedTuple):
    """The sum of the vectors of some pieces, and how many these are."""

    numbers: int
    pieces: int


class WordVectors(dict[str, Sum]):
    """The vectors of words, each the sum of its pieces; computed when asked for."""

    def __init__(self, known: VectorFile) -> None:
        super().__init__()
        self._pieces = known.pieces
        self._codes = known.first
        self._shown = bytes.maketrans(_DIGITS, known.levels[0])

    def __missing__(self, word: str) -> Sum:
        if len(self) >= _REMEMBERED:
            self.clear()
        places = self._pieces.of(word)
        found = self[word] = Sum(sum(map(self._numbers, places)), len(places))
        return found

    def _numbers(self, place: int) -> int:
        """The vector of one piece: its half bytes, each made a number of its own."""
        wide = bytearray(_WIDE * NUMBERS)
        code = self._codes[BYTES * place : BYTES * (place + 1)]
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
    """The vectors of words, computed once for the whole process."""
    return WordVectors(vector_file())
