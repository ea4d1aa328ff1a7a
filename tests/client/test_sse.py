"""The stream of events of the first era."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from toolcrib.client.addresses import AddressPolicy
from toolcrib.client.connection import Connection, ServerRefused
from toolcrib.client.http import HttpError
from toolcrib.client.http_client import open_client
from toolcrib.client.session import ServerSession
from toolcrib.client.sse import SseWire


def over(url: str) -> Any:
    async def run() -> Any:
        wire = SseWire(await open_client(AddressPolicy(url)), url, {}, 200_000)
        connection = Connection(wire)
        wire.open(connection)
        try:
            async with asyncio.timeout(30):
                session = await ServerSession.open(connection)
                return await session.request("tools/call", {"name": "look", "arguments": {"a": 1}})
        finally:
            wire.close()
            await wire._ending

    return asyncio.run(run())


def test_a_call_goes_where_the_stream_says(url) -> None:
    """X-11: SSE (2024-11-05)."""
    assert over(f"{url}/sse")["content"][0]["text"] == '{"a": 1}'


def test_a_stream_that_names_another_host_is_refused(url) -> None:
    """X-24: no message goes elsewhere."""
    with pytest.raises(ServerRefused, match="another host"):
        over(f"{url}/elsewhere")


def test_what_is_no_stream_is_an_error(url) -> None:
    """X-11: the status is told; nobody there is unreachable."""
    with pytest.raises(HttpError, match="405"):
        over(f"{url}/plain")
    with pytest.raises(ServerRefused) as refused:
        over("http://127.0.0.1:9/sse")
    assert refused.value.reason == "unreachable"
