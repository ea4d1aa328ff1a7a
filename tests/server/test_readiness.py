"""Whether a surface is ready: its packs loaded, the first index of each built, its store there."""

from __future__ import annotations

import asyncio
import logging

import pytest

from support.waiting import until_async
from toolcrib.core.pack import Contributions, Pack, StoreStatus
from toolcrib.server.readiness import Readiness
from toolcrib.server.surface import Surface


class Indexed(Pack):
    """A pack with an index, which may be impossible to build, and a store, which may be away."""

    name = "indexed"
    live = False

    def __init__(self, trouble: str | None = None, up: bool = True) -> None:
        self.trouble = trouble
        self.up = up
        self.asked = 0

    def contribute(self) -> Contributions:
        return Contributions()

    def warm(self) -> None:
        if self.trouble is not None:
            raise ValueError(self.trouble)

    def store_status(self, *, ask: bool = False) -> StoreStatus | None:
        self.asked += ask
        return StoreStatus(self.up, why="" if self.up else "it does not answer")


def test_an_index_is_built_after_the_first_answer() -> None:
    """R-7: not ready before, ready after, and nobody waited for it."""

    async def story() -> list[bool]:
        readiness = Readiness(Surface([Indexed()]))
        found = [readiness.checks()["index_indexed"].ok]
        readiness.begin()
        readiness.answered()
        await until_async(lambda: readiness.checks()["index_indexed"].ok)
        readiness.close()
        return [*found, readiness.checks()["index_indexed"].ok]

    assert asyncio.run(story()) == [False, True]


def test_an_index_that_cannot_be_built_says_why(caplog: pytest.LogCaptureFixture) -> None:
    """R-7: the check has the reason, and the other packs are none the worse."""
    caplog.set_level(logging.CRITICAL)
    readiness = Readiness(Surface([Indexed("no room")]))
    readiness.build()
    assert readiness.checks()["index_indexed"].to_wire() == {"ok": False, "why": "no room"}
    assert readiness.checks()["packs"].ok


def test_a_store_that_is_away_is_a_check_of_its_own() -> None:
    """R-7: with its reason; health is asked for often, the store only now and then."""

    async def story() -> tuple[dict[str, object], int]:
        pack = Indexed(up=False)
        readiness = Readiness(Surface([pack]))
        for _ in range(50):
            readiness.ask_store()
        await until_async(lambda: pack.asked)
        return readiness.checks()["store"].to_wire(), pack.asked

    assert asyncio.run(story()) == ({"ok": False, "why": "it does not answer"}, 1)
