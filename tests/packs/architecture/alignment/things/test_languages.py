from __future__ import annotations

import pytest

from support.decisions import shelf_of, verdict_on
from toolcrib.packs.architecture.alignment.things.languages import is_setting


@pytest.mark.parametrize(
    ("name", "text", "setting"),
    [
        ("python", "Name tests in Python services by their harbour", True),
        ("golang", "Vendor the crates of our Go applications", True),
        ("python", "Write services in Python", False),
        ("python", "Use Python services in Rust hulls", False),
        ("rust", "Use Python services in Rust hulls", True),
        ("python", "Write the tests in Python code", False),
        ("redis", "Keep the crates in Redis tables", False),
        ("python", "Name tests in Python services, and write them in Python", False),
    ],
)
def test_a_language_before_a_noun_is_where_something_is(
    name: str, text: str, setting: bool
) -> None:
    """A-7: what a decision is about is not what it chose."""
    assert is_setting(name, text) is setting


SHELF = shelf_of(
    {
        "Name tests in Python services by their harbour": (
            "## Decision\n\nTests in Python services are named after a harbour.\n"
        ),
        "Write boats in Rust": "## Decision\n\nWe write boats in Rust.\n",
        "Count crates": "## Decision\n\nCrates are counted at night.\n",
    }
)


def test_who_writes_something_else_in_the_language_decides_nothing_there() -> None:
    """A-7: a word in common is no reason for a verdict."""
    ship = "Write the new parcel sorter in {}."
    title = "Name tests in Python services by their harbour"
    assert verdict_on(title, ship.format("Python"), SHELF) in ("related", "unlisted")
    assert verdict_on("Write boats in Rust", "Write the new boats in Rust.", SHELF) == "supports"
