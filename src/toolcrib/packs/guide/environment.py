"""The environment variables of the guide."""

from __future__ import annotations

import os

from toolcrib.core.declare.prefix import PREFIX_VARIABLE

DEFAULT_PREFIX = "guide"
EXAMPLES_VARIABLE = "MCP_INCLUDE_EXAMPLE_TOOLS"


def configure_environment() -> None:
    """Set the default prefix for a process that serves the guide alone; a set one is kept."""
    os.environ.setdefault(PREFIX_VARIABLE, DEFAULT_PREFIX)


_configure_environment = configure_environment
"""The name that the guide's specification has for it."""


def tool_prefix() -> str:
    """The prefix of the guide's own tools: the variable where it is set, even to nothing."""
    return os.environ.get(PREFIX_VARIABLE, DEFAULT_PREFIX)


def include_example_tools() -> bool:
    """Whether the example tools are wanted."""
    return os.environ.get(EXAMPLES_VARIABLE, "").strip().lower() in ("true", "1", "yes")
