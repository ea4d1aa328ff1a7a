"""Names for model APIs that take few characters."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.server.mcp.safe_names import safe_names


def test_a_name_that_is_fine_keeps_itself() -> None:
    """S-7: only what must change does."""
    assert safe_names(["git_log", "a.b", "x/y"]) == {
        "a.b": "a_b",
        "git_log": "git_log",
        "x/y": "x_y",
    }


def test_names_that_would_meet_stay_apart() -> None:
    """S-7: no two tools under one name."""
    made = safe_names(["a.b", "a/b", "a_b"])
    assert made["a_b"] == "a_b" and len(set(made.values())) == 3


@given(st.sets(st.text(min_size=1, max_size=80), max_size=8))
def test_every_name_is_allowed_and_no_two_are_the_same(names: set[str]) -> None:
    """S-7: whatever the names and their order are."""
    made = safe_names(names)
    assert made == safe_names(sorted(names, reverse=True)) and made.keys() == names
    assert len(set(made.values())) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", each) for each in made.values())
