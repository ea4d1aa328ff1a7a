"""What all packs contribute, as one object that answers MCP methods."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from support.asking import Listener, asked, over_pages, request
from toolcrib.core.errors import ToolcribError
from toolcrib.core.pack import Changes, Contributions, Pack
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.server.mcp.protocol import plain_result
from toolcrib.server.surface import Options, Surface
from toolcrib.wire.eras import LEGACY, MODERN, SERVER_KEY
from toolcrib.wire.messages import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RpcError


class Numbers(Pack):
    """Tools `t0` …, a method of its own, and a method that breaks."""

    name = "numbers"
    live = True
    instructions = "Count carefully."

    def __init__(self, count: int = 3) -> None:
        self.count = count

    def contribute(self) -> Contributions:
        tools = [Tool(f"t{n}", str(n), {"type": "object"}, self.run) for n in range(self.count)]
        return Contributions(tools=tools, methods={"count": self.counted, "broken": self.broken})

    async def run(self, arguments: JSON, context: CallContext) -> str:
        return "ran"

    async def counted(self, params: JSON) -> JSON:
        return {"count": self.count, "given": params}

    async def broken(self, params: JSON) -> JSON:
        raise ZeroDivisionError("/srv/secret")


def refusal(answer: Awaitable[Any]) -> RpcError:
    async def body() -> Any:
        return await answer

    with pytest.raises(RpcError) as caught:
        asyncio.run(body())
    return caught.value


def test_every_era_has_its_own_handshake_and_no_other() -> None:
    """S-1: `initialize` of the earlier eras, `server/discover` of 2026-07-28."""
    surface = Surface([Numbers()])
    shaken = asked(surface, "initialize", {"protocolVersion": "2025-06-18"})
    assert shaken["protocolVersion"] == "2025-06-18"
    assert shaken["instructions"] == "Count carefully."
    found = asked(surface, "server/discover", era=MODERN)
    assert found["supportedVersions"] == ["2026-07-28"] and found["resultType"] == "complete"
    assert found["_meta"][SERVER_KEY]["name"] == "toolcrib"
    for method, era in (("initialize", MODERN), ("server/discover", LEGACY)):
        assert refusal(surface.answer(request(method, era=era))).code == METHOD_NOT_FOUND


def test_a_list_is_whole_over_its_pages() -> None:
    """S-8: pages of the configured size, each tool once, whatever the era."""
    surface = Surface([Numbers(7)], options=Options(page_size=3))
    for era in (LEGACY, MODERN):
        names = over_pages(
            lambda params: surface.answer(request("tools/list", params, era=era)),  # noqa: B023
            "tools",
            "name",
        )
        assert names == [f"t{n}" for n in range(7)]


def test_nothing_but_an_error_of_the_protocol_comes_out() -> None:
    """FAULTS: a bug of a pack is a clean text; no traceback and no path."""
    surface = Surface([Numbers()])
    broken = refusal(surface.answer(request("broken")))
    assert (broken.code, str(broken)) == (INTERNAL_ERROR, "Internal error")
    unknown = refusal(surface.answer(request("nowhere")))
    assert unknown.code == METHOD_NOT_FOUND
    assert refusal(surface.answer(request("tools/call", {"name": 3}))).code == INVALID_PARAMS


def test_a_method_of_a_pack_is_given_its_params_alone() -> None:
    """D-6: without what only the protocol needs."""
    surface = Surface([Numbers()])
    answer = asked(surface, "count", {"a": 1}, era=MODERN)
    assert plain_result(answer) == {"count": 3, "given": {"a": 1}}
    assert surface.is_custom("count") and not surface.is_custom("tools/call")
    assert surface.is_known("tools/call") and not surface.is_known("count")


def test_a_reload_shows_what_the_packs_have_now() -> None:
    """S-5: lists that were kept are made anew."""
    pack = Numbers(1)
    surface = Surface([pack])
    assert len(asked(surface, "tools/list")["tools"]) == 1
    pack.count = 2
    surface.reload()
    assert len(asked(surface, "tools/list")["tools"]) == 2
    assert surface.generation == 2


def test_whoever_listens_is_told_until_they_stop() -> None:
    """S-5: each kind of change once, to everybody who listens."""
    surface = Surface([Numbers()])
    heard: list[tuple[str, str]] = []
    stop = surface.listen(heard.append)
    silent = surface.listen(lambda event: None, active=lambda: False)
    assert surface.listened
    surface.publish(Changes(tools=True, updated=["a://x"]))
    stop()
    assert not surface.listened
    surface.publish(Changes(tools=True))
    silent()
    assert heard == [("tools", ""), ("updated", "a://x")]


def test_a_subscription_is_acknowledged_when_the_watch_stands() -> None:
    """S-5: no change after the acknowledgement can be missed."""

    async def story() -> list[str]:
        order: list[str] = []
        surface = Surface([Numbers()])
        peer = Listener()

        async def watching() -> None:
            order.append("watching")

        surface.watching = watching
        params = {"notifications": {"toolsListChanged": True}}
        listening = asyncio.ensure_future(
            surface.answer(request("subscriptions/listen", params, peer, MODERN))
        )
        while not peer.told:
            await asyncio.sleep(0)
        order.append(peer.told[0][0])
        surface.publish(Changes(tools=True))
        while len(peer.told) < 2:
            await asyncio.sleep(0)
        listening.cancel()
        return [*order, peer.told[1][0]]

    assert asyncio.run(story()) == [
        "watching",
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
    ]


def test_a_pack_that_refuses_is_worded_for_its_era() -> None:
    """K-6: the code and the text of the refusal, not of the server."""

    class Refusing(Numbers):
        async def counted(self, params: JSON) -> JSON:
            raise ToolcribError("No counting today", next="Come back tomorrow.")

    error = refusal(Surface([Refusing()]).answer(request("count")))
    assert "No counting today" in str(error)
