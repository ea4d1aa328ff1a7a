"""Requests of one server: passed to the client that made the call, or refused at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from toolcrib.core.tool import JSON, CallContext
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.packs.gateway.texts import clean
from toolcrib.wire.eras import MODERN
from toolcrib.wire.messages import INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError

PATIENCE: Final = 300.0
"""Seconds that a server's call is kept waiting for an answer."""
CAPABILITIES: Final = {"sampling/createMessage": "sampling", "elicitation/create": "elicitation"}
"""The methods that a client can be asked by, and what it announces where it can answer."""
ROOTS: Final = "roots/list"


@dataclass(slots=True, eq=False)
class ServerQuestion:
    """One request of a server, and where its answer goes."""

    method: str
    params: JSON
    answer: asyncio.Future[JSON]


@dataclass(slots=True, eq=False)
class Caller:
    """A running call, and the requests of its server."""

    context: CallContext
    announced: Mapping[str, Any]
    """What the server was told that the client can do."""
    clock: Clock
    questions: asyncio.Queue[ServerQuestion] | None = None
    """What is to be asked of a client of the stateless era, who is told between two calls."""

    async def ask(self, method: str, params: JSON) -> JSON:
        """Put a request to the client of this call, in the way of its era."""
        if self.questions is None:
            with self.clock.paused():
                return await ask_client(self.context, method, params)
        answer: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()
        self.questions.put_nowait(ServerQuestion(method, params, answer))
        try:
            async with asyncio.timeout(PATIENCE):
                return await answer
        except TimeoutError:
            raise RpcError(INTERNAL_ERROR, "Nobody answered in time") from None


class Questions:
    """What one server asks, and of whom."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._callers: dict[Caller, None] = {}

    def begin(self, caller: Caller) -> None:
        """A call is under way, and can be asked."""
        self._callers[caller] = None

    def end(self, caller: Caller) -> None:
        """A call is over."""
        del self._callers[caller]

    async def asked(self, method: str, params: JSON) -> JSON:
        """Answer a request of the server; raises `RpcError` at once where nobody can."""
        if method == ROOTS:
            return self.roots()
        if method not in CAPABILITIES:
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
        return await self._only(method).ask(method, params)

    def roots(self) -> JSON:
        """The repository, as the one root."""
        return {"roots": [{"uri": self._root.as_uri(), "name": self._root.name}]}

    def heard(self, method: str, params: JSON) -> None:
        """Pass a line of the server's log to whoever called, at the level that was asked for."""
        owners = {caller.context.owner for caller in self._callers}
        if method != "notifications/message" or len(owners) != 1:
            return
        level, logger = params.get("level"), params.get("logger")
        if isinstance(level, str):
            name = clean(logger) if isinstance(logger, str) else None
            last = next(reversed(self._callers))
            task = asyncio.ensure_future(last.context.log(level, params.get("data"), name))
            _LOGGING.add(task)
            task.add_done_callback(_LOGGING.discard)

    def _only(self, method: str) -> Caller:
        """The one caller who can be meant."""
        owners = {caller.context.owner for caller in self._callers}
        caller = next(reversed(self._callers), None)
        several = caller is not None and len(owners) > 1
        if caller is not None and caller.context.era == MODERN:
            several = len(self._callers) > 1
        if caller is None or several:
            why = "nobody has called" if caller is None else "several calls are under way"
            raise RpcError(METHOD_NOT_FOUND, f"{method} cannot be answered: {why}")
        if not can_answer(caller.announced, method):
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
        return caller


_LOGGING: Final[set[asyncio.Future[None]]] = set()
"""Lines on their way: a task that nobody holds may be collected."""


async def ask_client(context: CallContext, method: str, params: JSON) -> JSON:
    """Ask a client of an earlier era; whatever goes wrong there is an error for the server."""
    if context.client is None:
        raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
    try:
        async with asyncio.timeout(PATIENCE):
            return await context.client.request(method, params)
    except RpcError:
        raise
    except TimeoutError:
        raise RpcError(INTERNAL_ERROR, "Nobody answered in time") from None
    except Exception as error:
        raise RpcError(INTERNAL_ERROR, "The client gave no answer") from error


def can_answer(announced: Mapping[str, Any], method: str) -> bool:
    """Whether a server may ask that: its client can do it, and the server was told so."""
    return isinstance(announced.get(CAPABILITIES[method]), Mapping)


def announced(context: CallContext, *, alone: bool) -> JSON:
    """What is said to a server of its client: only what that can do, and nothing if shared."""
    if not alone:
        return {}
    found: JSON = {"roots": {}}
    if not context.capabilities:
        return found
    for name in CAPABILITIES.values():
        given: Any = context.capabilities.get(name)
        if given is not None and isinstance(given, Mapping):
            found[name] = dict(given)
    return found
