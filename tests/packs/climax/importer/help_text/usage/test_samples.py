"""Ways to call that are examples (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.page import parse_help

_OPTIONS = "  -dry\n      Dries it.\n  -cool\n      Cools it.\n  -DRY\n      Dries all.\n"


def _shapes(text: str) -> list[tuple[str, bool, bool]]:
    page = parse_help(text, ("kiln",))
    return [(each.name, each.required, each.repeats) for each in page.operands]


def test_sentences_between_prompts_are_no_ways_to_call() -> None:
    """C-13: operands that only samples show: one word or several, or none at all."""
    text = (
        "Usage of kiln:\n\n  $ kiln -dry\n  Dry all of the KILN at once.\n\n"
        "  $ kiln cup.clay\n  Fire it.\n\n  $ kiln cup.clay lid plate.clay\n  Fire them.\n\n"
        f"Options:\n\n{_OPTIONS}"
    )
    assert _shapes(text) == [("cup.clay", False, True)]


def test_a_text_without_a_usage_shows_by_an_example_what_is_given() -> None:
    """C-13: operands, where nothing but an example has one."""
    options = f"General Options\n{_OPTIONS}  -hot\n      Hot.\n\n"
    text = f"{options}For example:\n\n  $ kiln -dry cup.clay\n"
    assert _shapes(text) == [("file", False, False)]
    assert _shapes(text.replace("cup.clay", "@cup.clay")) == []
