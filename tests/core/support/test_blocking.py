from __future__ import annotations

import asyncio
import sys
import threading
import time
from types import FrameType
from typing import Any

import pytest

from toolcrib.core.support.blocking import Blocked, _Watch, watched


async def sleep_on(seconds: float) -> str:
    try:
        time.sleep(seconds)  # work: it blocks on purpose
    except Exception:
        return "caught"
    return "done"


def test_what_blocks_the_loop_is_interrupted() -> None:
    """K-17: an async tool is stopped, also one that never gives way."""
    with pytest.raises(Blocked, match="without giving way and was stopped"):
        asyncio.run(watched(sleep_on, 600))


def test_a_loop_that_follows_another_is_watched() -> None:
    """K-17: the watch may still be awake from the loop before."""
    assert asyncio.run(watched(asyncio.sleep, 0, "first")) == "first"
    with pytest.raises(Blocked):
        asyncio.run(watched(sleep_on, 600))


def test_what_gives_way_may_take_as_long_as_it_likes() -> None:
    """K-17: waiting is no blocking; others that run beside it are none of its business."""

    async def patient() -> str:
        for _ in range(30):
            await asyncio.sleep(0.1)  # work: it gives way
        return "done"

    assert asyncio.run(watched(patient)) == "done"


def test_work_of_the_loop_itself_is_not_interrupted() -> None:
    """K-17: only the function that blocks is stopped, not what happens to run meanwhile."""

    async def beside() -> str:
        waiting = asyncio.ensure_future(watched(asyncio.sleep, 3.5, "woken"))  # work: it waits
        await asyncio.sleep(0)  # work: let it begin
        time.sleep(3)  # work: not watched
        return await waiting

    assert asyncio.run(beside()) == "woken"


def test_in_another_thread_nothing_is_watched() -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(watched(sleep_on, 2.5))))
    thread.start()
    thread.join()
    assert found == ["done"]


def test_a_call_that_comes_and_goes_while_the_watch_falls_asleep_leaves_it_wakeable() -> None:
    """K-17: the thread and the calls see each other at any point in between."""
    watch = _Watch()
    wanted = watch._wanted = threading.Event()

    def call() -> None:
        """A whole call of the main thread, as `watched` makes it."""
        if not watch.awake:
            watch.awake = True
            wanted.set()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            call()
        return trace

    watch.awake = True
    wanted.set()
    sys.settrace(lambda frame, *_: trace if frame.f_code.co_name == "_fall_asleep" else None)
    try:
        watch._fall_asleep()
    finally:
        sys.settrace(None)
    assert watch.awake <= wanted.is_set(), "who takes it to be awake does not wake it"
