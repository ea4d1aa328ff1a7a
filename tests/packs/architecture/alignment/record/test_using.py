from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.record.using import is_order, tells_of, things_used
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses


def used(sentence: str) -> list[str]:
    return [each.strip() for clause in read_clauses(sentence) for each in things_used(clause)]


@pytest.mark.parametrize(
    ("sentence", "thing"),
    [
        ("We will use Redis for sessions.", "Redis"),
        ("All published events use CloudEvents.", "CloudEvents"),
        ("Generate a typed client using openapi-fetch.", "openapi-fetch"),
        ("Publish the contract as an OpenAPI document.", "OpenAPI document"),
        ("Run npm audit as part of the gate.", "npm audit"),
        ("Remove Redis from the code.", "Redis"),
    ],
)
def test_a_decision_says_what_is_used(sentence: str, thing: str) -> None:
    """A-7: what the record chose, in the words of its decision."""
    assert any(thing in each for each in used(sentence))


@pytest.mark.parametrize(
    "sentence", ["It uses Redis.", "The library uses Redis internally.", "Redis is fast."]
)
def test_a_sentence_that_only_explains_takes_nothing(sentence: str) -> None:
    """A-7: only a decision takes a thing."""
    assert not any("Redis" in each for each in used(sentence))


def test_an_order_begins_with_a_verb() -> None:
    assert is_order("Generate a client")
    assert not is_order("Generated clients are small")
    assert not is_order("Events are small")


def test_whose_use_is_dropped_is_the_thing_that_is_given_up() -> None:
    """A-7: "drop the use of X" names X; "the use of X" alone names nothing."""
    (dropped,) = read_clauses("We decided to drop the use of the Data Shuffle gem")
    assert not dropped.wanted
    assert things_used(dropped) == ["Data Shuffle gem"]


def test_what_is_not_brought_into_a_thing_is_refused_and_not_that_thing() -> None:
    """A-7: "we will not integrate X into Y" says nothing against Y."""
    assert used("We will not integrate Hoistly into the Dockyard.") == ["Hoistly"]
    assert used("We will integrate Hoistly into the Dockyard.") != ["Hoistly"]


def test_who_tells_of_using_a_thing_refuses_nothing() -> None:
    """A-7: "using X lets you avoid Y" speaks for X."""
    assert tells_of("using oak crates allows you to avoid the nails")
    assert not tells_of("avoid oak crates in the yard")
