"""Which known name did they mean?  Hints for typos, for people and for agents."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """Return up to `limit` candidates that resemble `name`, the most alike first.

    Likeness is the share of common letter trigrams, lifted when one name contains the
    other; below a third there is no likeness worth mentioning.
    """
    wanted = name.casefold()
    grams = _trigrams(wanted)
    scored: list[tuple[float, str]] = []
    for candidate in candidates:
        folded = candidate.casefold()
        if folded == wanted:
            score = 2.0
        else:
            other = _trigrams(folded)
            score = 2 * len(grams & other) / ((len(grams) + len(other)) or 1)
            if wanted and (wanted in folded or folded in wanted):
                score += 0.5
        if score >= 1 / 3:
            scored.append((-score, candidate))
    scored.sort()
    return [candidate for _, candidate in scored[:limit]]


def did_you_mean(name: str, candidates: Iterable[str], limit: int = 3) -> str:
    """Return the closing half of a sentence, `; did you mean 'a' or 'b'?`, or nothing."""
    found = nearest(name, candidates, limit)
    return f"; did you mean {' or '.join(repr(each) for each in found)}?" if found else ""


def _trigrams(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
