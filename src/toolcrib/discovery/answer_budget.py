"""Answers within a token budget: as many of the best results as fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from toolcrib.core.support.jsonable import quickly
from toolcrib.core.support.records import record

_LETTERS_PER_TOKEN: Final = 3.6
_WIDE_PER_TOKEN: Final = 1.2


@record
class Fitted:
    """The results that fit, best first; how many tokens they take, and how many were left out."""

    results: list[Any]
    tokens: int
    left_out: int


def estimate(text: str) -> int:
    """Estimate the number of tokens of a text, rather too high than too low.

    A token has three to four Latin letters, or about one of other scripts.
    """
    narrow = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return round(narrow / _LETTERS_PER_TOKEN + (len(text) - narrow) / _WIDE_PER_TOKEN + 0.5)


def fit(results: Sequence[Any], tokens: int, *, least: int = 1) -> Fitted:
    """Return the first results that together stay within a budget of tokens.

    The best `least` of them are always included: an answer that is a little too long is better
    than none. The order is kept, and the rest is dropped from the first that does not fit, so a
    larger budget only adds results.
    """
    taken: list[Any] = []
    spent = 0
    for result in results:
        cost = estimate(quickly(result)) + 1
        if spent + cost > tokens and len(taken) >= least:
            break
        taken.append(result)
        spent += cost
    return Fitted(taken, spent, len(results) - len(taken))
