"""D-3: the one line that matters."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.packs.directive.primer import FALLBACK, primer


@pytest.mark.parametrize(
    ("procedure", "line"),
    [
        ("Do not write code until the TDR is approved.", None),
        (
            "# AOP\n\n- Read first.\n- **Do not write code** until `tdr.md` is approved.\n",
            "Do not write code until tdr.md is approved.",
        ),
        (
            "1. [ ] Plan. Never start coding before approval. Then go.\n",
            "Never start coding before approval.",
        ),
        (
            "> Don’t implement anything\n> until agent_context.md is approved.\n",
            "Don’t implement anything until agent_context.md is approved.",
        ),
        ("Do not write\ncode until it is\napproved.", "Do not write code until it is approved."),
        ("No code before the tests.\n\nNo code without approval.", "No code without approval."),
        ("Never code before lunch.", "Never code before lunch."),
    ],
)
def test_it_is_taken_from_the_procedure(procedure: str, line: str | None) -> None:
    """D-3: its line on not writing code before approval, concise."""
    assert primer(procedure) == (line or procedure)


@pytest.mark.parametrize(
    "procedure", ["", "# Nothing of the kind\n", "Do not write code " + "very " * 50 + "approved."]
)
def test_without_such_a_line_there_is_one_of_ours(procedure: str) -> None:
    """D-3: with a fallback."""
    assert primer(procedure) == FALLBACK


def test_a_huge_line_costs_little() -> None:
    started = time.process_time()
    for text in ("no code " * 120_000, "* " * 300_000, "a" * 1_000_000, "do not code. " * 80_000):
        assert "\n" not in primer(text)
    assert_costs_at_most(time.process_time() - started, 300)


@given(st.text())
def test_it_is_always_one_short_line(text: str) -> None:
    line = primer(text)
    assert 0 < len(line) <= 200
    assert len(line.splitlines()) == 1
