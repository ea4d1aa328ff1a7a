"""The threads that `asyncio.to_thread` uses, drawn from the counted shares.

The default executor of an event loop is one queue for everybody: calls of one async tool that
await a thread which hangs would take all its threads, and no other tool could use `to_thread`, nor
the loop resolve a name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import Any, Final, ParamSpec, TypeVar

from toolcrib.core.deadline import CURRENT
from toolcrib.core.support.workers import WORKERS, Share, ThreadJob, Workers

T = TypeVar("T")
P = ParamSpec("P")

_MOST: Final = 16
_PATIENCE: Final = 0.5
"""Seconds that a closing loop waits for functions that still run."""


class LoopThreads(ThreadPoolExecutor):
    """An executor whose functions run in the share of the tool that is being called.

    The thread of a function whose caller gave up is lost until it returns, as in `Workers.run`.
    Functions that no call began share 16 threads. `submit` raises `Busy` where lost threads leave
    no room. A loop that closes does not wait for a function that hangs.
    """

    def __init__(self, workers: Workers = WORKERS) -> None:
        super().__init__(1)  # its own queue and threads are never used
        self._workers = workers
        self._outside = Share("background", _MOST, inside=workers.all)
        self._open: set[_Promise[Any]] = set()

    def submit(self, fn: Callable[P, T], /, *arguments: P.args, **options: P.kwargs) -> Future[T]:
        """Run a function in a thread of the tool that is being called."""
        promise: _Promise[T] = _Promise(self._workers)

        def work() -> None:
            if not promise.set_running_or_notify_cancel():
                return
            try:
                value = fn(*arguments, **options)
            except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits
                promise.set_exception(error)
            else:
                promise.set_result(value)

        promise.job = ThreadJob(CURRENT.get()[1] or self._outside, work)
        self._open.add(promise)
        promise.add_done_callback(self._open.discard)
        try:
            self._workers.submit(promise.job, any_number=True)  # it is one call's
        except BaseException:
            self._open.discard(promise)
            raise
        return promise

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait a moment for what still runs."""
        left = list(self._open)
        if cancel_futures:
            for each in left:
                each.cancel()
        if wait:
            wait_for(left, _PATIENCE)


def use_counted_threads() -> None:
    """Let `asyncio.to_thread` of the running loop draw from the counted shares."""
    asyncio.get_running_loop().set_default_executor(LoopThreads())


class _Promise(Future[T]):
    """A future whose cancellation gives its job up."""

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        self._workers = workers
        self.job: ThreadJob

    def cancel(self) -> bool:
        """Give it up: it does not run, or its thread is lost until it returns."""
        cancelled = super().cancel()
        if cancelled or self.running():
            self._workers.give_up(self.job)
        return cancelled
