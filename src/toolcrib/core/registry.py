"""`ToolManager`: the catalog of all tools, by name."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from toolcrib.core.errors import DuplicateTool, ToolcribError, ToolNotFound
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput


class ToolManager:
    """A registry of which readers always see a consistent version, also during writes."""

    def __init__(self, executor: ToolExecutor | None = None) -> None:
        self.executor = executor or ToolExecutor()
        self._lock = threading.Lock()
        self._tools: Mapping[str, Tool] = MappingProxyType({})

    def register_tool(self, tool: Tool, *, trusted: bool = False) -> None:
        """Add one tool; raises `InvalidToolSchema` or `DuplicateTool`.

        The definitions of a `trusted` pack were checked by this project's own tests.
        """
        if not trusted:
            from toolcrib.core.schema import check_definition

            check_definition(tool)
        with self._lock:
            self._tools = MappingProxyType(_with(dict(self._tools), tool))

    def replace(self, tools: Iterable[tuple[Tool, bool]]) -> list[ToolcribError]:
        """Swap the whole catalog for these (tool, trusted) pairs in one step.

        Tools that cannot be served are left out; the reasons are returned.
        """
        fresh = ToolManager(self.executor)
        refused: list[ToolcribError] = []
        building: dict[str, Tool] = {}
        for tool, trusted in tools:
            try:
                if not trusted:
                    fresh.register_tool(tool)
                _with(building, tool)
            except ToolcribError as error:
                refused.append(error)
        with self._lock:
            self._tools = MappingProxyType(building)
        return refused

    def find(self, name: str) -> Tool | None:
        """The tool of that name, if there is one."""
        return self._tools.get(name)

    def get_tool(self, name: str) -> Tool:
        """The tool of that name, or `ToolNotFound` with the nearest."""
        tool = self._tools.get(name)
        if tool is None:
            raise ToolNotFound(name, list(self._tools))
        return tool

    def list_tools(self) -> list[Tool]:
        """All tools, sorted by name."""
        tools = self._tools
        return [tools[name] for name in sorted(tools)]

    async def execute_tool(
        self, name: str, arguments: JSON | None = None, context: CallContext | None = None
    ) -> ToolOutput:
        """Find and run in one step."""
        return await self.executor.run(self.get_tool(name), arguments, context)

    def get_performance_metrics(self) -> dict[str, Any]:
        """What the executor has counted so far."""
        return self.executor.metrics()

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools


def _with(tools: dict[str, Tool], tool: Tool) -> dict[str, Tool]:
    known = tools.get(tool.name)
    if known is not None:
        raise DuplicateTool(
            f"Two tools are named {tool.name!r}: one from {known.origin}, one from {tool.origin}",
            next="Rename one of them, or serve only one of the two packs.",
        )
    tools[tool.name] = tool
    return tools
