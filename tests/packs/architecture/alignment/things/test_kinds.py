from __future__ import annotations

from collections import Counter

from toolcrib.packs.architecture.alignment.things.kinds import EVERYDAY, KINDS


def lines() -> list[tuple[str, list[str]]]:
    rows = (line.partition(":") for line in KINDS.strip().replace("\n    ", " ").splitlines())
    return [(kind, things.split()) for kind, _, things in rows]


def test_each_kind_and_each_spelling_stands_once() -> None:
    """A-7: another thing of one kind is a rival, so a thing is of one kind only."""
    kinds = Counter(kind for kind, _ in lines())
    spellings = Counter(
        each for _, things in lines() for thing in things for each in thing.split("=")
    )
    assert [kind for kind, count in kinds.items() if count > 1] == []
    assert [each for each, count in spellings.items() if count > 1] == []


def test_everyday_words_are_spellings_of_the_table() -> None:
    """A-7: "express" is a word, "Express" a thing."""
    known = {each for _, things in lines() for thing in things for each in thing.split("=")}
    assert EVERYDAY - known - {"go", "snowflake"} == frozenset()
