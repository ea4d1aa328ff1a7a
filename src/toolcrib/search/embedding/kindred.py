"""Words near in meaning, a small approximation of word vectors without the extra.

The table is made from the vectors of another package (`scripts/kindred.py`). It says that
`rain` is near `weather`, not why. Such a word proves little, and is used only if the words of a
query match little.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from toolcrib.search.stem import stem

_FILE: Final = Path(__file__).parents[1] / "data" / "kindred.txt"
_REMEMBERED: Final = 4096


@lru_cache(maxsize=_REMEMBERED)
def kindred(word: str) -> tuple[str, ...]:
    """Return the stems of the words that are nearest in meaning to a stem, nearest first."""
    return tuple(map(stem, _table().get(word, "").split()))


def knows(word: str) -> bool:
    """Return whether a stem is a common word, whatever the documents of an index say."""
    return word in _table()


@cache
def _table() -> dict[str, str]:
    """The line of each stem; read on first use, and split when needed."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {one: others for one, _, others in pairs}
