"""Steps of coroutines and tasks that are taken at once, without an iteration of the event loop."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from typing import Any, Self, TypeVar

T = TypeVar("T")


@types.coroutine
def rest_of(work: Coroutine[Any, Any, T], pending: Any, context: Context) -> Generator[Any, Any, T]:
    """Await what is left of `work`, which waits for `pending`, with each step in `context`."""
    while True:
        step: Callable[[Any], Any] = work.send
        given: Any = None
        try:
            given = yield pending
        except GeneratorExit:
            context.run(work.close)
            raise
        except BaseException as error:  # noqa: BLE001 - thrown into the work, whatever it is
            step, given = work.throw, error
        try:
            pending = context.run(step, given)
        except StopIteration as done:
            value: T = done.value
            return value


class PromptFuture(asyncio.Future[T]):
    """A future that can resume the task that awaits it, instead of asking the loop to.

    An iteration of the loop, with its system call, costs as much as a good part of a call through
    a server. An error or a cancellation takes the usual way.
    """

    _waiter: tuple[Callable[[Any], object], Context] | None = None

    def add_done_callback(
        self, fn: Callable[[Self], object], /, *, context: Context | None = None
    ) -> None:
        """Note the task that waits, beside the callbacks that the loop is to call."""
        if context is not None:
            self._waiter = (fn, context)
        super().add_done_callback(fn, context=context)

    def resolve(self, result: T) -> None:
        """Set the result; a task that awaits it has taken its next step when this returns.

        Tasks do not nest: called by one, this is `set_result`.
        """
        waiter = self._waiter
        if waiter is not None and asyncio.current_task(self.get_loop()) is None:
            resume, context = waiter
            if self.remove_done_callback(resume):
                self.set_result(result)
                context.run(resume, self)
                return
        self.set_result(result)
