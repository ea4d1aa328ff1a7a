"""The seconds without a call."""

from __future__ import annotations

import asyncio

from toolcrib.packs.gateway.life.idle import IdleTimer


def test_it_is_told_once_nobody_has_called_for_that_long() -> None:
    """X-13: each call begins the seconds anew, although none of them touches the timer."""

    async def run() -> float:
        loop = asyncio.get_running_loop()
        over: asyncio.Future[float] = loop.create_future()
        idle = IdleTimer(lambda: over.set_result(loop.time()))
        for _ in range(10):
            idle.begin(0.05)
            last = loop.time()
            await asyncio.sleep(0.02)  # work: of a call
            assert not over.done()
        return await over - last

    assert asyncio.run(run()) >= 0.049


def test_one_that_is_stopped_or_has_no_seconds_tells_nothing() -> None:
    """X-13: `idle` 0 is for ever."""

    async def run() -> list[str]:
        told: list[str] = []
        stopped, forever = (IdleTimer(lambda: told.append("over")) for _ in range(2))
        stopped.begin(0.01)
        stopped.stop()
        forever.begin(0)
        again: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        last = IdleTimer(lambda: again.set_result(None))
        last.begin(0.03)
        await again
        return told

    assert asyncio.run(run()) == []
