"""Shutdown of a server: running calls may finish within a time limit."""

from __future__ import annotations

import asyncio
import logging
import os
import select
import signal
import threading
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any

from toolcrib.core.support.gc_pause import seldom
from toolcrib.server.loop_threads import LoopThreads

logger = logging.getLogger("toolcrib.server")

GONE_WITHIN = 1.8
"""Seconds from the request to stop until the process has ended, whatever a tool does meanwhile."""
_INTERVAL = 0.2
_PEER_CLOSED = getattr(select, "POLLRDHUP", 0)  # Linux has it; elsewhere a closed pipe still tells


Loop = Callable[[], asyncio.AbstractEventLoop]


def run(serving: Coroutine[Any, Any, None], loop_factory: Loop | None = None) -> None:
    """Run `serving` to its end.

    asyncio stops the loop when any task raises `SystemExit` or `KeyboardInterrupt`. Signals come
    in another way, so here it can only be a tool's own task, and nobody else's work ends with it.
    """
    with seldom(), asyncio.Runner(loop_factory=loop_factory) as runner:
        loop = runner.get_loop()
        loop.set_default_executor(LoopThreads())
        task = loop.create_task(serving)
        while not task.done():
            try:
                loop.run_until_complete(task)
            except (SystemExit, KeyboardInterrupt) as error:
                logger.error("a tool's own task tried to end the server: %s", type(error).__name__)
        task.result()


def on_signals(
    leave: Callable[[], None],
    *,
    within: float = GONE_WITHIN,
    reopen: Callable[[], None] | None = None,
) -> None:
    """Call `leave` on the running loop when somebody ends the process, `reopen` at SIGHUP.

    Python's own handlers, not the loop's: they run even while a tool holds up the loop. Whatever
    does, the process is gone `within` seconds; without `reopen`, SIGHUP ends it too.
    """
    loop = asyncio.get_running_loop()

    def begin(number: int, frame: FrameType | None) -> None:
        force_exit_after(within)
        loop.call_soon_threadsafe(leave)

    def hang_up(number: int, frame: FrameType | None) -> None:
        if reopen is None:
            begin(number, frame)
        else:
            loop.call_soon_threadsafe(reopen)

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, begin)
    signal.signal(signal.SIGHUP, hang_up)


def on_hang_up(source: int, sink: int) -> None:
    """End the process when its client has disconnected while a tool blocks the event loop.

    A loop that is not blocked notices by itself, and answers what is still unread in the pipe.
    """
    loop = asyncio.get_running_loop()

    def watch() -> None:
        poll = select.poll()
        poll.register(source, _PEER_CLOSED)
        poll.register(sink, 0)
        poll.poll()
        watch_the_loop(loop)

    threading.Thread(target=watch, name="hang-up", daemon=True).start()


def watch_the_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Watchdog: end the process when the event loop has been blocked for too long."""
    pause = threading.Event()
    while not loop.is_closed():
        responded = threading.Event()
        try:
            loop.call_soon_threadsafe(responded.set)
        except RuntimeError:  # closed in this very moment
            return
        if not responded.wait(GONE_WITHIN):
            os._exit(0)
        pause.wait(_INTERVAL)


def force_exit_after(within: float = GONE_WITHIN) -> None:
    """Start a timer that ends the process even if tasks or threads are still running."""
    timer = threading.Timer(within, os._exit, (0,))
    timer.daemon = True
    timer.start()
