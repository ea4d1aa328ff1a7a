"""What of a server is followed: its lists while it is up, and resources that clients subscribe to.

A server of an earlier era is sent a request for each resource and tells of its lists unasked; one
of the stateless era is sent one request that listens for all of it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import Final

from toolcrib.client.connection import BrokenAnswer, ConnectionLost, ServerRefused
from toolcrib.client.session import ServerSession
from toolcrib.core.tool import JSON
from toolcrib.wire.eras import MODERN
from toolcrib.wire.messages import RpcError

MOST: Final = 1000
"""Resources of one server that may be followed."""
_FAILURES = (RpcError, BrokenAnswer, ConnectionLost, ServerRefused)


class Following:
    """The subscriptions to one server, kept across its starts."""

    def __init__(self) -> None:
        self._uris: Counter[str] = Counter()
        self._session: ServerSession | None = None
        self._listening: asyncio.Task[None] | None = None
        self._asking: set[asyncio.Task[None]] = set()

    def __bool__(self) -> bool:
        """Whether anybody follows a resource of it."""
        return bool(self._uris)

    def begin(self, session: ServerSession) -> None:
        """Follow what was followed, with a server that has just been started."""
        self._session = session
        if session.era == MODERN:
            self._listen()
        else:
            for uri in self._uris:
                self._ask("resources/subscribe", uri)

    def add(self, uri: str) -> None:
        """Follow a resource, once more."""
        if len(self._uris) >= MOST and uri not in self._uris:
            raise RpcError(-32603, "Too many subscriptions")
        self._uris[uri] += 1
        if self._uris[uri] == 1:
            self._changed("resources/subscribe", uri)

    def remove(self, uri: str) -> None:
        """Follow a resource once less."""
        if self._uris[uri] > 1:
            self._uris[uri] -= 1
        elif self._uris.pop(uri, 0):
            self._changed("resources/unsubscribe", uri)

    def _changed(self, method: str, uri: str) -> None:
        session = self._session
        if session is None or session.connection.lost:
            return
        if session.era == MODERN:
            self._listen()
        else:
            self._ask(method, uri)

    def _ask(self, method: str, uri: str) -> None:
        session = self._session
        if session is None:
            return

        async def ask() -> None:
            with contextlib.suppress(*_FAILURES):
                await session.request(method, {"uri": uri})

        task = asyncio.get_running_loop().create_task(ask())
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    def _listen(self) -> None:
        """Listen for what is wanted now, instead of what was wanted before."""
        session = self._session
        before, self._listening = self._listening, None
        wanted = self._wanted(session) if session is not None else {}
        if session is not None and wanted:

            async def listen() -> None:
                with contextlib.suppress(*_FAILURES):
                    await session.listen(wanted)

            self._listening = asyncio.get_running_loop().create_task(listen())
        if before is not None:
            before.cancel()

    def _wanted(self, session: ServerSession) -> JSON:
        found: JSON = {}
        for kind in ("tools", "resources", "prompts"):
            about = session.capabilities.get(kind)
            if isinstance(about, dict) and about.get("listChanged"):
                found[f"{kind}ListChanged"] = True
        if self._uris:
            found["resourceSubscriptions"] = list(self._uris)
        return found
