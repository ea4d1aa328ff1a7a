"""New calls as they come, to every browser that listens: one reader for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from toolcrib.core.support.workers import in_thread
from toolcrib.web.call_log import CallFilter, CallLog, Row, dumped
from toolcrib.web.calls import Line
from toolcrib.web.views.calls import row_as_json, summary_as_json

LOOK: Final = 0.25
"""Seconds between two looks at the record."""
_BEAT = 15.0
_SUMMARY = 1.0
_MOST_AT_ONCE = 500


class CallStream:
    """Reads the record on while anybody listens.

    Nothing is kept for a listener but how far it was told: one that is slow costs nothing, and one
    that comes again goes on where it was.
    """

    def __init__(self, log: CallLog) -> None:
        self._log = log
        self._listeners = 0
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._made: dict[int, bytes] = {}

    async def events(self, last: str | None, wanted: CallFilter) -> AsyncIterator[bytes]:
        """What came after the call with the id `last`, then what comes, for ever.

        An empty id is that of a page that showed no call yet: it is told of all that there are.
        """
        await in_thread(self._log.refresh)
        known = self._log.number_of(last) if last else 0 if last == "" else None
        number = self._log.number if known is None else known
        events = self._log.event_count
        told, stale = 0.0, False
        loop = asyncio.get_running_loop()
        self._listeners += 1
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._watch())
        try:
            yield b"retry: 1000\n\n"
            while True:
                news = self._news
                rows = self._log.since(number)[:_MOST_AT_ONCE]
                number = rows[-1].number if rows else self._log.number
                pieces = [self._call(row) for row in wanted.of(rows)]
                if not wanted.caller:
                    pieces += [_event("event", each) for each in self._events_since(events)]
                events = self._log.event_count
                if pieces:
                    yield b"".join(pieces)
                stale = stale or bool(rows)
                if stale and loop.time() - told >= _SUMMARY:
                    told, stale = loop.time(), False
                    yield _event("summary", await in_thread(self._summary, wanted))
                if len(rows) < _MOST_AT_ONCE and not await _heard(news, stale):
                    yield b": here\n\n"
        finally:
            self._listeners -= 1

    def _call(self, row: Row) -> bytes:
        """A call as it is sent; made once, however many listen."""
        known = self._made.get(row.number)
        if known is None:
            if len(self._made) >= 2 * _MOST_AT_ONCE:
                self._made.clear()
            id = f"id: {_one_line(row.id)}\n".encode("utf-8", "replace")
            known = self._made[row.number] = id + _event("call", row_as_json(row, row.last_line))
        return known

    def _summary(self, wanted: CallFilter) -> dict[str, Any]:
        return summary_as_json(self._log.select(wanted))

    def _events_since(self, count: int) -> list[Line]:
        new = min(self._log.event_count - count, len(self._log.events))
        return list(self._log.events)[-new:] if new > 0 else []

    async def _watch(self) -> None:
        seen = (self._log.number, self._log.event_count)
        while self._listeners:
            await in_thread(self._log.refresh)
            now = (self._log.number, self._log.event_count)
            if now != seen:
                seen = now
                self._news.set()
                self._news = asyncio.Event()
            await asyncio.sleep(LOOK)


async def _heard(news: asyncio.Event, stale: bool) -> bool:
    """Whether there was news before it is time for a summary, or for a sign of life."""
    try:
        await asyncio.wait_for(news.wait(), _SUMMARY if stale else _BEAT)
    except TimeoutError:
        return stale
    return True


def _event(kind: str, value: Any) -> bytes:
    return f"event: {kind}\ndata: {dumped(value)}\n\n".encode("utf-8", "replace")


def _one_line(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())
