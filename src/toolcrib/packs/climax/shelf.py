"""The shelf of command-line tools: each is made when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from toolcrib.core.tool import Tool
from toolcrib.packs.climax.index import ToolIndex
from toolcrib.packs.climax.tools import cli_tool

if TYPE_CHECKING:
    from toolcrib.packs.climax.runtime import Runtime


class CliShelf:
    """All command-line tools that may be called."""

    def __init__(self, index: ToolIndex, runtime: Callable[[], Runtime]) -> None:
        self.index = index
        self._runtime = runtime
        self._made: dict[str, Tool] = {}

    def get(self, name: str) -> Tool | None:
        """The tool of that exact name."""
        tool = self._made.get(name)
        if tool is None:
            resolved = self.index.get(name)
            if resolved is None:
                return None
            tool = self._made[name] = cli_tool(resolved, self._runtime)
        return tool

    def __iter__(self) -> Iterator[Tool]:
        """All of them, sorted by name."""
        for name in self.index:
            tool = self.get(name)
            if tool is not None:
                yield tool

    def __len__(self) -> int:
        return len(self.index)
