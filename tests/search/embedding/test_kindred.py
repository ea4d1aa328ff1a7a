"""Words that are near in meaning, without word vectors."""

from __future__ import annotations

from typing import Any

import pytest

from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.embedding import model as semantic
from toolcrib.search.embedding.kindred import kindred
from toolcrib.search.index import Index
from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS

PLUGINS = [
    ("forecast", "Weather of the coming days for any place"),
    ("timetable", "Departures of trains and buses"),
    ("ledger", "Expenses of a household by month"),
]


@pytest.fixture
def plugins() -> Index:
    index = tool_index(semantic=False)
    index.add_all([tool_item(name, description, cli="plugin") for name, description in PLUGINS])
    return index


def test_a_question_without_a_word_in_common_finds_what_is_near(plugins, keys):
    """C-4: then words in any order, word forms, and meaning; also without the extra."""
    assert keys(plugins, "shall we expect rain and storms around Zermatt") == ["forecast"]


def test_a_word_in_common_counts_more_than_one_that_is_near(plugins, keys):
    """C-4: words first, meaning second."""
    asked = "do trains run on time when a storm is coming"
    assert keys(plugins, asked) == ["timetable", "forecast"]


@pytest.mark.parametrize("query", ["storm", "heavy storm", "rainy and stormy"])
def test_a_query_of_a_few_words_is_not_padded(plugins, keys, query):
    """C-14: who says three words or less means these."""
    assert keys(plugins, query) == []


def test_what_a_name_or_a_description_has_as_it_is_is_not_padded(crib, keys):
    """C-14: a piece of a description says what it means."""
    assert keys(crib, "Names of what lies in a folder")[0] == "listFiles"
    assert keys(crib, "Names of what lies in a folder") == keys(
        crib, "names of what lies in a folder"
    )


def test_a_match_by_meaning_is_told_with_the_word_it_stands_for(plugins):
    """C-4: `explain` tells which words matched, and why."""
    (hit,) = plugins.search("shall we expect rain and storms around Zermatt", explain=True).hits
    assert hit.why is not None
    assert hit.why["words"] == {"weather": {"in": ["description"], "for": "rain"}}


def test_no_word_is_its_own_kin_and_none_is_there_twice():
    """C-14: what is near is another word."""
    for word in ("rain", "delete", "flight", "cook", "directory", "music"):
        near = kindred(stem(word))
        assert near and len(near) == len(set(near)), word
        assert not {stem(word), *STOP_WORDS} & set(near), word
    assert kindred("no such stem") == ()


def test_the_table_agrees_with_the_vectors():
    """C-4: what the table calls near is near by the word vectors, too."""
    model = semantic.model()
    if model is None:
        pytest.skip("the extra `semantic` is not installed")
    for word, other in (("rain", "weather"), ("delete", "remove"), ("directory", "folder")):
        one, near, far = model.words([word, other, "banana"])
        assert stem(other) in kindred(stem(word))
        assert "banana" not in kindred(stem(word))
        assert _cosine(one, near) > 0.35 > _cosine(one, far)


def _cosine(one: Any, other: Any) -> float:
    return float(one @ other / ((one @ one) * (other @ other)) ** 0.5)
