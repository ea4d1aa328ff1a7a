"""A deadline that costs nothing for work that ends at once, as most calls do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Expired(Exception):
    """The work did not end in time, and was cancelled."""


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Await `work`, for at most `seconds`; raises `Expired` when they have passed.

    The first step is taken here and now: only work that then has to wait for something gets a
    timer, which is the dearest part of a quick call.
    """
    try:
        pending = work.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    try:
        async with asyncio.timeout(seconds) as clock:
            return await _Rest(work, pending)
    except TimeoutError:
        if clock.expired():
            raise Expired from None
        raise


class _Rest(Generic[T]):
    """What is left of a coroutine that waits for `pending`."""

    __slots__ = ("_pending", "_work")

    def __init__(self, work: Coroutine[Any, Any, T], pending: Any) -> None:
        self._work = work
        self._pending = pending

    def __await__(self) -> Generator[Any, Any, T]:
        pending = self._pending
        while True:
            step: Callable[[Any], Any] = self._work.send
            given: Any = None
            try:
                given = yield pending
            except GeneratorExit:
                self._work.close()
                raise
            except BaseException as error:  # noqa: BLE001 - it is the work that has to hear of it
                step, given = self._work.throw, error
            try:
                pending = step(given)
            except StopIteration as done:
                value: T = done.value
                return value
