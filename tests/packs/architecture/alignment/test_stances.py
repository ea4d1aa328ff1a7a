from __future__ import annotations

from toolcrib.packs.architecture.alignment.stances import Position

BODY = """# 7. Error tracking

## Considered Options

* Sentry
* Rollbar

## Decision Outcome

Chosen option: Rollbar, because it groups well.

* cheap
* We will not send personal data to it.

### Negative Consequences

* Another bill.

## Changelog

We moved this record.
"""


def position() -> Position:
    return Position("Error tracking", BODY)


def test_a_record_stands_for_what_it_chose_and_against_what_it_did_not() -> None:
    """A-7: what the record chose, rejected, and says."""
    found = {(each.kind, each.text): each.wanted for each in position().choices}
    assert found["chosen", "Rollbar"] is True
    assert found["rejected", "Sentry"] is False
    said = {each.sentence: each.wanted for each in position().said}
    assert said["We will not send personal data to it."] is False


def test_only_whole_sentences_of_the_decision_are_quoted() -> None:
    """A-7: never a title, a change log or a piece of a list."""
    assert position().quotable == [
        "Chosen option: Rollbar, because it groups well.",
        "We will not send personal data to it.",
    ]


def test_a_record_without_sections_is_read_as_a_whole() -> None:
    bare = Position("Use Redis", "# Use Redis\n\nWe will use Redis as a cache.\n")
    assert bare.decided == ["We will use Redis as a cache."]
    assert all("redis" in each.focus.core for each in bare.choices)
