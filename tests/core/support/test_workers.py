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


class Pool:
    """Threads with the shares of tools around them, as a server has them."""

    def __init__(self, most=64, tools=48, pack=32):
        self.workers = Workers(most)
        self.tools = Share("tools", tools, inside=self.workers.all, spare=tools // 3)
        self.pack = Share("pack", pack, inside=self.tools, spare=pack // 4, replaces=True)

    def tool(self, name, *, most=16):
        return Share(name, most, waiting=64, inside=self.pack)

    async def lose(self, door, share, calls=16):
        """Make calls and give them up, as at a deadline."""
        tasks = [asyncio.create_task(self.workers.run(door, share=share)) for _ in range(calls)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await settled(tasks)


def test_no_more_than_all_threads_are_lost_and_who_has_lost_none_still_works(door):
    """K-17: 64 in all, then busy; who has lost none is served all the same, one call at a time."""

    async def main():
        pool = Pool()
        shares = [pool.tool(f"t{n}") for n in range(12)]
        for _ in range(3):
            for share in shares:
                await pool.lose(door, share)
        lost = pool.workers.lost()
        assert set(lost) == {share.name for share in shares}
        assert lost["t0"] == 16 and sum(lost.values()) < 48
        for share in shares:
            with pytest.raises(Busy, match="that were given up still run") as caught:
                await pool.workers.run(int, "7", share=share)
            assert caught.value.retry_after == 30
        fresh = pool.tool("fresh")
        answers = [pool.workers.run(int, "7", share=fresh) for _ in range(20)]
        return await asyncio.gather(*answers)

    assert asyncio.run(main()) == [7] * 20


def test_above_the_last_thread_even_who_has_lost_none_is_busy_but_no_resource(door):
    """K-17: 64 in all, then busy; what serves resources and prompts is not for tools to lose."""

    async def main():
        pool = Pool()
        for n in range(48):
            await pool.lose(door, pool.tool(f"t{n}"), 2)
        assert sum(pool.workers.lost().values()) == 48
        with pytest.raises(Busy, match="fresh is busy: 48 calls that were given up still run"):
            await pool.workers.run(int, "7", share=pool.tool("fresh"))
        assert await pool.workers.run(int, "7") == 7
        door.open.set()
        await until_async(lambda: not pool.workers.lost())
        return await pool.workers.run(int, "7", share=pool.tool("fresh"))

    assert asyncio.run(main()) == 7


def test_tools_that_hang_leave_a_thread_to_every_other_tool_of_their_pack(door):
    """K-17, R-4: a tool that has no thread gets one at once, whatever two others of its pack do."""

    async def main():
        pool = Pool()
        hanging = [pool.tool("one"), pool.tool("two")]
        tasks = [
            asyncio.create_task(pool.workers.run(door, share=share))
            for _ in range(40)
            for share in hanging
        ]
        await asyncio.sleep(0)
        held = sum(share.running for share in hanging)
        assert 16 < held <= 24, "the last ones of the pack are for tools that have none"
        others = [pool.tool(f"other{n}") for n in range(8)]
        answers = [await pool.workers.run(int, "7", share=share) for share in others]
        door.open.set()
        assert await settled(tasks) == ["through"] * 80
        return answers

    assert asyncio.run(main()) == [7] * 8


def test_one_tool_alone_has_all_its_threads(door):
    """K-17: what is kept for others takes nothing of a tool's own sixteen."""

    async def main():
        pool = Pool()
        share = pool.tool("alone")
        tasks = [asyncio.create_task(pool.workers.run(door, share=share)) for _ in range(20)]
        await asyncio.sleep(0)
        assert (share.running, len(share.queue)) == (16, 4)
        door.open.set()
        return await settled(tasks)

    assert asyncio.run(main()) == ["through"] * 20


def test_tools_that_wait_get_the_threads_that_become_free_in_turn():
    """R-4: none is served before it is its turn, however many of its calls wait."""
    order: list[str] = []

    async def main():
        workers = Workers(1)
        shares = [Share(name, 1, waiting=9, inside=workers.all) for name in "abc"]
        gate = Door()
        first = asyncio.create_task(workers.run(gate))
        await gate.wait_entered()
        tasks = [
            asyncio.create_task(workers.run(order.append, share.name, share=share))
            for share in shares
            for _ in range(3)
        ]
        await asyncio.sleep(0)
        gate.open.set()
        await settled([first, *tasks])

    asyncio.run(main())
    assert "".join(order) == "abcabcabc"


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
