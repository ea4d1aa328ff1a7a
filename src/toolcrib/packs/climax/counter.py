"""The counter of the tool crib: ask for what you need, and it is handed out."""

from __future__ import annotations

from collections.abc import Sequence

from toolcrib.core.pack import Shelf
from toolcrib.core.tool import Tool
from toolcrib.packs.climax.index import ToolIndex
from toolcrib.packs.climax.shelf import CliShelf
from toolcrib.packs.climax.tools import Invoke, meta_tools


def counter_tools(shelves: Sequence[Shelf], native: Sequence[Tool], invoke: Invoke) -> list[Tool]:
    """The two meta-tools over all that stands on the shelves, and over `native` tools as well."""
    listed = {tool.name: tool for tool in native}

    def lookup(name: str) -> Tool | None:
        if name in listed:
            return listed[name]
        return next((tool for shelf in shelves if (tool := shelf.get(name)) is not None), None)

    return meta_tools(_index(shelves, native), lookup, invoke)


def _index(shelves: Sequence[Shelf], native: Sequence[Tool]) -> ToolIndex:
    """One index for everything: that of the command-line tools, with the others added."""
    index = next((shelf.index for shelf in shelves if isinstance(shelf, CliShelf)), None)
    if index is None or native:
        index = ToolIndex(index.stock if index is not None else None)
    for shelf in shelves:
        if not isinstance(shelf, CliShelf):
            for tool in shelf:
                index.add_tool(tool, tool.category or "toolcrib")
    for tool in native:
        index.add_tool(tool, tool.category or "toolcrib")
    return index
