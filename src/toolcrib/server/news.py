"""Changes in a shared store: what another replica wrote is announced to clients."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from toolcrib.core.pack import Changes, Pack
from toolcrib.core.support.workers import STORE, WORKERS
from toolcrib.server.surface import Surface

_LOOK = 0.5
"""Seconds between two looks at whether anybody listens."""
_MISSED = Changes(resources=True)


class SharedNews:
    """Listens to the stores of the packs, but only while some client listens to us."""

    def __init__(
        self, surface: Surface, publish: Callable[[Pack, Changes], Awaitable[None]]
    ) -> None:
        self._surface = surface
        self._publish = publish
        self._heard: dict[Pack, bool] = {}
        self._event = asyncio.Event()
        self._stops: dict[Pack, Callable[[], None]] = {}

    async def run(self) -> None:
        """Pass news on until cancelled."""
        try:
            while True:
                await self._follow()
                try:
                    async with asyncio.timeout(_LOOK):
                        await self._event.wait()
                except TimeoutError:
                    continue
                await self._tell()
        finally:
            for stop in self._stops.values():
                stop()

    async def _follow(self) -> None:
        """Listen while at least one client does."""
        wanted = self._surface.packs if self._surface.listened else ()
        for pack in [pack for pack in self._stops if pack not in wanted]:
            self._stops.pop(pack)()
        for pack in wanted:
            if pack not in self._stops:
                stop = await WORKERS.run(pack.listen, self._teller(pack), share=STORE)
                self._stops[pack] = stop or (lambda: None)

    def _teller(self, pack: Pack) -> Callable[[bool], None]:
        loop = asyncio.get_running_loop()

        def hear(missed: bool) -> None:
            self._heard[pack] = missed or self._heard.get(pack, False)
            self._event.set()

        def tell(missed: bool) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(hear, missed)

        return tell

    async def _tell(self) -> None:
        heard, self._heard = self._heard, {}
        self._event.clear()
        for pack, missed in heard.items():
            changes = await WORKERS.run(pack.refresh_shared, share=STORE)
            await self._publish(pack, changes | _MISSED if missed else changes)
