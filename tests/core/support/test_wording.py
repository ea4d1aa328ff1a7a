"""Numbers with their nouns, and lists of names."""

from __future__ import annotations

from toolcrib.core.support.wording import counted, ignored_line


def test_only_one_is_singular() -> None:
    """U-1: lines for people are English."""
    assert [counted(number, "tool") for number in (0, 1, 2)] == ["0 tools", "1 tool", "2 tools"]
    assert counted(2, "category", "categories") == "2 categories"


def test_ignored_arguments_are_named_in_a_line_that_stays_short() -> None:
    """C-5: `[ignored: x]`; five thousand keys of a client do not fill its context."""
    assert ignored_line(["shade", "tone"]) == "[ignored: shade, tone]"
    many = ignored_line([f"{number}" + "x" * 200 for number in range(5000)])
    assert many.endswith(" and 4980 more]") and len(many) < 2200
