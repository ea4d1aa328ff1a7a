"""One timer for many deadlines."""

from __future__ import annotations

import asyncio

from toolcrib.core.alarms import Alarm, Alarms, alarms


class Rung(Alarm):
    """An alarm that tells by its name that it has rung."""

    def __init__(self, name: str, when: float | None, told: asyncio.Queue[str]) -> None:
        super().__init__(when)
        self.name = name
        self.told = told

    def ring(self) -> None:
        self.told.put_nowait(self.name)


def test_each_rings_at_its_time_whatever_the_order_they_were_set_in() -> None:
    """X-15: a call past its deadline ends, also behind one that has longer."""

    async def run() -> list[str]:
        told: asyncio.Queue[str] = asyncio.Queue()
        now, those = asyncio.get_running_loop().time(), alarms()
        for name, after in (("late", 0.06), ("soon", 0.01), ("between", 0.03)):
            those.add(Rung(name, now + after, told))
        return [await told.get() for _ in range(3)]

    assert asyncio.run(run()) == ["soon", "between", "late"]


def test_one_that_is_removed_or_put_off_does_not_ring_before() -> None:
    """X-15: what ended in time hears nothing; progress starts the clock anew."""

    async def run() -> list[str]:
        told: asyncio.Queue[str] = asyncio.Queue()
        now, those = asyncio.get_running_loop().time(), alarms()
        gone, later, paused, last = (Rung(name, now + 0.01, told) for name in "glpx")
        for each in (gone, later, paused, last):
            those.add(each)
        those.remove(gone)
        those.move(later, now + 0.05)
        those.move(paused, None)
        those.move(last, now + 0.08)
        found = [await told.get(), await told.get()]
        those.move(paused, now)
        those.move(gone, now)
        return [*found, await told.get(), *([] if told.empty() else ["more"])]

    assert asyncio.run(run()) == ["l", "x", "p"]


def test_a_thousand_calls_that_end_in_time_cost_one_timer() -> None:
    """X-15: a timer for each would be the dearest part of a quick call."""

    class Counted:
        """A loop that counts its timers."""

        def __init__(self) -> None:
            self.timers = 0

        def call_at(self, when: float, ring: object) -> asyncio.TimerHandle:
            self.timers += 1
            return asyncio.get_running_loop().call_at(when, lambda: None)

    async def run() -> int:
        loop, told = Counted(), asyncio.Queue[str]()
        those = Alarms(loop)  # type: ignore[arg-type]
        for number in range(1000):
            alarm = Rung("never", 60.0 + number, told)
            those.add(alarm)
            those.remove(alarm)
        return loop.timers

    assert asyncio.run(run()) == 1


def test_each_loop_has_its_own() -> None:
    """A deadline of a loop that is closed rings nowhere."""

    async def mine() -> Alarms:
        assert alarms() is alarms()
        return alarms()

    assert asyncio.run(mine()) is not asyncio.run(mine())
