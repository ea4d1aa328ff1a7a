"""One request and its answer, on plain ASGI."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

LARGEST_FORM: Final = 512 * 1024
FORM: Final = "application/x-www-form-urlencoded"


class TooLarge(Exception):
    """A form that is larger than any of ours."""


class Request:
    """What a browser asks for."""

    def __init__(self, scope: Scope, receive: Receive, prefix: str = "") -> None:
        self.method: str = scope["method"]
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

    def cookie(self, name: str) -> str | None:
        """The value of a cookie."""
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(self.header("cookie") or "")
        except CookieError:
            return None
        return jar[name].value if name in jar else None

    async def form(self) -> dict[str, str]:
        """The fields of a form; raises `TooLarge`."""
        body = bytearray()
        while True:
            message = await self.receive()
            body += message.get("body", b"")
            if len(body) > LARGEST_FORM:
                raise TooLarge
            if not message.get("more_body"):
                break
        text = body.decode("utf-8", "replace")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=500))

    def parts(self) -> list[str]:
        """The steps of the path, decoded one by one."""
        return [unquote(step) for step in self.path.strip("/").split("/")]


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
    def to(cls, address: str) -> Response:
        """Another address."""
        return cls(b"", 303, "text/plain; charset=utf-8", {"location": address})

    async def send(self, send: Send, more: Mapping[str, str]) -> None:
        """Send it, with further headers."""
        headers = {"content-type": self.kind, **more, **self.headers}
        if self.stream is None:
            headers["content-length"] = str(len(self.body))
        wire = [(key.encode("latin-1"), value.encode("latin-1")) for key, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": wire})
        if self.stream is None:
            await send({"type": "http.response.body", "body": self.body})
            return
        async for piece in self.stream:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
