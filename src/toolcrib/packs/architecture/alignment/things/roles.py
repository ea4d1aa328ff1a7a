"""The words by which a record says which kind of thing it chooses: "as our CI platform".

A record that says so chose a thing of that kind, also where nobody has heard of its name. These
are the terms of the trade; `subjects.py` has the everyday words for the work of a kind.
"""

from __future__ import annotations

import re
from functools import cache

from toolcrib.packs.architecture.alignment.things import tables

_WORD = re.compile(r"[^\W_]+(?:[/-][^\W_]+)*")


@cache
def _kinds() -> dict[str, frozenset[str]]:
    """For each term, with single blanks, the kinds that it names; a kind names itself."""
    found: dict[str, set[str]] = {kind: {kind} for kind, _ in tables.table("kinds")}
    for kind, terms in tables.items("terms"):
        for term in terms:
            found.setdefault(term, set()).add(kind)
    return {term: frozenset(kinds) for term, kinds in found.items()}


@cache
def _by_first_word() -> dict[str, list[tuple[list[str], frozenset[str]]]]:
    """The words of each term with its kinds, the longest first, by the first word."""
    found: dict[str, list[tuple[list[str], frozenset[str]]]] = {}
    for term in sorted(_kinds(), key=lambda each: (-len(each), each)):
        words = term.split()
        found.setdefault(words[0], []).append((words, _kinds()[term]))
    return found


def kinds_named(text: str) -> frozenset[str]:
    """The kinds of things that a text speaks of by their terms, in the singular or the plural."""
    words = _WORD.findall(text.casefold())
    single = [_singular(word) for word in words]
    known = _by_first_word()
    found: set[str] = set()
    until = 0
    for at, word in enumerate(words):
        if at < until:
            continue
        for term, kinds in known.get(word) or known.get(single[at]) or ():
            end = at + len(term)
            # Only the last word of a term may be in the plural.
            if [*words[at : end - 1], single[end - 1] if end <= len(words) else ""] == term or (
                words[at:end] == term
            ):
                found |= kinds
                until = end
                break
    return frozenset(found)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
