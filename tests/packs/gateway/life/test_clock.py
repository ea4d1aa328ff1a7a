"""The clock of a call."""

from __future__ import annotations

import asyncio

import pytest

from toolcrib.core.alarms import Alarms
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.clock import Clock


def test_what_is_not_done_in_time_is_a_deadline_that_says_whether_it_was_sent() -> None:
    """X-15: DeadlinePassed; only a call that was sent may have had an effect."""

    async def late(sent: bool) -> str:
        with pytest.raises(ServerFault) as caught, Clock("odd", 0.01) as clock:
            clock.sent = sent
            await asyncio.Event().wait()
        assert caught.value.reason == "deadline" and caught.value.data["deadline_s"] == 0.01
        return str(caught.value)

    assert "may have had an effect" in asyncio.run(late(True))
    assert "effect" not in asyncio.run(late(False))


def test_progress_starts_the_clock_anew_up_to_ten_times_its_seconds() -> None:
    """X-15: however often a server tells how far it is, a call ends."""

    async def work() -> tuple[float, float]:
        with Clock("odd", 60) as clock:
            begun = asyncio.get_running_loop().time()
            clock.heard()
            once = clock.when or 0
            later = type("Later", (), {"time": lambda self: begun + 599})()
            clock._alarms = Alarms(later)
            clock.heard()
            return once - begun, (clock.when or 0) - begun

    once, last = asyncio.run(work())
    assert once == pytest.approx(60, abs=1) and last == pytest.approx(600, abs=1)


def test_a_clock_that_is_paused_begins_anew() -> None:
    """X-17: while a client is asked something, which has a bound of its own."""

    async def work() -> str:
        with Clock("odd", 0.05) as clock:
            with clock.paused():
                await asyncio.sleep(0.2)  # work: of somebody who is asked
            assert (clock.when or 0) > asyncio.get_running_loop().time()
        with clock.paused():  # the call is over: nothing happens
            return "done"

    assert asyncio.run(work()) == "done"


def test_a_pause_does_not_count_for_the_bound_of_progress() -> None:
    """X-15, X-17: progress after somebody was asked for long starts the clock anew as ever."""

    async def work() -> float:
        with Clock("odd", 0.02) as clock:
            with clock.paused():
                await asyncio.sleep(0.3)  # work: of somebody who takes longer than ten clocks
            clock.heard()
            return (clock.when or 0) - asyncio.get_running_loop().time()

    assert asyncio.run(work()) > 0


def test_a_call_that_progress_has_kept_alive_is_told_all_of_its_seconds() -> None:
    """X-15: up to 10 × `timeout`: the words say how long it was waited for."""

    async def work() -> str:
        with pytest.raises(ServerFault) as raised, Clock("odd", 0.02) as clock:
            while True:
                clock.heard()
                await asyncio.sleep(0.001)  # work: of a server that tells how far it is
        return str(raised.value)

    assert "within 0.2 s" in asyncio.run(work())
