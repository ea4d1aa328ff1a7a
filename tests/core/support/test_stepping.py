"""Steps that are taken at once: the first of a coroutine, and the next of a task that waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

from toolcrib.core.support.stepping import PromptFuture, rest_of

MARK: ContextVar[str] = ContextVar("MARK", default="clean")


async def stepped(work: Coroutine[Any, Any, Any]) -> Any:
    """Take the first step of some work in a context of its own, then await the rest."""
    context = copy_context()
    pending = context.run(work.send, None)
    return await rest_of(work, pending, context)


def test_the_rest_gives_the_value_of_the_whole() -> None:
    """K-17: a call that has to wait is answered as one that has not."""

    async def work() -> str:
        for _ in range(3):
            await asyncio.sleep(0)
        return "done"

    assert asyncio.run(stepped(work())) == "done"


def test_every_step_sees_the_context_of_the_first() -> None:
    """K-17: what one call leaves behind, another never sees."""

    async def work() -> str:
        MARK.set("mine")
        await asyncio.sleep(0)
        return MARK.get()

    async def both() -> tuple[str, str]:
        return await stepped(work()), MARK.get()

    assert asyncio.run(both()) == ("mine", "clean")


def test_an_error_that_is_awaited_reaches_the_work_and_then_its_caller() -> None:
    """K-17: the work may catch what it waits for, and raise what it likes."""
    seen: list[str] = []

    async def work(failing: asyncio.Future[None]) -> None:
        try:
            await failing
        except ValueError as error:
            seen.append(str(error))
            raise KeyError("own") from error

    async def run() -> None:
        loop = asyncio.get_running_loop()
        failing: asyncio.Future[None] = loop.create_future()
        loop.call_soon(failing.set_exception, ValueError("awaited"))
        await stepped(work(failing))

    with pytest.raises(KeyError, match="own"):
        asyncio.run(run())
    assert seen == ["awaited"]


def test_a_cancellation_reaches_the_work() -> None:
    """FAULTS: a cancelled request cleans up."""
    seen: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("cleaned up")

    async def run() -> None:
        task = asyncio.ensure_future(stepped(work()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert seen == ["cleaned up"]


def test_what_is_left_is_closed_with_whoever_awaits_it() -> None:
    """FAULTS: a loop that ends leaves nothing open."""
    seen: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append(MARK.get())

    async def run() -> None:
        MARK.set("outside")
        awaiting = stepped(work())
        awaiting.send(None)
        awaiting.close()

    asyncio.run(run())
    assert seen == ["outside"]


def prompt() -> PromptFuture[str]:
    return PromptFuture(loop=asyncio.get_running_loop())


async def outside(step: Callable[..., object], *words: object) -> None:
    """Run something as the loop runs a callback: outside of any task."""
    asyncio.get_running_loop().call_soon(step, *words)
    await asyncio.sleep(0)


def test_a_waiter_has_gone_on_when_the_result_is_set() -> None:
    """X-31: an answer is passed on in the iteration of the loop that has read it."""
    seen: list[str] = []

    async def wait(future: PromptFuture[str]) -> None:
        MARK.set("mine")
        seen.append(await future + " " + MARK.get())

    async def run() -> None:
        future = prompt()
        task = asyncio.create_task(wait(future))
        await asyncio.sleep(0)

        def resolve() -> None:
            future.resolve("here")
            assert seen == ["here mine"] and MARK.get() == "clean"

        await outside(resolve)
        await task

    asyncio.run(run())


def test_a_task_resumes_no_other_task() -> None:
    """K-17: of two tasks, one runs at a time."""
    seen: list[str] = []

    async def wait(future: PromptFuture[str]) -> None:
        seen.append(await future)

    async def run() -> None:
        future = prompt()
        task = asyncio.create_task(wait(future))
        await asyncio.sleep(0)
        future.resolve("here")
        assert seen == []
        await task
        assert seen == ["here"]

    asyncio.run(run())


def test_a_result_that_nobody_waits_for_yet_is_kept() -> None:
    """K-17: whoever comes later finds it."""

    async def run() -> str:
        future = prompt()
        await outside(future.resolve, "here")
        return await future

    assert asyncio.run(run()) == "here"


def test_all_who_wait_are_told_once() -> None:
    """K-17: a result is for everybody who waits for it."""

    async def run() -> None:
        future, told = prompt(), []

        async def wait(name: str) -> None:
            told.append(f"{name} {await future}")

        tasks = [asyncio.create_task(wait(name)) for name in ("one", "two")]
        await asyncio.sleep(0)
        await outside(future.resolve, "here")
        await asyncio.wait(tasks)
        assert sorted(told) == ["one here", "two here"]

    asyncio.run(run())


def test_an_error_and_a_cancellation_reach_the_waiter() -> None:
    """FAULTS: what goes wrong takes the usual way."""

    async def run() -> None:
        future = prompt()
        task = asyncio.ensure_future(asyncio.wait_for(future, 60))
        await asyncio.sleep(0)
        future.set_exception(ValueError("lost"))
        with pytest.raises(ValueError, match="lost"):
            await task
        other = prompt()

        async def wait() -> str:
            return await other

        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert other.cancelled()

    asyncio.run(run())
