"""A tool, and what comes of calling it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from toolcrib.core.result import Result
from toolcrib.core.tool import (
    READ_ONLY,
    Annotations,
    CallContext,
    Tool,
    ToolOutput,
    untrusted,
    withheld_tool,
)


@pytest.mark.parametrize(
    ("value", "text", "structured"),
    [
        ("plain", "plain", None),
        ("Grüße", "Grüße", None),
        ("half \ud800", "half ?", None),
        ({"a": 1}, '{"a":1}', {"a": 1}),
        (3, '{"result":3}', {"result": 3}),
        (None, '{"result":null}', {"result": None}),
        ([1, {2}], '{"result":[1,[2]]}', {"result": [1, [2]]}),
    ],
)
def test_whatever_a_tool_returns_becomes_text_and_an_object(
    value: Any, text: str, structured: Any
) -> None:
    """K-4: one rule for all values."""
    output = ToolOutput.of(value)
    assert output.content == [{"type": "text", "text": text}]
    assert output.structured == structured and not output.is_error


def test_a_result_that_failed_is_an_error() -> None:
    """K-4: success and failure are told apart on the wire."""
    assert ToolOutput.of(Result.failure("no", error_type="x")).is_error
    assert not ToolOutput.of(Result.ok(1)).is_error
    output = ToolOutput.text("as it is")
    assert ToolOutput.of(output) is output


def test_of_a_tool_that_says_nothing_the_worst_is_believed() -> None:
    """K-12: hints are sent as far as they are known."""
    assert Annotations().to_wire() == {"readOnlyHint": False, "openWorldHint": True}
    assert READ_ONLY.to_wire()["readOnlyHint"] is True
    assert Annotations(destructive=True).to_wire() == {"destructiveHint": True}


def test_a_plain_function_runs_beside_the_loop_and_a_coroutine_in_it() -> None:
    """K-10: what blocks holds up nobody."""

    def blocking(given: Any, context: CallContext) -> str:
        return threading.current_thread().name

    async def quick(given: Any, context: CallContext) -> str:
        return threading.current_thread().name

    async def both() -> list[str]:
        tools = [Tool("x", "x", {"type": "object"}, run) for run in (blocking, quick)]
        return [await each.execute({}, CallContext()) for each in tools]

    beside, inside = asyncio.run(both())
    assert inside == threading.main_thread().name != beside


def test_a_tool_that_waits_for_trust_says_so_and_runs_nothing() -> None:
    """T-1: the answer names the reason, for the record too."""
    tool = withheld_tool("x", "ask a person")
    output = asyncio.run(tool.execute({}, CallContext()))
    assert output == untrusted("ask a person") and output.refused_by == "trust"
    assert output.structured is not None and output.structured["error_type"] == "untrusted"


def test_what_a_call_leaves_behind_belongs_to_its_session_else_to_its_caller() -> None:
    """HOUSE: another caller never sees it."""
    assert CallContext(caller="a").owner == "a"
    assert CallContext(caller="a", session="s").owner == "s"


def test_json_is_given_back_as_it_is_and_what_is_none_is_made_plain():
    """C-4: an answer of a search is written once; the outcome is that of any other mapping."""
    for value in ({"a": [1, None, "ü"]}, {"a": float("nan")}, {"a": "\ud800"}, {"a": {1, 2}}):
        assert ToolOutput.of_json(value) == ToolOutput.of(value)
    given = {"a": [1]}
    assert ToolOutput.of_json(given).structured is given
