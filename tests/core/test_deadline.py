"""A deadline around a coroutine, whatever the coroutine does."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from toolcrib.core.deadline import Expired, within


def test_work_that_ends_at_once_needs_no_timer() -> None:
    """K-17: a quick call pays for no deadline."""

    async def quick() -> int:
        return 7

    async def main() -> tuple[int, int]:
        loop: Any = asyncio.get_running_loop()
        return await within(5, quick()), len(loop._scheduled)

    assert asyncio.run(main()) == (7, 0)


def test_work_that_waits_comes_back_with_its_value() -> None:
    """K-17: values, exceptions and nested waits pass through unchanged."""

    async def patient(fails: bool) -> str:
        await asyncio.sleep(0)
        try:
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        except TimeoutError:
            pass
        await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0.001))  # work: two things
        if fails:
            raise LookupError("mine")
        return "done"

    assert asyncio.run(within(5, patient(False))) == "done"
    with pytest.raises(LookupError, match="mine"):
        asyncio.run(within(5, patient(True)))


def test_work_that_is_late_is_cancelled_and_cleans_up() -> None:
    """K-17: the deadline cancels, and the work can clean up after itself."""
    cleaned: list[str] = []

    async def late() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append("yes")

    with pytest.raises(Expired):
        asyncio.run(within(0.01, late()))
    assert cleaned == ["yes"]


def test_a_timeout_of_the_work_itself_is_not_taken_for_ours() -> None:
    """K-17: a `TimeoutError` that the tool raises is the tool's own failure."""

    async def own() -> None:
        await asyncio.sleep(0)
        raise TimeoutError("mine")

    with pytest.raises(TimeoutError, match="mine"):
        asyncio.run(within(5, own()))


def test_a_cancelled_caller_cancels_the_work() -> None:
    """FAULTS: cancel of a running call: its work stops."""
    seen: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def main() -> None:
        task = asyncio.create_task(within(60, work()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert seen == ["cancelled"]


async def stubborn() -> None:
    while True:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


async def deaf() -> None:
    while True:
        with contextlib.suppress(BaseException):
            await asyncio.Event().wait()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("work", [stubborn, deaf])
def test_work_that_ignores_its_cancellation_is_given_up(work: Any) -> None:
    """K-17, FAULTS: a deadline holds whatever a tool does, and its end is told as such."""

    async def main() -> int:
        with pytest.raises(Expired):
            await within(0.01, work(), patience=0.01)
        task = asyncio.current_task()
        assert task is not None
        return task.cancelling()

    assert asyncio.run(main()) == 0


def test_timeouts_inside_the_work_are_its_own_affair() -> None:
    """K-17: work that gives itself less time, again and again, is not given up for it."""

    async def tries() -> int:
        for _ in range(5):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.005):
                    await asyncio.Event().wait()
        await asyncio.sleep(0.03)  # work: longer than the patience
        return 5

    assert asyncio.run(within(5, tries(), patience=0.01)) == 5
