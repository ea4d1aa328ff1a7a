"""The index of tools: its fields and their weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from toolcrib.search.index import Index, IndexItem
from toolcrib.search.names import plain_name
from toolcrib.search.ranking import TOOLS

WEIGHTS: Final = {
    "name": 2.2,
    "description": 1.5,
    "cli": 5.0,
    "tags": 1.0,
    "about": 0.5,
    "arguments": 0.4,
    "examples": 0.4,
}
"""The program that a tool belongs to weighs most: who names it, means it."""


def tool_index(*, semantic: bool = True) -> Index:
    """Return an empty index with the fields of a tool."""
    return Index(
        WEIGHTS,
        semantic=semantic,
        ranking=TOOLS,
        context=("about",),
        pieces="description",
        details="arguments",
    )


def tool_item(
    name: str,
    description: str,
    *,
    key: str | None = None,
    cli: str = "",
    about: str = "",
    categories: Sequence[str] = (),
    tags: Iterable[str] = (),
    arguments: Iterable[str] = (),
    examples: Iterable[str] = (),
) -> IndexItem:
    """A tool as an index takes it.

    `cli` is its program and `about` the purpose of that program; an argument is its name and
    description in one line. The program and the categories are filters.
    """
    return IndexItem(
        key or name,
        {
            "name": name,
            "description": description,
            "cli": cli,
            "tags": [*tags, *categories],
            "about": about,
            "arguments": list(arguments),
            "examples": list(examples),
        },
        {"cli": cli, "category": categories},
        path=bool(cli) and plain_name(name).startswith(plain_name(cli)),
    )
