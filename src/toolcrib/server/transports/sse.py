"""The answer to one HTTP request: one JSON body, or a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Pairs = list[tuple[bytes, bytes]]
Accepts = tuple[bool, bool]
"""Whether a client takes JSON, and whether it takes a stream of events."""

JSON_TYPE: Final = (b"content-type", b"application/json")
STREAM_HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),  # nginx would keep events back
]
READ_WITHIN: Final = 30.0
"""Seconds that a client may leave its stream unread before it counts as gone."""


class Reply:
    """The way back to the client of one request.

    It is one JSON body, unless the client must hear something before the result: then it becomes
    a stream of events, whose last one is the result. `started` is when the request came.
    """

    __slots__ = (
        "_headers",
        "_json",
        "_send",
        "_streaming",
        "_streams",
        "reason",
        "started",
        "task",
        "told",
    )

    def __init__(self, send: Send, accepts: Accepts, started: float) -> None:
        self._send = send
        self._json, self._streams = accepts
        self._streaming = False
        self._headers: Pairs = []
        self.started = started
        self.told = 0
        """How many messages went ahead of the result."""
        self.task: asyncio.Task[Any] | None = None
        self.reason: str | None = None
        """Why the work was cancelled: `client`, `gone` or `leaving`."""

    @property
    def streams(self) -> bool:
        """Whether the client takes a stream of events."""
        return self._streams

    def add_header(self, name: bytes, value: bytes) -> None:
        """Have the answer carry one header more."""
        self._headers.append((name, value))

    def cancel(self, reason: str = "client") -> None:
        """Stop the work behind this reply."""
        if self.reason is None and self.task is not None:
            self.reason = reason
            self.task.cancel()

    async def open(self) -> None:
        """Begin the stream, if the client takes one."""
        if not self._streaming and self._streams:
            self._streaming = True
            headers = STREAM_HEADERS + self._headers
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def event(self, text: str) -> None:
        """Send a message ahead of the result; a client that takes no stream misses it."""
        if not self._streams or self.reason is not None:
            return
        await self.open()
        self.told += 1
        await self._write(b"event: message\ndata: " + text.encode() + b"\n\n")

    async def ping(self) -> None:
        """Send a comment that keeps the connection alive."""
        if self._streams and self.reason is None:
            await self.open()
            await self._write(b": ping\n\n")

    async def finish(self, status: int, text: str) -> None:
        """Send the result and end the answer; no text is an end without a result."""
        if self.reason is not None and self.task is not None:
            self.task.uncancel()  # that cancellation was ours, and has been heard
        self.task = None
        if self.reason == "gone":
            return
        if status == 200 and not (self._json and text):
            await self.open()
        if self._streaming:
            last = b"event: message\ndata: " + text.encode() + b"\n\n" if text else b""
            await self._send({"type": "http.response.body", "body": last, "more_body": False})
            return
        body = text.encode()
        headers = [JSON_TYPE, (b"content-length", b"%d" % len(body)), *self._headers]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})

    async def _write(self, data: bytes) -> None:
        try:
            async with asyncio.timeout(READ_WITHIN):
                await self._send({"type": "http.response.body", "body": data, "more_body": True})
        except TimeoutError:
            self.cancel("gone")


async def respond(send: Send, status: int, body: bytes, headers: Pairs) -> None:
    """Send a whole answer at once."""
    headers = [*headers, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
