"""The result of a call, as the page shows it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.web.views.results import shown, tree

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)


@given(LEAVES)
def test_a_leaf_reads_as_it_does_in_json(value: Any) -> None:
    """W-11: structured content as a tree; an exit code of 0 is not `false`."""
    read = json.loads(tree(value)["text"])
    assert (type(read), read) == (type(value), value)


def test_what_is_long_is_cut_with_a_word_how_much() -> None:
    """FAULTS: a tool of the form floods: cut with a word how much."""
    found = tree({"text": "w" * 2100, "many": list(range(300))})
    text, many = found["rows"]
    assert text["text"].endswith("… 100 characters more")
    assert many["rows"][-1] == {"name": "…", "text": "100 more"}


def test_a_failed_call_is_plain_to_see() -> None:
    """W-11: `isError` plain to see."""
    answer = {"content": [{"type": "text", "text": "no"}], "isError": True}
    assert shown(answer, 1.26) == {
        "outcome": "failed", "ms": 1.3, "text": "no", "cut": "", "tree": None,
    }  # fmt: skip
