"""Nearest names for typos."""

from __future__ import annotations

from collections.abc import Iterable

_SHORT = 24
_SAME_TOOL = 1.9
"""The likeness of a tool's name and the same name behind that of its server: above all others."""


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """Return up to `limit` candidates that resemble `name`, the most alike first.

    Likeness is the share of common letter trigrams or, for names of nearly the same length, of
    letters that need no correction; it is raised if one name contains the other, and most if a
    server has a tool of that name. Candidates below a third are left out.
    """
    wanted = name.casefold()
    grams = _trigrams(wanted)
    scored: list[tuple[float, str]] = []
    for candidate in candidates:
        score = _likeness(wanted, grams, candidate.casefold())
        if score >= 1 / 3:
            scored.append((-score, candidate))
    scored.sort()
    return [candidate for _, candidate in scored[:limit]]


def did_you_mean(name: str, candidates: Iterable[str], limit: int = 3) -> str:
    """Return the closing half of a sentence, `; did you mean 'a' or 'b'?`, or nothing."""
    found = nearest(name, candidates, limit)
    return f"; did you mean {' or '.join(repr(each) for each in found)}?" if found else ""


def _likeness(wanted: str, grams: set[str], folded: str) -> float:
    if folded == wanted:
        return 2.0
    if wanted and folded.endswith(f"__{wanted}"):
        return _SAME_TOOL
    other = _trigrams(folded)
    score = 2 * len(grams & other) / (len(grams) + len(other))
    longer = max(len(wanted), len(folded))
    if abs(len(wanted) - len(folded)) <= 2 and longer <= _SHORT:
        wrong = corrections(wanted, folded)
        # One slip in four letters is a typo; two are another word.
        score = max(score, 1 - wrong / longer if wrong <= max(1, longer // 4) else 0.0)
    if wanted and (wanted in folded or folded in wanted):
        score += 0.5
    return score


def corrections(one: str, other: str) -> int:
    """How many letters to add, drop, change or swap to make one of the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        previous, row = row, [i]
        for j, right in enumerate(other, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (left != right))
            if before and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = previous
    return row[-1]


def _trigrams(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
