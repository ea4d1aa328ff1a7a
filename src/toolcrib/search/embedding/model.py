"""The embedding model: static word vectors that are installed with a package, without a network.

The extra `toolcrib[semantic]` brings the package `wordllama`. Its code is never imported (it would
try to download); its two files, the weights and the tokenizer, are read directly. If they are
missing or unreadable, search stays lexical.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from toolcrib.search.embedding import WIDTH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_WEIGHTS: Final = "weights/l2_supercat_256.safetensors"
_TOKENIZER: Final = "tokenizers/l2_supercat_tokenizer_config.json"
_NEEDED: Final = ("wordllama", "numpy", "tokenizers")
_LARGEST_HEAD: Final = 1_000_000
_FEW: Final = 64

_log = logging.getLogger(__name__)
_lock = Lock()


@cache
def folder() -> Path | None:
    """The folder of the package with the vectors, found without importing it."""
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

    The length of a vector shows how informative its piece is: `the` is short, `delete` is long.
    A sum over a text needs no other weights.
    """

    def __init__(self, where: Path) -> None:
        from tokenizers import Tokenizer  # heavy, and needed only where there is a question

        self._pieces = _mapped(where / _WEIGHTS)
        self._tokenizer = Tokenizer.from_file(str(where / _TOKENIZER))

    def vocabulary(self) -> Mapping[str, int]:
        """The pieces that have a vector of their own; a whole word begins with `\u2581`."""
        vocabulary: dict[str, int] = self._tokenizer.get_vocab()
        return vocabulary

    def pieces(self, numbers: Sequence[int]) -> Vectors:
        """Return the vectors of pieces, given by their numbers in the vocabulary."""
        import numpy as np

        return np.asarray(self._pieces[list(numbers)], np.float32)

    def words(self, words: list[str]) -> Vectors:
        """Return one vector per word; its length shows how informative the word is."""
        import numpy as np

        vectors = np.zeros((len(words), WIDTH), np.float32)
        for at, encoding in enumerate(self._encoded(words)):
            if encoding.ids:
                vectors[at] = self._pieces[encoding.ids].sum(axis=0, dtype=np.float32)
        return vectors

    def _encoded(self, words: list[str]) -> Iterable[Any]:
        """The pieces of words; a few are cheaper to take in turn than to spread over threads."""
        if len(words) > _FEW:
            return self._tokenizer.encode_batch(words, add_special_tokens=False)
        return (self._tokenizer.encode(word, add_special_tokens=False) for word in words)


def _mapped(path: Path) -> Any:
    """The matrix of a safetensors file, mapped from disk: only a few rows are needed.

    The file has the length of a JSON header (8 bytes, little-endian), the header, and the numbers.
    """
    import numpy as np

    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > _LARGEST_HEAD:
            raise ValueError("not a safetensors file")
        head = json.loads(file.read(size))
    (matrix,) = (value for name, value in head.items() if name != "__metadata__")
    if matrix["dtype"] != "F16" or matrix["shape"][1] != WIDTH:
        raise ValueError(f"{matrix['dtype']} vectors of the shape {matrix['shape']}")
    start = 8 + size + matrix["data_offsets"][0]
    return np.memmap(path, np.float16, "r", start, tuple(matrix["shape"]))


@cache
def _load() -> Model | None:
    where = folder()
    if where is None:
        return None
    try:
        return Model(where)
    except (OSError, ValueError, KeyError, ImportError) as error:
        _log.warning("search stays lexical: the word vectors cannot be read (%s)", error)
        return None


def model() -> Model | None:
    """Return the model, loaded once for the whole process; it takes a fifth of a second."""
    with _lock:
        return _load()
