"""Calls in several rounds: a server asks during a call, and the client answers.

Four pairs of eras. A server of an earlier era sends a request while its call waits; one of the
stateless era answers `input_required` and is called again. A client of an earlier era is sent a
request; one of the stateless era gets `input_required` and calls again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Awaitable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolcrib.client.connection import Progress
from toolcrib.client.session import ANNOUNCED
from toolcrib.core.tool import JSON, CallContext
from toolcrib.packs.gateway.asking.questions import (
    CAPABILITIES,
    PATIENCE,
    ROOTS,
    Caller,
    ServerQuestion,
    announced,
    ask_client,
    can_answer,
)
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.packs.gateway.server import Server
from toolcrib.wire.eras import MODERN
from toolcrib.wire.messages import INVALID_PARAMS, RpcError

MOST_ROUNDS: Final = 10
"""How often one call may be asked something."""
INPUT_REQUIRED: Final = "input_required"
_ASKED: Final = "question"
"""The key of the one question in an answer that is made here."""
_MOST_KEPT = 100


class _OwnQuestion(dict[str, Any]):
    """An answer that asks, made here; a server's own has to pass `_wanted` first."""


@dataclass(slots=True, eq=False)
class _Kept:
    """A call of a server that waits while its client looks for an answer."""

    owner: str
    caller: Caller
    task: asyncio.Task[JSON]
    clock: _Hands
    question: ServerQuestion | None = None
    expiry: asyncio.TimerHandle | None = None


class _Hands:
    """The clock of the round that is under way, for a request that outlives it."""

    def __init__(self, clock: Clock) -> None:
        self.clock: Clock | None = clock

    @property
    def seconds(self) -> float:
        """The seconds of one round."""
        return self.clock.seconds if self.clock is not None else PATIENCE

    @property
    def sent(self) -> bool:
        """Whether the request has left."""
        return self.clock is None or self.clock.sent

    @sent.setter
    def sent(self, value: bool) -> None:
        if self.clock is not None:
            self.clock.sent = value

    @property
    def expired(self) -> bool:
        """Whether the time of the round is over."""
        return self.clock is not None and self.clock.expired

    def heard(self) -> None:
        """The server has told how far it is."""
        if self.clock is not None:
            self.clock.heard()


class Rounds:
    """All calls with an open round."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    async def call(
        self,
        server: Server,
        method: str,
        params: JSON,
        clock: Clock,
        context: CallContext,
        *,
        repeatable: bool = False,
        progress: Progress | None = None,
    ) -> JSON:
        """One round of a call: the server's result, or what it wants to know first."""
        if context.request_state is not None:
            state = _opened(context.request_state)
            kept = self._kept.pop(str(state.get("kept")), None)
            if kept is not None and kept.owner == context.owner:
                return await self._resumed(server, kept, clock, context)
            params = _continued(server, state, params, context)

        server.callers += 1
        try:
            can_do = announced(context, alone=is_alone(server, context))
            ANNOUNCED.set(can_do)
            if len(can_do) > 1:  # roots are answered here, whatever the server was told
                await server.fit(can_do)
            caller = Caller(context, can_do, clock)
            for _ in range(MOST_ROUNDS):
                if context.era != MODERN:
                    server.questions.begin(caller)
                    try:
                        result = await server.request(
                            method, params, clock, repeatable=repeatable, progress=progress
                        )
                    finally:
                        server.questions.end(caller)
                else:
                    hands: Any = _Hands(clock)
                    work = server.request(
                        method, params, hands, repeatable=repeatable, progress=progress
                    )
                    result = await self._one(server, hands, caller, work)
                if result.get("resultType") != INPUT_REQUIRED:
                    return result
                if isinstance(result, _OwnQuestion):
                    return dict(result)
                answers, rest = _wanted(server, result, caller)
                if rest and context.era == MODERN:
                    sealed = {"server": result.get("requestState"), "roots": answers}
                    return {**result, "inputRequests": rest, "requestState": json.dumps(sealed)}
                with clock.paused():
                    for key, request in rest.items():
                        answers[key] = await self._from_client(server, context, request)
                params = _with_answers(params, answers, result.get("requestState"))
            text = f"Server {server.entry.name!r} asks without end"
            raise ServerFault(server.entry.name, "protocol", text)
        finally:
            server.callers -= 1
            server.rested()

    async def _from_client(self, server: Server, context: CallContext, request: JSON) -> JSON:
        try:
            return await ask_client(context, request["method"], request["params"])
        except RpcError as error:
            name = server.entry.name
            text = f"Server {name!r} asked something, and there was no answer: {error.message}"
            raise ServerFault(name, "server_error", text) from error

    async def _one(
        self, server: Server, hands: _Hands, caller: Caller, work: Coroutine[Any, Any, JSON]
    ) -> JSON:
        """One request for a client of the stateless era: it may outlive the round."""
        caller.questions = asyncio.Queue()
        task = asyncio.get_running_loop().create_task(_asked(server, caller, work))
        return await self._waited(_Kept(caller.context.owner, caller, task, hands))

    async def _waited(self, kept: _Kept) -> JSON:
        """Wait for the result, or for the first thing that the server wants to know."""
        questions = kept.caller.questions
        assert questions is not None  # noqa: S101 - set before the first wait
        getting = asyncio.get_running_loop().create_task(questions.get())
        try:
            await asyncio.wait([kept.task, getting], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            kept.task.cancel()
            await asyncio.wait([kept.task])
            raise
        finally:
            if not getting.done():
                getting.cancel()
        if kept.task.done():
            return kept.task.result()
        return self._asked(kept, getting.result())

    def _asked(self, kept: _Kept, question: ServerQuestion) -> JSON:
        """Keep a call that waits for an answer, and word the question."""
        token = secrets.token_urlsafe(16)
        if len(self._kept) >= _MOST_KEPT:
            self._drop(next(iter(self._kept)))
        self._kept[token] = kept
        kept.question, kept.clock.clock = question, None
        loop = asyncio.get_running_loop()
        kept.expiry = loop.call_later(PATIENCE, self._drop, token)
        request = {"method": question.method, "params": question.params}
        return _OwnQuestion(
            resultType=INPUT_REQUIRED,
            inputRequests={_ASKED: request},
            requestState=json.dumps({"kept": token}),
        )

    async def _resumed(
        self, server: Server, kept: _Kept, clock: Clock, context: CallContext
    ) -> JSON:
        if kept.expiry is not None:
            kept.expiry.cancel()
        kept.clock.clock, clock.sent = clock, True
        answer = context.input_responses.get(_ASKED)
        question = kept.question
        if question is not None and not question.answer.done():
            if isinstance(answer, Mapping):
                question.answer.set_result(dict(answer))
            else:
                error = RpcError(INVALID_PARAMS, "The client gave no answer")
                question.answer.set_exception(error)
        result = await self._waited(kept)
        if isinstance(result, _OwnQuestion):
            return dict(result)
        if result.get("resultType") == INPUT_REQUIRED:
            text = f"Server {server.entry.name!r} asks in the ways of two eras"
            raise ServerFault(server.entry.name, "protocol", text)
        return result

    def _drop(self, token: str) -> None:
        kept = self._kept.pop(token, None)
        if kept is not None:
            kept.task.cancel()

    async def close(self) -> None:
        """Give up what waits."""
        waiting = [kept.task for kept in self._kept.values()]
        for token in list(self._kept):
            self._drop(token)
        if waiting:
            await asyncio.wait(waiting)


async def _asked(server: Server, caller: Caller, request: Awaitable[JSON]) -> JSON:
    """Await a request; meanwhile its server can ask whoever called."""
    server.questions.begin(caller)
    try:
        return await request
    finally:
        server.questions.end(caller)


def _continued(server: Server, state: JSON, params: JSON, context: CallContext) -> JSON:
    """The params of a call that goes on where a server of the stateless era has asked."""
    if "kept" in state:
        text = "The call that asked this is over; call again"
        raise ServerFault(server.entry.name, "server_error", text)
    if "server" not in state:
        return params
    answers = {**state.get("roots", {}), **context.input_responses}
    return _with_answers(params, answers, state["server"])


def _with_answers(params: JSON, answers: JSON, state: Any) -> JSON:
    """The params of the next round: what was answered, and the server's own state if it has one."""
    found = {**params, "inputResponses": answers}
    found.pop("requestState", None)
    return found if state is None else {**found, "requestState": state}


def _wanted(server: Server, result: JSON, caller: Caller) -> tuple[JSON, dict[str, JSON]]:
    """What a server wants to know: that which is answered here, and that which a client is."""
    wanted = _requests(server, result, caller.announced)
    answers = {
        key: server.questions.roots()
        for key, request in wanted.items()
        if request["method"] == ROOTS
    }
    return answers, {key: request for key, request in wanted.items() if key not in answers}


def is_alone(server: Server, context: CallContext) -> bool:
    """Whether a process of a server belongs to one client: over stdio, or by its entry."""
    return server.entry.session == "client" or (context.caller in ("stdio", "local"))


def _requests(server: Server, result: JSON, announced: Mapping[str, Any]) -> dict[str, JSON]:
    """What a server of the stateless era wants to know, if its client can be asked that."""
    wanted = result.get("inputRequests")
    name = server.entry.name
    if not isinstance(wanted, dict) or not wanted:
        raise ServerFault(name, "protocol", f"Server {name!r} asks for input, and names none")
    found: dict[str, JSON] = {}
    for key, request in wanted.items():
        method = request.get("method") if isinstance(request, dict) else None
        params = request.get("params") if isinstance(request, dict) else None
        known = method == ROOTS or (method in CAPABILITIES and can_answer(announced, str(method)))
        if not known:
            text = f"Server {name!r} asks for {method}, which this client cannot do"
            raise ServerFault(name, "server_error", text)
        found[str(key)] = {"method": method, "params": params if isinstance(params, dict) else {}}
    return found


def _opened(state: str | None) -> JSON:
    with contextlib.suppress(ValueError):
        found = json.loads(state) if state else {}
        if isinstance(found, dict):
            return found
    return {}
