"""The proxy, spoken to as a hostile command would."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.running.network import addresses, proxy
from toolcrib.running.network.hosts import Network, parse_network
from toolcrib.running.network.proxy import Proxy, Traffic, parse_request

Talk = Callable[[bytes], Awaitable[bytes]]


@contextlib.asynccontextmanager
async def origin() -> AsyncIterator[int]:
    """A host in another process's place: it answers with what it was asked."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        body = b"seen:" + head.replace(b"\r\n", b"|")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@contextlib.asynccontextmanager
async def served(
    network: Network, *, open_to_all: bool = True
) -> AsyncIterator[tuple[Proxy, Traffic, Talk]]:
    listener = socket.create_server(("127.0.0.1", 0))
    made = Proxy(network, listener, open_to_all=open_to_all)
    made.start()
    traffic = made.begin()

    async def talk(data: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
        writer.write(data)
        await writer.drain()
        try:
            return await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()

    try:
        yield made, traffic, talk
    finally:
        made.close()


def ask(network: Network, data: bytes, **more: Any) -> tuple[bytes, Traffic]:
    async def whole() -> tuple[bytes, Traffic]:
        async with served(network, **more) as (_, traffic, talk):
            return await talk(data), traffic

    return asyncio.run(whole())


def connect(authority: str) -> bytes:
    return f"CONNECT {authority} HTTP/1.1\r\n\r\n".encode()


@pytest.mark.parametrize(
    "authority",
    ["127.0.0.1:443", "169.254.169.254:443", "[::ffff:10.0.0.1]:443", "2130706433:443",
     "0x7f.1:443", "localhost:443", "LOCALHOST.:443", "10.0.0.1:80", "[::1]:443", "0.0.0.0:80",
     "metadata.google.internal:80"],
)  # fmt: skip
def test_public_never_leads_to_private_addresses(
    authority: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-10, FAULTS: in every form that an address can have."""
    _resolve(monkeypatch, {"metadata.google.internal": ["169.254.169.254"]})
    answer, traffic = ask(parse_network("public"), connect(authority))
    assert answer.startswith(b"HTTP/1.1 403"), answer
    assert b"X-Toolcrib: host not granted" in answer
    assert len(traffic.refused) == 1
    assert not traffic.reached


@pytest.mark.parametrize("authority", ["example.com:22", "example.com:8080", "other.example:443"])
def test_hosts_and_ports_that_are_not_granted_are_refused(
    authority: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-10, FAULTS: CONNECT host:22; the call is told once each."""
    _resolve(monkeypatch, {"example.com": ["93.184.215.14"], "other.example": ["93.184.215.14"]})
    answer, traffic = ask(parse_network(["example.com"]), connect(authority))
    assert answer.startswith(b"HTTP/1.1 403")
    assert list(traffic.refused) == [authority]


def test_one_private_answer_of_dns_refuses_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """FAULTS: two answers of DNS, one of them private."""
    _resolve(monkeypatch, {"two.example": ["93.184.215.14", "127.0.0.1"]})
    answer, _ = ask(parse_network("public"), connect("two.example:443"))
    assert answer.startswith(b"HTTP/1.1 403")


def test_a_name_is_resolved_once_and_that_address_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """T-10: a name server that answers differently the second time changes nothing."""
    asked: list[str] = []
    used: list[Any] = []

    async def whole() -> bytes:
        async with origin() as port:
            network = parse_network([f"changing.example:{port}"], private=True)
            loop = asyncio.get_running_loop()

            async def lookup(name: str, number: int, **_: Any) -> list[Any]:
                asked.append(name)
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", number))]

            monkeypatch.setattr(loop, "getaddrinfo", lookup)
            monkeypatch.setattr(addresses, "own_ports", set)
            original = loop.sock_connect

            async def noted(sock: socket.socket, address: Any) -> None:
                used.append(address)
                await original(sock, address)

            monkeypatch.setattr(loop, "sock_connect", noted)
            async with served(network) as (made, _, _talk):
                reader, writer = await _direct(made.port)
                writer.write(connect(f"Changing.EXAMPLE.:{port}"))
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(b"GET / HTTP/1.1\r\n\r\n")
                return head + await reader.read()

    answer = asyncio.run(whole())
    assert b" 200 " in answer
    assert b"seen:GET /" in answer
    assert asked == ["changing.example"]
    assert [address[0] for address in used] == ["127.0.0.1"]


async def _direct(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection that no test has tampered with."""
    return await asyncio.open_connection(sock=socket.create_connection(("127.0.0.1", port)))


def test_the_servers_own_port_is_never_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """T-10: not even where the person's own file lists it."""

    async def whole() -> bytes:
        async with origin() as port:  # in this very process
            network = parse_network([f"127.0.0.1:{port}"], private=True)
            async with served(network) as (_, _, talk):
                return await talk(connect(f"127.0.0.1:{port}"))

    answer = asyncio.run(whole())
    assert answer.startswith(b"HTTP/1.1 403")
    assert b"leads to this server" in answer


def test_plain_http_goes_through_with_the_host_that_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """T-10: the Host header is the host of the address, whatever the client writes into it."""

    async def whole() -> tuple[bytes, Traffic]:
        async with origin() as port:
            monkeypatch.setattr(addresses, "own_ports", set)
            network = parse_network([f"127.0.0.1:{port}"], private=True)
            async with served(network) as (_, traffic, talk):
                head = f"GET http://127.0.0.1:{port}/a?b HTTP/1.1\r\nHost: evil.example\r\n"
                return await talk(
                    f"{head}Proxy-Connection: x\r\nX-Own: 1\r\n\r\n".encode()
                ), traffic

    answer, traffic = asyncio.run(whole())
    assert b"seen:GET /a?b HTTP/1.1|Host: 127.0.0.1:" in answer
    assert b"evil" not in answer
    assert b"X-Own: 1" in answer
    assert len(traffic.reached) == 1


def test_where_others_could_connect_a_token_is_asked_for() -> None:
    """T-10: on landlock the port is open to the machine; without a call's token nothing passes."""
    network = parse_network("public")
    answer, _ = ask(network, connect("example.com:443"), open_to_all=False)
    assert answer.startswith(b"HTTP/1.1 407")
    wrong = base64.b64encode(b"call:0123").decode()
    data = f"CONNECT 10.0.0.1:443 HTTP/1.1\r\nProxy-Authorization: Basic {wrong}\r\n\r\n"
    answer, _ = ask(network, data.encode(), open_to_all=False)
    assert answer.startswith(b"HTTP/1.1 407")

    async def right() -> bytes:
        async with served(network, open_to_all=False) as (_, traffic, talk):
            token = base64.b64encode(f"call:{traffic.token}".encode()).decode()
            head = f"CONNECT 10.0.0.1:443 HTTP/1.1\r\nProxy-Authorization: Basic {token}\r\n\r\n"
            return await talk(head.encode())

    assert asyncio.run(right()).startswith(b"HTTP/1.1 403")


def test_floods_of_headers_are_refused() -> None:
    """FAULTS: 10,000 headers; memory stays bounded."""
    many = b"GET http://example.com/ HTTP/1.1\r\n" + b"X: y\r\n" * 10_000 + b"\r\n"
    answer, _ = ask(parse_network("public"), many)
    assert answer.startswith(b"HTTP/1.1 400") or answer == b""
    answer, _ = ask(
        parse_network("public"), b"GET http://e/ HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 400")


def test_a_slow_head_does_not_hold_others_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """FAULTS: it is dropped after a while, and others are answered meanwhile."""
    monkeypatch.setattr(proxy, "_HEAD_TIME", 0.5)

    async def whole() -> tuple[bytes, bytes]:
        async with served(parse_network("public")) as (made, _, talk):
            reader, writer = await _direct(made.port)
            writer.write(b"CONNECT exa")
            quick = await talk(connect("127.0.0.1:443"))
            slow = await asyncio.wait_for(reader.read(), 10)
            writer.close()
            return quick, slow

    quick, slow = asyncio.run(whole())
    assert quick.startswith(b"HTTP/1.1 403")
    assert slow.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "data",
    [b"\0\1\2\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"CONNECT example.com HTTP/1.1\r\n\r\n",
     b"CONNECT a:b:c HTTP/1.1\r\n\r\n", b"GET ftp://example.com/ HTTP/1.1\r\n\r\n",
     b"CONNECT user@example.com:443 HTTP/1.1\r\n\r\n", b"CONNECT e.com:99999 HTTP/1.1\r\n\r\n",
     b"GET http://a/ HTTP/1.1\r\n folded: x\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_request_is_refused(data: bytes) -> None:
    """FAULTS: an answer, and nothing is reached."""
    answer, traffic = ask(parse_network("public"), data)
    assert answer.startswith(b"HTTP/1.1 400"), answer
    assert not traffic.reached


@given(st.text(max_size=60))
def test_any_first_line_is_read_or_refused(line: str) -> None:
    """FAULTS: whatever a command writes, the proxy survives it."""
    with contextlib.suppress(ValueError):
        request = parse_request([line])
        assert 0 < request.port < 65536


def test_large_bodies_pass_in_both_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    """T-10: through a tunnel comes what was sent, byte for byte."""
    payload = bytes(range(256)) * 8192

    async def whole() -> bytes:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            data = await reader.read(-1)
            writer.write(data)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setattr(addresses, "own_ports", set)
        async with (
            server,
            served(parse_network([f"127.0.0.1:{port}"], private=True)) as (made, _, _t),
        ):
            reader, writer = await _direct(made.port)
            writer.write(connect(f"127.0.0.1:{port}"))
            await reader.readuntil(b"\r\n\r\n")
            writer.write(payload)
            await writer.drain()
            writer.write_eof()
            return await reader.read()

    assert asyncio.run(whole()) == payload


def _resolve(monkeypatch: pytest.MonkeyPatch, names: dict[str, list[str]]) -> None:
    """Answers of the name server, so that no test asks a real one."""

    def lookup(name: str, port: int, *_: Any, **__: Any) -> list[Any]:
        known = {"localhost": ["127.0.0.1"], **names}
        if name not in known:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in known[name]]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
