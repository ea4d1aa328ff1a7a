from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.architecture.alignment.wording.verbs.employing import (
    employs,
    merely_named,
    sets_up,
)

X = frozenset(("gizmo",))


@pytest.mark.parametrize(
    "text",
    [
        "Let Gizmo scan the images",
        "Gizmo could trim the log",
        "Render the invoices with Gizmo",
        "Keep the session data in Gizmo",
        "The nightly build runs on a Gizmo box",
        "Hook up Gizmo for the new site",
        "Set up Gizmo",
        "The tests that click through the pages are written with Gizmo",
        "Reminders before the deadline are delivered by Gizmo",
        "The events should be Gizmo",
        "Uploads pass through a Gizmo daemon",
        "Gizmo should also build the docs",
    ],
)
def test_a_thing_is_put_to_work_without_a_word_of_choice(text: str) -> None:
    """A-7: the chosen or rejected thing is often named without "use"."""
    assert employs(text, X)


@pytest.mark.parametrize(
    "text",
    [
        "Put a link to Gizmo into the footer",
        "Fix the crash in Gizmo",
        "Gizmo can take a hike",
        "Ask the partner, who runs on Gizmo, for a date",
        "Write down who looks after Gizmo",
    ],
)
def test_a_thing_that_is_only_spoken_of_is_not_put_to_work(text: str) -> None:
    """A-7: a harmless sentence near a thing decides nothing about it."""
    assert not employs(text, X)


def test_what_is_set_up_stands_behind_the_verb() -> None:
    """A-7: "set up X", and not "set up the tests of X"."""
    assert sets_up("Set up Gizmo for the new site", X)
    assert not sets_up("Set up the tests of Gizmo", X)


@given(st.text(max_size=200))
def test_any_text_is_read_and_without_the_name_it_employs_nothing(text: str) -> None:
    """A-7: no text breaks the reading, and no name is found where none is."""
    if "gizmo" not in text.casefold():
        assert not employs(text, X)


@given(
    st.lists(
        st.sampled_from(
            "gizmo on from to with let the a should be runs is , : ( and like old use".split()  # noqa: SIM905
        ),
        max_size=12,
    )
)
def test_any_order_of_words_around_the_name_is_read(words: list[str]) -> None:
    """A-7: "On X, …" begins with its link; no text breaks the reading."""
    text = " ".join(words)
    assert isinstance(employs(text, X), bool)
    assert merely_named(text, X) or "gizmo" in words


@pytest.mark.parametrize(
    ("text", "merely"),
    [
        ("The docs of Gizmo are thin", True),
        ("This is quicker than Gizmo", True),
        ("Move the jobs from Gizmo", True),
        ("Ask the Gizmo people for a date", True),
        ("From now on Gizmo builds our scripts", False),
        ("Gizmo would build the pages in a second", False),
    ],
)
def test_what_is_compared_left_or_owned_is_merely_named(text: str, merely: bool) -> None:
    """A-7: a rival conflicts only where something is done by it."""
    assert merely_named(text, X) is merely


def test_who_calls_a_part_of_a_thing_puts_the_thing_to_work() -> None:
    """A-7: "Gizmo.forge" is Gizmo's; a name that only begins alike is not."""
    assert employs("Fake the ferry with Gizmo.forge in the specs", X)
    assert not employs("Fake the ferry with Gizmologist.forge in the specs", X)
