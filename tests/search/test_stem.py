"""Stems: keys to match by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.search.stem import stem


@pytest.mark.parametrize(
    "words",
    [
        ("list", "lists", "listing", "listed"),
        ("make", "makes", "making"),
        ("copy", "copies", "copied"),
        ("commit", "commits", "committed", "committing"),
        ("create", "creates", "created", "creating", "creation"),
        ("branch", "branches"),
        ("delete", "deleted", "deleting", "deletes"),
    ],
)
def test_forms_of_a_word_meet(words: tuple[str, ...]) -> None:
    """S-10: a query finds a tool in whatever form the word is written."""
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("region", "reg"), ("status", "stat"), ("process", "proceed"), ("bus", "bu")]
)
def test_other_words_stay_apart(one: str, other: str) -> None:
    """S-10: what only looks alike is not found."""
    assert stem(one) != stem(other)


@given(st.text(max_size=12))
def test_any_text_has_a_stem_that_is_no_longer(text: str) -> None:
    """S-10: one letter more at most (`making`: `make`), and no error."""
    assert len(stem(text)) <= len(text) + 1


@pytest.mark.parametrize("word", ["x", "ab3", "größe", "k8s", "é"])
def test_what_is_no_plain_word_stays_whole(word: str) -> None:
    """S-10: names and numbers are matched as they are."""
    assert stem(word) == word
