"""The rest of a coroutine whose first step was taken by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

from toolcrib.core.support.stepping import rest_of

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
