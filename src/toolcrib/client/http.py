"""A remote server over HTTP: every message is a POST, answered with JSON or a stream of events.

Both eras are supported. In the earlier ones the server may assign a session, and its own messages
come over a GET; in the stateless one headers repeat parts of the body, and a request is cancelled
by closing its stream.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from toolcrib.client.connection import BrokenAnswer, Connection, ConnectionLost, ServerRefused
from toolcrib.core.tool import JSON
from toolcrib.wire.eras import VERSION_KEY
from toolcrib.wire.messages import INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError
from toolcrib.wire.versions import MODERN_VERSIONS

if TYPE_CHECKING:
    import httpx2

SESSION: Final = "mcp-session-id"
VERSION: Final = "mcp-protocol-version"
EVENTS: Final = "text/event-stream"
_UNKNOWN = (400, 404, 405)
"""What a server says that does not know a method, or this way of speaking."""
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_MOST_REDIRECTS = 5
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_GREETINGS = ("server/discover", "initialize")
_NO_SESSION = (-32000, -32600)
"""Codes of servers that answer a session they do not know with 400 instead of 404."""
_SECOND_TRIES = 2


class HttpError(RpcError):
    """A status that is an error where no error of the protocol in the body counts."""

    def __init__(self, status: int, phrase: str = "", words: str = "") -> None:
        code = METHOD_NOT_FOUND if status in _UNKNOWN else INTERNAL_ERROR
        told = f"HTTP {status} {phrase}".rstrip()
        super().__init__(code, f"{told}: {words}" if words else told)
        self.status = status


class RemoteWire:
    """What both ways to a remote server have: a client, a URL, headers, the largest message."""

    def __init__(
        self, client: httpx2.AsyncClient, url: str, headers: Mapping[str, str], largest: int
    ) -> None:
        self.connection: Connection | None = None
        self.closed = False
        self._client = client
        self._url = url
        self._headers = dict(headers)
        self._largest = largest

    @property
    def errors(self) -> bytes:
        """A remote server has no standard error."""
        return b""

    @contextlib.asynccontextmanager
    async def _requested(
        self, method: str, url: str, headers: Mapping[str, str], data: bytes | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """One request; a server that is busy is waited for as long as its caller waits."""
        wait = _FIRST_WAIT
        while True:
            response = await self._followed(method, url, headers, data)
            pause = _pause(response, wait)
            if pause is None:
                break
            await response.aclose()
            await asyncio.sleep(pause)
            wait = min(wait * 2, _LONGEST_WAIT)
        try:
            yield response
        finally:
            await response.aclose()

    async def _followed(
        self, method: str, url: str, headers: Mapping[str, str], data: bytes | None
    ) -> httpx2.Response:
        """The answer to a request, with redirects that stay where they are followed."""
        request = self._client.build_request(method, url, headers=headers, content=data)
        for _ in range(_MOST_REDIRECTS):
            response = await self._client.send(request, stream=True)
            following = response.next_request
            if following is None:
                return response
            await response.aclose()
            if _origin(following.url) != _origin(request.url) or following.method != method:
                where = following.url.copy_with(userinfo=b"", query=None, fragment=None)
                raise ServerRefused(
                    "unreachable", f"it redirects to {where}, which is not followed"
                )
            request = following
        raise ServerRefused("unreachable", f"it redirects more than {_MOST_REDIRECTS} times")


class HttpWire(RemoteWire):
    """Writes the messages of a connection to a URL, and feeds it with what comes back."""

    def __init__(
        self, client: httpx2.AsyncClient, url: str, headers: Mapping[str, str], largest: int
    ) -> None:
        super().__init__(client, url, headers, largest)
        self._session: str | None = None
        self._version: str | None = None
        self._tasks: dict[object, asyncio.Task[None]] = {}

    def open(self, connection: Connection) -> None:
        """Take the connection whose messages these are."""
        self.connection = connection

    def write(self, text: str, number: int | None = None) -> None:
        """Send one message; what comes of it is told to the connection."""
        if self.closed:
            raise ConnectionLost("the connection is closed", written=False)
        message: JSON = json.loads(text)
        method, number = message.get("method"), message.get("id")
        key: object = number if method is not None and number is not None else object()
        if method == "notifications/cancelled":
            under_way = self._tasks.get(message["params"]["requestId"])
            if under_way is not None:
                under_way.cancel()
            if self._version in MODERN_VERSIONS:
                return
        task = asyncio.get_running_loop().create_task(self._sent(message, text.encode()))
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._tasks.pop(key, None))
        if method == "notifications/initialized":
            self._tasks["listen"] = asyncio.get_running_loop().create_task(self._listen())

    def close(self) -> None:
        """Give up what is under way, and tell a server that has a session."""
        if self.closed:
            return
        self.closed = True
        for task in list(self._tasks.values()):
            task.cancel()
        self._ending = asyncio.get_running_loop().create_task(self._end())

    async def _end(self) -> None:
        with contextlib.suppress(Exception):
            if self._session is not None:
                async with asyncio.timeout(2):
                    await self._client.delete(self._url, headers=self._common())
        await self._client.aclose()

    async def _sent(self, message: JSON, data: bytes) -> None:
        import httpx2

        number = message.get("id") if "method" in message else None
        try:
            await self._exchange(message, data)
        except RpcError as error:
            self._fail(number, error)
        except (ConnectionLost, BrokenAnswer, ServerRefused) as error:
            self._fail(number, error)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol) as error:
            self._fail(number, ServerRefused("unreachable", str(error) or "no connection in time"))
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as error:
            self._fail(number, ConnectionLost(str(error) or type(error).__name__))

    def _fail(self, number: object, error: Exception) -> None:
        if self.connection is not None:
            self.connection.fail(number, error)

    async def _exchange(self, message: JSON, data: bytes) -> None:
        headers = {**self._common(), **_mirrored(message), "content-type": "application/json"}
        headers["accept"] = f"application/json, {EVENTS}"
        async with self._requested("POST", self._url, headers, data) as response:
            await self._answered(message, response)

    def _common(self) -> dict[str, str]:
        found = dict(self._headers)
        if self._session is not None:
            found[SESSION] = self._session
        if self._version is not None:
            found[VERSION] = self._version
        return found

    async def _answered(self, message: JSON, response: httpx2.Response) -> None:
        status = response.status_code
        number = message.get("id") if "method" in message else None
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if status >= 400:
            await self._refused(message, kind, response)
        elif number is None:
            return
        elif kind == EVENTS:
            self._notice(message, response)
            await self._streamed(number, response)
        elif kind == "application/json":
            self._notice(message, response)
            self._take(await self._body(response), number)
        else:
            raise BrokenAnswer(f"HTTP {status} with {kind or 'nothing'} instead of an answer")
        if self.connection is not None and self.connection.waits_for(number):
            raise BrokenAnswer("the answer is to another request")

    def _notice(self, message: JSON, response: httpx2.Response) -> None:
        """Keep what the first answers say of the session and the version."""
        if message["method"] == "initialize":
            self._session = response.headers.get(SESSION)
            self._version = None
        elif message["method"] == "server/discover":
            self._version = message["params"]["_meta"][VERSION_KEY]

    async def _refused(self, message: JSON, kind: str, response: httpx2.Response) -> None:
        status, method = response.status_code, message.get("method")
        number = message.get("id") if method is not None else None
        if needs_login(response):
            raise ServerRefused("login_needed", f"HTTP {status}")
        error = await self._error_in(kind, response)
        if self._session is not None and method not in _GREETINGS and _no_session(status, error):
            self._fail(number, ConnectionLost("its session has ended", written=False))
            self._lose("its session has ended")
            return
        # To a greeting the status counts: another era or another way of speaking may follow.
        if error is None or (method in _GREETINGS and status in _UNKNOWN):
            words = error.get("message") if error is not None else ""
            raise HttpError(status, response.reason_phrase, words if isinstance(words, str) else "")
        if self.connection is not None:
            told = {"jsonrpc": "2.0", "id": number, "error": error}
            self.connection.take(json.dumps(told).encode())

    async def _error_in(self, kind: str, response: httpx2.Response) -> JSON | None:
        """The error of the protocol in a body, if there is one."""
        if kind != "application/json":
            return None
        with contextlib.suppress(ValueError, TypeError, KeyError):
            error = json.loads(await self._body(response))["error"]
            return error if isinstance(error, dict) else None
        return None

    async def _body(self, response: httpx2.Response) -> bytes:
        found = bytearray()
        async for chunk in response.aiter_bytes():
            found += chunk
            if len(found) > self._largest:
                raise BrokenAnswer("the answer is larger than the limit", too_large=True)
        return bytes(found)

    async def _streamed(self, number: object, response: httpx2.Response) -> None:
        """Read events until the answer came; a stream that breaks is taken up where it can be."""
        last = await self._events(response, number)
        for _ in range(_SECOND_TRIES):
            if last is None or self.connection is None or not self.connection.waits_for(number):
                break
            await asyncio.sleep(_FIRST_WAIT)
            headers = {**self._common(), "accept": EVENTS, "last-event-id": last}
            async with self._requested("GET", self._url, headers) as again:
                if again.status_code >= 400:
                    break
                last = await self._events(again, number)
        if self.connection is not None and self.connection.waits_for(number):
            raise ConnectionLost("the stream ended before the answer")

    async def _events(self, response: httpx2.Response, number: object = None) -> str | None:
        """Feed the connection with events; returns the id of the last one."""
        import httpx2

        last: str | None = None
        try:
            async for event in httpx2.EventSource(response, max_event_size=self._largest):
                last = event.id or last
                if event.event == "message" and event.data:
                    self._take(event.data.encode(), number)
                    if number is not None and not self._waits(number):
                        return None
        except httpx2.SSEError as error:
            raise broken_stream(error) from error
        except (httpx2.ReadError, httpx2.RemoteProtocolError):
            if last is None:
                raise
        return last

    def _waits(self, number: object) -> bool:
        return self.connection is not None and self.connection.waits_for(number)

    def _take(self, data: bytes, number: object) -> None:
        if self.connection is None:
            return
        if self._version is None and b'"protocolVersion"' in data:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                version = json.loads(data)["result"]["protocolVersion"]
                self._version = version if isinstance(version, str) else None
        if number is not None and not data.lstrip().startswith(b"{"):
            raise BrokenAnswer("the answer is no message")
        self.connection.take(data)

    async def _listen(self) -> None:
        """Hear what a server of an earlier era sends by itself; one that does not is left alone."""
        import httpx2

        wait, last = _FIRST_WAIT, None
        while not self.closed:
            headers = {**self._common(), "accept": EVENTS}
            if last is not None:
                headers["last-event-id"] = last
            try:
                async with self._requested("GET", self._url, headers) as response:
                    kind = response.headers.get("content-type", "")
                    if response.status_code >= 400 or not kind.startswith(EVENTS):
                        return
                    wait = _FIRST_WAIT
                    last = await self._events(response) or last
            except (httpx2.HTTPError, httpx2.StreamError, BrokenAnswer):
                wait = min(wait * 2, _LONGEST_WAIT)
            except ServerRefused:
                return
            await asyncio.sleep(wait)

    def _lose(self, why: str) -> None:
        if self.connection is not None:
            self.connection.lose(why)


def _mirrored(message: JSON) -> dict[str, str]:
    """The headers that repeat what a request of the stateless era says."""
    params = message.get("params") or {}
    meta = params.get("_meta")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if version not in MODERN_VERSIONS:
        return {}
    method = message["method"]
    found = {VERSION: version, "mcp-method": method}
    name = params.get(_NAMED.get(method, ""))
    if isinstance(name, str):
        found["mcp-name"] = header_text(name)
    return found


def header_text(text: str) -> str:
    """A text as a header carries it: in base64 where it could not be written plainly."""
    plain = text.isascii() and text.isprintable() and text == text.strip()
    if plain and not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _pause(response: httpx2.Response, wait: float) -> float | None:
    """How long to wait before a retry, at most a minute; None if the server answered."""
    text = response.headers.get("retry-after")
    if response.status_code != 429 and (response.status_code != 503 or text is None):
        return None
    if text is None:
        return wait
    if text.strip().isdecimal():
        return min(float(text), _LONGEST_WAIT)
    with contextlib.suppress(ValueError, TypeError):
        import time
        from email.utils import parsedate_to_datetime

        until = parsedate_to_datetime(text).timestamp() - time.time()
        return min(max(until, 0.0), _LONGEST_WAIT)
    return wait


def needs_login(response: httpx2.Response) -> bool:
    """Whether a person has to log in: there is no login, or it does not reach far enough."""
    if response.status_code != 403:
        return bool(response.status_code == 401)
    return "insufficient_scope" in response.headers.get("www-authenticate", "")


def broken_stream(error: httpx2.SSEError) -> BrokenAnswer:
    """What a stream means that is none, or has an event above the limit."""
    return BrokenAnswer(str(error), too_large="exceeded" in str(error))


def _no_session(status: int, error: JSON | None) -> bool:
    """Whether a server does not know the session that it has named; it has done nothing then."""
    if error is None or status == 404:
        return status == 404 and (error is None or error.get("code") != METHOD_NOT_FOUND)
    words = error.get("message")
    named = isinstance(words, str) and "session" in words.lower()
    return status == 400 and named and error.get("code") in _NO_SESSION


def _origin(url: Any) -> tuple[str, str, int | None]:
    return (url.scheme, url.host, url.port)
