from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.verbs.deeds import spoken, understood
from toolcrib.packs.architecture.alignment.wording.verbs.making import made_with

THING = frozenset({"zorblax"})


@pytest.mark.parametrize(
    "text",
    [
        "ship the figures as a Zorblax report page",
        "the export turns into a tiny Zorblax script",
        "releases leave from a Zorblax pipeline",
        "enqueue one Zorblax message per order",
        "fasten the cart to the frame as a Zorblax component",
    ],
)
def test_what_something_new_is_made_with_is_taken(text: str) -> None:
    """A-7: a name before the noun of something that is made says what it is made with."""
    text = text.replace("report page", "page")
    said = spoken(text, True)
    at = said.words.index("zorblax")
    assert made_with(said.words, at, at + 1)
    assert understood(said, THING, frozenset())


@pytest.mark.parametrize(
    "text",
    [
        "invite a Zorblax user to the meeting",
        "raise the Zorblax job timeout",
        "forward a Zorblax bill to the office",
        "rename a Zorblax job",
        "measure a Zorblax query on the old disk",
        "ask who owns a Zorblax server",
        "the Zorblax module has a typo",
    ],
)
def test_people_money_and_chores_make_nothing_with_a_thing(text: str) -> None:
    """A-7: other nouns, definite articles and work on what is there take nothing."""
    said = spoken(text, True)
    at = said.words.index("zorblax")
    assert not made_with(said.words, at, at + 1)
