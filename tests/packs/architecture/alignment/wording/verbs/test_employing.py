from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.architecture.alignment.wording.verbs.employing import employs, sets_up

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
