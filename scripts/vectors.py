"""Makes the small word vectors out of those of the extra `semantic`.

    python scripts/vectors.py > src/toolcrib/search/data/vectors.txt

The vectors are those of the package `wordllama` (MIT licence). Its training lets the first numbers
of a vector stand for the whole, so half of them are kept, each as one of sixteen levels: half a
byte. The pieces are those that lower-case words are made of, in the order in which they are joined.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from typing import Final

import numpy as np

from toolcrib.search.embedding import model as semantic
from toolcrib.search.embedding.pieces import NUMBERS, WORD, ZERO

_WANTED: Final = re.compile(f"{WORD}?[a-z0-9]*")
_LEVELS: Final = 16
_ROUNDS: Final = 60
_HEAD: Final = (
    "# Small word vectors, made from those of wordllama (MIT licence) by scripts/vectors.py."
)


def table() -> str:
    """The whole file."""
    found = semantic.model()
    if found is None:
        raise SystemExit("vectors: the extra `semantic` is not installed")
    ids = dict(found.vocabulary())
    names = sorted((name for name in ids if name and _WANTED.fullmatch(name)), key=ids.__getitem__)
    vectors = found.pieces([ids[name] for name in names])[:, :NUMBERS]
    levels = _levels(np.asarray(vectors, np.float64).ravel())
    middles = (levels[1:] + levels[:-1]) / 2
    codes = np.searchsorted(middles, vectors).astype(np.uint8)
    packed = codes[:, 0::2] * _LEVELS + codes[:, 1::2]
    shown = np.round(levels * (ZERO - 1) / np.abs(levels).max()) + ZERO
    written = b2a_base64(shown.astype(np.uint8).tobytes() + packed.tobytes()).decode()
    return f"{_HEAD}\n{' '.join(names)}\n{written}"


def _levels(values: np.ndarray) -> np.ndarray:
    """The sixteen levels that lie nearest to all values, by Lloyd's method."""
    levels = np.quantile(values, (np.arange(_LEVELS) + 0.5) / _LEVELS)
    for _ in range(_ROUNDS):
        nearest = np.searchsorted((levels[1:] + levels[:-1]) / 2, values)
        sums = np.bincount(nearest, values, _LEVELS)
        levels = sums / np.maximum(np.bincount(nearest, minlength=_LEVELS), 1)
    return levels


if __name__ == "__main__":
    print(table(), end="")
