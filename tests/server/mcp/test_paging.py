"""Pages of lists, and names that every model API accepts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import InvalidParams
from toolcrib.core.support.suggest import did_you_mean, nearest
from toolcrib.server.mcp.paging import page_of
from toolcrib.server.mcp.safe_names import safe_names

NAMES = st.lists(st.text(min_size=1, max_size=90), max_size=30, unique=True)


@given(st.lists(st.text(max_size=5).filter(str.isprintable), unique=True), st.integers(1, 7))
def test_pages_together_are_the_list(items: list[str], size: int) -> None:
    """S-8: pagination of every list, nothing lost and nothing twice."""
    items.sort()
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(len(items) + 1):
        page, cursor = page_of(items, cursor, size, lambda item: item)
        seen += page
        if cursor is None:
            break
    assert seen == items


def test_an_item_that_goes_between_two_pages_shifts_nothing() -> None:
    """S-8: a cursor names what was seen last."""
    _, cursor = page_of(["a", "b", "c", "d"], None, 2, lambda item: item)
    assert page_of(["a", "c", "d"], cursor, 2, lambda item: item)[0] == ["c", "d"]


@pytest.mark.parametrize("cursor", ["", "bogus", "!!!", 5, {"a": 1}, "YWZ0"])
def test_a_cursor_that_nobody_gave_out_is_refused(cursor: object) -> None:
    """S-8: an invalid cursor is a clear error."""
    with pytest.raises(InvalidParams, match="cursor"):
        page_of(["a"], cursor, 1, lambda item: item)


@given(NAMES)
def test_safe_names_fit_and_lead_back(names: list[str]) -> None:
    """S-7: every name maps to ^[a-zA-Z0-9_-]{1,64}$, reversibly."""
    spelled = safe_names(names)
    assert set(spelled) == set(names)
    assert len(set(spelled.values())) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", each) for each in spelled.values())
    assert spelled == safe_names(reversed(names))


def test_safe_names_read_like_the_names() -> None:
    """S-7: `directive/spec.template` stays readable; what is fine keeps its name."""
    spelled = safe_names(["directive/spec.template", "echo", "a/b", "a.b", "a_b"])
    assert spelled["directive/spec.template"] == "directive_spec_template"
    assert (spelled["echo"], spelled["a_b"]) == ("echo", "a_b")
    assert re.fullmatch(r"a_b_[0-9a-f]{8}", spelled["a/b"])


def test_hints_name_what_was_meant() -> None:
    """U-1: nearest names everywhere."""
    known = ["git_commit", "git_status", "docker_ps"]
    assert nearest("git_comit", known)[0] == "git_commit"
    assert nearest("zzz", known) == []
    assert did_you_mean("dockerps", known) == "; did you mean 'docker_ps'?"
