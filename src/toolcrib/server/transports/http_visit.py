"""One HTTP request and the client behind it, as the endpoint sees them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from toolcrib.core.support.records import bare
from toolcrib.core.tool import JSON
from toolcrib.server.mcp.in_flight import new_id
from toolcrib.server.mcp.protocol import Session
from toolcrib.server.transports.http_headers import Headers, Pairs
from toolcrib.server.transports.http_sessions import HttpSession
from toolcrib.server.transports.sse import Reply, Send
from toolcrib.wire.messages import INVALID_REQUEST, RpcError, encode_call

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

CONNECTION_CLOSE: Final = (b"connection", b"close")


class RequestRefused(Exception):
    """A request that goes no further, and the HTTP status that says so."""

    def __init__(
        self,
        status: int,
        text: str,
        *headers: tuple[bytes, bytes],
        code: int | None = None,
        data: JSON | None = None,
    ) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.headers = headers
        self.code = code
        """The JSON-RPC code, where the refusal is of a message and not of the request around it."""
        self.data = data


class ClientGone(Exception):
    """The client closed the connection before its request was complete."""


@bare
class Visit:
    """One HTTP request, after the guard has let it in."""

    scope: Scope
    headers: Headers
    pairs: Pairs
    caller: str
    receive: Receive
    send: Send

    async def body(self, cap: int) -> bytes:
        """The whole body; raises `RequestRefused` above `cap` bytes. There is a timeout."""
        declared = self.headers.get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > cap:
            raise RequestRefused(413, f"Message exceeds {cap} bytes", CONNECTION_CLOSE)
        event = await self.receive()
        whole: bytes = event.get("body", b"")
        if event.get("more_body"):
            pieces = bytearray(whole)
            while event.get("more_body"):
                event = await self.receive()
                pieces += event.get("body", b"")
                if len(pieces) > cap:
                    raise RequestRefused(413, f"Message exceeds {cap} bytes", CONNECTION_CLOSE)
            whole = bytes(pieces)
        if event["type"] == "http.disconnect":
            raise ClientGone
        if len(whole) > cap:
            raise RequestRefused(413, f"Message exceeds {cap} bytes", CONNECTION_CLOSE)
        return whole


class HttpPeer:
    """The client, while a request of its is being answered."""

    __slots__ = ("_http", "_reply", "caller", "session")

    def __init__(
        self, visit: Visit, reply: Reply, state: Session, http: HttpSession | None
    ) -> None:
        self.caller = visit.caller
        self.session = state
        self._reply = reply
        self._http = http

    async def notify(self, method: str, params: JSON) -> None:
        """Send it on the stream of this request."""
        await self._reply.event(encode_call(method, params))

    async def request(self, method: str, params: JSON) -> JSON:
        """Ask on the stream of this request; the answer comes by another POST of the session."""
        if self._http is None or not self._reply.streams:
            raise RpcError(INVALID_REQUEST, f"{method}: there is no way to ask this client")
        id = new_id()
        text = encode_call(method, params, id)
        return await self._http.in_flight.ask(id, lambda: self._reply.event(text))
