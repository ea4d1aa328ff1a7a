"""The seconds without a call after which a server is stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

_TOO_EARLY = 0.001
"""Seconds that a timer may come before its time."""


class IdleTimer:
    """Fires after some seconds without a call.

    A call only records its time: when the timer fires, it checks how long ago that was, and waits
    for the rest. A new timer for each call would cost more.
    """

    def __init__(self, over: Callable[[], None]) -> None:
        self._over = over
        self._seconds = 0.0
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, seconds: float) -> None:
        """Count anew from now; for 0 seconds not at all."""
        self._since = time.monotonic()
        self._seconds = seconds
        if self._timer is None and seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def stop(self) -> None:
        """Count no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        left = self._since + self._seconds - time.monotonic()
        if left > _TOO_EARLY:
            self._timer = asyncio.get_running_loop().call_later(left, self._look)
        else:
            self._over()
