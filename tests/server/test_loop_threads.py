"""Threads of an event loop: those of each tool are its own, lost ones are counted."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time

import pytest

from support.clock import assert_within
from support.waiting import until_async
from toolcrib.core.deadline import within
from toolcrib.core.errors import Busy
from toolcrib.core.support.workers import Share, Workers
from toolcrib.server.loop_threads import LoopThreads


class Threads:
    """A loop's threads, and an open or closed door behind which its functions wait."""

    def __init__(self, most=64):
        self.workers = Workers(most)
        self.executor = LoopThreads(self.workers)
        self.go = threading.Event()

    def tool(self, name, most=2):
        return Share(name, most, waiting=4, inside=self.workers.all)

    async def called(self, share, func, *arguments):
        return await within(60, asyncio.to_thread(func, *arguments), share=share)


@pytest.fixture
def threads():
    made = Threads()
    yield made
    made.go.set()


def run(threads, main):
    async def session():
        asyncio.get_running_loop().set_default_executor(threads.executor)
        return await main()

    return asyncio.run(session())


def test_values_exceptions_and_options_come_back(threads):
    """K-17: a tool that uses `to_thread` sees no difference."""

    async def main():
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(divmod, 1, 0)
        with pytest.raises(SystemExit):
            await asyncio.to_thread(exit_now)
        name = await asyncio.to_thread(lambda: threading.current_thread().name)
        assert name == "toolcrib-worker"
        assert await asyncio.get_running_loop().getaddrinfo("127.0.0.1", 80)
        return await asyncio.to_thread(sorted, [2, 3, 1], reverse=True)

    assert run(threads, main) == [3, 2, 1]


def exit_now():
    raise SystemExit(3)


def test_more_than_any_share_at_once_are_all_run(threads):
    """K-17: one call may begin as many threads as it likes; they wait for each other."""

    async def main():
        share = threads.tool("many")
        jobs = [asyncio.create_task(threads.called(share, int, str(n))) for n in range(200)]
        return await asyncio.gather(*jobs)

    assert run(threads, main) == list(range(200))


def test_threads_that_hang_are_lost_to_the_tool_that_began_them(threads):
    """K-17: lost threads are counted and named; other tools and the loop itself go on."""

    async def main():
        stuck, other = threads.tool("stuck"), threads.tool("other")
        jobs = [asyncio.create_task(threads.called(stuck, threads.go.wait)) for _ in range(9)]
        await until_async(lambda: stuck.running == 2)
        assert await threads.called(other, int, "7") == 7
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        assert threads.workers.lost() == {"stuck": 2}
        assert threads.workers.waiting() == 0
        with pytest.raises(Busy, match="stuck is busy: 2 calls that were given up still run"):
            await threads.called(stuck, int, "7")
        assert await threads.called(other, int, "8") == 8
        assert await asyncio.to_thread(int, "9") == 9
        threads.go.set()
        await until_async(lambda: not threads.workers.lost())
        return await threads.called(stuck, int, "10")

    assert run(threads, main) == 10


def test_a_function_that_waits_does_not_run_once_its_caller_has_gone(threads):
    """K-17: what was stopped before it began has no effect later."""
    ran = []

    async def main():
        share = threads.tool("one", most=1)
        first = asyncio.create_task(threads.called(share, threads.go.wait))
        await until_async(lambda: share.running == 1)
        second = asyncio.create_task(threads.called(share, ran.append, 2))
        await asyncio.sleep(0)
        second.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await second
        threads.go.set()
        await first
        await threads.called(share, ran.append, 3)

    run(threads, main)
    assert ran == [3]


def test_a_loop_closes_though_a_thread_hangs(threads):
    """FAULTS: the process ends; what hangs is no reason to wait."""

    async def main():
        job = asyncio.create_task(asyncio.to_thread(threads.go.wait))
        await until_async(lambda: threads.workers.all.running == 1)
        job.cancel()

    started = time.perf_counter()
    run(threads, main)
    assert_within(5, time.perf_counter() - started)


def test_what_ends_soon_is_waited_for_when_a_loop_closes(threads):
    """K-17: a function that nobody awaits comes to its end, as with asyncio's own threads."""
    effects = []

    async def main():
        asyncio.get_running_loop().run_in_executor(None, effects.append, "done")

    run(threads, main)
    assert effects == ["done"]
