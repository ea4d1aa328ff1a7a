"""toolcrib: one MCP server for everything a repository wants its agents to know and to do.

This is the face for people who write tools. Each name is loaded when it is first used, so
that `toolcrib --version` and a server without such tools never pay for them.
"""

from __future__ import annotations

from importlib import import_module

# Supervisors of commands import this package, and `typing` would be a quarter of their start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolcrib.core.declare.arguments import ToolArguments
    from toolcrib.core.declare.decorator import ExtMcpToolDecorator
    from toolcrib.core.errors import (
        ConfigError,
        ExecutionFailed,
        InvalidArguments,
        InvalidParams,
        ToolcribError,
    )
    from toolcrib.core.executor import ToolExecutor
    from toolcrib.core.pack import Contributions, Pack, Prompt, Resource
    from toolcrib.core.registry import ToolManager
    from toolcrib.core.result import Result
    from toolcrib.core.stats import ToolStats
    from toolcrib.core.tool import Annotations, CallContext, Tool, ToolOutput
    from toolcrib.core.workflow import WorkflowContext

__version__ = "0.1.0"

__all__ = [
    "Annotations",
    "CallContext",
    "ConfigError",
    "Contributions",
    "ExecutionFailed",
    "ExtMcpToolDecorator",
    "InvalidArguments",
    "InvalidParams",
    "Pack",
    "Prompt",
    "Resource",
    "Result",
    "Tool",
    "ToolArguments",
    "ToolExecutor",
    "ToolManager",
    "ToolOutput",
    "ToolStats",
    "ToolcribError",
    "WorkflowContext",
    "__version__",
]

_HOMES = {
    "declare.arguments": ("ToolArguments",),
    "declare.decorator": ("ExtMcpToolDecorator",),
    "errors": (
        "ConfigError",
        "ExecutionFailed",
        "InvalidArguments",
        "InvalidParams",
        "ToolcribError",
    ),
    "executor": ("ToolExecutor",),
    "pack": ("Contributions", "Pack", "Prompt", "Resource"),
    "registry": ("ToolManager",),
    "result": ("Result",),
    "stats": ("ToolStats",),
    "tool": ("Annotations", "CallContext", "Tool", "ToolOutput"),
    "workflow": ("WorkflowContext",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"toolcrib.core.{module}"), name)
    raise AttributeError(f"module 'toolcrib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
