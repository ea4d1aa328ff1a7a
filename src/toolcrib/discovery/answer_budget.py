"""Answers that fit: as many of the best results as a budget of tokens has room for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

_LETTERS_PER_TOKEN: Final = 3.6
_WIDE_PER_TOKEN: Final = 1.2


@dataclass(frozen=True, slots=True)
class Fitted:
    """The results that fit, best first; how many tokens they take, and how many were left out."""

    results: list[Any]
    tokens: int
    left_out: int


def estimate(text: str) -> int:
    """Estimate how many tokens a model makes of a text, rather a few too many than too few.

    Letters of the Latin kind go three to four into a token, others about one.
    """
    narrow = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return round(narrow / _LETTERS_PER_TOKEN + (len(text) - narrow) / _WIDE_PER_TOKEN + 0.5)


def compact(value: Any) -> str:
    """Return a value as JSON without a blank too many."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def fit(results: Sequence[Any], tokens: int, *, least: int = 1) -> Fitted:
    """Return the first results that together stay within a budget of tokens.

    The best `least` of them are given whatever they cost: an answer that is a little too long
    is better than none. The order is kept, and nothing after the first that is too much is
    looked at, so a longer budget only ever adds.
    """
    taken: list[Any] = []
    spent = 0
    for result in results:
        cost = estimate(compact(result)) + 1
        if spent + cost > tokens and len(taken) >= least:
            break
        taken.append(result)
        spent += cost
    return Fitted(taken, spent, len(results) - len(taken))
