"""A function as a tool: what a call costs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import Field, model_validator

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.functions import to_tool
from toolcrib.core.errors import InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.result import Result

PARSED: list[Any] = []


class Counted(ToolArguments):
    """Arguments that know how often they were read."""

    name: str = Field(description="A name")

    @model_validator(mode="before")
    @classmethod
    def count(cls, value: Any) -> Any:
        """Remember each time."""
        PARSED.append(value)
        return value


class Walked(Mapping[str, Any]):
    """A value that knows how often it was walked through."""

    walks = 0

    def __getitem__(self, key: str) -> Any:
        return {"a": 1}[key]

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        type(self).walks += 1
        return iter(["a"])


def greet(args: Counted) -> Result[Any]:
    """Greet."""
    return Result.ok({"hello": args.name, "walked": Walked()})


def test_a_call_parses_its_arguments_once() -> None:
    """K-5: the model that was checked is the one that the function gets."""
    tool = to_tool(greet)
    PARSED.clear()
    output = asyncio.run(ToolExecutor().run(tool, {"name": "Ada"}))
    assert output.structured is not None and output.structured["value"]["hello"] == "Ada"
    assert PARSED == [{"name": "Ada"}]


def test_a_result_is_walked_once() -> None:
    """K-2: made plain, then written; not made plain again."""
    tool = to_tool(greet)
    Walked.walks = 0
    output = asyncio.run(ToolExecutor().run(tool, {"name": "Ada"}))
    assert '"walked":{"a":1}' in output.content[0]["text"]
    assert Walked.walks == 1


def test_arguments_that_do_not_fit_never_reach_the_function() -> None:
    """K-5: also when the tool is run without the check before it."""
    tool = to_tool(greet)
    with pytest.raises(InvalidArguments, match=r"Unknown argument 'nam'; did you mean 'name'"):
        asyncio.run(ToolExecutor().run(tool, {"nam": "Ada", "name": "x"}))
    with pytest.raises(InvalidArguments, match="Missing required argument 'name'"):
        tool.run({}, None)  # type: ignore[arg-type]
