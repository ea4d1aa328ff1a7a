"""One call from its params to its result, worded as its protocol era requires."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.asking import Listener, asked, request
from toolcrib.core.errors import Busy
from toolcrib.core.pack import Contributions, Pack
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput
from toolcrib.server.mcp import calls
from toolcrib.server.mcp.calls import as_text, texts_of
from toolcrib.server.surface import Surface
from toolcrib.wire.eras import LEGACY, LOG_LEVEL_KEY, MODERN, Era
from toolcrib.wire.messages import INVALID_PARAMS, RpcError

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


class Talking(Pack):
    """Tools that tell, ask and fail."""

    name = "talking"
    live = False
    talks = True

    def __init__(self) -> None:
        self.gate = asyncio.Event()

    def contribute(self) -> Contributions:
        runs = {"tell": self.tell, "ask": self.ask, "busy": self.busy, "slow": self.slow}
        return Contributions(
            tools=[
                *(Tool(name, name, {"type": "object"}, run) for name, run in runs.items()),
                Tool("number", "n", NUMBER, self.number, failures="protocol"),
                Tool("friendly", "n", NUMBER, self.number),
            ]
        )

    async def tell(self, arguments: JSON, context: CallContext) -> str:
        for done in arguments.get("steps", ()):
            await context.progress(done, 10, "on the way")
        for level in ("debug", "error", "shouting"):
            await context.client.log(level, {"level": level}, "talking")  # type: ignore[union-attr]
        return "told"

    async def ask(self, arguments: JSON, context: CallContext) -> Any:
        return await context.client.request("roots/list", {})  # type: ignore[union-attr]

    async def busy(self, arguments: JSON, context: CallContext) -> str:
        raise Busy("no place", retry_after=3)

    async def slow(self, arguments: JSON, context: CallContext) -> str:
        await self.gate.wait()
        return "at last"

    async def number(self, arguments: JSON, context: CallContext) -> str:
        return str(arguments["n"])


def call(name: str, arguments: JSON, era: Era = LEGACY, peer: Listener | None = None,
         meta: JSON | None = None) -> Any:  # fmt: skip
    params: JSON = {"name": name, "arguments": arguments, "_meta": meta or {}}
    return asked(Surface([Talking()]), "tools/call", params, era=era, peer=peer)


def progress(peer: Listener) -> list[float]:
    return [given["progress"] for method, given in peer.told if method.endswith("progress")]


def levels(peer: Listener) -> list[str]:
    return [given["level"] for method, given in peer.told if method.endswith("message")]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_progress_only_rises_and_goes_only_to_who_asked(era: Era) -> None:
    """K-19: a tool that counts again from zero breaks no client."""
    silent, listening = Listener(), Listener()
    call("tell", {"steps": [1, 2]}, era, silent)
    assert progress(silent) == []
    call("tell", {"steps": [1, 3, 2, 3, 4]}, era, listening, {"progressToken": "p"})
    assert progress(listening) == [1, 3, 4]


def test_log_lines_are_those_that_the_caller_wants() -> None:
    """S-1: by the session's level in the earlier eras, by the request's own since."""
    earlier, modern, unasked = Listener(), Listener(), Listener()
    earlier.session.log_level = "warning"
    call("tell", {}, LEGACY, earlier)
    call("tell", {}, MODERN, modern, {LOG_LEVEL_KEY: "debug"})
    call("tell", {}, MODERN, unasked)
    assert (levels(earlier), levels(modern)) == (["error"], ["debug", "error"])
    assert levels(unasked) == []


def test_a_tool_asks_where_the_era_lets_a_server_ask() -> None:
    """S-1: 2026-07-28 has no requests of a server."""
    peer = Listener()
    peer.answers["roots/list"] = {"roots": []}
    assert call("ask", {}, LEGACY, peer)["structuredContent"] == {"roots": []}
    told = len(peer.told)
    answer = call("ask", {}, MODERN, peer)
    assert answer["isError"] and "sends no requests" in answer["content"][0]["text"]
    assert len(peer.told) == told


def test_a_long_call_says_that_it_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """K-19: automatic progress for a tool that tells none itself."""
    monkeypatch.setattr(calls, "TICK", 0.001)

    async def story() -> list[float]:
        pack, peer = Talking(), Listener()
        params = {"name": "slow", "arguments": {}, "_meta": {"progressToken": 7}}
        surface = Surface([pack])
        running = asyncio.ensure_future(surface.answer(request("tools/call", params, peer)))
        while len(peer.told) < 3:
            await asyncio.sleep(0.001)  # work: the ticks
        pack.gate.set()
        assert (await running)["content"][0]["text"] == "at last"
        return progress(peer)

    found = asyncio.run(story())
    assert found == sorted(set(found)) and len(found) >= 3


def test_a_failure_is_a_result_for_a_model_or_an_error_of_the_protocol() -> None:
    """K-6: as the tool says; the message names the field."""
    friendly = call("friendly", {"n": "x"})
    assert friendly["isError"] and "n" in friendly["content"][0]["text"]
    with pytest.raises(RpcError) as refused:
        call("number", {"n": "x"})
    assert refused.value.code == INVALID_PARAMS and "n" in str(refused.value)
    busy = call("busy", {})["structuredContent"]
    assert busy == {"success": False, "error_type": "busy", "retry_after_s": 3}


def test_all_texts_of_an_answer_are_found_whatever_it_is() -> None:
    """W-3: of a call, a resource and a prompt alike."""
    text = {"type": "text", "text": "a"}
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    assert texts_of({"content": [text, image]}) == ["a"]
    assert texts_of({"contents": [{"uri": "x", "text": "b"}]}) == ["b"]
    assert texts_of({"messages": [{"role": "user", "content": text}]}) == ["a"]
    assert as_text(ToolOutput([text, text])) == "a\na"
    assert "image/png" in as_text(ToolOutput([image]))
