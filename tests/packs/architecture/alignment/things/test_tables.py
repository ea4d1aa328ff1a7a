from __future__ import annotations

from collections import Counter

import pytest

from toolcrib.packs.architecture.alignment.things import tables


def test_each_kind_and_each_spelling_stands_once() -> None:
    """A-7: another thing of one kind is a rival, so a thing is of one kind only."""
    kinds = Counter(kind for kind, _ in tables.words("kinds"))
    spellings = Counter(
        each for _, things in tables.words("kinds") for thing in things for each in thing.split("=")
    )
    assert [kind for kind, count in kinds.items() if count > 1] == []
    assert [each for each, count in spellings.items() if count > 1] == []


def test_everyday_words_are_spellings_of_the_table() -> None:
    """A-7: "express" is a word, "Express" a thing."""
    known = {
        each for _, things in tables.words("kinds") for thing in things for each in thing.split("=")
    }
    everyday = {word for _, words in tables.words("everyday") for word in words}
    assert everyday - known - {"go", "snowflake"} == frozenset()


@pytest.mark.parametrize("name", ["terms", "also"])
def test_a_table_that_speaks_of_kinds_speaks_of_known_ones(name: str) -> None:
    """A-7: a kind that is misspelt would never be met."""
    kinds = {kind for kind, _ in tables.table("kinds")}
    rows = tables.items(name)
    said = (
        {key for key, _ in rows} if name == "terms" else {each for _, row in rows for each in row}
    )
    assert said - kinds == set()


def test_things_with_further_kinds_and_languages_are_known_by_their_usual_names() -> None:
    """A-7: what has a further use, or a language, is looked up by its usual name."""
    usual = {thing.split("=")[0] for _, things in tables.words("kinds") for thing in things}
    further = {name for name, _ in tables.items("also")}
    of_languages = {thing for _, things in tables.words("ecosystems") for thing in things}
    assert further - usual == set()
    assert of_languages - usual == set()
