"""Live reload: passes changed files to the packs, and the resulting changes to clients."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ToolcribError
from toolcrib.core.pack import Changes, Pack
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.server.blueprint import Blueprint
from toolcrib.server.surface import Surface

if TYPE_CHECKING:
    from toolcrib.files.watch.watcher import Watcher

logger = logging.getLogger("toolcrib.reload")

_EVERYTHING = Changes(tools=True, resources=True, prompts=True)
# The first answers come first: importing the watcher takes some tens of milliseconds.
_HEAD_START = 0.2
_EMPTY_PAUSE = 0.1
_EMPTY_AT_MOST = 10
"""Pauses after which an empty file of settings is meant to be empty."""
_POLL_SECONDS = 1.0
"""Seconds between two looks for files of packs that are not served yet."""


class Reloader:
    """Watches the packs' files, starting with the first request.

    The watcher is loaded in the background, so that the first answer never waits for it. What
    changed between start and watch is found by asking every pack once, as soon as the watch is on.
    """

    def __init__(self, surface: Surface, *, one_client: bool = True) -> None:
        self._surface = surface
        self._one_client = one_client
        for pack in surface.packs:
            pack.one_client = one_client
        self._task: asyncio.Task[None] | None = None
        self._retiring: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        self._hurry = asyncio.Event()
        self._stands = asyncio.Event()
        self._watcher: Watcher | None = None
        surface.watching = self.standing
        self._complaint = ""
        self._inventory: dict[str, int] | None = None
        self.outcomes = {"ok": 0, "failed": 0}
        """How often a change was served, and how often the last good state was kept."""
        self.seconds = 0.0
        """How long the last reload took."""

    def wake(self) -> None:
        """Begin to watch, if anything can change at all."""
        if self._task is None and self._surface.live:
            self._task = asyncio.get_running_loop().create_task(self._watch())

    async def standing(self) -> None:
        """Wait until every change from now on is noticed; where that fails, do not wait."""
        self.wake()
        if self._task is not None:
            self._hurry.set()
            await self._stands.wait()

    async def close(self) -> None:
        """Stop watching, and close packs that were replaced."""
        tasks = [*self._retiring, *([self._task] if self._task is not None else [])]
        self._task = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def catch_up(self) -> None:
        """Look for everything that has changed while nobody watched, and watch again."""
        await self._catch_up_settings()
        await self.apply([])
        self.wake()

    async def _catch_up_settings(self) -> None:
        if self._surface.blueprint is not None:
            async with self._one_at_a_time:
                await self._rebuild(self._surface.blueprint)

    async def apply(self, changed: list[Path]) -> None:
        """Tell each pack what changed, then everybody else what that means."""
        async with self._one_at_a_time:
            started, failed = time.perf_counter(), self.outcomes["failed"]
            blueprint = self._surface.blueprint
            if blueprint is not None and blueprint.made_of(changed):
                await self._rebuild(blueprint)
            await self._ask(self._surface.packs, changed)
            if changed:
                self.seconds = time.perf_counter() - started
                self.outcomes["ok"] += self.outcomes["failed"] == failed

    async def _ask(self, packs: Sequence[Pack], changed: list[Path]) -> None:
        """Ask packs what a change means to them; no change at all, what they have not seen yet."""
        total = Changes()
        for pack in packs:
            if pack.live:
                total |= await self._refreshed(pack, changed)
        if total:
            self._show(total)
            await self._record_changes(total.updated)

    async def _watch(self) -> None:
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_HEAD_START):
                    await self._hurry.wait()
            await self._watching()
        except Exception:
            logger.exception("Changes are no longer noticed; a restart serves them")
        finally:
            self._stands.set()

    async def _watching(self) -> None:
        await in_thread(importlib.import_module, "toolcrib.files.watch.watcher")
        from toolcrib.files.watch.watcher import Watcher

        watcher = self._watcher = Watcher(self._paths, self.apply)
        async with asyncio.TaskGroup() as group:
            group.create_task(watcher.run())
            await watcher.ready.wait()
            logger.debug("watching %d paths", len(self._paths()))
            if self._surface.record is not None:
                self._inventory = await in_thread(self._surface.inventory)
            await self._catch_up_settings()
            await self.apply([])
            # Packs that have read their files may know of more to watch than before.
            watcher.renew()
            await watcher.ready.wait()
            self._stands.set()
            self._begin()
            group.create_task(self._news())
            group.create_task(self._look_out())

    def _begin(self) -> None:
        """Let packs refresh by themselves, and apply what that changes."""
        for pack in self._surface.packs:
            if pack.announce is None:
                pack.announce = self._announced
                pack.one_client = self._one_client
                pack.begin()

    def _announced(self, changes: Changes) -> None:
        self._show(changes)

    def _show(self, changes: Changes) -> None:
        """Serve what has changed, and tell everybody who can see it."""
        before = self._listed() if changes.behind else None
        self._surface.reload()
        if before is not None and self._listed() != before:
            changes |= Changes(tools=True)
        self._surface.publish(changes)

    def _listed(self) -> list[JSON]:
        return [tool.to_wire() for tool in self._surface.catalog.listed()]

    async def _news(self) -> None:
        """Pass on what other replicas change; one failure must not be the end of it."""
        from toolcrib.server.news import SharedNews  # behind the first answer

        while True:
            try:
                await SharedNews(self._surface, self._publish).run()
            except ToolcribError as error:
                logger.error("news of the store: %s", error)
            except Exception:
                logger.exception("news of the store")
            await asyncio.sleep(_POLL_SECONDS)

    async def _publish(self, pack: Pack, changes: Changes) -> None:
        async with self._one_at_a_time:
            if changes and pack in self._surface.packs:
                self._show(changes)

    async def _look_out(self) -> None:
        """Files of a pack that is not served may appear anywhere: no watch is wide enough."""
        while True:
            blueprint = self._surface.blueprint
            async with self._one_at_a_time:
                if (
                    blueprint is not None
                    and blueprint.growing
                    and await in_thread(blueprint.grown, self._surface.packs)
                ):
                    await self._rebuild(blueprint)
                await self._look_around()
            await asyncio.sleep(_POLL_SECONDS)

    async def _look_around(self) -> None:
        """Serve what packs find by themselves where nobody watches."""
        total = Changes()
        for pack in self._surface.packs:
            if pack.live and type(pack).look_around is not Pack.look_around:
                try:
                    total |= await in_thread(pack.look_around)
                except Exception:  # as in `_refreshed`
                    logger.exception("%s: kept the last good state", pack.name)
        if total:
            self._show(total)
            self._renew()
            await self._record_changes(total.updated)

    def _renew(self) -> None:
        """Watch what the packs name now."""
        if self._watcher is not None:
            self._watcher.renew()

    def _paths(self) -> list[Path]:
        blueprint = self._surface.blueprint
        own = list(blueprint.files) if blueprint is not None else []
        return own + [path for pack in self._surface.packs if pack.live for path in pack.watched()]

    async def _refreshed(self, pack: Pack, changed: list[Path]) -> Changes:
        try:
            return await in_thread(pack.refresh, changed)
        except ToolcribError as error:
            logger.error("%s: kept the last good state: %s", pack.name, error)
            self._record_refusal(error)
        except Exception:  # one failed reload must not stop the watch
            logger.exception("%s: kept the last good state", pack.name)
        self.outcomes["failed"] += 1
        return Changes()

    async def _rebuild(self, blueprint: Blueprint) -> None:
        """Make the packs anew where that is needed, or keep the old ones if it fails."""
        await _written(blueprint.files)
        before = self._surface.packs
        try:
            packs = await in_thread(blueprint.build, before)
        except ToolcribError as error:
            if str(error) != self._complaint:
                logger.error("kept the last good settings: %s", error)
                self._record_refusal(error)
                self.outcomes["failed"] += 1
            self._complaint = str(error)
            return
        self._complaint = ""
        if packs is None:
            return
        self._surface.packs = packs
        self._surface.reload()
        self._surface.publish(_EVERYTHING)
        await self._ask([pack for pack in packs if pack not in before], [])
        self._renew()
        self._begin()
        await self._record_changes(())
        gone = [pack for pack in before if pack not in packs]
        task = asyncio.get_running_loop().create_task(self._retire(gone))
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    async def _record_changes(self, updated: Sequence[str]) -> None:
        """Write to the record, if there is one, what is served now and was not before."""
        record = self._surface.record
        if record is None:
            return
        before, self._inventory = self._inventory, await in_thread(self._surface.inventory)
        if before is None:
            return
        now = self._inventory
        both = before.keys() & now.keys()
        changed = {name for name in both if before[name] != now[name]} | {*updated} & now.keys()
        if now != before or changed:
            added, removed = now.keys() - before.keys(), before.keys() - now.keys()
            record.changed([*added], [*changed], [*removed], self._surface.revision())

    def _record_refusal(self, error: ToolcribError) -> None:
        if self._surface.record is not None:
            self._surface.record.refused_config(str(error))

    async def _retire(self, packs: Sequence[Pack]) -> None:
        """Let packs go as soon as the calls that they may still be answering are over."""
        try:
            await self._surface.executor.settled()
        finally:
            await asyncio.gather(*(pack.close() for pack in packs))


async def _written(files: Sequence[Path]) -> None:
    """Wait a moment for settings that are empty: who writes in place empties the file first."""
    for _ in range(_EMPTY_AT_MOST):
        if not await in_thread(lambda: any(map(_is_empty, files))):
            return
        await asyncio.sleep(_EMPTY_PAUSE)


def _is_empty(file: Path) -> bool:
    try:
        return file.stat().st_size == 0
    except OSError:
        return False
