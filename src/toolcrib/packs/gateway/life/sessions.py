"""One process for each client session, for servers that keep state per caller."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from toolcrib.packs.gateway.server import Server

MOST: Final = 8
"""Processes of one server; the longest idle gives way."""


class ClientSessions:
    """The processes of one server by the session that they belong to."""

    def __init__(self, make: Callable[[], Server]) -> None:
        self._make = make
        self._servers: OrderedDict[str, Server] = OrderedDict()
        self._leaving: list[Server] = []
        self._rested = asyncio.Event()

    async def of(self, owner: str) -> Server:
        """The process of a session; where there are too many and all are busy, wait for one."""
        while owner not in self._servers and len(self._servers) >= MOST:
            idle = next((name for name, each in self._servers.items() if _rests(each)), None)
            if idle is None:
                await self._rested.wait()
                continue
            server = self._servers.pop(idle)
            server.stop()
            self._leaving = [each for each in self._leaving if each.leaving] + [server]
        if owner not in self._servers:
            server = self._servers[owner] = self._make()
            server.rested = self._rest
        self._servers.move_to_end(owner)
        return self._servers[owner]

    def every(self) -> list[Server]:
        """All of them, those that are on their way out included."""
        return [*self._servers.values(), *self._leaving]

    def _rest(self) -> None:
        """A call is over: whoever waits for a place looks again."""
        self._rested.set()
        self._rested.clear()


def _rests(server: Server) -> bool:
    """Whether nobody calls it, or is about to."""
    return not (server.calls or server.callers)
