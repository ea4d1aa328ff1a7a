"""Connections that nobody uses, under a real uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import pytest
import uvicorn

from toolcrib.server.transports import http_connection
from toolcrib.server.transports.http_connection import HttpConnection, close_late


async def answer(scope, receive, send) -> None:
    await receive()
    if scope["path"] == "/slow":
        await asyncio.sleep(1.0)  # work: of the application
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


@contextlib.asynccontextmanager
async def served(patience: float):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    config = uvicorn.Config(
        answer, http=HttpConnection, lifespan="off", log_config=None, timeout_keep_alive=3600
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign]
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    closing = asyncio.create_task(close_late(server.server_state.connections, patience))
    try:
        yield listener.getsockname()[1]
    finally:
        closing.cancel()
        server.should_exit = True
        await serving


def test_a_connection_without_a_request_is_closed_and_a_busy_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PROTOCOL: closed after 30 s with no request under way and no stream open; here after less."""
    monkeypatch.setattr(http_connection, "IDLE", 0.3)

    async def story() -> None:
        async with served(patience=30) as port:
            silent = await asyncio.open_connection("127.0.0.1", port)
            kept = await asyncio.open_connection("127.0.0.1", port)
            busy = await asyncio.open_connection("127.0.0.1", port)
            for (_, writer), path in ((kept, "/"), (busy, "/slow")):
                writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            async with asyncio.timeout(10):
                assert await silent[0].read() == b"", "never said a word"
                assert (await kept[0].read()).endswith(b"ok"), "answered, then idle"
                assert (await busy[0].read()).endswith(b"ok"), (
                    "longer under way than idle ones live"
                )

    asyncio.run(story())


def test_two_requests_in_one_go_are_both_answered() -> None:
    """PROTOCOL: a request that waits behind another one of the same client is not late."""

    async def story() -> None:
        async with served(patience=0.3) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n")
            await asyncio.sleep(0.6)  # no event: longer than the limit
            writer.write(b"Connection: close\r\n\r\n")
            async with asyncio.timeout(10):
                assert (await reader.read()).count(b"200 OK") == 2

    asyncio.run(story())
