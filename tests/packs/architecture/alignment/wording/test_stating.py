from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.stating import (
    concedes,
    goes_back,
    goes_back_to,
    only_for,
    states,
    tells_the_present,
)


@pytest.mark.parametrize("title", ["Use Redis", "Remove the proxy", "We will log as JSON"])
def test_a_title_states_a_decision(title: str) -> None:
    assert states(title)


@pytest.mark.parametrize("title", ["Cloud platform", "Error tracking and monitoring", "Locking"])
def test_a_subject_states_none(title: str) -> None:
    """A topic is not a choice."""
    assert not states(title)


def test_a_decision_to_do_something_states_it() -> None:
    """A-7: a title that is worded as a decision."""
    assert states("decision to not use docker in dev")


def test_how_things_are_decides_nothing_unless_they_stay_so() -> None:
    """A-7: only what is decided counts."""
    assert tells_the_present("We currently use Redis.")
    assert not tells_the_present("We currently use Redis and will keep it.")


def test_a_return_to_what_was_before_is_told() -> None:
    """A-7: who goes back to something does not stay with what is in force."""
    assert goes_back("Put the workers back on prefork")
    assert goes_back("Store the keys in files again")
    assert not goes_back("Back up the data")


def test_a_default_is_stated_with_what_it_goes_to() -> None:
    """A-7: "default to X" decides, "default settings" is a subject."""
    assert states("Default to Kotlin")
    assert not states("Default settings of the shop")


def test_what_a_text_returns_to_is_told() -> None:
    """A-7: who goes back to something names it."""
    assert goes_back_to("Go back to prefork for the workers, four each") == "prefork"
    assert goes_back_to("Revert to the old pool") == "the old pool"
    assert goes_back_to("Back up the data") == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "It will still be possible to have custom integrations that use GPIO.",
        "Generic integrations that parse HTML are excluded from this decision.",
        "Teams can still deploy by hand.",
    ],
)
def test_what_is_left_to_others_is_not_decided(sentence: str) -> None:
    """A-7: an exception says neither yes nor no to what the record decides."""
    assert concedes(sentence)


@pytest.mark.parametrize(
    "sentence", ["We still use Make.", "We will use Rust for it.", "No exceptions are logged."]
)
def test_a_decision_is_no_exception(sentence: str) -> None:
    """A-7: "still" alone concedes nothing."""
    assert not concedes(sentence)


def test_what_was_used_once_is_told_and_not_decided() -> None:
    """A-7: "we did use X" is a story."""
    assert tells_the_present("We did use Siegfried in the prototype.")
    assert not tells_the_present("We will use Siegfried.")


def test_a_case_for_which_alone_a_thing_is_allowed() -> None:
    """A-7: "with X only for old carts"; "only X" allows it for all."""
    assert only_for("Use oak, with tin support only for old carts.", "tin") == "for old carts."
    assert only_for("Use only tin for the carts.", "tin") == ""
