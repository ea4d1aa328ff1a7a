"""A remote server as of 2024-11-05: one stream of events in, and a POST for each message out."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from toolcrib.client.connection import BrokenAnswer, Connection, ConnectionLost, ServerRefused
from toolcrib.client.http import EVENTS, HttpError, RemoteWire, broken_stream, needs_login

if TYPE_CHECKING:
    import httpx2


class SseWire(RemoteWire):
    """Writes the messages of a connection to the place that the server's stream names."""

    def __init__(
        self, client: httpx2.AsyncClient, url: str, headers: Mapping[str, str], largest: int
    ) -> None:
        super().__init__(client, url, headers, largest)
        self._place: asyncio.Future[str] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, connection: Connection) -> None:
        """Begin to listen."""
        self.connection = connection
        self._place = asyncio.get_running_loop().create_future()
        self._start(self._listen(self._place))

    def write(self, text: str, number: int | None = None) -> None:
        """Send one message as soon as it is known where to."""
        if self.closed or self._place is None:
            raise ConnectionLost("the connection is closed", written=False)
        self._start(self._post(text, self._place))

    def close(self) -> None:
        """Stop listening."""
        if self.closed:
            return
        self.closed = True
        for task in list(self._tasks):
            task.cancel()
        self._ending = asyncio.get_running_loop().create_task(self._client.aclose())

    def _start(self, work: object) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self, place: asyncio.Future[str]) -> None:
        import httpx2

        error: Exception = ConnectionLost("the server has closed its stream")
        try:
            headers = {**self._headers, "accept": EVENTS}
            async with self._requested("GET", self._url, headers) as response:
                await self._read(response, place)
        except (ServerRefused, HttpError) as failure:
            error = failure
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as failure:
            error = ServerRefused("unreachable", str(failure) or "no connection in time")
        except httpx2.SSEError as failure:
            error = broken_stream(failure)
        except (httpx2.HTTPError, httpx2.StreamError) as failure:
            error = ConnectionLost(str(failure) or type(failure).__name__)
        if not place.done():
            place.set_exception(error)
            place.exception()  # there may be nobody yet who waits for it
        if self.connection is not None:
            self.connection.lose(str(error), error)

    async def _read(self, response: httpx2.Response, place: asyncio.Future[str]) -> None:
        import httpx2

        if needs_login(response):
            raise ServerRefused("login_needed", f"HTTP {response.status_code}")
        if response.status_code >= 400:
            raise HttpError(response.status_code, response.reason_phrase)
        async for event in httpx2.EventSource(response, max_event_size=self._largest):
            if event.event == "endpoint" and not place.done():
                place.set_result(self._endpoint(event.data))
            elif event.event == "message" and event.data and self.connection is not None:
                self.connection.take(event.data.encode())

    def _endpoint(self, text: str) -> str:
        found = urljoin(self._url, text)
        if urlsplit(found)[:2] != urlsplit(self._url)[:2]:
            raise ServerRefused("unreachable", "it wants messages to be sent to another host")
        return found

    async def _post(self, text: str, place: asyncio.Future[str]) -> None:
        import httpx2

        message = json.loads(text)
        number = message.get("id") if "method" in message else None
        error: Exception | None = None
        try:
            url = await asyncio.shield(place)
            headers = {**self._headers, "content-type": "application/json"}
            async with self._requested("POST", url, headers, text.encode()) as response:
                if needs_login(response):
                    error = ServerRefused("login_needed", f"HTTP {response.status_code}")
                elif response.status_code >= 300:
                    error = HttpError(response.status_code, response.reason_phrase)
        except (ServerRefused, HttpError, ConnectionLost, BrokenAnswer) as failure:
            error = failure
        except httpx2.HTTPError as failure:
            error = ConnectionLost(str(failure) or type(failure).__name__)
        if error is not None and self.connection is not None:
            with contextlib.suppress(asyncio.InvalidStateError):
                self.connection.fail(number, error)
