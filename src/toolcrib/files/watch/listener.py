"""File system notifications, delivered as calls on the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

Notice = Callable[[set[str]], None]


class CannotListen(Exception):
    """Notifications are not available; the text says why."""


class Listener:
    """Listens to folders in a thread of its own and passes on the paths that changed.

    It reports after `quiet` seconds without a change, or after `longest` seconds of continuous
    changes; compiled code does the waiting, independent of Python's load. It listens once the
    constructor returns, which may take a while: call it in a worker thread. It raises
    `CannotListen` if the system refuses, usually because of too many watches.
    """

    def __init__(
        self,
        folders: Sequence[str],
        *,
        recursive: bool,
        quiet: float,
        longest: float,
        loop: asyncio.AbstractEventLoop,
        notice: Notice,
    ) -> None:
        self._source = _source(folders, recursive)
        self._quiet_ms = max(1, round(quiet * 1000))
        self._longest_ms = max(1, round(longest * 1000))
        self._stop = threading.Event()
        self._loop = loop
        self._notice = notice
        self.ended = asyncio.Event()
        """Set once it listens no longer, so that `close` has nothing to wait for."""
        # Not the loop's own pool: two threads that never end would take the place of tool calls.
        self._thread = threading.Thread(target=self._run, name="toolcrib-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; it takes effect after some milliseconds."""
        self._stop.set()

    def close(self) -> None:
        """Stop and wait for it: a thread in compiled code may crash the process at exit."""
        self.stop()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            while not self._stop.is_set():
                heard = self._source.watch(self._longest_ms, self._quiet_ms, 0, self._stop)
                if not isinstance(heard, set):
                    break
                self._loop.call_soon_threadsafe(self._notice, {path for _, path in heard})
        # The system may take some milliseconds for each; here many are closed at the same time.
        self._source.close()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.ended.set)


def _source(folders: Sequence[str], recursive: bool) -> Any:
    """The backend of `watchfiles`, without the layer that debounces once more."""
    from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError  # 50 ms

    def made(lenient: bool) -> RustNotify:
        return RustNotify(list(folders), False, False, 0, recursive, lenient)

    try:
        try:
            return made(lenient=False)
        except PermissionError:
            # Lenient also hides that the limit of watches is reached: only where it must be.
            return made(lenient=True)
    except UnicodeEncodeError:
        raise CannotListen("the path is not UTF-8") from None
    except (OSError, WatchfilesRustInternalError) as error:
        raise CannotListen(str(error).split(" about ")[0].rstrip(".")) from None
