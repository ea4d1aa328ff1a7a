"""Requests in flight between the server and one client, in both directions."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, Final, Generic, Protocol, TypeVar

from toolcrib.core.tool import JSON
from toolcrib.wire.messages import INTERNAL_ERROR, INVALID_REQUEST, Id, RpcError

ANSWER_TIME: Final = 300.0
"""How long a client may take to answer a question of ours (a person may be asked)."""
_NUMBERS = itertools.count(1)


class Work(Protocol):
    """A request that is being answered."""

    def cancel(self) -> object:
        """Stop it: the client no longer wants the answer."""


W = TypeVar("W", bound=Work)


class InFlight(Generic[W]):
    """The client's requests by their ids, and our own that it has not answered yet."""

    __slots__ = ("_asked", "running")

    def __init__(self) -> None:
        self.running: dict[Id | None, W] = {}
        self._asked: dict[Id, asyncio.Future[JSON]] = {}

    def begin(self, id: Id | None, work: W) -> None:
        """Take note of a request; raises `RpcError` where its id is in use."""
        if id in self.running:
            raise RpcError(INVALID_REQUEST, f"Request id {id!r} is already in flight")
        self.running[id] = work

    def end(self, id: Id | None, work: W) -> None:
        """Forget a request that has been answered."""
        if self.running.get(id) is work:
            del self.running[id]

    def cancel(self, params: JSON) -> None:
        """Act on `notifications/cancelled`; a request that is not there is ignored."""
        id = params.get("requestId")
        work = self.running.get(id) if isinstance(id, (str, int)) else None
        if work is not None:
            work.cancel()

    async def ask(self, id: str, send: Callable[[], Any]) -> JSON:
        """Send a request of ours under `id` and wait for the client's answer."""
        future: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()
        self._asked[id] = future
        try:
            sent = send()
            if sent is not None:
                await sent
            async with asyncio.timeout(ANSWER_TIME):
                return await future
        finally:
            self._asked.pop(id, None)

    def take_answer(self, message: JSON) -> None:
        """Hand the client's answer to whoever waits for it; any other is ignored."""
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


def new_id() -> str:
    """An id for a request of ours, never used before by this process."""
    return f"toolcrib-{next(_NUMBERS)}"
