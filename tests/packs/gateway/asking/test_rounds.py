"""What a server asks in the midst of a call, in all four pairs of eras, with the SDK's client.

Each pair over every pair of transports: the client over stdio or HTTP, the server likewise.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from support.asking_http import asking_http
from support.serving import Serving

ASKING = Path(__file__).parents[3] / "support" / "asking_server.py"
ERAS = ("legacy", "modern")
WAYS = ("stdio", "http")
COLOURS = ("red", "green", "blue")


async def chosen(context: Any, params: Any) -> types.ElicitResult:
    """A person who always chooses the same."""
    assert params.message == "Which colour?"
    return types.ElicitResult(action="accept", content={"colour": "green"})


async def sampled(context: Any, params: Any) -> types.CreateMessageResult:
    """A model that always says the same."""
    content = types.TextContent(type="text", text="a sample")
    return types.CreateMessageResult(role="assistant", content=content, model="m")


@pytest.fixture(scope="module")
def remote() -> Iterator[dict[str, str]]:
    """The urls of asking servers of each era."""
    with asking_http("legacy") as legacy, asking_http("modern") as modern:
        yield {"legacy": legacy, "modern": modern}


@pytest.fixture
def repo(tmp_path: Path, remote: dict[str, str]) -> Path:
    """A repository with asking servers of each era, over stdio and over HTTP."""
    folder = tmp_path / "repo"
    (folder / "mcp").mkdir(parents=True)
    servers: dict[str, Any] = {}
    for era in ERAS:
        near = {"command": sys.executable, "args": [str(ASKING), era], "sandbox": "off"}
        servers[f"{era}-stdio"] = {**near, "session": "client"}
        servers[f"{era}-http"] = {"url": remote[era], "session": "client"}
        servers[f"{era}-shared"] = near
    (folder / "mcp/servers.json").write_text(json.dumps({"mcpServers": servers}))
    return folder


def environment(repo: Path) -> dict[str, str]:
    return {
        **os.environ,
        "TOOLCRIB_STATE": str(repo.parent / "state"),
        "XDG_CACHE_HOME": str(repo.parent / "cache"),
        "XDG_CONFIG_HOME": str(repo.parent / "config"),
        "TOOLCRIB_TRUST": "all",
    }


@contextlib.contextmanager
def serving(repo: Path, way: str) -> Iterator[Any]:
    """Where a client of the SDK finds toolcrib: a url, or how it is started."""
    words = ["-m", "toolcrib", "serve", "gateway", "--project", str(repo)]
    if way == "stdio":
        yield StdioServerParameters(command=sys.executable, args=words, env=environment(repo))
        return
    with Toolcrib(repo, [sys.executable, *words, "--http", "127.0.0.1:0"]) as server:
        yield f"http://127.0.0.1:{server.port}/mcp"


class Toolcrib(Serving):
    """The real command over HTTP."""

    def __init__(self, repo: Path, command: list[str]) -> None:
        self._start(command, repo, environment(repo))


@contextlib.asynccontextmanager
async def client_of(place: Any, era: str, **more: Any) -> AsyncIterator[Client]:
    """The SDK's client of an era."""
    mode: Any = "legacy" if era == "legacy" else "auto"
    where = place if isinstance(place, str) else stdio_client(place)
    async with Client(where, mode=mode, **more) as client:
        yield client


async def ask(client: Client, server: str, tool: str, method: str = "") -> Any:
    """What the tool of a server answers, or the text of its error."""
    arguments = {"tool_name": f"{server}__{tool}", "args": {"method": method}}
    result = await client.call_tool("climax_call", arguments)
    text = result.content[0].text
    return text if result.is_error else json.loads(text)


def called(
    repo: Path, client: str, server: str, tool: str, *methods: str, way: str = "stdio", **more: Any
) -> list[Any]:
    """What the tool of a server answers through toolcrib, by the SDK's client of an era."""

    async def run(place: Any) -> list[Any]:
        async with client_of(place, client, **more) as session:
            return [await ask(session, server, tool, method) for method in methods or ("",)]

    with serving(repo, way) as place:
        return asyncio.run(run(place))


@pytest.mark.parametrize("server_way", WAYS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_a_server_asks_and_the_client_answers(repo, client, server, way, server_way) -> None:
    """X-17, X-11: elicitation and sampling, in each pair of eras; roots are answered by us."""
    methods = ("elicitation/create", "sampling/createMessage", "roots/list")
    found = called(
        repo, client, f"{server}-{server_way}", "ask", *methods, way=way,
        elicitation_callback=chosen, sampling_callback=sampled,
    )  # fmt: skip
    answers = [each[0] if server == "modern" else each for each in found]
    assert answers[0] == {"action": "accept", "content": {"colour": "green"}}
    assert answers[1]["content"] == {"type": "text", "text": "a sample"}
    assert answers[2]["roots"] == [{"uri": repo.as_uri(), "name": "repo"}]
    if server == "modern":
        assert [each[1] for each in found] == ["s1"] * 3


@pytest.mark.parametrize("server_way", WAYS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_what_a_client_cannot_do_is_refused_at_once(repo, client, server, way, server_way) -> None:
    """X-17: -32601 for a request; nothing waits for nothing. Other methods are refused, too."""
    name = f"{server}-{server_way}"
    found = called(repo, client, name, "ask", "elicitation/create", "tools/list", way=way)
    if server == "legacy":
        assert [each["code"] for each in found] == [-32601, -32601]
    else:
        assert all("which this client cannot do" in each for each in found)


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_only_what_the_client_can_do_is_announced(repo, client, server) -> None:
    """X-17: elicitation where there is a callback for it, and roots."""
    (told,) = called(repo, client, f"{server}-stdio", "tell", elicitation_callback=chosen)
    assert set(told) == {"roots", "elicitation"}


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_a_shared_server_asks_nobody_over_http(repo, client, server) -> None:
    """X-13: it is told of nothing, and what it asks all the same is refused."""
    more = {"way": "http", "elicitation_callback": chosen, "sampling_callback": sampled}
    (told,) = called(repo, client, f"{server}-shared", "tell", **more)
    assert told == {}
    (answer,) = called(repo, client, f"{server}-shared", "ask", "elicitation/create", **more)
    assert "cannot do" in answer if server == "modern" else answer["code"] == -32601


@pytest.mark.parametrize("server_way", WAYS)
@pytest.mark.parametrize("server", ERAS)
def test_each_client_is_asked_for_its_own_call(repo, server, server_way) -> None:
    """X-17: three clients at the same time, each with a process of the server of its own."""

    def chooser(colour: str) -> Any:
        async def choose(context: Any, params: Any) -> types.ElicitResult:
            return types.ElicitResult(action="accept", content={"colour": colour})

        return choose

    async def one(place: str, colour: str) -> list[Any]:
        more = {"elicitation_callback": chooser(colour)}
        async with client_of(place, "legacy", **more) as client:
            name = f"{server}-{server_way}"
            return [await ask(client, name, "ask", "elicitation/create") for _ in range(3)]

    async def run(place: str) -> list[list[Any]]:
        return await asyncio.gather(*(one(place, colour) for colour in COLOURS))

    with serving(repo, "http") as place:
        found = asyncio.run(run(place))
    answers = [[each[0] if server == "modern" else each for each in some] for some in found]
    assert all(isinstance(each, dict) for some in answers for each in some), answers
    told = [{each["content"]["colour"] for each in some} for some in answers]
    assert told == [{colour} for colour in COLOURS]
