"""The JSON-RPC loop of one connection: messages in, answers out, on top of a `Surface`."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

from toolcrib.core.support.records import bare
from toolcrib.core.tool import JSON
from toolcrib.server import tracing
from toolcrib.server.mcp.protocol import Request, Session, check_envelope, era_of, has_envelope
from toolcrib.server.mcp.subscriptions import METHOD as LISTEN
from toolcrib.server.mcp.subscriptions import Event, notification
from toolcrib.server.surface import Surface
from toolcrib.wire.eras import CAPABILITIES_KEY, LEGACY, MODERN, VERSION_KEY, Era
from toolcrib.wire.framing import Frame, Refused
from toolcrib.wire.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    Id,
    Malformed,
    RpcError,
    decode,
    encode_call,
    encode_error,
    encode_result,
)
from toolcrib.wire.versions import MODERN_VERSIONS

logger = logging.getLogger("toolcrib.server")

_WITHOUT_HANDSHAKE = ("initialize", "ping")
_ANSWER_TIME = 300.0
"""How long a client may take to answer a question of ours (a person may be asked)."""
_LAST_WORDS = 1.2
"""How long a cancelled request may take to clean up when the server goes."""


@bare
class _Job:
    """One request from its arrival to its answer; `task` is the one that has it in hand."""

    id: Id
    method: str
    params: JSON
    task: asyncio.Task[None] | None = None


class Engine:
    """Serves one client. `send` takes the text of a message; it must not block.

    Most requests are answered without waiting for anything, so one task (the hand) serves all that
    have come, one after the other. A request that does have to wait keeps the task to itself,
    and another one takes over: to everybody inside, each request has a task of its own.
    """

    def __init__(
        self,
        surface: Surface,
        send: Callable[[str], None],
        *,
        caller: str = "stdio",
        on_answered: Callable[[], None] | None = None,
    ) -> None:
        self.session = Session()
        self.caller = caller
        self._surface = surface
        self._send = send
        self._on_answered = on_answered
        self._running: dict[Id, _Job] = {}
        self._waiting: deque[_Job] = deque()
        self._hand: asyncio.Task[None] | None = None
        self._busy = False
        self._context = copy_context()
        self._streams = 0
        self._asked: dict[Id, asyncio.Future[JSON]] = {}
        self._numbers = itertools.count(1)
        self._modern = False
        self._traces = tracing.enabled()
        self._stop_listening = surface.listen(self._on_event)

    @property
    def in_flight(self) -> int:
        """How many requests are being answered; a stream of events is not: it has no end."""
        return len(self._running) - self._streams

    def receive(self, frame: Frame) -> None:
        """Take one message as it came off the wire."""
        if isinstance(frame, Refused):
            self._send(encode_error(None, Malformed(INVALID_REQUEST, frame.reason)))
            return
        try:
            message = decode(frame)
        except Malformed as error:
            self._send(encode_error(error.id, error))
            return
        if "method" not in message:
            self._take_answer(message)
        elif "id" in message:
            self._start(message["id"], message["method"], message.get("params") or {})
        else:
            self._take_notification(message["method"], message.get("params") or {})

    async def notify(self, method: str, params: JSON) -> None:
        """Send a notification."""
        self._send(encode_call(method, params))

    async def request(self, method: str, params: JSON) -> JSON:
        """Ask the client and wait for its answer."""
        id = f"toolcrib-{next(self._numbers)}"
        future: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()
        self._asked[id] = future
        self._send(encode_call(method, params, id))
        try:
            async with asyncio.timeout(_ANSWER_TIME):
                return await future
        finally:
            self._asked.pop(id, None)

    async def finish(self, grace: float) -> None:
        """Let running requests end within `grace` seconds, then cancel the rest."""
        self._stop_listening()
        end = time.monotonic() + grace
        while (tasks := self._tasks()) and (left := end - time.monotonic()) > 0:
            await asyncio.wait(tasks, timeout=left)
        while self._waiting:
            self._forget(self._waiting.popleft())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_LAST_WORDS)

    def _tasks(self) -> set[asyncio.Task[None]]:
        tasks = {job.task for job in self._running.values() if job.task is not None}
        return tasks if self._hand is None else {*tasks, self._hand}

    def _start(self, id: Id, method: str, params: JSON) -> None:
        if id in self._running:
            error = RpcError(INVALID_REQUEST, f"Request id {id!r} is already in flight")
            self._send(encode_error(id, error))
            return
        self._streams += method == LISTEN
        job = self._running[id] = _Job(id, method, params)
        self._waiting.append(job)
        self._lend_a_hand()

    def _lend_a_hand(self) -> None:
        """See to it that what is waiting is served.

        This is never called while the hand is at work, so if it is busy it has to wait itself.
        """
        if self._busy:
            self._hand, self._busy = None, False
        if self._hand is None and self._waiting:
            loop = asyncio.get_running_loop()
            self._hand = loop.create_task(self._work(), context=self._context.copy())
            loop.call_soon(self._lend_a_hand)

    async def _work(self) -> None:
        """Serve one request after the other, until one has to wait or none is left."""
        me, clean = asyncio.current_task(), copy_context()
        try:
            while self._waiting:
                job = self._waiting.popleft()
                if self._running.get(job.id) is not job:
                    continue  # cancelled before it began
                job.task, self._busy = me, True
                await self._serve(job)
                # What a tool has left in the context is not for the next one to find.
                if self._hand is not me or copy_context() != clean:
                    return
                self._busy = False
        finally:
            if self._hand is me:
                self._hand, self._busy = None, False
                self._lend_a_hand()

    async def _serve(self, job: _Job) -> None:
        id, method, params = job.id, job.method, job.params
        try:
            era = self._admitted(method, params)
            request = Request(method, params, era, self, id)
            result = await (
                self._traced(request) if self._traces else self._surface.answer(request)
            )
            self._modern = self._modern or era == MODERN
            self._send(encode_result(id, result))
        except RpcError as error:
            self._send(encode_error(id, error))
        except asyncio.CancelledError:
            logger.debug("%s %r was cancelled", method, id)
        except GeneratorExit:
            # A task of a tool's own raised it, which closes everybody who awaits it; or the loop
            # is gone, and then nobody waits for an answer any more.
            with contextlib.suppress(RuntimeError):
                if asyncio.current_task() is job.task:
                    self._send(encode_error(id, RpcError(INTERNAL_ERROR, "Internal error")))
        finally:
            self._forget(job)

    def _forget(self, job: _Job) -> None:
        if self._running.get(job.id) is job:
            del self._running[job.id]
            self._streams -= job.method == LISTEN
        if self._on_answered is not None:
            self._on_answered()

    async def _traced(self, request: Request) -> JSON:
        with tracing.span(request) as span:
            try:
                result = await self._surface.answer(request)
            except RpcError as error:
                span.refuse(error)
                raise
            span.finish(result)
            return result

    def _admitted(self, method: str, params: JSON) -> Era:
        """Which era the request belongs to, if it may be asked at all by now."""
        if self.session.initialized and "_meta" not in params:
            return LEGACY
        era = era_of(method, params)
        if era == MODERN:
            if self.session.initialized:
                raise RpcError(
                    INVALID_REQUEST,
                    "This connection was opened with initialize; requests with the envelope of "
                    f"{MODERN_VERSIONS[-1]} need a connection of their own",
                )
            check_envelope(params)
        elif method == "initialize" and self._modern:
            if has_envelope(params):
                raise RpcError(METHOD_NOT_FOUND, "Method not found: initialize")
            raise RpcError(
                UNSUPPORTED_VERSION,
                f"This connection speaks {MODERN_VERSIONS[-1]}, which has no initialize",
                {"supported": list(MODERN_VERSIONS), "requested": params.get("protocolVersion")},
            )
        elif not (
            self.session.initialized
            or method in _WITHOUT_HANDSHAKE
            or self._surface.is_custom(method)
            or not self._surface.is_known(method)
        ):
            raise RpcError(
                INVALID_PARAMS,
                f"Open with initialize, or send params._meta with {VERSION_KEY} "
                f"and {CAPABILITIES_KEY}",
                {"missing": [VERSION_KEY, CAPABILITIES_KEY]},
            )
        return era

    def _take_notification(self, method: str, params: JSON) -> None:
        if method == "notifications/cancelled":
            id = params.get("requestId")
            job = self._running.get(id) if isinstance(id, (str, int)) else None
            if job is not None and job.task is not None:
                job.task.cancel()
            elif job is not None:
                self._forget(job)

    def _take_answer(self, message: JSON) -> None:
        future = self._asked.get(message["id"])
        if future is None or future.done():
            return
        error: Any = message.get("error")
        if error is not None:
            text = error.get("message", "error") if isinstance(error, dict) else str(error)
            future.set_exception(RpcError(INTERNAL_ERROR, f"The client refused: {text}"))
        else:
            result = message.get("result")
            future.set_result(result if isinstance(result, dict) else {})

    def _on_event(self, event: Event) -> None:
        """Tell a client of the earlier eras; a modern one has its own listen stream."""
        kind, uri = event
        if not self.session.initialized:
            return
        if kind != "updated" or uri in self.session.subscriptions:
            self._send(encode_call(*notification(event)))
