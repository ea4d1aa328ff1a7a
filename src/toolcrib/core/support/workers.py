"""Plain functions beside the event loop, in threads that never outlive the process.

`asyncio.to_thread` shares a handful of workers that the interpreter joins at exit: one tool
that never returns would hold up the others and then the shutdown. These workers are daemons.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
_MOST = 64


class Workers:
    """As many threads as there are jobs at once, up to a limit; idle ones wait for the next job."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._size = 0

    async def run(self, func: Callable[..., T], *arguments: Any) -> T:
        """Run `func` in a worker and wait for it; a caller that gives up leaves it behind."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        context = contextvars.copy_context()

        def settle(value: T | None, error: BaseException | None) -> None:
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)  # type: ignore[arg-type]  # T may itself be None

        def job() -> None:
            value: T | None = None
            error: BaseException | None = None
            try:
                value = context.run(func, *arguments)
            except (StopIteration, GeneratorExit) as stop:  # a future cannot carry them
                error = RuntimeError(f"{type(stop).__name__}: {stop}")
            except BaseException as caught:  # noqa: BLE001 - it belongs to the caller, not to the worker
                error = caught
            with contextlib.suppress(RuntimeError):  # the loop is gone, and with it whoever asked
                loop.call_soon_threadsafe(settle, value, error)

        self._submit(job)
        return await future

    def _submit(self, job: Callable[[], None]) -> None:
        with self._lock:
            if self._idle > 0:
                self._idle -= 1
            elif self._size < self._most:
                self._size += 1
                threading.Thread(target=self._work, name="toolcrib-worker", daemon=True).start()
        self._jobs.put(job)

    def _work(self) -> None:
        while True:
            self._jobs.get()()
            with self._lock:
                self._idle += 1


in_thread = Workers(_MOST).run
"""Run a function in one of the threads that all tools share."""
