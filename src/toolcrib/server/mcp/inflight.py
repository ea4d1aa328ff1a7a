"""The requests of all HTTP sessions that are being answered, and those that nobody waits for."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any

from toolcrib.core.tool import JSON

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Key = tuple[str, str]
"""A session and an id in it; the SDK takes 7 and "7" for one id, so here they are one, too."""

_ACCEPTED = 202


class InFlight:
    """Knows which ids are taken, and keeps a cancelled request from being answered.

    The SDK ends the stream of a cancelled request with an error of its own. Whoever cancels is
    owed silence: the stream ends, and nothing more is in it.
    """

    def __init__(self) -> None:
        self._cancelled: dict[Key, bool] = {}

    def taken(self, message: JSON, session: str | None) -> bool:
        """Whether a request with that id is being answered in that session."""
        return _request(message, session) in self._cancelled

    @contextlib.contextmanager
    def following(self, message: JSON, session: str | None, send: Send) -> Iterator[Send]:
        """Take note of one message while it is served; gives the way to answer it."""
        request, cancelled = _request(message, session), _cancelled(message, session)
        if cancelled is not None:
            yield self._cancelling(cancelled, send)
        elif request is not None:
            self._cancelled[request] = False
            try:
                yield self._unless_cancelled(request, send)
            finally:
                del self._cancelled[request]
        else:
            # Without a session every request stands alone: it is cancelled by closing its stream.
            yield send

    def _cancelling(self, request: Key, send: Send) -> Send:
        async def sending(event: MutableMapping[str, Any]) -> None:
            # Accepted, and not yet acted on: only then will the request really end.
            if event.get("status") == _ACCEPTED and request in self._cancelled:
                self._cancelled[request] = True
            await send(event)

        return sending

    def _unless_cancelled(self, request: Key, send: Send) -> Send:
        async def sending(event: MutableMapping[str, Any]) -> None:
            if self._cancelled[request] and event["type"] == "http.response.body":
                event = {**event, "body": b""}
            await send(event)

        return sending


def _request(message: JSON, session: str | None) -> Key | None:
    id = message.get("id")
    return None if session is None or id is None or "method" not in message else (session, str(id))


def _cancelled(message: JSON, session: str | None) -> Key | None:
    """Which request a message wants to be cancelled."""
    if session is None or message.get("method") != "notifications/cancelled" or "id" in message:
        return None
    id = (message.get("params") or {}).get("requestId")
    return (session, str(id)) if isinstance(id, (str, int)) else None
