"""Links, comments and marks inside of lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.files.markdown.inline import (
    hrefs,
    plain_words,
    without_comments,
    without_links,
    without_urls,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see [the docs](a.md) now", "see the docs now"),
        ('[ADR-1 [draft]](x.md "title")', "ADR-1 [draft]"),
        ("[a](https://x.org/b_(c)) d", "a d"),
        ("[![build](b.svg)](https://ci)", "build"),
        ("[named][1] and ![pic](p.png)", "named and pic"),
        ("no [link] (here)", "no [link] (here)"),
        ("[open](never", "[open](never"),
    ],
)
def test_links_become_their_words(text: str, words: str) -> None:
    """A-1: titles, tags and descriptions are plain text."""
    assert without_links(text) == words


def test_plain_words_are_one_line_without_marks() -> None:
    """A-1: a title is shown as it is read."""
    assert plain_words("**Use** `uv`,\n [please](x)") == "Use uv, please"


def test_comments_and_addresses_go_even_when_they_are_never_closed() -> None:
    """A-7: only the words that somebody wrote are compared."""
    assert without_comments("a <!-- b --> c <!-- d").split() == ["a", "c"]
    assert without_urls("see https://x.org/a?b=c.").split() == ["see"]


def test_targets_come_with_their_offsets_and_pictures_are_left_out() -> None:
    """A-1: links to other documents."""
    text = "[a](<b c.md>) ![p](q.png) [d](e.md 'title')"
    assert [(href, text[at]) for href, at in hrefs(text)] == [("b", "<"), ("e.md", "e")]


@given(st.text(alphabet="[]()!\n a<->", max_size=200))
def test_any_text_is_read(text: str) -> None:
    """A-1: documents are untrusted."""
    assert len(without_links(text)) <= len(text)
    assert all(0 <= at <= len(text) for _, at in hrefs(text))
