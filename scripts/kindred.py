"""Makes the table of kindred words out of static word vectors.

    pip install wordllama tokenizers
    python scripts/kindred.py > src/toolcrib/search/data/kindred.txt

The vectors are those of the package `wordllama` (MIT licence). Its vocabulary has pieces of words
and whole words; only the latter have a meaning of their own. Two words are kindred where the cosine
of their vectors is high; forms of one word are left out, the index knows these by itself.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from vectors import Sums

from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS

_WHOLE: Final = re.compile("\u2581[A-Za-z]{3,}")
_ALIKE: Final = 0.35
"""The likeness of meaning that counts without a shared word; `alike` of the ranking."""
_MOST: Final = 16
_HEAD: Final = """\
# Kindred words, made from the vectors of wordllama (MIT licence) by scripts/kindred.py:
# the stem of a word, and the words nearest to it in meaning, nearest first.
"""


def table() -> str:
    """The whole file."""
    found = Sums()
    words = _words(found)
    vectors = found.words(words)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    stems = [stem(word) for word in words]
    kindred: dict[str, dict[str, tuple[float, str]]] = {}
    for at, vector in enumerate(vectors):
        likeness = np.einsum("ij,j->i", vectors, vector)
        near = kindred.setdefault(stems[at], {})
        for other in np.nonzero(likeness > _ALIKE)[0]:
            pair = (round(float(likeness[other]), 4), words[other])
            if stems[other] != stems[at] and pair > near.get(stems[other], (0.0, "")):
                near[stems[other]] = pair
    lines = (f"{one}: {_best(near)}\n" for one, near in sorted(kindred.items()) if near)
    return _HEAD + "".join(lines)


def _words(model: Sums) -> list[str]:
    pieces = {piece[1:].lower() for piece in model.vocabulary() if _WHOLE.fullmatch(piece)}
    return sorted(word for word in pieces if stem(word) not in STOP_WORDS)


def _best(near: dict[str, tuple[float, str]]) -> str:
    pairs = sorted(near.values(), key=lambda pair: (-pair[0], pair[1]))
    return " ".join(word for _, word in pairs[:_MOST])


if __name__ == "__main__":
    print(table(), end="")
