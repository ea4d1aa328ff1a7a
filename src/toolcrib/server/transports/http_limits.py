"""How many requests are served at once, in all and for one caller."""

from __future__ import annotations

import asyncio
from typing import Final

from toolcrib.core.tool import JSON
from toolcrib.wire.messages import INTERNAL_ERROR, RpcError

WAIT: Final = 1.0
"""Seconds that a request waits for a place before it is turned away."""
RETRY_AFTER: Final = 1
"""Seconds after which a client that was turned away may try again."""


class TooManyRequests(RpcError):
    """Too many requests; `status` tells whether the caller's or the server's limit is reached."""

    def __init__(self, status: int, text: str) -> None:
        data: JSON = {"reason": "busy", "retry_after_s": RETRY_AFTER}
        super().__init__(INTERNAL_ERROR, text, data)
        self.status = status


class RequestLimits:
    """Counts requests under way; a caller's own limit counts its tool calls alone."""

    def __init__(self, most: int, per_caller: int | None) -> None:
        self._all = asyncio.Semaphore(most)
        self._per_caller = per_caller
        self._callers: dict[str, asyncio.Semaphore] = {}
        self.waiting = 0
        """Requests that wait for a place."""

    async def enter(self, caller: str | None) -> None:
        """Take a slot or raise `TooManyRequests`; `caller` is None if it is not counted."""
        if caller is not None and self._per_caller is not None:
            places = self._callers.setdefault(caller, asyncio.Semaphore(self._per_caller))
            await self._take(places, 429, "Too many calls at once by this caller")
        if not self._all.locked():  # as a rule, and without waiting
            await self._all.acquire()
            return
        try:
            await self._take(self._all, 503, "Too many requests at once")
        except BaseException:
            self._leave_caller(caller)
            raise

    def leave(self, caller: str | None) -> None:
        """Release the slot."""
        self._all.release()
        self._leave_caller(caller)

    async def _take(self, places: asyncio.Semaphore, status: int, text: str) -> None:
        if not places.locked():
            await places.acquire()
            return
        self.waiting += 1
        try:
            async with asyncio.timeout(WAIT):
                await places.acquire()
        except TimeoutError:
            raise TooManyRequests(status, text) from None
        finally:
            self.waiting -= 1

    def _leave_caller(self, caller: str | None) -> None:
        places = self._callers.get(caller) if caller is not None else None
        if places is None or caller is None:
            return
        places.release()
        # Callers come and go: one that has no call under way is forgotten.
        if places._value == self._per_caller:
            del self._callers[caller]
