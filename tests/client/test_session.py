"""A session with a server: its era, and every list in whole."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from toolcrib.client import session as module
from toolcrib.client.connection import BrokenAnswer, Connection
from toolcrib.client.session import ServerSession
from toolcrib.wire.eras import LEGACY, MODERN
from toolcrib.wire.messages import RpcError

Answer = Callable[[str, dict[str, Any]], dict[str, Any]]


class Scripted:
    """The other end: answers each request with what a function says."""

    def __init__(self, answer: Answer) -> None:
        self.sent: list[dict[str, Any]] = []
        self.connection = Connection(self)
        self._answer = answer

    def write(self, text: str, number: int | None = None) -> None:
        message = json.loads(text)
        self.sent.append(message)
        if "id" in message:
            found = self._answer(message["method"], message.get("params", {}))
            line = json.dumps({"jsonrpc": "2.0", "id": message["id"], **found}).encode()
            asyncio.get_running_loop().call_soon(self.connection.take, line)


def legacy(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {"result": {"serverInfo": {"name": "old"}, "capabilities": {}, "instructions": 7}}
    return {"error": {"code": -32601, "message": "unknown"}}


def modern(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "server/discover":
        return {"result": {"capabilities": {"tools": {}}}}
    return {"error": {"code": -32601, "message": "unknown"}}


@pytest.mark.parametrize(
    ("answer", "known", "era", "methods"),
    [
        (legacy, None, LEGACY, ["initialize", "notifications/initialized"]),
        (modern, None, MODERN, ["initialize", "server/discover"]),
        (modern, MODERN, MODERN, ["server/discover"]),
        (legacy, MODERN, LEGACY, ["server/discover", "initialize", "notifications/initialized"]),
    ],
)
def test_the_era_is_found_out_and_what_is_remembered_saves_a_question(
    answer: Answer, known: Any, era: str, methods: list[str]
) -> None:
    """X-11: initialize first; -32601 leads to discover; remembered; one that changed is found."""

    async def work() -> tuple[str, list[str], str | None]:
        other = Scripted(answer)
        found = await ServerSession.open(other.connection, era=known)
        return found.era, [each["method"] for each in other.sent], found.instructions

    assert asyncio.run(work()) == (era, methods, None)


def test_a_refusal_that_is_not_about_the_era_is_one() -> None:
    """X-11: only -32601, -32022 and -32602 lead to the other era."""

    async def work() -> None:
        other = Scripted(lambda method, params: {"error": {"code": -32000, "message": "no"}})
        with pytest.raises(RpcError, match="no"):
            await ServerSession.open(other.connection)

    asyncio.run(work())


def pages(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return legacy(method, params)
    at = int(params.get("cursor", "0"))
    return {"result": {"tools": [{"name": f"t{at}"}, "noise"], "nextCursor": str(at + 1)}}


def test_a_list_that_never_ends_is_cut_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """X-9: at most 100 pages; what is no object is left out; no list at all is broken."""
    monkeypatch.setattr(module, "MOST_PAGES", 5)

    async def work() -> module.ListPage:
        other = Scripted(pages)
        found = await ServerSession.open(other.connection)
        with pytest.raises(BrokenAnswer):
            await found.whole("tools/list", "prompts")
        return await found.whole("tools/list", "tools")

    page = asyncio.run(work())
    assert [tool["name"] for tool in page.items] == ["t0", "t1", "t2", "t3", "t4"]
    assert page.warning is not None


def test_requests_of_the_stateless_era_carry_their_envelope() -> None:
    """X-11: version, capabilities and client in each `_meta`."""

    async def work() -> dict[str, Any]:
        other = Scripted(modern)
        found = await ServerSession.open(other.connection)
        with pytest.raises(RpcError):
            await found.request("tools/call", {"name": "t", "_meta": {"own": 1}})
        meta: dict[str, Any] = other.sent[-1]["params"]["_meta"]
        return meta

    meta = asyncio.run(work())
    assert meta["own"] == 1 and meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert meta["io.modelcontextprotocol/clientInfo"]["name"] == "toolcrib"


def test_an_empty_cursor_is_the_end_of_a_list() -> None:
    """X-9: all pages of a list, and none of them twice; some servers write "" for the end."""

    def one_page(method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            return legacy(method, params)
        return {"result": {"tools": [{"name": "t0"}], "nextCursor": ""}}

    async def work() -> module.ListPage:
        found = await ServerSession.open(Scripted(one_page).connection)
        return await found.whole("tools/list", "tools")

    page = asyncio.run(work())
    assert page.items == [{"name": "t0"}] and page.warning is None


def test_that_a_list_has_changed_is_heard_in_any_flood() -> None:
    """X-16: notifications above 1,000 a second are dropped, but no change of a list is."""

    async def work() -> tuple[list[str], int]:
        heard: list[str] = []
        other = Scripted(legacy)
        connection = Connection(other, notified=lambda method, params: heard.append(method))
        for method in (*["notifications/message"] * 5000, "notifications/tools/list_changed"):
            connection.take(json.dumps({"jsonrpc": "2.0", "method": method}).encode())
        return heard, connection.dropped

    heard, dropped = asyncio.run(work())
    assert heard[-1] == "notifications/tools/list_changed" and dropped > 0
