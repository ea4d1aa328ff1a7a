"""Messages over HTTP, with a server that is wrong in every way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from support.odd_http import log_of
from support.waiting import until_async
from toolcrib.client.addresses import AddressPolicy
from toolcrib.client.connection import BrokenAnswer, Connection, ConnectionLost, ServerRefused
from toolcrib.client.http import HttpError, HttpWire, header_text
from toolcrib.client.http_client import open_client
from toolcrib.client.session import ServerSession
from toolcrib.wire.messages import RpcError

LIMIT = 200_000


def over(url: str, work: Callable[[ServerSession], Awaitable[Any]], **headers: str) -> Any:
    """Greet a server, do something, and hang up."""

    async def run() -> Any:
        client = await open_client(AddressPolicy(url))
        wire = HttpWire(client, url, headers, LIMIT)
        connection = Connection(wire)
        wire.open(connection)
        try:
            session = await ServerSession.open(connection)
            return await work(session)
        finally:
            wire.close()
            await wire._ending

    return asyncio.run(run())


def call(session: ServerSession, **arguments: Any) -> Awaitable[Any]:
    return session.request("tools/call", {"name": "look", "arguments": arguments})


def text_of(result: Any) -> str:
    return result["content"][0]["text"]


def test_a_call_is_a_post_with_the_servers_session_and_version(url) -> None:
    """X-11: what the server named comes back with every message; the end is told."""
    assert text_of(over(f"{url}/plain", lambda s: call(s, a=1), X_Own="mine")) == '{"a": 1}'
    sent = [each for each in log_of(url) if each.get("path") == "plain"]
    last = sent[-1]["headers"]
    assert last["mcp-session-id"].startswith("s") and last["x_own"] == "mine"
    assert last["mcp-protocol-version"] == "2025-06-18"
    assert log_of(url)[-1] == {"delete": "plain", "session": last["mcp-session-id"]}


def test_progress_and_answer_come_over_one_stream(url) -> None:
    """X-11: a stream of events."""
    heard: list[Any] = []

    async def work(session: ServerSession) -> Any:
        return await session.request("tools/call", {"name": "look"}, heard.append)

    assert text_of(over(f"{url}/stream", work)) == "streamed"
    assert heard[0]["message"] == "half"


def test_a_stream_that_breaks_is_taken_up_where_it_can_be(url) -> None:
    """X-11: by the id of the last event; without one the call is lost."""
    assert text_of(over(f"{url}/resume", call)) == "resumed"
    with pytest.raises(ConnectionLost, match="stream ended") as lost:
        over(f"{url}/cut", call)
    assert lost.value.written


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [
        ("login", ServerRefused, "401"),
        ("broken", HttpError, "HTTP 500"),
        ("nothing", HttpError, "HTTP 404"),
        ("redirect-out", ServerRefused, "redirects to http://localhost"),
        ("big", BrokenAnswer, "larger than the limit"),
        ("page", BrokenAnswer, "text/html"),
        ("error", RpcError, "bad word"),
        ("gone", ConnectionLost, "session has ended"),
    ],
)
def test_each_fault_has_its_error(url, path, kind, words) -> None:
    """X-11, X-24: what a server does wrong ends that request, with the reason."""
    with pytest.raises(kind, match=words):
        over(f"{url}/{path}", call)


def test_a_session_that_is_gone_was_not_reached(url) -> None:
    """X-24: the call may be repeated with a new one, whatever it does."""
    with pytest.raises(ConnectionLost) as lost:
        over(f"{url}/gone", call)
    assert not lost.value.written


def test_a_redirect_to_the_same_place_is_followed(url) -> None:
    """X-24: within its origin; headers stay with it."""
    assert text_of(over(f"{url}/redirect-in", call)) == "{}"


def test_a_server_that_is_busy_is_waited_for(url) -> None:
    """X-24: 429 with `Retry-After`."""
    assert text_of(over(f"{url}/busy", call)) == "{}"
    calls = [e for e in log_of(url) if e.get("path") == "busy" and "arguments" in str(e)]
    assert len(calls) == 3


def test_nobody_there_is_unreachable() -> None:
    """X-18: a reason of its own."""
    with pytest.raises(ServerRefused) as refused:
        over("http://127.0.0.1:9/mcp", call)
    assert refused.value.reason == "unreachable"


def test_a_call_that_is_cancelled_is_cancelled_there(url) -> None:
    """X-15: earlier eras are told, and the stream is closed."""

    async def work(session: ServerSession) -> None:
        task = asyncio.ensure_future(call(session))
        await until_async(
            lambda: any(e.get("path") == "late" and "arguments" in str(e) for e in log_of(url))
        )
        task.cancel()
        await asyncio.wait([task])
        await until_async(lambda: any("notifications/cancelled" in str(e) for e in log_of(url)))
        assert not session.connection.busy

    over(f"{url}/late", work)


@pytest.mark.parametrize(
    ("text", "header"),
    [("plain", "plain"), ("é", "=?base64?w6k=?="), (" x", "=?base64?IHg=?="), ("a b", "a b")],
)
def test_a_name_is_written_as_a_header_can_carry_it(text, header) -> None:
    """X-11: the stateless era repeats names in headers."""
    assert header_text(text) == header
