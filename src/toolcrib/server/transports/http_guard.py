"""The gate in front of every HTTP route: host, origin, token, kind, size and pace of a request."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from toolcrib.core.tool import JSON
from toolcrib.server.auth.tokens import Verifier
from toolcrib.server.mcp.inflight import InFlight, Send
from toolcrib.wire.messages import INVALID_REQUEST, Malformed, decode, encode_error

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Answer = Callable[[JSON, Scope], Awaitable[str | None]]

CALLER = "toolcrib.caller"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_OPEN = ("/healthz",)
_AUTHORITY = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s:/@\[\]]+))(?::\d{1,5})?")


class Gate:
    """An ASGI application that lets only sound requests through to another one.

    `answer` may answer a message itself (methods that need no session); it returns the text of
    the answer, or None to let the message pass.
    """

    def __init__(
        self,
        app: App,
        *,
        hosts: Iterable[str],
        origins: Iterable[str],
        verifier: Verifier | None,
        cap: int,
        patience: float,
        answer: Answer,
    ) -> None:
        self._app = app
        self._hosts = {host.lower() for host in hosts}
        self._origins = {origin.lower().rstrip("/") for origin in origins}
        self._verifier = verifier
        self._cap = cap
        self._patience = patience
        self._answer = answer
        self._in_flight = InFlight()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on with the body already read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        refused = await self._refusal(scope, headers)
        if refused is not None:
            await _respond(send, *refused)
        elif scope["method"] == "POST":
            await self._pass_body(scope, headers, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        if not self._host_is_ours(headers.get("host", "")):
            return 421, "Host not served here; add it to [http] allowed_hosts"
        origin = headers.get("origin")
        if origin is not None and not self._origin_is_ours(origin):
            return 403, "Origin not allowed; add it to [http] allowed_origins"
        scope[CALLER] = "http"
        if self._verifier is not None and scope["path"] not in _OPEN:
            kind, _, token = headers.get("authorization", "").partition(" ")
            caller = (
                await self._verifier.caller(token.strip()) if kind.lower() == "bearer" else None
            )
            if caller is None:
                return 401, "A valid bearer token is required"
            scope[CALLER] = caller
        if scope["method"] == "POST" and not _is_json(headers.get("content-type", "")):
            return 415, "Content-Type must be application/json"
        return None

    async def _pass_body(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> None:
        try:
            async with asyncio.timeout(self._patience):
                body = await self._body(headers, receive)
        except TimeoutError:
            await _respond(send, 408, "The request body did not arrive in time")
            return
        if body is None:
            await _respond(send, 413, f"Message exceeds {self._cap} bytes")
            return
        try:
            message = decode(body)
        except Malformed as error:
            await _respond(send, 400, encode_error(error.id, error), "application/json")
            return
        answer = await self._answer(message, scope)
        if answer is not None:
            await _respond(send, 200, answer, "application/json")
            return
        session = headers.get("mcp-session-id")
        if self._in_flight.taken(message, session):
            id = message["id"]
            refusal = Malformed(INVALID_REQUEST, f"Request id {id!r} is already in flight")
            await _respond(send, 400, encode_error(id, refusal), "application/json")
            return
        with self._in_flight.following(message, session, send) as answer_by:
            await self._app(scope, _replay(body, receive), answer_by)

    async def _body(self, headers: dict[str, str], receive: Receive) -> bytes | None:
        declared = headers.get("content-length", "0")
        if not declared.isdigit() or int(declared) > self._cap:
            return None
        body = bytearray()
        while True:
            event = await receive()
            body += event.get("body", b"")
            if len(body) > self._cap:
                return None
            if event["type"] == "http.disconnect" or not event.get("more_body"):
                return bytes(body)

    def _host_is_ours(self, host: str) -> bool:
        name = _without_port(host.lower())
        return (
            name in self._hosts
            or host.lower() in self._hosts
            or ("*ip*" in self._hosts and _is_ip(name))
        )

    def _origin_is_ours(self, origin: str) -> bool:
        if origin.lower() in self._origins:
            return True
        scheme, _, host = origin.lower().partition("://")
        return (
            scheme in ("http", "https")
            and _without_port(host) in _LOOPBACK
            and any(name in self._hosts for name in _LOOPBACK)
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def served_hosts(bound: str, further: Iterable[str]) -> set[str]:
    """The Host headers to accept for a server that is bound to `bound`.

    An address in numbers cannot be re-bound by anybody's DNS, so a server on all interfaces
    takes every such address, its own name, and what the settings add.
    """
    hosts = {*_LOOPBACK, bound, *further}
    if bound in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        hosts |= {"*ip*", socket.gethostname()}
    return hosts


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"


def _without_port(host: str) -> str:
    """The name or the address in `host`, `host:port` or `[address]:port`; else nothing."""
    match = _AUTHORITY.fullmatch(host)
    return (match[1] or match[2]) if match else ""


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _replay(body: bytes, receive: Receive) -> Receive:
    first = True

    async def again() -> MutableMapping[str, Any]:
        nonlocal first
        if first:
            first = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again


async def _respond(send: Send, status: int, text: str, kind: str = "") -> None:
    body = text if kind else json.dumps({"error": text})
    headers = [(b"content-type", (kind or "application/json").encode())]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="toolcrib"'))
    if status in (408, 413):
        headers.append((b"connection", b"close"))
    data = body.encode()
    headers.append((b"content-length", str(len(data)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})
