"""Live reload: changed files reach the packs, and what they change reaches the clients."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from pathlib import Path

from toolcrib.core.errors import ToolcribError
from toolcrib.core.pack import Changes, Pack
from toolcrib.core.threads import in_thread
from toolcrib.server.surface import Surface

logger = logging.getLogger("toolcrib.reload")


class Reloader:
    """Watches what the packs read, from the first request on and not before.

    The watcher is loaded in the background, so that the first answer never waits for it; what
    changed between start and watch is found by asking every pack once when the watch begins.
    """

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Begin to watch, if anything can change at all."""
        if self._task is None and any(pack.live for pack in self._surface.packs):
            self._task = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def apply(self, changed: list[Path]) -> None:
        """Tell each pack what changed, then everybody else what that means."""
        total = Changes()
        for pack in self._surface.packs:
            if pack.live:
                total = _sum(total, await self._refreshed(pack, changed))
        if total:
            self._surface.reload()
            self._surface.publish(total)

    async def _watch(self) -> None:
        # Give the first answers the processor: loading the watcher takes some tens of milliseconds.
        await asyncio.sleep(0.2)
        await in_thread(importlib.import_module, "toolcrib.files.watch")
        from toolcrib.files.watch import Watcher

        await self.apply([])
        await Watcher(self._paths, self.apply).run()

    def _paths(self) -> list[Path]:
        return [path for pack in self._surface.packs if pack.live for path in pack.watched()]

    async def _refreshed(self, pack: Pack, changed: list[Path]) -> Changes:
        try:
            return await in_thread(pack.refresh, changed)
        except ToolcribError as error:
            logger.error("%s: kept the last good state: %s", pack.name, error)
        return Changes()


def _sum(one: Changes, other: Changes) -> Changes:
    return Changes(
        one.tools or other.tools,
        one.resources or other.resources,
        one.prompts or other.prompts,
        (*one.updated, *other.updated),
    )
