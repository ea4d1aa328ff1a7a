"""News from a store that several machines share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from support.waiting import until_async
from toolcrib.core.pack import Changes, Contributions, Pack
from toolcrib.server.news import SharedNews
from toolcrib.server.surface import Surface


class Shared(Pack):
    """A pack whose store can be made to speak."""

    name = "shared"
    live = True

    def __init__(self) -> None:
        self.tell: Callable[[bool], None] | None = None
        self.stopped = False

    def contribute(self) -> Contributions:
        return Contributions()

    def listen(self, tell: Callable[[bool], None]) -> Callable[[], None]:
        self.tell = tell

        def stop() -> None:
            self.stopped = True

        return stop

    def refresh_shared(self) -> Changes:
        return Changes(tools=True)


def test_a_store_is_listened_to_while_somebody_listens_to_us() -> None:
    """R-5, R-6: no connection for news without a listener; each change is told; what may have
    been missed after a reconnect counts as changed."""

    async def story() -> tuple[list[Changes], bool]:
        pack = Shared()
        surface = Surface([pack])
        told: list[Changes] = []

        async def publish(pack: Pack, changes: Changes) -> None:
            told.append(changes)

        running = asyncio.ensure_future(SharedNews(surface, publish).run())
        await asyncio.sleep(0)
        assert pack.tell is None
        stop = surface.listen(lambda event: None)
        await until_async(lambda: pack.tell is not None)
        assert pack.tell is not None
        pack.tell(False)
        await until_async(lambda: len(told) == 1)
        pack.tell(True)
        await until_async(lambda: len(told) == 2)
        stop()
        await until_async(lambda: pack.stopped)
        running.cancel()
        return told, pack.stopped

    told, stopped = asyncio.run(story())
    assert told == [Changes(tools=True), Changes(tools=True, resources=True)] and stopped


def test_the_end_of_the_server_ends_the_listening() -> None:
    """R-6: the connection for news does not outlive the server."""

    async def story() -> bool:
        pack = Shared()
        surface = Surface([pack])
        surface.listen(lambda event: None)

        async def publish(pack: Pack, changes: Changes) -> None:
            return None

        running = asyncio.ensure_future(SharedNews(surface, publish).run())
        await until_async(lambda: pack.tell is not None)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return pack.stopped

    assert asyncio.run(story())
