"""A tool to copy from: imported only where MCP_INCLUDE_EXAMPLE_TOOLS asks for it.

Documented as ../README.md lays out.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, CallContext


class ExampleGreet(ToolArguments):
    """Whom to greet, and how."""

    name: str = Field(min_length=1, max_length=100, description="Whom to greet")
    style: Literal["plain", "loud"] = Field("plain", description="How to say it")


# The template for this text is ../README.md.
@ToolArguments.declare(
    title="Greet (example)",
    annotations=READ_ONLY,
    examples=(
        Example({"name": "Ada"}, "Answers 'Hello, Ada.'"),
        Example({"name": "Ada", "style": "loud"}, "Answers 'HELLO, ADA.'"),
    ),
)
async def example_greet(args: ExampleGreet, ctx: CallContext | None = None) -> Result[str]:
    """Greet somebody, as an example.

    Use it to see whether the example tools are served.
    """
    text = f"Hello, {args.name}."
    return Result.ok(text.upper() if args.style == "loud" else text)
