"""What a clause does to a thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.alignment.wording.verbs.attitude import attitude, removal
from toolcrib.packs.architecture.alignment.wording.verbs.valence import ENDING, WEAKER


def doing(text: str) -> str:
    """What a text does to X."""
    words = text.lower().split()
    place = words.index("x")
    return attitude(words, place, place + 1)


@pytest.mark.parametrize(
    "text",
    [
        "dismantle X",
        "the team dethroned X",
        "untangle the services from X",
        "bow out of X",
        "wind X down",
        "vote X down",
        "keep X out of the code",
        "squash the idea of X",
        "set a date for the end of X",
        "X needs a replacement",
        "X has become unbearable",
        "X ought to be dismantled",
        "X gives us more headaches than value",
        "use of X ends with this release",
        "our affair with X comes to an end",
        "send X into retirement",
        "mark X for deletion",
        "I want X gone by summer",
        "pick anything but X",
        "X costs more for the same thing",
        "X is slower than it was",
        "X takes too much memory",
    ],
)
def test_what_governs_a_thing_parts_from_it(text: str) -> None:
    """A-7: gives up what was chosen, by its verb, its noun or its predicate."""
    assert doing(text) == "parts"


@pytest.mark.parametrize(
    "text",
    [
        "limit who can see X",
        "dismantle the old queue behind X",
        "limit X timeouts",
        "X slows the build",
        "X becomes a plain function",
        "support for X grew lukewarm",
    ],
)
def test_a_word_of_parting_for_something_else_leaves_it_open(text: str) -> None:
    """A-7: where words do not decide, `related`."""
    assert doing(text) == "open"


@pytest.mark.parametrize(
    "text",
    ["use X", "roll out X", "store the logs in X", "purge the logs with X", "leave X as it is"],
)
def test_what_takes_a_thing_is_left_to_its_verb(text: str) -> None:
    """A-7: what only works with a thing parts from nothing."""
    assert doing(text) in ("plain", "takes")


@pytest.mark.parametrize(
    "text", ["X stays", "expand our use of X", "put X into the form", "X can keep handling logins"]
)
def test_who_keeps_or_extends_takes(text: str) -> None:
    """A-7: supports, without the word "use"."""
    assert doing(text) == "takes"


@given(st.sampled_from(sorted(set(ENDING.values()) - WEAKER)))
def test_every_verb_of_the_table_parts_from_its_object(verb: str) -> None:
    """A-7: polarity, for hundreds of verbs."""
    assert doing(f"{verb} X") == "parts"
    assert doing(f"we should {verb} X") == "parts"


def test_what_is_removed_from_a_thing_is_not_the_thing() -> None:
    """A-7: "remove unused settings from X" decides nothing on X, "remove traces of X" does."""
    assert removal(["unused", "settings", "from"]) == "open"
    assert removal(["all", "traces", "of"]) == "takes"
    assert removal([]) == "plain"


def test_a_long_clause_costs_no_more_than_its_length() -> None:
    """A-7: everything is linear."""
    assert_grows_slowly(
        lambda size: doing("remove the end of use of " * size + "x is out " * size), 500
    )


@pytest.mark.parametrize("text", ["trimming the log becomes an X job", "the dump became an X"])
def test_what_something_becomes_is_taken_whatever_the_work_is_called(text: str) -> None:
    """A-7: the verb before it says what is done, and not that X is given up."""
    assert doing(text) == "takes"
    assert doing("trim X") == "parts"
