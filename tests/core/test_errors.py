"""U-3: one shape and one style for everything that can go wrong."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from toolcrib.core.errors import ConfigError, FileRefused, Place, ToolcribError

import_module("toolcrib.packs.guide.errors")


def kinds(kind: type[ToolcribError] = ToolcribError) -> list[type[ToolcribError]]:
    return [kind, *(each for child in kind.__subclasses__() for each in kinds(child))]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_every_code_is_written_in_one_style_and_explained(kind: type[ToolcribError]) -> None:
    """U-3: words in small letters, joined by underscores; the docstring is the explanation."""
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", kind.code)
    assert kind.__doc__


def test_a_code_belongs_to_one_kind() -> None:
    """U-3: `toolcrib explain CODE` has one answer."""
    own = [kind.code for kind in kinds() if "code" in vars(kind)]
    assert len(own) == len(set(own))


def test_an_error_says_what_where_why_and_what_next() -> None:
    """U-3: in one line for a log, in several with a caret for a person."""
    place = Place("a.toml", 3, 5, "x = [")
    error = ConfigError("This is not TOML", where=place, why="a bracket is open", next="Close it.")
    assert str(error) == "a.toml:3:5: This is not TOML (a bracket is open). Close it."
    assert error.render().splitlines() == [
        "error[config]: This is not TOML",
        "  --> a.toml:3:5",
        "  3 | x = [",
        "    |     ^",
        "  why:  a bracket is open",
        "  next: Close it.",
    ]
    assert error.as_dict()["where"] == {"file": "a.toml", "line": 3, "column": 5}


def test_a_refused_file_names_the_nearest() -> None:
    """D-4: a typo is answered with what is there."""
    assert str(FileRefused("reamde.md", ["readme.md"])).endswith("Nearest: readme.md")
