"""A deadline without a task or a timer for work that ends at once, as most calls do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from toolcrib.core.support.workers import Share

T = TypeVar("T")

CURRENT: Final[ContextVar[tuple[float | None, Share | None]]] = ContextVar(
    "call", default=(None, None)
)
"""When the current call has to end, by the monotonic clock, and the share of threads of its tool.

One variable for both: setting one is a noticeable part of a quick call.
"""

_PATIENCE = 2.0
"""Seconds that late work may take to clean up, before it is left where it stands."""


class Expired(Exception):
    """The work did not end in time, and was cancelled."""


class Quit(Exception):
    """The work raised `GeneratorExit`, which asyncio would take for the end of the task."""


async def within(
    seconds: float,
    work: Coroutine[Any, Any, T],
    patience: float = _PATIENCE,
    share: Share | None = None,
) -> T:
    """Await `work`, for at most `seconds`; raises `Expired` when they have passed.

    The work knows its deadline, as in `ending_in`, and `share`, whose threads it may use. The first
    step is taken here and now: only work that then has to wait for something gets a timer, which is
    the most expensive part of a quick call. Late work is cancelled; if it ignores that, it is given
    up after `patience` more seconds.
    If the work itself raises `GeneratorExit`, `Quit` is raised instead: closing a coroutine raises
    the same error, and the two must not be confused.
    """
    token = CURRENT.set((monotonic() + seconds, share))
    try:
        try:
            pending = work.send(None)
        except StopIteration as done:
            value: T = done.value
            return value
        except GeneratorExit as error:
            raise Quit("GeneratorExit") from error
        return await _timed(_Rest(work, pending), seconds, patience)
    finally:
        CURRENT.reset(token)


async def _timed(rest: _Rest[T], seconds: float, patience: float) -> T:
    try:
        async with asyncio.timeout(seconds) as clock:
            with rest.given_up_after(seconds + patience):
                return await rest
    except TimeoutError:
        if clock.expired():
            raise Expired from None
        raise


class ending_in:
    """Make the deadline known to everything that runs inside, threads included."""

    __slots__ = ("_token", "_until")

    def __init__(self, seconds: float) -> None:
        self._until = monotonic() + seconds

    def __enter__(self) -> None:
        self._token = CURRENT.set((self._until, CURRENT.get()[1]))

    def __exit__(self, *exc: object) -> None:
        CURRENT.reset(self._token)


def remaining(otherwise: float) -> float:
    """Seconds until the deadline of the current call, or `otherwise` outside a call."""
    until = CURRENT.get()[0]
    return otherwise if until is None else until - monotonic()


class _Rest(Generic[T]):
    """What is left of a coroutine that waits for `pending`."""

    __slots__ = ("_given_up", "_pending", "_task", "_work")

    def __init__(self, work: Coroutine[Any, Any, T], pending: Any) -> None:
        self._work = work
        self._pending = pending
        self._task = _this_task()
        self._given_up = False

    @contextlib.contextmanager
    def given_up_after(self, seconds: float) -> Generator[None]:
        """Wait at most `seconds`, even if the work ignores its cancellation."""
        timer = asyncio.get_running_loop().call_later(seconds, self._give_up)
        try:
            yield
        finally:
            timer.cancel()

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
            except BaseException as error:
                # Cancel the work; if it ignored an earlier cancellation, give up on it.
                if self._given_up:
                    self._abandon()
                    raise
                step, given = self._work.throw, error
            try:
                pending = step(given)
            except StopIteration as done:
                value: T = done.value
                return value
            except GeneratorExit as error:
                raise Quit("GeneratorExit") from error

    def _give_up(self) -> None:
        self._given_up = True
        self._task.cancel()

    def _abandon(self) -> None:
        self._task.uncancel()  # that cancellation was our own; the deadline's is still to be told
        with contextlib.suppress(RuntimeError):  # it does not even mind being closed
            self._work.close()


def is_cancellation(error: BaseException) -> bool:
    """Whether this task is being cancelled; work may also raise the error by itself."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - whatever is awaited belongs to one
    return task
