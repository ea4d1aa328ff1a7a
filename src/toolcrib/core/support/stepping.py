"""Coroutines whose first step is run directly: most calls end with it and need no task."""

from __future__ import annotations

import types
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from typing import Any, TypeVar

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
