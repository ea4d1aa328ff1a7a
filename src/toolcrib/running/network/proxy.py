"""The proxy through which commands reach granted hosts, and no others.

It supports HTTP and CONNECT. Its socket listens in the network namespace of the commands; the
server answers from outside. A name is resolved once, all its addresses are checked, and a checked
one is used, so that DNS rebinding has no effect.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
import secrets
import socket
from dataclasses import dataclass, field

from toolcrib.running.network.addresses import HostRefused, checked_addresses
from toolcrib.running.network.hosts import DEFAULT_PORTS, Network, normalized

LARGEST_HEAD = 32 * 1024
MOST_HEADERS = 100
MOST_CONNECTIONS = 128
_HEAD_TIME = 10.0
_CONNECT_TIME = 10.0
_CHUNK = 256 * 1024
_MOST_NAMED = 20
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.%]+\]|[^\s:/@\[\]]+)(?::(?P<port>\d{1,5}))?")
_REQUEST = re.compile(r"(?P<method>[A-Z]{1,20}) (?P<target>\S{1,8192}) HTTP/1\.[01]")
_DROPPED = ("proxy-authorization", "proxy-connection", "connection", "host", "keep-alive")


@dataclass(slots=True)
class Traffic:
    """What one call has reached, and what it was refused."""

    token: str = field(default_factory=lambda: secrets.token_hex(8))
    reached: dict[str, None] = field(default_factory=dict)
    refused: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """The head of what a client asks for."""

    method: str
    host: str
    port: int
    target: str
    headers: tuple[tuple[str, str], ...]
    rest: bytes

    def header(self, name: str) -> str | None:
        """The value of a header."""
        return next((value for key, value in self.headers if key.lower() == name), None)


class Proxy:
    """Answers at one listening socket for commands that have the same grant."""

    def __init__(self, network: Network, listener: socket.socket, *, open_to_all: bool) -> None:
        """`open_to_all`: only the commands can connect, so no token is required."""
        self._network = network
        self._listener = listener
        self._open = open_to_all
        self._calls: dict[str, Traffic] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._accepting: asyncio.Task[None] | None = None
        listener.setblocking(False)
        self.port: int = listener.getsockname()[1]

    def start(self) -> None:
        """Begin to answer."""
        self._accepting = asyncio.get_running_loop().create_task(self._accept())

    def close(self) -> None:
        """Stop, and close every connection."""
        if self._accepting is not None:
            self._accepting.cancel()
        for task in self._tasks:
            task.cancel()
        self._listener.close()

    def begin(self) -> Traffic:
        """A call begins; its connections are told apart by a token."""
        traffic = Traffic()
        self._calls[traffic.token] = traffic
        return traffic

    def end(self, traffic: Traffic) -> None:
        """A call is over."""
        self._calls.pop(traffic.token, None)

    def variables(self, traffic: Traffic) -> dict[str, str]:
        """The environment that leads programs here."""
        from toolcrib.running.network.variables import proxy_variables

        url = f"http://call:{traffic.token}@127.0.0.1:{self.port}"
        return proxy_variables(url, local=self._network.names_this_machine)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self._listener)
            except OSError:
                await asyncio.sleep(0.05)  # out of descriptors, for a moment
                continue
            if len(self._tasks) >= MOST_CONNECTIONS:
                connection.close()
                continue
            task = loop.create_task(self._serve(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, TimeoutError):
            connection.setblocking(False)
            try:
                async with asyncio.timeout(_HEAD_TIME):
                    request = await _read_request(connection)
            except ValueError as error:
                await _answer(connection, "400 Bad Request", f"{error}\n")
                return
            except TimeoutError:
                await _answer(connection, "408 Request Timeout", "The head came too slowly.\n")
                return
            if request is not None:
                await self._forward(connection, request)

    async def _forward(self, connection: socket.socket, request: ProxyRequest) -> None:
        calls = self._callers(request)
        if calls is None:
            ask = 'Proxy-Authenticate: Basic realm="toolcrib"\r\n'
            await _answer(connection, "407 Proxy Authentication Required", "No token.\n", ask)
            return
        shown = f"{request.host}:{request.port}"
        try:
            upstream = await self._connected(request)
        except HostRefused as refused:
            for call in calls:
                if len(call.refused) < _MOST_NAMED:
                    call.refused[shown] = None
            text = f"{shown} is not granted to this tool ({refused}; grant: {self._network}).\n"
            await _answer(connection, "403 Forbidden", text, "X-Toolcrib: host not granted\r\n")
            return
        except (OSError, TimeoutError) as error:
            reason = getattr(error, "strerror", None) or "no answer in time"
            await _answer(connection, "502 Bad Gateway", f"{shown}: {reason}\n")
            return
        for call in calls:
            if len(call.reached) < _MOST_NAMED:
                call.reached[shown] = None
        with upstream:
            await _exchange(connection, upstream, request)

    def _callers(self, request: ProxyRequest) -> list[Traffic] | None:
        """The calls that a connection belongs to; None if it belongs to nobody."""
        given = request.header("proxy-authorization") or ""
        try:
            plain = base64.b64decode(given.partition(" ")[2], validate=True).decode()
        except ValueError:
            plain = ""
        call = self._calls.get(plain.partition(":")[2])
        if call is not None:
            return [call]
        return list(self._calls.values()) if self._open and not plain else None

    async def _connected(self, request: ProxyRequest) -> socket.socket:
        """A connection to the host; `HostRefused` if it is not granted."""
        if not self._network.allows(request.host, request.port):
            raise HostRefused("no such host or port is granted")
        private = self._network.allows_private(request.host, request.port)
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(_CONNECT_TIME):
            addresses = await checked_addresses(request.host, request.port, private=private)
            problem: OSError = OSError(0, "no address")
            for family, address in addresses[:4]:
                upstream = socket.socket(family, socket.SOCK_STREAM)
                upstream.setblocking(False)
                upstream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    await loop.sock_connect(upstream, address)
                except OSError as error:
                    upstream.close()
                    problem = error
                except BaseException:
                    upstream.close()
                    raise
                else:
                    return upstream
            raise problem


async def _read_request(connection: socket.socket) -> ProxyRequest | None:
    """The head of a request; None if the client goes away. `ValueError` if it is not one."""
    loop = asyncio.get_running_loop()
    data = bytearray()
    while b"\r\n\r\n" not in data:
        if len(data) > LARGEST_HEAD:
            raise ValueError("The head of the request is too long.")
        piece = await loop.sock_recv(connection, 8192)
        if not piece:
            return None
        data += piece
    head, _, rest = bytes(data).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    if len(lines) > MOST_HEADERS:
        raise ValueError("The request has too many headers.")
    return parse_request(lines, rest)


def parse_request(lines: list[str], rest: bytes = b"") -> ProxyRequest:
    """Read the lines of a head; raises `ValueError`."""
    match = _REQUEST.fullmatch(lines[0])
    if match is None:
        raise ValueError("This is not a request that a proxy understands.")
    headers: list[tuple[str, str]] = []
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise ValueError("A header is malformed.")
        headers.append((name, value.strip()))
    method, target = match["method"], match["target"]
    if method == "CONNECT":
        host, port = _authority(target, None)
        return ProxyRequest(method, host, port, target, tuple(headers), rest)
    if not target.lower().startswith("http://"):
        raise ValueError("Only http:// and CONNECT go through this proxy.")
    authority, slash, path = target[7:].partition("/")
    if not slash and "?" in authority:
        authority, _, query = authority.partition("?")
        path = f"?{query}"
    host, port = _authority(authority, DEFAULT_PORTS[0])
    return ProxyRequest(method, host, port, f"/{path}", tuple(headers), rest)


def _authority(text: str, default: int | None) -> tuple[str, int]:
    match = _AUTHORITY.fullmatch(text)
    port = int(match["port"]) if match and match["port"] else default
    if match is None or port is None or not 0 < port < 65536:
        raise ValueError("The host is malformed.")
    return normalized(match["host"].strip("[]")), port


async def _answer(connection: socket.socket, status: str, text: str, headers: str = "") -> None:
    body = text.encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\n{headers}"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    await asyncio.get_running_loop().sock_sendall(connection, head.encode() + body)
    connection.shutdown(socket.SHUT_WR)


async def _exchange(
    connection: socket.socket, upstream: socket.socket, request: ProxyRequest
) -> None:
    """Relay in both directions until both sides have closed."""
    loop = asyncio.get_running_loop()
    if request.method == "CONNECT":
        await loop.sock_sendall(connection, b"HTTP/1.1 200 Connection established\r\n\r\n")
        await loop.sock_sendall(upstream, request.rest)
        most = None
    else:
        length = request.header("content-length")
        chunked = request.header("transfer-encoding") is not None
        most = None if chunked else (int(length) if length and length.isdigit() else 0)
        await loop.sock_sendall(upstream, _head_for(request) + request.rest[:most])
        most = None if most is None else max(0, most - len(request.rest))
    there = loop.create_task(_relay(connection, upstream, most))
    try:
        await _relay(upstream, connection, None)
        if request.method == "CONNECT":
            await there
    finally:
        there.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await there


def _head_for(request: ProxyRequest) -> bytes:
    """The head as the host itself expects it; one request, then the connection ends."""
    port = "" if request.port == DEFAULT_PORTS[0] else f":{request.port}"
    name = f"[{request.host}]" if ":" in request.host else request.host
    lines = [f"{request.method} {request.target} HTTP/1.1", f"Host: {name}{port}"]
    lines += [f"{key}: {value}" for key, value in request.headers if key.lower() not in _DROPPED]
    return ("\r\n".join([*lines, "Connection: close"]) + "\r\n\r\n").encode("latin-1")


async def _relay(source: socket.socket, sink: socket.socket, most: int | None) -> None:
    """Copy until the source ends, or so many bytes; then tell the sink that no more comes."""
    loop = asyncio.get_running_loop()
    buffer = memoryview(bytearray(_CHUNK))
    while most is None or most > 0:
        room = buffer if most is None else buffer[: min(most, _CHUNK)]
        size = await loop.sock_recv_into(source, room)
        if not size:
            break
        await loop.sock_sendall(sink, room[:size])
        if most is not None:
            most -= size
    if most is None:
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
