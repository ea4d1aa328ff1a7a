"""Which known name did they mean?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.support.suggest import corrections, did_you_mean, nearest

NAMES = ["get_content", "get_category", "list_files", "serve", "search"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("get_contnet", "get_content"),
        ("serv", "serve"),
        ("SEARCH", "search"),
        ("files", "list_files"),
    ],
)
def test_a_slip_finds_the_name_that_was_meant(typed: str, meant: str) -> None:
    """U-1: the nearest name comes first."""
    assert nearest(typed, NAMES)[0] == meant


@pytest.mark.parametrize("typed", ["zzz", "", "quux"])
def test_what_resembles_nothing_gets_no_hint(typed: str) -> None:
    """U-1: a wrong hint is worse than none."""
    assert nearest(typed, NAMES) == [] and did_you_mean(typed, NAMES) == ""


def test_a_server_that_has_a_tool_of_that_name_comes_before_all_that_resemble_it() -> None:
    """X-6: the nearest names of a bare one begin with the servers that have it."""
    names = ["lab__at", "lab__ta", "a_b", "some_long_server__a"]
    assert nearest("a", names)[0] == "some_long_server__a"


def test_a_hint_is_the_end_of_a_sentence() -> None:
    """U-1: as it stands in messages."""
    assert did_you_mean("get_cat", NAMES, 1) == "; did you mean 'get_category'?"


@given(st.text("ab", max_size=6), st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_corrections_are_a_distance(one: str, two: str, three: str) -> None:
    """U-1: nothing to correct in the same word, as many one way as the other."""
    assert (corrections(one, two) == 0) == (one == two)
    assert corrections(one, two) == corrections(two, one) <= max(len(one), len(two))
