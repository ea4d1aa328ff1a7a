"""Values for an argument of a prompt or a variable of a resource template."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.asking import request
from toolcrib.core.tool import JSON
from toolcrib.server.mcp.completion import completion
from toolcrib.wire.messages import INVALID_PARAMS, RpcError


class Many:
    """Completes with as many values as the text asks for, and says whose they are."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    async def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        return [f"{self.owner} {name} {argument} {given}"] * int(value)


def completed(ref: Any, value: Any = "1", **more: Any) -> JSON:
    params = {"ref": ref, "argument": {"name": "a", "value": value}, **more}
    asked = request("completion/complete", params)
    answer = completion(asked, Many("prompt"), Many("resource"))  # type: ignore[arg-type]
    return dict(asyncio.run(answer)["completion"])


def test_the_reference_says_who_completes() -> None:
    """S-1: a prompt by its name, a template by its uri, with what was given before."""
    context = {"arguments": {"b": "c"}}
    prompt = completed({"type": "ref/prompt", "name": "p"}, context=context)
    assert prompt["values"] == ["prompt p a {'b': 'c'}"]
    template = completed({"type": "ref/resource", "uri": "x://{a}"})
    assert template["values"] == ["resource x://{a} a {}"]


@pytest.mark.parametrize(("count", "more"), [(0, False), (100, False), (101, True)])
def test_at_most_a_hundred_values_are_told(count: int, more: bool) -> None:
    """S-1: and how many there are."""
    found = completed({"type": "ref/prompt", "name": "p"}, str(count))
    assert len(found["values"]) == min(count, 100)
    assert (found["total"], found["hasMore"]) == (count, more)


@pytest.mark.parametrize(
    ("ref", "value"),
    [({"type": "ref/other"}, "1"), ({}, "1"), ("p", "1"), ({"type": "ref/prompt"}, "1"),
     ({"type": "ref/prompt", "name": "p"}, 3)],
)  # fmt: skip
def test_what_names_nothing_is_refused(ref: Any, value: Any) -> None:
    """FAULTS: -32602, with the field."""
    with pytest.raises(RpcError) as refused:
        completed(ref, value)
    assert refused.value.code == INVALID_PARAMS
