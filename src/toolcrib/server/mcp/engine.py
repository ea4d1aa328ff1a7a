"""The JSON-RPC loop of one connection: messages in, answers out, on top of a `Surface`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import copy_context

from toolcrib.core.support.stepping import PromptFuture, rest_of
from toolcrib.core.tool import JSON
from toolcrib.server import tracing
from toolcrib.server.mcp.in_flight import InFlight, new_id
from toolcrib.server.mcp.protocol import (
    Request,
    Session,
    check_envelope,
    era_of,
    has_envelope,
)
from toolcrib.server.mcp.subscriptions import METHOD as LISTEN
from toolcrib.server.mcp.subscriptions import Event, notification
from toolcrib.server.surface import Surface
from toolcrib.wire.eras import CAPABILITIES_KEY, LEGACY, MODERN, VERSION_KEY, Era
from toolcrib.wire.framing import Frame, RefusedBytes
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
_BEGUN_TOGETHER = 64
"""Requests that begin in one turn of the loop, at most: whoever else waits has a turn between."""
_TURN = 0.01
"""Seconds that requests which are answered at once may take in one turn of the loop together."""
_CLEAN_UP = 1.2
"""Seconds that a cancelled request may take to clean up at shutdown."""


class Engine:
    """Serves one client over a pipe.

    Requests that arrive together are answered one after the other by one task. As soon as one has
    to wait, it keeps that task, and the requests behind it get their own in the next iteration of
    the loop. So a quick request costs no task, no request waits for a slow one, and their answers
    are written together. Each has its own context.

    `send` takes the text of a message; it must not block.
    """

    def __init__(
        self,
        surface: Surface,
        send: Callable[[str], None],
        *,
        caller: str = "stdio",
    ) -> None:
        self.session = Session()
        self.caller = caller
        self._surface = surface
        self._answer = tracing.traced(surface.answer)
        self._send = send
        self.on_answered: Callable[[], None] | None = None
        """Called whenever a request is over, by whoever waits for that."""
        self._in_flight: InFlight[Request] = InFlight()
        self._running = self._in_flight.running
        self._loop = asyncio.get_running_loop()
        self._queue: deque[Request] = deque()
        self._workers: set[asyncio.Task[None]] = set()
        """Tasks that take from the queue; one that waits for its request is none any more."""
        self._free: tuple[asyncio.Task[None], PromptFuture[None]] | None = None
        """A task that waits for a request to answer, and what wakes it."""
        self._leaving = False
        self._turn_ends = 0.0
        """When somebody else is to have a turn; 0 while nothing keeps the loop busy in this one."""
        self._streams = 0
        self._modern = False
        self._stop_listening = surface.listen(self._on_event, lambda: self.session.initialized)

    @property
    def in_flight(self) -> int:
        """How many requests are being answered; a stream of events is not: it has no end."""
        return len(self._running) - self._streams

    def receive(self, frames: Iterable[Frame]) -> None:
        """Take messages that came off the wire together."""
        for frame in frames:
            self._receive(frame)
        if self._queue and not self._workers:
            self._begin()

    def _receive(self, frame: Frame) -> None:
        if isinstance(frame, RefusedBytes):
            self._send(encode_error(None, Malformed(INVALID_REQUEST, frame.reason)))
            return
        try:
            message = decode(frame)
        except Malformed as error:
            self._send(encode_error(error.id, error))
            return
        method = message.get("method")
        if method is None:
            self._in_flight.take_answer(message)
        elif "id" in message:
            self._start(message["id"], method, message.get("params") or {})
        elif method == "notifications/cancelled":
            self._in_flight.cancel(message.get("params") or {})

    async def notify(self, method: str, params: JSON) -> None:
        """Send a notification."""
        self._send(encode_call(method, params))

    async def request(self, method: str, params: JSON) -> JSON:
        """Ask the client and wait for its answer."""
        id = new_id()
        text = encode_call(method, params, id)
        return await self._in_flight.ask(id, lambda: self._send(text))

    async def finish(self, grace: float) -> None:
        """Let running requests end within `grace` seconds, then cancel the rest."""
        self._stop_listening()
        self._leaving = True
        if self._free is not None:
            self._free[1].resolve(None)
            self._free = None
        end = time.monotonic() + grace
        while (tasks := self._tasks()) and (left := end - time.monotonic()) > 0:
            await asyncio.wait(tasks, timeout=left)
        for task in tasks:
            task.cancel()
        for waiting in self._queue:
            self._forget(waiting.id)
        self._queue.clear()
        if tasks:
            await asyncio.wait(tasks, timeout=_CLEAN_UP)

    def _tasks(self) -> set[asyncio.Task[None]]:
        begun = {each.task for each in self._running.values() if each.task is not None}
        return begun | self._workers

    def _start(self, id: Id, method: str, params: JSON) -> None:
        if id in self._running:
            error = RpcError(INVALID_REQUEST, f"Request id {id!r} is already in flight")
            self._send(encode_error(id, error))
            return
        self._running[id] = waiting = Request(method, params, LEGACY, self, id)
        self._queue.append(waiting)

    def _begin(self) -> None:
        """Have somebody answer what waits: whoever is free begins here and now."""
        free, self._free = self._free, None
        if free is None:
            self._workers.add(asyncio.Task(self._work(), loop=self._loop))
            return
        task, woken = free
        self._workers.add(task)
        woken.resolve(None)

    async def _work(self) -> None:
        """Answer what waits, until one of the requests has to wait for something itself.

        After that, the first to be free stays for the next request.
        """
        me = asyncio.current_task(self._loop)
        assert me is not None  # noqa: S101 - it is a task that runs this
        queue, workers = self._queue, self._workers
        while True:
            while queue:
                if self._turn_ends and time.monotonic() > self._turn_ends:
                    await asyncio.sleep(0)
                    continue
                waiting = queue.popleft()
                if waiting.cancelled:
                    self._forget(waiting.id)
                    continue
                waiting.task = me
                work, context = self._serve(waiting), copy_context()
                try:
                    pending = context.run(work.send, None)
                except StopIteration:
                    if me.cancelling():
                        break  # by that request itself: the next one must not be met by it
                    if queue and not self._turn_ends:
                        self._begin_turn()
                    continue
                workers.discard(me)
                while len(workers) < min(len(queue), _BEGUN_TOGETHER):
                    workers.add(asyncio.Task(self._work(), loop=self._loop))
                try:
                    await rest_of(work, pending, context)
                except GeneratorExit:
                    return  # `_serve` has seen to it; whoever meets it here ends
                break
            workers.discard(me)
            if queue and not workers:
                self._begin()
            if self._free is not None or self._leaving or me.cancelling():
                return
            woken: PromptFuture[None] = PromptFuture(loop=self._loop)
            self._free = (me, woken)
            await woken

    def _begin_turn(self) -> None:
        """Take the time from now on: a callback tells when the loop has had a turn."""
        self._turn_ends = time.monotonic() + _TURN
        self._loop.call_soon(self._end_turn)

    def _end_turn(self) -> None:
        self._turn_ends = 0.0

    async def _serve(self, request: Request) -> None:
        id, method = request.id, request.method
        try:
            if method == LISTEN:
                self._streams += 1
            if not self.session.initialized or "_meta" in request.params:
                request.era = self._admitted(method, request.params)
            result = await self._answer(request)
            if request.era == MODERN:
                self._modern = True
            self._send(encode_result(id, result))
        except RpcError as error:
            self._send(encode_error(id, error))
        except asyncio.CancelledError:
            if request.cancelled or self._leaving:
                logger.debug("%s %r was cancelled", method, id)
            else:  # by something of ours, or by the tool itself: the client waits for an answer
                logger.error("%s %r was cancelled, and not by its client", method, id)
                self._send(encode_error(id, RpcError(INTERNAL_ERROR, "Internal error")))
        except GeneratorExit:
            # A task of a tool's own raised it, which closes everybody who awaits it; or the loop
            # is gone, and then nobody waits for an answer any more.
            with contextlib.suppress(RuntimeError):
                if asyncio.current_task() is request.task:
                    self._send(encode_error(id, RpcError(INTERNAL_ERROR, "Internal error")))
        finally:
            if method == LISTEN:
                self._streams -= 1
            self._forget(id)

    def _forget(self, id: Id | None) -> None:
        del self._running[id]
        if self.on_answered is not None:
            self.on_answered()

    def _admitted(self, method: str, params: JSON) -> Era:
        """Which era the request belongs to, if it may be asked at all by now."""
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

    def _on_event(self, event: Event) -> None:
        """Tell a client of the earlier eras; a modern one has its own listen stream."""
        kind, uri = event
        if not self.session.initialized:
            return
        if kind != "updated" or uri in self.session.subscriptions:
            self._send(encode_call(*notification(event)))
