"""The embedding model: static word vectors, of full width and in numpy.

The vectors come with the package (`pieces.py`); the extra `toolcrib[semantic]` brings numpy, with
which a query can be compared with all documents of an index by all numbers of their vectors. If
either is missing or unreadable, search goes by words and by half of the vectors.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from toolcrib.search.embedding import WIDTH, pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_log = logging.getLogger(__name__)
_lock = Lock()
_UNIT: Final = 1 / 127


@cache
def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("numpy") is not None


class Model:
    """The vectors of words, each the sum of its pieces.

    The length of a vector shows how informative its piece is: `the` is short, `delete` is long.
    A sum over a text needs no other weights.
    """

    def __init__(self, known: pieces.VectorFile, file: Path) -> None:
        """`known` is what was read of the file; its second halves are mapped from disk."""
        import numpy as np

        self._pieces = known.pieces
        shape = (len(known.pieces.names), pieces.BYTES)
        first = np.frombuffer(known.first, np.uint8).reshape(shape)
        self._halves = first, np.memmap(file, np.uint8, "r", known.rest, shape)
        self._levels = [
            (np.frombuffer(levels, np.uint8).astype(np.float32) - pieces.ZERO) * _UNIT
            for levels in known.levels
        ]

    def words(self, words: list[str]) -> Vectors:
        """Return one vector per word; its length shows how informative the word is."""
        import numpy as np

        vectors = np.zeros((len(words), WIDTH), np.float32)
        places = [self._pieces.of(word) for word in words]
        owners = np.repeat(np.arange(len(words)), [len(each) for each in places])
        flat = np.fromiter((place for each in places for place in each), np.intp, len(owners))
        np.add.at(vectors, owners, self._rows(flat))
        return vectors

    def _rows(self, places: NDArray[np.intp]) -> Vectors:
        """The vectors of pieces: the half bytes of both halves, each its level."""
        import numpy as np

        rows = np.empty((len(places), WIDTH), np.float32)
        columns = np.split(rows, 2, axis=1)  # views: what is written to them is in the rows
        for column, half, levels in zip(columns, self._halves, self._levels, strict=True):
            codes = half[places]
            column[:, 0::2] = levels[codes >> 4]
            column[:, 1::2] = levels[codes & 15]
        return rows


@cache
def _load() -> Model | None:
    if not available():
        return None
    try:
        return Model(pieces.vector_file(), pieces.FILE)
    except (OSError, ValueError, ImportError) as error:
        _log.warning("search goes without whole vectors: they cannot be read (%s)", error)
        return None


def model() -> Model | None:
    """Return the model, loaded once for the whole process."""
    with _lock:
        return _load()
