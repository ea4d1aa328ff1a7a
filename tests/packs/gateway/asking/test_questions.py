"""Whom a server asks."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any, cast

import pytest

from toolcrib.core.tool import CallContext
from toolcrib.packs.gateway.asking.questions import Caller, Questions, announced
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.wire.messages import METHOD_NOT_FOUND, RpcError

CAN = {"elicitation": {}, "sampling": {}}


class Person:
    """A client that answers."""

    def __init__(self) -> None:
        self.logged: list[Any] = []

    async def progress(self, *words: Any) -> None: ...

    async def log(self, level: str, data: Any, logger: str | None) -> None:
        self.logged.append((level, data, logger))

    async def request(self, method: str, params: Any) -> Any:
        return {"asked": method, **params}


class Still:
    """A clock that does not go."""

    paused = staticmethod(contextlib.nullcontext)


def caller(owner: str, era: Any = "legacy", capabilities: Any = CAN) -> Caller:
    context = CallContext(client=Person(), caller=owner, era=era, capabilities=capabilities)
    return Caller(context, capabilities, cast("Clock", Still()))


def ask(questions: Questions, method: str = "elicitation/create") -> Any:
    return asyncio.run(questions.asked(method, {"a": 1}))


def test_the_one_who_called_is_asked() -> None:
    """X-17: also where one client has several calls under way."""
    questions, first = Questions(Path("/repo")), caller("me")
    questions.begin(first)
    questions.begin(caller("me"))
    assert ask(questions) == {"asked": "elicitation/create", "a": 1}
    questions.end(first)
    assert ask(questions) == {"asked": "elicitation/create", "a": 1}


@pytest.mark.parametrize(
    "callers",
    [
        [],
        [caller("me"), caller("you")],
        [caller("me", "modern"), caller("me", "modern")],
        [caller("me", capabilities={})],
    ],
)
def test_what_cannot_be_told_apart_is_refused(callers) -> None:
    """X-17: nobody, several clients, several calls of the stateless era, or one who cannot."""
    questions = Questions(Path("/repo"))
    for each in callers:
        questions.begin(each)
    with pytest.raises(RpcError) as refused:
        ask(questions)
    assert refused.value.code == METHOD_NOT_FOUND


def test_roots_are_the_repository_whoever_called() -> None:
    """X-17: `roots/list`; any other request is refused."""
    questions = Questions(Path("/my repo"))
    assert ask(questions, "roots/list") == {
        "roots": [{"uri": "file:///my%20repo", "name": "my repo"}]
    }
    with pytest.raises(RpcError, match="Method not found"):
        ask(questions, "resources/list")


def test_a_line_of_the_log_goes_to_whoever_called() -> None:
    """X-17: `notifications/message`, where it is clear whose it is."""

    async def run(*callers: Caller) -> list[Any]:
        questions = Questions(Path("/repo"))
        for each in callers:
            questions.begin(each)
        questions.heard("notifications/message", {"level": "info", "data": 1, "logger": "l"})
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return [each.context.client.logged for each in callers]

    assert asyncio.run(run(caller("me"))) == [[("info", 1, "l")]]
    assert asyncio.run(run(caller("me"), caller("you"))) == [[], []]


def test_a_shared_server_is_told_of_nothing() -> None:
    """X-13: no sampling, elicitation or roots over HTTP with several clients."""
    context = CallContext(capabilities={**CAN, "tasks": {}})
    assert announced(context, alone=False) == {}
    assert announced(context, alone=True) == {"roots": {}, **CAN}
