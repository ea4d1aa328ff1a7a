"""What a server asks in the midst of a call, in all four pairs of eras, with the SDK's client."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters, stdio_client

ASKING = Path(__file__).parents[3] / "support" / "asking_server.py"
ERAS = ("legacy", "modern")


async def chosen(context: Any, params: Any) -> types.ElicitResult:
    """A person who always chooses the same."""
    assert params.message == "Which colour?"
    return types.ElicitResult(action="accept", content={"colour": "green"})


async def sampled(context: Any, params: Any) -> types.CreateMessageResult:
    """A model that always says the same."""
    content = types.TextContent(type="text", text="a sample")
    return types.CreateMessageResult(role="assistant", content=content, model="m")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one asking server of each era."""
    folder = tmp_path / "repo"
    (folder / "mcp").mkdir(parents=True)
    servers = {
        era: {"command": sys.executable, "args": [str(ASKING), era], "sandbox": "off"}
        for era in ERAS
    }
    (folder / "mcp/servers.json").write_text(json.dumps({"mcpServers": servers}))
    return folder


def called(
    repo: Path, client: str, server: str, tool: str, *methods: str, **more: Any
) -> list[Any]:
    """What the tool of a server answers through toolcrib, by the SDK's client of an era."""
    env = {
        **os.environ,
        "TOOLCRIB_STATE": str(repo.parent / "state"),
        "XDG_CACHE_HOME": str(repo.parent / "cache"),
        "XDG_CONFIG_HOME": str(repo.parent / "config"),
        "TOOLCRIB_TRUST": "all",
    }
    words = ["-m", "toolcrib", "serve", "gateway", "--project", str(repo)]
    parameters = StdioServerParameters(command=sys.executable, args=words, env=env)

    async def run() -> list[Any]:
        mode: Any = "legacy" if client == "legacy" else "auto"
        found = []
        async with Client(stdio_client(parameters), mode=mode, **more) as session:
            for method in methods or ("",):
                arguments = {"tool_name": f"{server}__{tool}", "args": {"method": method}}
                result = await session.call_tool("climax_call", arguments)
                text = result.content[0].text
                found.append(text if result.is_error else json.loads(text))
        return found

    return asyncio.run(run())


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_a_server_asks_and_the_client_answers(repo, client, server) -> None:
    """X-17, X-11: elicitation and sampling, in each pair of eras; roots are answered by us."""
    methods = ("elicitation/create", "sampling/createMessage", "roots/list")
    found = called(
        repo, client, server, "ask", *methods,
        elicitation_callback=chosen, sampling_callback=sampled,
    )  # fmt: skip
    answers = [each[0] if server == "modern" else each for each in found]
    assert answers[0] == {"action": "accept", "content": {"colour": "green"}}
    assert answers[1]["content"] == {"type": "text", "text": "a sample"}
    assert answers[2]["roots"] == [{"uri": repo.as_uri(), "name": "repo"}]
    if server == "modern":
        assert [each[1] for each in found] == ["s1"] * 3


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_what_a_client_cannot_do_is_refused_at_once(repo, client, server) -> None:
    """X-17: -32601 for a request; nothing waits for nothing. Other methods are refused, too."""
    found = called(repo, client, server, "ask", "elicitation/create", "tools/list")
    if server == "legacy":
        assert [each["code"] for each in found] == [-32601, -32601]
    else:
        assert all("which this client cannot do" in each for each in found)


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_only_what_the_client_can_do_is_announced(repo, client, server) -> None:
    """X-17: elicitation where there is a callback for it, and roots."""
    (told,) = called(repo, client, server, "tell", elicitation_callback=chosen)
    assert set(told) == {"roots", "elicitation"}
