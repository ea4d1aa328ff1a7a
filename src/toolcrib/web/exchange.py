"""One request and its answer, on plain ASGI."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

Value = TypeVar("Value")

LARGEST_FORM: Final = 512 * 1024
_MOST_FIELDS = 500
_SMALLEST_PACKED = 1000
_PATIENCE = 30.0
"""Seconds for which a browser may read nothing of a stream before it is dropped."""
_EVENTS = "text/event-stream"
FORM: Final = "application/x-www-form-urlencoded"
READING: Final = ("GET", "HEAD")


class FormTooLarge(Exception):
    """A form that is larger than any of ours."""


class BrowserGone(Exception):
    """The browser has gone away."""


class PageRequest:
    """What a browser asks for."""

    def __init__(self, scope: Scope, receive: Receive, prefix: str = "") -> None:
        self.method: str = scope["method"]
        self.scheme: str = scope.get("scheme", "http")
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        self.path = raw.decode("ascii", "replace").partition("?")[0].removeprefix(prefix) or "/"
        """Below the prefix, percent-encoded as it came."""
        self.query = dict(
            parse_qsl(scope["query_string"].decode("ascii", "replace"), keep_blank_values=True)
        )
        self._headers: list[tuple[bytes, bytes]] = scope["headers"]
        self.receive = receive

    def header(self, name: str) -> str | None:
        """A header that is there once; None for none, or for several."""
        wanted = name.lower().encode()
        found = [value for key, value in self._headers if key.lower() == wanted]
        return found[0].decode("latin-1") if len(found) == 1 else None

    def has(self, name: str) -> bool:
        """Whether a header is there at all, once or several times."""
        return any(key.lower() == name.lower().encode() for key, _ in self._headers)

    def cookies(self, name: str) -> list[str]:
        """The values of every cookie of that name.

        Cookies ignore ports: those of any other server of this machine stand beside ours, written
        in whatever way it likes, and may have the same name.
        """
        sent = [value for key, value in self._headers if key.lower() == b"cookie"]
        pairs = (each.partition("=") for each in b";".join(sent).decode("latin-1").split(";"))
        return [value.strip() for key, _, value in pairs if key.strip() == name]

    async def form(self) -> tuple[dict[str, str], str]:
        """The fields of a form, and its secret, which is the first of that name.

        A tool may have an argument of the same name, which follows. Raises `FormTooLarge`.
        """
        body = bytearray()
        while True:
            message = await self.receive()
            body += message.get("body", b"")
            if len(body) > LARGEST_FORM:
                raise FormTooLarge
            if not message.get("more_body"):
                break
        text = body.decode("utf-8", "replace")
        try:
            fields = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        except ValueError:
            raise FormTooLarge from None
        at = next((at for at, (name, _) in enumerate(fields) if name == "csrf"), None)
        secret = fields.pop(at)[1] if at is not None else ""
        return dict(fields), secret

    async def while_connected(self, work: Coroutine[Any, Any, Value]) -> Value:
        """Do what only this browser waits for; raises `BrowserGone` if it leaves."""
        task = asyncio.ensure_future(work)
        watch = asyncio.ensure_future(self._left())
        try:
            await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
                raise BrowserGone
            return task.result()
        finally:
            watch.cancel()
            task.cancel()

    async def _left(self) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass

    @property
    def takes_gzip(self) -> bool:
        """Whether the browser unpacks what is packed."""
        offered = (self.header("accept-encoding") or "").lower().split(",")
        return any(each.strip().partition(";")[0] == "gzip" for each in offered)


@dataclass(slots=True)
class Response:
    """What goes back: a body, or a stream of pieces."""

    body: bytes = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    stream: AsyncIterator[bytes] | None = None

    @classmethod
    def json(cls, value: Any, status: int = 200) -> Response:
        """Plain JSON."""
        return cls(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), status,
                   "application/json; charset=utf-8")  # fmt: skip

    @classmethod
    def text(cls, text: str, status: int = 200) -> Response:
        """Plain text."""
        return cls(text.encode("utf-8", "replace"), status, "text/plain; charset=utf-8")

    @classmethod
    def not_allowed(cls, *methods: str) -> Response:
        """That address is asked for in another way."""
        headers = {"allow": ", ".join(methods)}
        return cls(b"Method not allowed", 405, "text/plain; charset=utf-8", headers)

    @classmethod
    def to(cls, address: str) -> Response:
        """Another address."""
        return cls(b"", 303, "text/plain; charset=utf-8", {"location": address})

    async def send(self, send: Send, more: Mapping[str, str], *, packed: bool = False) -> None:
        """Send it, with further headers."""
        headers = {"content-type": self.kind, **more, **self.headers}
        large = self.stream is not None or len(self.body) >= _SMALLEST_PACKED
        packs = packed and large and not self.kind.startswith(_EVENTS)
        if packs:
            headers["content-encoding"] = "gzip"
            headers["vary"] = "accept-encoding"
        if self.stream is None:
            self.body = gzip.compress(self.body, 5, mtime=0) if packs else self.body
            headers["content-length"] = str(len(self.body))
        wire = [
            (key.encode("latin-1"), value.encode("latin-1", "replace"))
            for key, value in headers.items()
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": wire})
        if self.stream is None:
            await send({"type": "http.response.body", "body": self.body})
        else:
            await self._send_stream(_packed(self.stream) if packs else self.stream, send)

    async def _send_stream(self, stream: AsyncIterator[bytes], send: Send) -> None:
        async with contextlib.aclosing(stream) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                message = {"type": "http.response.body", "body": piece, "more_body": True}
                try:
                    await asyncio.wait_for(send(message), _PATIENCE)
                except TimeoutError:  # it asks again for what it missed
                    raise BrowserGone from None
        await send({"type": "http.response.body", "body": b""})


async def _packed(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A stream as gzip; each piece can be unpacked as it comes."""
    packer = zlib.compressobj(5, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    async for piece in stream:
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
