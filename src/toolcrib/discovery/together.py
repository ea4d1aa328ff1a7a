"""Tools and documents side by side: which tools are worth showing beside what was found written.

Tools and documents have an index each, and the scores of two indexes cannot be compared. What can
is how much of the question each answers: a tool that shares one synonym with it is no answer where
a document has all of its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcrib.core.tool import JSON

_STAND_IN = 0.5
"""What a synonym counts for beside the word itself."""
_ENOUGH = 0.5
"""The share of the best document's words that a tool needs."""


def beside(
    query: str,
    tools: Sequence[JSON],
    reasons: Mapping[str, JSON],
    documents: Sequence[Mapping[str, Any] | None],
) -> list[JSON]:
    """The tools that answer at least half as much of a question as the best document does.

    `reasons` and `documents` say why each was found. A tool that is meant by its name stays, and so
    does one that was found by its meaning alone, unless a document has every word of the question.
    """
    from toolcrib.search.query import content

    asked = len(set(content(query))) or 1
    best = max((_answered(why) / asked for why in documents if why), default=0.0)
    return [each for each in tools if _stays(reasons.get(each["tool_name"]), asked, best)]


def _stays(why: JSON | None, asked: int, best: float) -> bool:
    if not why or why["name"] or why["piece"]:
        return True
    return _answered(why) / asked >= _ENOUGH * best if why["words"] else best < 1.0


def _answered(why: Mapping[str, Any]) -> float:
    """How many words of the question were found, or something that stands for them."""
    found: dict[str, float] = {}
    for word, about in why["words"].items():
        said = about.get("for", word)
        found[said] = max(found.get(said, 0.0), _STAND_IN if "for" in about else 1.0)
    return sum(found.values())
