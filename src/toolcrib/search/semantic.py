"""Meaning without a network: static word vectors that come inside an ordinary package.

The extra `toolcrib[semantic]` brings the package `wordllama`. Its code is never imported (it
would look for downloads); its two files, the weights and the tokenizer, are read as they are.
Where they are missing, or cannot be read, there is no meaning and search stays lexical.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from toolcrib.search.vectors import WIDTH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_WEIGHTS: Final = "weights/l2_supercat_256.safetensors"
_TOKENIZER: Final = "tokenizers/l2_supercat_tokenizer_config.json"
_NEEDED: Final = ("wordllama", "numpy", "tokenizers", "safetensors")

_log = logging.getLogger(__name__)
_lock = Lock()


@cache
def folder() -> Path | None:
    """Where the package lies that has the vectors; nothing is imported to find out."""
    if not all(find_spec(name) for name in _NEEDED):
        return None
    spec = find_spec("wordllama")
    places = spec.submodule_search_locations if spec else None
    for place in places or ():
        if (Path(place) / _WEIGHTS).is_file() and (Path(place) / _TOKENIZER).is_file():
            return Path(place)
    return None


class Model:
    """The vectors of word pieces, and of words as sums of their pieces.

    The length of a vector tells how much its piece says: `the` is short, `delete` is long.
    A sum over a text needs no other weights.
    """

    def __init__(self, where: Path) -> None:
        # Heavy, and needed only where there is something to compare: not at a start.
        from safetensors import safe_open
        from tokenizers import Tokenizer

        with safe_open(where / _WEIGHTS, framework="numpy") as file:
            (name,) = file.keys()
            self._pieces: Any = file.get_tensor(name)
        if self._pieces.shape[1] != WIDTH:
            raise ValueError(f"vectors of {self._pieces.shape[1]} numbers, not {WIDTH}")
        self._tokenizer = Tokenizer.from_file(str(where / _TOKENIZER))

    def words(self, words: list[str]) -> Vectors:
        """Return one vector per word, as long as the word is telling."""
        import numpy as np

        vectors = np.zeros((len(words), WIDTH), np.float32)
        encoded = self._tokenizer.encode_batch(words, add_special_tokens=False)
        for at, encoding in enumerate(encoded):
            if encoding.ids:
                vectors[at] = self._pieces[encoding.ids].sum(axis=0, dtype=np.float32)
        return vectors


@cache
def _load() -> Model | None:
    where = folder()
    if where is None:
        return None
    try:
        return Model(where)
    except (OSError, ValueError, ImportError) as error:
        _log.warning("search stays lexical: the word vectors cannot be read (%s)", error)
        return None


def model() -> Model | None:
    """Return the model, loaded once for the whole process; it takes a fifth of a second."""
    with _lock:
        return _load()
