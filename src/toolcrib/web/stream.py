"""New calls as they come, to every browser that listens: one reader for all of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Final

from toolcrib.core.support.workers import in_thread
from toolcrib.web.call_log import CallLog, Wanted, summary_of
from toolcrib.web.calls import Line
from toolcrib.web.views.calls import row_as_json

LOOK: Final = 0.25
"""Seconds between two looks at the record."""
_BEAT = 15.0
_MOST_WAITING = 1000


class CallStream:
    """Reads the record on while anybody listens."""

    def __init__(self, log: CallLog) -> None:
        self._log = log
        self._listeners: set[asyncio.Queue[tuple[str, Any] | None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def events(self, since: str, wanted: Wanted) -> AsyncIterator[bytes]:
        """The calls after the one with the number `since`, then new ones, for ever."""
        queue: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue(_MOST_WAITING)
        await in_thread(self._log.refresh)
        first = int(since) + 1 if since.isdigit() and len(since) < 12 else len(self._log.rows)
        self._listeners.add(queue)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())
        try:
            yield b": connected\n\nretry: 1000\n\n"
            for row in self._log.rows[first:]:
                if wanted.fits(row):
                    yield _event("call", row_as_json(row), row.number)
            while True:
                try:
                    item = await asyncio.wait_for(queue.get(), _BEAT)
                except TimeoutError:
                    yield b": here\n\n"
                    continue
                if item is None:
                    return
                kind, value = item
                if kind == "call":
                    if wanted.fits(value):
                        yield _event("call", row_as_json(value), value.number)
                else:
                    yield _event(kind, value)
        finally:
            self._listeners.discard(queue)

    async def _watch(self) -> None:
        while self._listeners:
            rows, events = await in_thread(self._log.refresh)
            for row in rows:
                self._tell("call", row)
            for event in events:
                self._tell("event", _shown(event))
            if rows:
                self._tell("summary", summary_of(self._log.rows).as_dict())
            await asyncio.sleep(LOOK)

    def _tell(self, kind: str, value: Any) -> None:
        for queue in list(self._listeners):
            try:
                queue.put_nowait((kind, value))
            except asyncio.QueueFull:
                # A browser that does not read is dropped; it resumes by Last-Event-ID.
                self._listeners.discard(queue)
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(None)


def _shown(event: Line) -> Line:
    return {key: value for key, value in event.items() if key != "v"}


def _event(kind: str, value: Any, number: int | None = None) -> bytes:
    id = f"id: {number}\n" if number is not None else ""
    return f"{id}event: {kind}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n".encode(
        "utf-8", "replace"
    )
