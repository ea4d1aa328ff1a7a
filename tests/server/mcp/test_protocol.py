"""The same surface in both protocol eras, over a real pipe and over HTTP, by the SDK's client."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client

from support.pipe import ENVELOPE, Pipe

BENCH = Path(__file__).parents[2] / "support" / "workbench.py"
MATRIX = [(transport, mode) for transport in ("stdio", "http") for mode in ("legacy", "auto")]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, str(BENCH), "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "WORKBENCH_TOOLS": "30", "WORKBENCH_PAGE": "10"},
    )
    assert server.stderr is not None
    try:
        for line in server.stderr:
            match = re.search(r"http://\S+", line)
            if match:
                yield match.group()
                break
    finally:
        server.terminate()
        assert server.wait(10) == 0


@contextlib.asynccontextmanager
async def connected(transport: str, mode: str, address: str) -> AsyncIterator[Client]:
    environment = {**os.environ, "WORKBENCH_TOOLS": "30", "WORKBENCH_PAGE": "10"}
    parameters = StdioServerParameters(command=sys.executable, args=[str(BENCH)], env=environment)
    target: Any = address if transport == "http" else stdio_client(parameters)
    async with Client(target, mode=mode) as client:  # type: ignore[arg-type]
        yield client


def each(transport: str, mode: str, address: str, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        async with connected(transport, mode, address) as client:
            return await work(client)

    return asyncio.run(main())


@pytest.mark.parametrize(("transport", "mode"), MATRIX)
def test_a_call_answers_text_and_the_same_object(transport: str, mode: str, address: str) -> None:
    """S-1, K-4: one text item and `structuredContent`, in each era, on each transport."""
    result = each(transport, mode, address, lambda c: c.call_tool("echo", {"text": "hé"}))
    assert result.content[0].text == '{"said":"hé"}'
    assert result.structured_content == {"said": "hé"}
    assert not result.is_error


@pytest.mark.parametrize(("transport", "mode"), MATRIX)
def test_a_failure_result_is_an_error_with_its_json(
    transport: str, mode: str, address: str
) -> None:
    """K-4: isError exactly when success is false."""
    result = each(transport, mode, address, lambda c: c.call_tool("fail", {}))
    assert result.is_error
    assert result.structured_content == {
        "success": False,
        "error": "no luck",
        "error_type": "unlucky",
        "message": "Sorry.",
        "instruction": "Stop.",
    }


@pytest.mark.parametrize(("transport", "mode"), MATRIX)
def test_every_page_of_tools_can_be_had(transport: str, mode: str, address: str) -> None:
    """S-8: pagination, sorted and complete."""

    async def pages(client: Client) -> list[str]:
        names: list[str] = []
        cursor: str | None = None
        while True:
            page = await client.list_tools(cursor=cursor)
            assert len(page.tools) <= 10
            names += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return names

    names = each(transport, mode, address, pages)
    assert len(names) == 43 and names == sorted(names)


@pytest.mark.parametrize(("transport", "mode"), MATRIX)
def test_an_unknown_tool_has_the_code_of_its_era(transport: str, mode: str, address: str) -> None:
    """PROTOCOL: -32001 in the earlier eras, -32602 in the new one."""

    async def code(client: Client) -> int:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("nope", {})
        return caught.value.error.code

    assert each(transport, mode, address, code) == (-32001 if mode == "legacy" else -32602)


@pytest.mark.parametrize(("transport", "mode"), MATRIX)
def test_long_calls_give_signs_of_life(
    transport: str, mode: str, address: str, tmp_path: Path
) -> None:
    """S-8: progress notifications for calls above a second."""
    heard: list[float] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        heard.append(done)

    async def work(client: Client) -> Any:
        arguments = {"note": str(tmp_path / "note"), "seconds": 2.3}
        return await client.call_tool("wait", arguments, progress_callback=on_progress)

    each(transport, mode, address, work)
    assert heard == [1.0, 2.0]


def test_the_earlier_versions_are_each_answered_with_themselves() -> None:
    """S-1: 2024-11-05 … 2025-11-25 by handshake; an unknown one gets our newest."""
    for asked, answered in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ]:
        with Pipe([sys.executable, str(BENCH)]) as pipe:
            assert pipe.initialize(asked)["protocolVersion"] == answered
            assert "resultType" not in pipe.result("tools/list")


def test_a_modern_result_carries_type_hints_and_server() -> None:
    """PROTOCOL: resultType, ttlMs and cacheScope; the server names itself in _meta."""
    with Pipe([sys.executable, str(BENCH)]) as pipe:
        for method in ("server/discover", "tools/list"):
            result = pipe.result(method, modern=True)
            assert result["resultType"] == "complete"
            assert result["ttlMs"] > 0 and result["cacheScope"] == "public"
            assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "toolcrib"
        assert result["tools"] == pipe.result("tools/list", modern=True)["tools"]


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, -32602),
        ({**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}, -32022),
        ({**ENVELOPE, "io.modelcontextprotocol/protocolVersion": 5}, -32602),
        ({"io.modelcontextprotocol/clientCapabilities": {}}, -32602),
        (None, -32602),
    ],
)
def test_an_envelope_that_is_not_whole_is_refused(meta: Any, code: int) -> None:
    """PROTOCOL: a missing member is -32602, an unknown version -32022 with what is served."""
    with Pipe([sys.executable, str(BENCH)]) as pipe:
        params = {} if meta is None else {"_meta": meta}
        error = pipe.error("server/discover", params)
        assert error["code"] == code
        if code == -32022:
            assert error["data"] == {"supported": ["2026-07-28"], "requested": "2031-01-01"}


def test_removed_methods_are_gone_in_the_new_era_and_new_ones_unknown_to_the_old() -> None:
    """PROTOCOL: ping, logging/setLevel, resources/subscribe are removed; discover is new."""
    with Pipe([sys.executable, str(BENCH)]) as pipe:
        for method in ("ping", "logging/setLevel", "resources/subscribe"):
            assert pipe.error(method, {"level": "info", "uri": "x"}, modern=True)["code"] == -32601
    with Pipe([sys.executable, str(BENCH)]) as pipe:
        pipe.initialize()
        assert pipe.error("server/discover")["code"] == -32601
        assert pipe.error("no/such/method")["code"] == -32601


def test_the_opening_message_decides_the_era() -> None:
    """PROTOCOL: a later claim of the other era is refused, and the connection goes on."""
    with Pipe([sys.executable, str(BENCH)]) as pipe:
        pipe.result("server/discover", modern=True)
        params = {"protocolVersion": "2025-11-25", "capabilities": {}}
        assert pipe.error("initialize", params)["code"] == -32022
        assert pipe.result("tools/list", modern=True)["tools"]
    with Pipe([sys.executable, str(BENCH)]) as pipe:
        pipe.initialize()
        assert pipe.error("tools/list", modern=True)["code"] == -32600
        assert pipe.result("tools/list")["tools"]


def test_both_spellings_are_callable_with_safe_names() -> None:
    """S-7: `--names safe` lists safe names; both spellings are then callable."""
    with Pipe([sys.executable, str(BENCH)], env={"WORKBENCH_SAFE": "1"}) as pipe:
        pipe.initialize()
        names = [tool["name"] for tool in pipe.result("tools/list")["tools"]]
        assert "with_slash_dot" in names and "with/slash.dot" not in names
        for name in ("with_slash_dot", "with/slash.dot"):
            assert pipe.call(name, {"text": "x"})["structuredContent"] == {"said": "x"}


def test_a_listener_hears_what_it_asked_for_and_ends_when_cancelled() -> None:
    """S-5, PROTOCOL: `subscriptions/listen` acknowledges first, and stops on cancel."""
    with Pipe([sys.executable, str(BENCH)]) as pipe:
        wanted = {"toolsListChanged": True, "resourceSubscriptions": ["a://b"]}
        params = {"notifications": wanted, "_meta": ENVELOPE}
        pipe.post(
            {"jsonrpc": "2.0", "id": "ear", "method": "subscriptions/listen", "params": params}
        )
        ack = pipe.receive()
        assert ack["method"] == "notifications/subscriptions/acknowledged"
        assert ack["params"]["notifications"] == wanted
        assert ack["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "ear"
        cancel = {"requestId": "ear"}
        pipe.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
        assert pipe.result("tools/list", modern=True)
        assert not pipe.notifications
