"""Whether a surface is ready: its packs loaded, the first index of each built, its store there."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Mapping
from functools import partial
from typing import Final

from toolcrib.core.pack import Pack, StoreStatus
from toolcrib.core.support.records import record
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.server.surface import Surface

logger = logging.getLogger("toolcrib.server")

HEAD_START: Final = 0.5
"""Seconds after which indexes are built, where no answer came before."""
ASK_AGAIN: Final = 3.0
"""Seconds between two questions to the store, however often somebody asks for our own health."""
STORE: Final = "store"
_IDLE: Final = 19


@record
class Check:
    """Whether something that answers depend on is available."""

    ok: bool
    why: str | None = None

    def to_wire(self) -> JSON:
        """The check as `/readyz` shows it."""
        return {"ok": self.ok, "why": self.why}


class Readiness:
    """Builds the first indexes in the background, and tells how far that has come."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._left = {pack.name: "its index is being built" for pack in surface.packs}
        self._answered = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._asked = -ASK_AGAIN
        self._asking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Have the indexes built soon: after the first answer, or half a second."""
        self._task = asyncio.get_running_loop().create_task(self._build_soon())

    def answered(self) -> None:
        """Note that the first answer is out: from now on nobody waits for the processor."""
        if not self._answered.is_set():
            self._answered.set()

    def close(self) -> None:
        """Build nothing more."""
        for task in (self._task, self._asking):
            if task is not None:
                task.cancel()

    def build(self) -> None:
        """Build the first index of each pack, here and now."""
        for pack in list(self._surface.packs):
            self._warm(pack)

    def checks(self) -> Mapping[str, Check]:
        """What is there and what is not, by name."""
        found = {"packs": Check(True)}
        for pack in self._surface.packs:
            why = self._left.get(pack.name)
            found[f"index_{pack.name}"] = Check(why is None, why)
        store = self.store()
        if store is not None:
            why = None if store.up else store.why or "it does not answer"
            found[STORE] = Check(store.up, why)
        return found

    def store(self) -> StoreStatus | None:
        """How the store of the packs is, as far as is known; None where there is none."""
        found = [pack.store_status() for pack in self._surface.packs]
        return next((status for status in found if status is not None), None)

    def ask_store(self) -> None:
        """Have the store asked how it is, unless that was done just now; nobody waits for it."""
        loop = asyncio.get_running_loop()
        if loop.time() - self._asked >= ASK_AGAIN and self.store() is not None:
            self._asked = loop.time()
            self._asking = loop.create_task(self._ask_store())

    async def _ask_store(self) -> None:
        for pack in list(self._surface.packs):
            await in_thread(partial(pack.store_status, ask=True))

    async def _build_soon(self) -> None:
        try:
            async with asyncio.timeout(HEAD_START):
                await self._answered.wait()
        except TimeoutError:
            pass
        # A thread of its own, which is of use to nobody else afterwards: its priority stays low.
        threading.Thread(target=self._build_idly, name="indexes", daemon=True).start()

    def _build_idly(self) -> None:
        if hasattr(os, "setpriority") and hasattr(threading, "get_native_id"):
            try:
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _IDLE)
            except OSError:
                logger.debug("the priority of a thread cannot be lowered here")
        self.build()

    def _warm(self, pack: Pack) -> None:
        try:
            pack.warm()
            self._left.pop(pack.name, None)
        except Exception as error:  # one pack's trouble is told, and no reason to stop
            self._left[pack.name] = str(error)
            logger.exception("%s: its index cannot be built", pack.name)
