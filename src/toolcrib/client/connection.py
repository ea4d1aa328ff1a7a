"""The client side of JSON-RPC: requests with our own ids, and messages from the server.

The connection is independent of the transport: it receives messages and writes text.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final, Protocol

from toolcrib.core.support.stepping import PromptFuture
from toolcrib.core.tool import JSON
from toolcrib.wire.messages import (
    METHOD_NOT_FOUND,
    Malformed,
    RpcError,
    decode,
    encode_call,
    encode_error,
    encode_result,
)

Notified = Callable[[str, JSON], None]
Asked = Callable[[str, JSON], Awaitable[JSON]]
Progress = Callable[[JSON], None]

_MOST_NOTIFICATIONS: Final = 1000
"""Notifications per second; more are dropped."""
_HEAD = 4096
_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"|[{}\[\]]', re.DOTALL)
_ID_VALUE = re.compile(rb"\s*:\s*(\d{1,18})\s*[,}]")
_ID_AT_END = re.compile(rb'"id"\s*:\s*(\d{1,18})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


class ConnectionLost(Exception):
    """The server is gone; `written` says whether the request may have reached it."""

    def __init__(self, why: str, *, written: bool = True) -> None:
        super().__init__(why)
        self.written = written


class BrokenAnswer(Exception):
    """An answer that cannot be read; `too_large` where that is why."""

    def __init__(self, why: str, *, too_large: bool = False) -> None:
        super().__init__(why)
        self.too_large = too_large


class ServerRefused(Exception):
    """A server could not be asked, or will not answer; `reason` is one word."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason


class Writer(Protocol):
    """Where messages go."""

    def write(self, text: str, number: int | None = None) -> None:
        """Send one message, or raise `ConnectionLost`; must not block. A request has a number."""


class Connection:
    """All requests under way to one server."""

    def __init__(
        self,
        writer: Writer,
        *,
        notified: Notified | None = None,
        asked: Asked | None = None,
        warned: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`warned` is told once of noise, and once of notifications that are dropped."""
        self.noise = 0
        """Lines that were no messages, and answers that nobody waited for."""
        self.dropped = 0
        self.heard = time.monotonic()
        """When the server last sent a message."""
        self._loop = asyncio.get_running_loop()
        self._writer = writer
        self._notified = notified
        self._asked = asked
        self._warned = warned
        self._ids = itertools.count(1)
        self._waiting: dict[int, PromptFuture[JSON]] = {}
        self._progress: dict[int, Progress] = {}
        self._listening: set[int] = set()
        self._questions: set[asyncio.Task[None]] = set()
        self._lost: str | None = None
        self._second = 0
        self._counted = 0

    @property
    def lost(self) -> bool:
        """Whether the server is gone."""
        return self._lost is not None

    @property
    def busy(self) -> int:
        """How many requests are under way, but for those that only listen."""
        return len(self._waiting) - len(self._listening)

    async def request(
        self,
        method: str,
        params: Mapping[str, Any],
        progress: Progress | None = None,
        *,
        listens: bool = False,
    ) -> JSON:
        """Send a request and wait for its result; one that only `listens` has none in view.

        Raises `RpcError` where the server answers with one, `ConnectionLost`, `BrokenAnswer` and
        `ServerRefused`.
        A cancelled request is cancelled at the server, too.
        """
        if self._lost is not None:
            raise ConnectionLost(self._lost, written=False)
        number = next(self._ids)
        if progress is not None:
            meta = (
                {**params["_meta"], "progressToken": number}
                if "_meta" in params
                else {"progressToken": number}
            )
            params = {**params, "_meta": meta}
            self._progress[number] = progress
        future: PromptFuture[JSON] = PromptFuture(loop=self._loop)
        self._waiting[number] = future
        if listens:
            self._listening.add(number)
        try:
            self._writer.write(encode_call(method, params, number), number)
            return await future
        except asyncio.CancelledError:
            self.cancel(number)
            raise
        finally:
            del self._waiting[number]
            if progress is not None:
                del self._progress[number]
            if listens:
                self._listening.discard(number)

    def cancel(self, number: int) -> None:
        """Tell the server that a request is cancelled."""
        if number in self._waiting and self._lost is None:
            self.notify("notifications/cancelled", {"requestId": number})

    def notify(self, method: str, params: JSON) -> None:
        """Send a notification; failures are ignored."""
        if self._lost is None:
            try:
                self._writer.write(encode_call(method, params))
            except ConnectionLost:
                return

    def take(self, raw: bytes, *, alone: bool = False) -> None:
        """One line from the server.

        Whoever waits for an answer that came `alone` goes on before this returns. Where something
        came with it, that is passed on first: no progress is told of a call that is over.
        """
        try:
            message = decode(raw)
        except Malformed as error:
            self._charge(raw, error)
            return
        self.heard = time.monotonic()
        if "method" not in message:
            self._answered(message, alone)
        elif "id" in message:
            self._ask(message)
        else:
            self._hear(message)

    def too_large(self, *, head: bytes = b"", tail: bytes = b"") -> bool:
        """A line that is read past: end the call whose id stands at its beginning or its end.

        Returns whether there is one.
        """
        self.heard = time.monotonic()
        error = BrokenAnswer("the answer is larger than the limit", too_large=True)
        return self._fail(_id_in(head) if head else _id_at_end(tail), error)

    def skip(self) -> None:
        """Count a line that is not a message, or an unexpected answer."""
        self.noise += 1
        if self.noise == 1:
            self._warned("writes lines that are no messages for us: they are skipped")

    def waits_for(self, number: object) -> bool:
        """Whether a request of that id is under way."""
        future = self._waiting.get(number) if type(number) is int else None
        return future is not None and not future.done()

    def fail(self, number: object, error: Exception) -> None:
        """End one request with an error of ours; the others go on."""
        future = self._waiting.get(number) if type(number) is int else None
        if future is not None and not future.done():
            future.set_exception(error)

    def lose(self, why: str, error: Exception | None = None, unsent: Collection[int] = ()) -> None:
        """The server is gone: fail all pending requests, with an error that says more if any.

        `unsent` are those that it cannot have read whole.
        """
        if self._lost is None:
            self._lost = why
            for number, future in list(self._waiting.items()):
                if not future.done():
                    lost = ConnectionLost(why, written=number not in unsent)
                    future.set_exception(error or lost)
            for task in self._questions:
                task.cancel()

    def _answered(self, message: JSON, alone: bool) -> None:
        number = message["id"]
        future = self._waiting.get(number) if type(number) is int else None
        if future is None or future.done():
            self.skip()
            return
        if "error" in message:  # where both are there, the error counts
            future.set_exception(_rpc_error(message["error"]))
        elif isinstance(message["result"], dict):
            (future.resolve if alone else future.set_result)(message["result"])
        else:
            future.set_exception(BrokenAnswer("the result is not an object"))

    def _charge(self, raw: bytes, error: Malformed) -> None:
        """A line that does not parse belongs to the call whose id stands at its beginning."""
        if not self._fail(_id_in(raw[:_HEAD]), BrokenAnswer(error.message)):
            self.skip()

    def _fail(self, number: int | None, error: BrokenAnswer) -> bool:
        future = self._waiting.get(number) if number is not None else None
        if future is None or future.done():
            return False
        future.set_exception(error)
        return True

    def _hear(self, message: JSON) -> None:
        second = int(self.heard)
        if second != self._second:
            self._second, self._counted = second, 0
        self._counted += 1
        # That a list has changed is said once, and asked for rarely however often it is said.
        changed = message["method"].endswith("/list_changed")
        if self._counted > _MOST_NOTIFICATIONS and not changed:
            self.dropped += 1
            if self.dropped == 1:
                self._warned("notifies more than 1,000 times a second: the rest is dropped")
            return
        params = message.get("params", {})
        if message["method"] == "notifications/progress":
            token = params.get("progressToken")
            # It may have come together with the answer, behind it: then the call is over.
            progress = self._progress.get(token) if self.waits_for(token) else None
            if progress is not None:
                progress(params)
        elif self._notified is not None:
            self._notified(message["method"], params)

    def _ask(self, message: JSON) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(message))
        self._questions.add(task)
        task.add_done_callback(self._questions.discard)

    async def _answer(self, message: JSON) -> None:
        try:
            text = encode_result(
                message["id"], await self._asked_for(message["method"], message.get("params", {}))
            )
        except RpcError as error:
            text = encode_error(message["id"], error)
        try:
            self._writer.write(text)
        except ConnectionLost:
            return

    async def _asked_for(self, method: str, params: JSON) -> JSON:
        if method == "ping":
            return {}
        if self._asked is None:
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
        return await self._asked(method, params)


def _rpc_error(wire: Any) -> RpcError:
    if not isinstance(wire, dict):
        return RpcError(0, "the server answered with an error that is not an object")
    code, message = wire.get("code"), wire.get("message")
    return RpcError(
        code if type(code) is int else 0,
        message if isinstance(message, str) else "unknown error",
        wire.get("data"),
    )


def _id_in(head: bytes) -> int | None:
    """The id of a message, from its beginning; one that stands deeper belongs to something else."""
    if head.lstrip()[:1] != b"{":
        return None
    depth = 0
    for token in _TOKEN.finditer(head):
        if token[0] in (b"{", b"["):
            depth += 1
        elif token[0] in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and token[1] == b"id":
            found = _ID_VALUE.match(head, token.end())
            return int(found[1]) if found is not None else None
    return None


def _id_at_end(tail: bytes) -> int | None:
    """The id of a message whose answer stands before it, from its end."""
    found = _ID_AT_END.search(tail)
    return int(found[1]) if found is not None else None
