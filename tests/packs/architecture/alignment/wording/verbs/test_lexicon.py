"""Verbs by what they do with their object."""

from __future__ import annotations

from toolcrib.packs.architecture.alignment.wording.negation import NEGATION
from toolcrib.packs.architecture.alignment.wording.verbs.lexicon import (
    KNOWN,
    PARTING,
    PRAISED,
    TAKING,
)
from toolcrib.search.stem import stem


def test_no_word_says_yes_and_turns_against_a_thing() -> None:
    """A-7: each word has one polarity."""
    assert TAKING <= KNOWN
    assert PRAISED <= KNOWN
    assert KNOWN.isdisjoint(PARTING)
    for word in ("drop", "retire", "abandon", "evict", "jettison", "regret", "distrust"):
        assert stem(word) not in KNOWN, word
        assert NEGATION.search(f"{word} it") or stem(word) in PARTING
