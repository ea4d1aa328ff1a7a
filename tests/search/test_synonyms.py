"""The groups of words that stand for each other: ours, each with its reason."""

from __future__ import annotations

from toolcrib.search import synonyms
from toolcrib.search.stem import stem


def test_every_group_has_words_and_a_reason():
    """C-14: the thesaurus tells why its words belong together."""
    assert len(synonyms.groups()) > 300
    for group in synonyms.groups():
        assert group.section in ("same", "near", "does", "verbs"), group
        assert group.reason, group
        assert group.words and (group.doers or group.section != "does"), group
        assert len(group.words) > 1 or group.doers, group


def test_no_group_is_there_twice():
    seen = [(group.section, tuple(group.words), tuple(group.doers)) for group in synonyms.groups()]
    assert len(seen) == len(set(seen))


def test_words_of_everyday_life_are_not_in_it():
    """What a tool is about is told by its own description, not by our list."""
    for word in ("weather", "celsius", "hotel", "restaurant", "recipe", "movie", "flight", "euro"):
        assert not synonyms.knows(stem(word)), word


def test_same_is_mutual_and_does_is_not():
    assert stem("directory") in synonyms.same(stem("folder"))
    assert stem("folder") in synonyms.same(stem("directory"))
    assert stem("chmod") in synonyms.does(stem("permissions"))
    assert stem("permission") not in synonyms.does(stem("chmod"))


def test_the_deed_of_a_query_is_its_first_verb_in_all_its_words():
    """C-4: who wants to delete does not ask for what lists, however they say it."""
    deed = synonyms.deed([stem(word) for word in ("old", "erase", "delete", "list")])
    assert {stem("delete"), stem("remove")} <= deed
    assert stem("list") not in deed
    assert synonyms.deed([stem("branch")]) == frozenset()
