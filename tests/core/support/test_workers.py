"""Threads: each share takes its own places, and what is lost is counted and replaced."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading

import pytest

from support.waiting import until_async
from toolcrib.core.deadline import ending_in
from toolcrib.core.errors import Busy
from toolcrib.core.support.gc_pause import passing
from toolcrib.core.support.workers import Share, Workers, beside_the_loop


class Door:
    """A function that returns only when it is let."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.open = threading.Event()

    def __call__(self) -> str:
        self.entered.release()
        self.open.wait(30)
        return "through"

    async def wait_entered(self, count: int = 1) -> None:
        for _ in range(count):
            assert await asyncio.to_thread(self.entered.acquire, timeout=10)


@pytest.fixture
def door():
    made = Door()
    yield made
    made.open.set()


async def settled(tasks):
    return await asyncio.gather(*tasks, return_exceptions=True)


def test_a_full_share_holds_up_no_other(door):
    """K-17, R-4: whatever hangs takes at most its own share of threads."""

    async def main():
        workers = Workers(4)
        stuck = Share("stuck", 2, waiting=8, inside=workers.all)
        tasks = [asyncio.create_task(workers.run(door, share=stuck)) for _ in range(8)]
        await door.wait_entered(2)
        answers = [await workers.run(int, "7") for _ in range(20)]
        assert workers.waiting() == 6
        door.open.set()
        return answers, await settled(tasks)

    answers, done = asyncio.run(main())
    assert answers == [7] * 20
    assert done == ["through"] * 8


def test_above_the_queue_the_answer_is_busy_at_once(door):
    """R-4: above the queue's limit the answer is at once "busy", with when to try again."""

    async def main():
        workers = Workers(4)
        share = Share("store", 1, waiting=1, inside=workers.all)
        tasks = [asyncio.create_task(workers.run(door, share=share)) for _ in range(2)]
        await door.wait_entered()
        with pytest.raises(Busy, match="store is busy: 1 calls run and 1 wait") as caught:
            await workers.run(door, share=share)
        door.open.set()
        return caught.value, await settled(tasks)

    error, done = asyncio.run(main())
    assert error.data == {"reason": "busy", "retry_after_s": 1}
    assert done == ["through"] * 2


def test_shares_inside_a_share_bound_each_other(door):
    """K-17: shares per tool and per pack."""

    async def main():
        workers = Workers(8)
        pack = Share("pack", 3, inside=workers.all)
        one = Share("one", 2, waiting=9, inside=pack)
        two = Share("two", 2, waiting=9, inside=pack)
        tasks = [asyncio.create_task(workers.run(door, share=one)) for _ in range(3)]
        tasks += [asyncio.create_task(workers.run(door, share=two)) for _ in range(3)]
        await door.wait_entered(3)
        assert (one.running, two.running, pack.running) == (2, 1, 3)
        door.open.set()
        await settled(tasks)
        # A thread gives its place back just after its answer.
        await until_async(lambda: not (one.running or two.running or workers.all.running))
        assert pack.running == 0

    asyncio.run(main())


def test_a_lost_thread_is_counted_named_and_replaced_until_it_returns(door):
    """K-17: lost threads are counted and replaced."""

    async def main():
        workers = Workers(4)
        share = Share("slow", 1, waiting=4, inside=workers.all)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await workers.run(door, share=share)
        assert workers.lost() == {"slow": 1}
        with pytest.raises(Busy, match="1 calls that were given up still run") as caught:
            await workers.run(int, "7", share=share)
        assert caught.value.retry_after == 30
        assert await workers.run(int, "7") == 7
        door.open.set()
        await until_async(lambda: not workers.lost())
        return await workers.run(int, "7", share=share)

    assert asyncio.run(main()) == 7


def test_a_share_goes_on_in_the_place_of_a_lost_thread(door):
    """K-17: one call that hangs does not stop a tool that otherwise works."""

    async def main():
        workers = Workers(4)
        share = Share("mostly", 2, waiting=4, inside=workers.all)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await workers.run(door, share=share)
        tasks = [asyncio.create_task(workers.run(door, share=share)) for _ in range(2)]
        await door.wait_entered(2)  # the lost one, and one more
        door.open.set()
        return await settled(tasks)

    assert asyncio.run(main()) == ["through"] * 2


def test_no_more_than_all_threads_are_lost_whatever_the_number_of_shares(door):
    """K-17: 64 in all, then busy; who has lost none is served all the same."""

    async def main():
        workers = Workers(3)
        shares = [Share(f"s{n}", 2, waiting=4, inside=workers.all) for n in range(3)]
        for share in (shares[0], shares[0], shares[1]):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await workers.run(door, share=share)
        assert workers.lost() == {"s0": 2, "s1": 1}
        with pytest.raises(Busy):
            await workers.run(int, "7", share=shares[1])
        return await workers.run(int, "7", share=shares[2])

    assert asyncio.run(main()) == 7


def test_what_never_got_a_thread_before_its_deadline_says_that_nothing_was_run(door):
    """R-4: waiting for a share counts against the deadline."""
    ran = []

    async def main():
        workers = Workers(4)
        share = Share("full", 1, waiting=4, inside=workers.all)
        first = asyncio.create_task(workers.run(door, share=share))
        await door.wait_entered()
        with ending_in(0.05), pytest.raises(Busy, match="nothing was run"):
            async with asyncio.timeout(0.05):
                await workers.run(ran.append, 1, share=share)
        waiting = asyncio.create_task(workers.run(ran.append, 2, share=share))
        await asyncio.sleep(0)
        waiting.cancel()
        assert isinstance((await settled([waiting]))[0], asyncio.CancelledError)
        door.open.set()
        await first
        return await workers.run(ran.append, 3, share=share)

    asyncio.run(main())
    assert ran == [3]


@pytest.fixture
def collected():
    """What is kept from collections by a test is not afterwards."""
    yield
    passing()


def test_turns_are_short_until_the_last_import_is_over(collected) -> None:
    """Issue 18, FAULTS: a first remote call holds up nobody; two at once leave things as before."""
    before, first_in, second_out = sys.getswitchinterval(), threading.Event(), threading.Event()

    def first() -> None:
        with beside_the_loop():
            first_in.set()
            second_out.wait()

    thread = threading.Thread(target=first)
    thread.start()
    first_in.wait()
    with beside_the_loop():
        assert sys.getswitchinterval() < before / 4
    assert sys.getswitchinterval() < before / 4, "the other one is still at it"
    second_out.set()
    thread.join()
    assert sys.getswitchinterval() == before


def test_what_fails_to_be_imported_leaves_turns_and_collections_as_they_were(collected) -> None:
    """Issue 18: an import may fail."""
    before = sys.getswitchinterval()
    with pytest.raises(ImportError), beside_the_loop():
        assert not gc.isenabled()
        raise ImportError
    assert sys.getswitchinterval() == before and gc.isenabled()
