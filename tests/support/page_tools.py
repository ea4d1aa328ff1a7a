"""Tools for the page's tests: arguments of every kind, and calls that end in every way."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from pydantic import Field

from toolcrib import Annotations, Result, ToolArguments

READS = Annotations(read_only=True)


class Everything(ToolArguments):
    word: str = Field(description="A short text")
    text: str = Field("", description="A long text", max_length=2000)
    count: int = Field(3, ge=0, le=10)
    share: float | None = None
    sure: bool = Field(description="Required, so a box")
    maybe: bool | None = None
    quiet: bool = False
    colour: Literal["red", "green"] = Field(description="One of two")
    level: Literal[1, 2, 3] | None = None
    tags: list[str] = Field(default_factory=list)
    more: dict[str, Any] = Field(default_factory=dict)
    action: str = Field("none", description="A name that forms know, too")
    csrf: str | None = Field(None, description="Another one")


class Nothing(ToolArguments):
    pass


class Consent(ToolArguments):
    name: str
    consent: Literal["yes"] = Field(description="The person said yes")


@ToolArguments.declare(annotations=READS)
async def every_kind(args: Everything) -> dict[str, Any]:
    """Say what was said, argument by argument."""
    return args.model_dump()


class Odd(ToolArguments):
    really: str


@ToolArguments.declare
async def writes_really(args: Odd) -> str:
    """Write something; its argument has the name of the page's own question."""
    return f"written: {args.really}"


@ToolArguments.declare
async def writes_much(args: Consent) -> str:
    """Write something, after a person agreed."""
    return f"written: {args.name}"


@ToolArguments.declare(annotations=READS)
async def hangs(args: Nothing) -> str:
    """Never answer."""
    await asyncio.Event().wait()
    return ""


@ToolArguments.declare(annotations=READS)
async def floods(args: Nothing) -> str:
    """Answer with far too much."""
    return "flood " * 700_000


@ToolArguments.declare(annotations=READS)
async def fails(args: Nothing) -> Result[str]:
    """Fail in plain words."""
    return Result.failure("It does not work <b>at all</b>", error_type="broken")
