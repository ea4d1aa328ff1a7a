"""Stop an async function that blocks the event loop.

An async tool that blocks (`time.sleep`, a synchronous request) would stop everything that the loop
serves, because the same loop enforces its deadline. While such functions run, a thread checks that
the loop responds. If it does not, a signal interrupts the main thread, and its handler raises
`Blocked` in the function, if that function is running.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

_BEAT = 0.5
_HALF = 1.0
# Ignored unless somebody handles it, so that it does no harm to whoever gets it by mistake.
_SIGNAL = getattr(signal, "SIGURG", None)
_MAIN = threading.main_thread().ident


class Blocked(BaseException):
    """Raised in a function that blocks the loop; not caught by `except Exception`."""

    def __init__(self) -> None:
        super().__init__(
            f"it held up the server for {2 * _HALF:g} s without giving way and was stopped; what it"
            " had begun may have had an effect. Make it a plain function, which runs in a thread"
            " of its own, or await what takes long"
        )


async def watched(begin: Callable[..., Awaitable[T]], *given: Any) -> T:
    """Await `begin(*given)`, and raise `Blocked` in it if it blocks the loop of the main thread."""
    if threading.get_ident() != _MAIN or _SIGNAL is None:
        return await begin(*given)
    _watch.running += 1
    if not _watch.awake or _watch.loop is None or not _watch.loop.is_running():
        _watch.wake()
    try:
        return await begin(*given)
    finally:
        _watch.running -= 1


_MARK = watched.__code__


class _Watch:
    """The checking thread and the signal handler; idle while nothing is watched."""

    def __init__(self) -> None:
        self.running = 0
        self.awake = False
        """Whether the thread asks; looked at by every call, where an event would cost a call."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None
        self._suspect: FrameType | None = None

    def wake(self) -> None:
        """Start watching a function; called in the main thread."""
        self.loop = asyncio.get_running_loop()  # a later one, perhaps, than the watch has seen
        if self._thread is None and _SIGNAL is not None:
            if signal.getsignal(_SIGNAL) is not signal.SIG_DFL:
                return  # somebody else's
            signal.signal(_SIGNAL, self._interrupt)
            self._thread = threading.Thread(target=self._ask, name="toolcrib-watch", daemon=True)
            self._thread.start()
        self.awake = True
        self._wanted.set()

    def _ask(self) -> None:
        pause = threading.Event()
        while self._wanted.wait():
            self._ask_once()
            if self.running == 0:
                self._fall_asleep()
            pause.wait(_BEAT)

    def _fall_asleep(self) -> None:
        """Ask no more until it is wanted, and say so last: who reads that wakes the thread."""
        self._wanted.clear()
        self.awake = False
        if self.running:  # one has begun in between, and took the thread to be awake
            self.awake = True
            self._wanted.set()

    def _ask_once(self) -> None:
        answered = threading.Event()
        loop = self.loop
        with contextlib.suppress(RuntimeError):  # the loop is closed
            if loop is not None:
                loop.call_soon_threadsafe(answered.set)
                while not answered.wait(_HALF) and not loop.is_closed() and self.running:
                    if _SIGNAL is not None and _MAIN is not None:
                        signal.pthread_kill(_MAIN, _SIGNAL)
        self._suspect = None

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        """Raise in a function that is running at two signals in a row: it blocks the loop."""
        while frame is not None and frame.f_code is not _MARK:
            frame = frame.f_back
        before, self._suspect = self._suspect, frame
        if frame is not None and frame is before:
            self._suspect = None
            raise Blocked


_watch = _Watch()
