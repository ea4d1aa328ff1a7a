"""Texts of strangers, in words that can be shown."""

from __future__ import annotations

import math

import pytest

from toolcrib.web.render import number


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0, "0"), (0.25, "0.2"), (1234.5, "1,234"), (math.nan, "nan"), (-math.inf, "-inf")],
)
def test_every_number_of_a_record_can_be_shown(value: float, words: str) -> None:
    """FAULTS: whatever a line of the record holds, the page of its call stands."""
    assert number(value) == words
