"""Words, stems, sentences, and the piece worth showing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.search.stem import stem
from toolcrib.search.tokens import excerpt, plain_words, sentences, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("list_all_files", ["list", "all", "file"]),
        ("listAllFiles", ["list", "all", "file", "listallfil"]),
        ("--dry-run", ["dry", "run"]),
        ("HTTPServer2", ["http", "server2", "httpserver2"]),
        ("base64 utf8", ["base64", "utf8"]),
        ("GitHub", ["git", "hub", "github"]),
        ("Café crème", ["cafe", "creme"]),
        ("日本語", ["日本", "本語"]),
        ("", []),
        ("?!… \x00", []),
    ],
)
def test_identifiers_and_scripts_are_split_into_words(text, expected):
    """C-4: snake case, camel case, long flags."""
    assert tokens(text) == expected


@pytest.mark.parametrize(
    "forms",
    [
        ["list", "lists", "listed", "listing"],
        ["delete", "deletes", "deleted", "deleting", "deletion"],
        ["create", "creates", "creating", "creation", "created"],
        ["configure", "configuration", "configured", "configuring"],
        ["install", "installs", "installed", "installation"],
        ["dependency", "dependencies"],
        ["directory", "directories"],
        ["branch", "branches"],
        ["compress", "compressed", "compression", "compressing"],
        ["run", "running", "runs"],
        ["make", "making", "makes"],
        ["validate", "validation", "validated"],
        ["match", "matches", "matching"],
    ],
)
def test_the_forms_of_a_word_meet_in_one_stem(forms):
    """C-4: word forms."""
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["is", "gas", "status", "this", "news", "ssh", "k8s", "naïve"])
def test_short_and_foreign_words_are_left_alone_or_still_words(word):
    assert stem(word)


def test_different_words_keep_different_stems():
    roots = ["file", "fill", "node", "note", "log", "login", "port", "post", "user", "use"]
    assert len({stem(word) for word in roots}) == len(roots)


@given(st.text())
def test_any_text_has_tokens_that_are_words(text):
    """FAULTS: odd text is data."""
    assert all(token and token == token.lower() for token in tokens(text))
    assert all(words(text))


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_split_as_any_other_is(text):
    """C-4: the quick way of ASCII and the expression for all scripts find the same words."""
    assert plain_words(text).split() == re.findall(r"[^\W_]+", text.lower())
    assert tokens(text) == tokens(f"{text} é")[:-1]


def test_sentences_end_where_they_should():
    text = "We use e.g. SQLite. It is fast!  Is it? Yes.\n\n# A heading\n- one item\n- another"
    found = sentences(text)
    assert "It is fast!" in found
    assert "# A heading" in found
    assert "- another" in found
    assert sentences("") == sentences(" \n ") == []


def test_an_excerpt_shows_the_words_of_the_query():
    """A-5: an excerpt around the match."""
    text = "lorem " * 100 + "We chose PostgreSQL for sharing state. " + "ipsum " * 100
    found = excerpt(text, "sharing with postgresql", 80)
    assert "PostgreSQL for sharing" in found
    assert len(found) <= 80
    assert found.startswith("…") and found.endswith("…")


def test_an_excerpt_without_a_match_is_the_beginning():
    text = "First things first. " * 50
    assert excerpt(text, "nothing", 40).startswith("First things")
    assert excerpt("short", "nothing", 40) == "short"


@given(st.text(max_size=400), st.text(max_size=40), st.integers(20, 120))
def test_an_excerpt_is_never_longer_than_asked(text, query, width):
    assert len(excerpt(text, query, width)) <= width


def test_initials_end_no_sentence():
    """C-4: a name with dots in it stays whole."""
    assert sentences("Use the U.S. Web Design System. It is free.") == [
        "Use the U.S. Web Design System.", "It is free.",
    ]  # fmt: skip
