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
from toolcrib.server.surface import Blueprint, Surface

logger = logging.getLogger("toolcrib.reload")

_EVERYTHING = Changes(tools=True, resources=True, prompts=True)
# The first answers get the processor; loading the watcher takes some tens of milliseconds.
_HEAD_START = 0.2


class Reloader:
    """Watches what the packs read, from the first request on and not before.

    The watcher is loaded in the background, so that the first answer never waits for it. What
    changed between start and watch is found by asking every pack once, as soon as the watch is on.
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
        blueprint = self._surface.blueprint
        if blueprint is not None and any(path in blueprint.files for path in changed):
            await self._rebuild(blueprint)
            return
        total = Changes()
        for pack in self._surface.packs:
            if pack.live:
                total = _sum(total, await self._refreshed(pack, changed))
        if total:
            self._surface.reload()
            self._surface.publish(total)

    async def _watch(self) -> None:
        await asyncio.sleep(_HEAD_START)
        await in_thread(importlib.import_module, "toolcrib.files.watch")
        from toolcrib.files.watch import Watcher

        watcher = Watcher(self._paths, self.apply)
        running = asyncio.create_task(watcher.run())
        try:
            await watcher.ready.wait()
            logger.debug("watching %d paths", len(self._paths()))
            await self.apply([])
            await running
        finally:
            running.cancel()

    def _paths(self) -> list[Path]:
        blueprint = self._surface.blueprint
        own = list(blueprint.files) if blueprint is not None else []
        return own + [path for pack in self._surface.packs if pack.live for path in pack.watched()]

    async def _refreshed(self, pack: Pack, changed: list[Path]) -> Changes:
        try:
            return await in_thread(pack.refresh, changed)
        except ToolcribError as error:
            logger.error("%s: kept the last good state: %s", pack.name, error)
        return Changes()

    async def _rebuild(self, blueprint: Blueprint) -> None:
        """The settings changed: make the packs anew, or keep the old ones if that fails."""
        try:
            packs = await in_thread(blueprint.build)
        except ToolcribError as error:
            logger.error("kept the last good settings: %s", error)
            return
        before, self._surface.packs = self._surface.packs, packs
        self._surface.reload()
        self._surface.publish(_EVERYTHING)
        await asyncio.gather(*(pack.close() for pack in before))


def _sum(one: Changes, other: Changes) -> Changes:
    return Changes(
        one.tools or other.tools,
        one.resources or other.resources,
        one.prompts or other.prompts,
        (*one.updated, *other.updated),
    )
