"""Numbers with their nouns."""

from __future__ import annotations

from toolcrib.core.support.wording import counted


def test_only_one_is_singular() -> None:
    """U-1: lines for people are English."""
    assert [counted(number, "tool") for number in (0, 1, 2)] == ["0 tools", "1 tool", "2 tools"]
    assert counted(2, "category", "categories") == "2 categories"
