from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.record.parts import parts, plain_text, role_of, with_role

BODY = """# Options for the queue

## Considered Options

### Kafka

#### Pros

## Decision Outcome

Text.

### Positive Consequences

## Links
"""


def test_a_section_ends_at_a_heading_of_its_own_level() -> None:
    """A-7: options in sub-headings belong to the section above."""
    ((options, inside),) = with_role(parts(BODY), "options")
    assert options.title == "Considered Options"
    assert [part.title for part in inside] == ["Kafka", "Pros"]
    assert BODY[options.end :].startswith("## Decision Outcome")


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Decision", "decision"), ("Decision Outcome", "decision"), ("Decision Drivers", "context"),
        ("Considered Alternatives", "options"), ("Pros and Cons of the Options", "options"),
        ("Rejected options", "rejected"), ("Consequences", "consequences"), ("Changelog", "aside"),
        ("Chosen Alternative: Faktory", "decision"), ("Background", "context"),
    ],
)  # fmt: skip
def test_a_heading_says_what_stands_below_it(title: str, role: str) -> None:
    assert role_of(title) == role


def test_the_title_of_the_record_is_no_such_heading() -> None:
    assert parts(BODY)[0].role == "other"


def test_code_and_comments_are_no_words() -> None:
    assert plain_text("a\n```\ncode\n```\n<!-- b -->[c](d) https://e.f").split() == ["a", "c"]


def test_headings_that_a_sentence_introduces_as_weighed_are_options() -> None:
    """A-7: what was rejected conflicts, also where no heading says "options"."""
    body = (
        "# Lifts\n\n## Context\n\nThere are several well known tools for this:\n\n"
        "### 1. Hoistly\n\nSlow.\n\n### 2. Cranely\n\nQuick.\n\n## Decision\n\nWe use Cranely.\n"
    )
    assert [each.title for each in parts(body) if each.role == "option"] == [
        "Hoistly",
        "Cranely",
    ]
    told = body.replace("There are several well known tools for this:", "The lift has two doors:")
    assert not any(each.role == "option" for each in parts(told))
