"""The meta-tools climax_search and climax_call over all tools that are not listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from toolcrib.core.errors import Refusal
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import UnlistedTools
from toolcrib.core.tool import Tool
from toolcrib.discovery.index import ToolIndex
from toolcrib.discovery.meta_tools import meta_tools


@runtime_checkable
class IndexedTools(Protocol):
    """Unlisted tools that bring an index of their own."""

    index: ToolIndex


def discovery_tools(
    unlisted: Sequence[UnlistedTools], native: Sequence[Tool], executor: ToolExecutor
) -> list[Tool]:
    """The two meta-tools over all `unlisted` tools, and over `native` ones as well."""
    listed = {tool.name: tool for tool in native}

    def lookup(name: str) -> Tool | None:
        if name in listed:
            return listed[name]
        return next((tool for tools in unlisted if (tool := tools.get(name)) is not None), None)

    def refusal(name: str) -> Refusal | None:
        return refusal_of(unlisted, name)

    return meta_tools(_index(unlisted, native), lookup, refusal, executor)


def refusal_of(unlisted: Sequence[UnlistedTools], name: str) -> Refusal | None:
    """Why the tool of that name may not be called, if any of them knows it."""
    return next((found for tools in unlisted if (found := tools.refusal(name)) is not None), None)


def _index(unlisted: Sequence[UnlistedTools], native: Sequence[Tool]) -> ToolIndex:
    """One index for everything: that of the command-line tools, with the others added."""
    index = next((tools.index for tools in unlisted if isinstance(tools, IndexedTools)), None)
    if index is None or native:
        index = ToolIndex(index.stock if index is not None else None)
    for tools in unlisted:
        if not isinstance(tools, IndexedTools):
            for tool in tools:
                index.add_tool(tool, tool.category or "toolcrib")
    for tool in native:
        index.add_tool(tool, tool.category or "toolcrib")
    return index
