from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.record.sentences import is_sentence, split_sentences


def test_headings_tables_and_marks_of_lists_are_no_sentences() -> None:
    """A-7: a verdict shows the sentence that decides it, as somebody wrote it."""
    text = "# Title\n\n* We use **Rollbar**.\n\n| a | b |\n\n- Errors go there.\n"
    assert list(split_sentences(text)) == ["We use Rollbar.", "Errors go there."]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("We will use Rollbar.", True),
        ("Chosen option: Rollbar", True),
        ("Use Rollbar", False),
        ("{title of option 1}, because of {justification}.", False),
    ],
)
def test_only_a_whole_sentence_is_quoted(text: str, whole: bool) -> None:
    """A-7: no heading, no piece of a list, no placeholder of a template."""
    assert is_sentence(text) is whole


def test_a_heading_is_no_beginning_of_the_sentence_below_it() -> None:
    """A-7: `reason` quotes a sentence; many write no blank line below a heading."""
    text = "## Context\nWe loaded crates by hand.\n### Why\nIt was slow.\n\nWe hire #5 and #6.\n"
    assert list(split_sentences(text)) == [
        "We loaded crates by hand.",
        "It was slow.",
        "We hire #5 and #6.",
    ]
