"""The lists of a server: requested after its calls, not too often, and with a time limit.

If a list cannot be read, calls are not affected: the known lists stay, and the reason is kept for
`doctor`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from toolcrib.client.connection import BrokenAnswer, ConnectionLost, ServerRefused
from toolcrib.client.session import ServerSession
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.wire.messages import RpcError

LIST_CHANGED: Final = (
    "notifications/tools/list_changed",
    "notifications/resources/list_changed",
    "notifications/prompts/list_changed",
)
_PAUSE: Final = 2.0
"""Seconds between two looks at the lists of a server that changes them all the time."""
_AFTER_START: Final = 0.5
"""Seconds after a start until the lists are asked for although nobody has called anything."""

Ask = Callable[[ServerSession], Awaitable[None]]
FaultOf = Callable[[Exception], ServerFault]
"""Words a failure for whoever looks at the server."""


class ServerListing:
    """Asks one server for its lists; see the module."""

    def __init__(self, ask: Ask, limit: Callable[[], float], fault_of: FaultOf) -> None:
        self.fault: ServerFault | None = None
        """Why the lists could not be read the last time; None where they were."""
        self.told: Callable[[], None] = lambda: None
        """Called when the lists were read, or could not be."""
        self._ask = ask
        self._limit = limit
        self._fault_of = fault_of
        self._session: ServerSession | None = None
        self._due: asyncio.TimerHandle | None = None
        self._changed: asyncio.TimerHandle | None = None
        self._changed_at = 0.0
        self._asking: dict[asyncio.Task[None], ServerSession] = {}
        self._again = False

    @property
    def busy(self) -> bool:
        """Whether the lists are being read, or what was read is being kept."""
        return bool(self._asking)

    def begin(self, session: ServerSession) -> None:
        """The server has just been started: its lists are due, behind the first call."""
        self._session = session
        self._due = asyncio.get_running_loop().call_later(_AFTER_START, self.now)

    def behind(self) -> None:
        """A request is about to be written: what is due is asked right behind it."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
            asyncio.get_running_loop().call_soon(self.now)

    def now(self) -> None:
        """Ask for the lists; where they are being asked for, once more after that.

        One at a time: of two that run together, the older answer could be kept last.
        """
        session, self._due = self._session, None
        if session is None:
            return
        # One that is done is taken off a moment later: it asks no more.
        if any(each is session and not task.done() for task, each in self._asking.items()):
            self._again = True
            return
        task = asyncio.get_running_loop().create_task(self._asked(session))
        self._asking[task] = session
        task.add_done_callback(self._asking.pop)

    def changed(self) -> None:
        """The server says that they have changed: ask again, after a pause where need be."""
        if self._changed is None:
            loop = asyncio.get_running_loop()
            wait = max(0.0, self._changed_at + _PAUSE - loop.time())
            self._changed = loop.call_later(wait, self._ask_again)

    async def settled(self) -> None:
        """Ask for what is due, and wait until nothing is being asked."""
        if self._due is not None:
            self._due.cancel()
            self.now()
        while self._asking:
            await asyncio.wait(self._asking)  # unlike gather, a waiter who goes cancels nothing

    def lost(self) -> None:
        """The server is gone: nothing more is asked; what is being asked fails by itself."""
        self._session = None
        for timer in (self._due, self._changed):
            if timer is not None:
                timer.cancel()
        self._due = self._changed = None

    def stop(self) -> None:
        """The server is stopped: what is being asked is no longer wanted."""
        self.lost()
        for task in self._asking:
            task.cancel()

    def _ask_again(self) -> None:
        self._changed = None
        self._changed_at = asyncio.get_running_loop().time()
        self.now()

    async def _asked(self, session: ServerSession) -> None:
        while True:
            self._again = False
            await self._asked_once(session)
            if not (self._again and self._session is session):
                return

    async def _asked_once(self, session: ServerSession) -> None:
        try:
            async with asyncio.timeout(self._limit()):
                await self._ask(session)
            self.fault = None
        except (TimeoutError, RpcError, BrokenAnswer, ConnectionLost, ServerRefused) as error:
            self.fault = self._fault_of(error)
        self.told()
