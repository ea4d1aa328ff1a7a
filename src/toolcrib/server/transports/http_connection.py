"""HTTP connections with timeouts: slow and idle ones are closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

GONE: Final = "toolcrib.gone"
"""Where an application leaves what is to be called when the client of a request is gone."""
IDLE: Final = 30.0
"""Seconds that a connection may be open with no request under way."""

_LATE_BODY: Final = b'{"error": "The request did not arrive in time"}'
_LATE: Final = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_LATE_BODY), _LATE_BODY)
)


class HttpConnection(HttpToolsProtocol):
    """Uvicorn's connection, with the time since which it waits for the rest of a request.

    It has no timer of its own: `close_late` looks at all connections now and then, so that a
    request costs no more than taking down when it began.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._since = self.loop.time()
        self._reading = False
        self._leaving = False

    @property
    def is_fresh(self) -> bool:
        """Whether nothing was asked on it yet: its first request may be on its way."""
        return self.cycle is None and not self.transport.is_closing()

    def shutdown(self) -> None:
        """Close it after the request that is under way, or that is on its way."""
        self._leaving = True
        if not self.is_fresh:
            super().shutdown()

    def on_headers_complete(self) -> None:
        """All headers of a request: while leaving, it is the last one of this connection."""
        super().on_headers_complete()
        if self._leaving and self.cycle is not None:
            self.cycle.keep_alive = False

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._reading = True
        self._since = self.loop.time()

    def on_message_complete(self) -> None:
        """The last byte of a request."""
        super().on_message_complete()
        self._reading = False

    def on_response_complete(self) -> None:
        """The last byte of an answer."""
        super().on_response_complete()
        if not self._reading:
            self._since = self.loop.time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application, which may want to stop what it does for this client."""
        cycle = self.cycle
        super().connection_lost(exc)
        if cycle is not None and not cycle.response_complete:
            gone: Callable[[], None] | None = cycle.scope.get(GONE)  # type: ignore[assignment]
            if gone is not None:
                gone()

    def check(self, now: float, patience: float) -> None:
        """Close the connection if its request is late, or if it has been idle for too long."""
        waited = now - self._since
        if self.transport.is_closing():
            if waited > IDLE:  # the client does not even take the last answer
                self.transport.abort()
        elif self._reading:
            if waited > patience and not self._answering_an_earlier_one():
                self._refuse_late()
        elif waited > IDLE and (self.cycle is None or self.cycle.response_complete):
            self.transport.close()

    def _answering_an_earlier_one(self) -> bool:
        return bool(self.pipeline) or not (
            self.cycle is None or self.cycle.response_complete or self.cycle.scope is self.scope
        )

    def _refuse_late(self) -> None:
        begun = self.cycle is not None and self.cycle.scope is self.scope
        if not begun or not self.cycle.response_started:
            self.transport.write(_LATE)
        self.transport.close()


async def close_late(connections: Iterable[HttpConnection], patience: float) -> None:
    """Check all connections periodically; never returns."""
    loop = asyncio.get_running_loop()
    pause = min(patience, IDLE) / 5
    while True:
        await asyncio.sleep(pause)
        now = loop.time()
        for connection in list(connections):
            connection.check(now, patience)
