"""The end of a serving process: polite, and never late."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

GONE_WITHIN = 1.8
"""Seconds from the wish to leave until the process is gone, whatever a tool does meanwhile."""


def on_signals(leave: Callable[[], None]) -> None:
    """Call `leave` on the running loop when somebody ends the process.

    Python's own handlers, not the loop's: they run even while a tool holds up the loop.
    """
    loop = asyncio.get_running_loop()

    def begin(number: int, frame: FrameType | None) -> None:
        last_resort()
        loop.call_soon_threadsafe(leave)

    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, begin)


def last_resort() -> None:
    """End the process in time, should tasks or threads still hold it up by then."""
    timer = threading.Timer(GONE_WITHIN, os._exit, (0,))
    timer.daemon = True
    timer.start()
