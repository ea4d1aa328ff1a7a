"""The catalog of tools, by name."""

from __future__ import annotations

import asyncio

import pytest

from toolcrib.core.errors import DuplicateTool, ToolNotFound
from toolcrib.core.registry import ToolManager
from toolcrib.core.tool import JSON, CallContext, Tool


async def run(given: JSON, context: CallContext) -> str:
    return context.tool_name


def tool(name: str, origin: str = "here") -> Tool:
    return Tool(name, f"Does {name}", {"type": "object"}, run, origin=origin)


def test_tools_are_found_by_name_and_listed_in_order() -> None:
    """K-16: one catalog."""
    manager = ToolManager()
    for name in ("b", "a"):
        manager.register_tool(tool(name))
    assert [each.name for each in manager.list_tools()] == ["a", "b"]
    assert len(manager) == 2 and "a" in manager and "c" not in manager
    assert manager.find("c") is None and manager.get_tool("a").name == "a"


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    """K-16: hints for agents, too."""
    manager = ToolManager()
    manager.register_tool(tool("get_content"))
    with pytest.raises(ToolNotFound, match="get_content"):
        manager.get_tool("get_contnet")


def test_two_tools_of_one_name_are_told_with_both_places() -> None:
    """K-16: what cannot be served is left out of a new catalog, with its reason."""
    manager = ToolManager()
    manager.register_tool(tool("a", "one.py"))
    with pytest.raises(DuplicateTool, match=r"one\.py.*two\.py"):
        manager.register_tool(tool("a", "two.py"))
    refused = manager.replace([(tool("b"), True), (tool("b", "again.py"), True)])
    assert [type(each) for each in refused] == [DuplicateTool]
    assert [each.name for each in manager.list_tools()] == ["b"]


def test_finding_and_running_are_one_step_and_counted() -> None:
    """K-16: the executor behind it counts."""
    manager = ToolManager()
    manager.register_tool(tool("a"))
    assert asyncio.run(manager.execute_tool("a")).content == [{"type": "text", "text": "a"}]
    assert manager.get_performance_metrics()["total_invocations"] == 1
