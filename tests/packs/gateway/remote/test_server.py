"""Servers at a URL: real ones of both eras, and one that is wrong in every way."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from support.odd_http import log_of, odd_http
from support.waiting import until

SDK = """
import sys
from mcp.server import MCPServer
server = MCPServer("greeter", instructions="Greets.")
@server.tool()
def greet(name: str) -> str:
    "Greet somebody by name."
    return f"Hello, {name}"
server.run(transport=sys.argv[1], port=int(sys.argv[2]))
"""
FASTMCP = """
import sys
from fastmcp import FastMCP
server = FastMCP("greeter")
@server.tool
def greet(name: str) -> str:
    "Greet somebody by name."
    return f"Hello, {name}"
server.run(transport=sys.argv[1], port=int(sys.argv[2]), show_banner=False)
"""


@contextlib.contextmanager
def served(code: str, transport: str, *more: str) -> Iterator[int]:
    """The port of a real server, in a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", code, transport, str(port), *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def listens() -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(listens, 60)
        yield port
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server with faults."""
    with odd_http() as found:
        yield found


def text_of(output: Any) -> str:
    return output.content[0]["text"]


def reason_of(output: Any) -> str:
    return output.structured["error"]["data"]["reason"]


@pytest.mark.parametrize(
    ("code", "transport", "path", "era"),
    [
        (SDK, "streamable-http", "mcp", "modern"),
        (SDK, "sse", "sse", "legacy"),
        (FASTMCP, "http", "mcp", None),
    ],
)
def test_a_real_server_is_greeted_listed_and_called(project, code, transport, path, era) -> None:
    """X-11: the SDK's server over HTTP and over SSE, and FastMCP's; SSE is found out by itself."""
    with served(code, transport) as port:
        project.write(far={"url": f"http://127.0.0.1:{port}/{path}"})

        async def work(pack: Any) -> Any:
            from packs.gateway.conftest import call

            output = await call(pack, "far__greet", {"name": "Zoë"})
            await pack.servers.refresh("far")
            return output, pack.servers.state("far").catalogue

        output, catalogue = project.run(work)
    assert text_of(output) == "Hello, Zoë"
    assert [tool["name"] for tool in catalogue.tools] == ["greet"]
    assert catalogue.info["name"] == "greeter"
    assert era is None or catalogue.era == era


@pytest.mark.parametrize(
    ("path", "reason", "words"),
    [
        ("login", "login_needed", "needs a login: run toolcrib servers login far"),
        ("broken", "unreachable", "HTTP 500"),
        ("nothing", "server_error", "HTTP 404"),
        ("scope", "login_needed", "needs a login: run toolcrib servers login far"),
        ("forbidden", "server_error", "HTTP 403"),
        ("redirect-out", "unreachable", "not followed"),
        ("page", "protocol", "text/html"),
        ("error", "server_error", "bad word"),
        ("cut", "died", "may have had an effect"),
    ],
)
def test_each_fault_has_its_reason(project, url, path, reason, words) -> None:
    """X-18, X-24: in the words of a person."""
    project.write(far={"url": f"{url}/{path}"})
    output = project.call("far__write")
    assert output.is_error and reason_of(output) == reason
    assert words in text_of(output)


@pytest.mark.parametrize("path", ["renewed", "forgets-404", "forgets-400"])
def test_a_session_that_ended_is_renewed(project, url, path) -> None:
    """X-24: the call is repeated with a new one, for it never arrived; whatever the body says."""
    project.write(far={"url": f"{url}/{path}"})
    assert text_of(project.call("far__write", {"a": 1})) == '{"a": 1}'
    methods = [e["message"]["method"] for e in log_of(url) if e.get("path") == path]
    assert methods.count("initialize") == 2


def test_a_session_is_renewed_once(project, url) -> None:
    """X-24: a server that forgets every session ends the call with its reason."""
    project.write(far={"url": f"{url}/gone"})
    output = project.call("far__write")
    assert reason_of(output) == "died" and "session has ended" in text_of(output)
    methods = [e["message"]["method"] for e in log_of(url) if e.get("path") == "gone"]
    assert methods.count("tools/call") == 2


def test_a_server_that_wants_to_be_greeted_first_is(project, url) -> None:
    """X-11: 400 to `server/discover` leads to `initialize`, also with an error in its body."""
    project.write(far={"url": f"{url}/typescript"})
    assert text_of(project.call("far__write", {"a": 1})) == '{"a": 1}'


@pytest.mark.parametrize("path", ["sse-moved", "sse-busy"])
def test_a_stream_that_has_moved_or_is_busy_is_reached(project, url, path) -> None:
    """X-24: a redirect within its origin is followed, 429 waited for, over SSE as well."""
    project.write(far={"url": f"{url}/{path}", "type": "sse"})
    assert text_of(project.call("far__write", {"a": 1})) == '{"a": 1}'


def test_an_event_above_the_limit_ends_its_call_alone(project, url) -> None:
    """X-19: over SSE, too; the next call is answered."""
    project.write(far={"url": f"{url}/sse", "type": "sse"})

    async def work(pack: Any) -> Any:
        from packs.gateway.conftest import call

        return [await call(pack, "far__write", given) for given in ({"big": True}, {"a": 1})]

    large, small = project.run(work, max_message=64 * 1024)
    assert reason_of(large) == "too_large"
    assert text_of(small) == '{"a": 1}'


@pytest.mark.parametrize("path", ["big", "big-event"])
def test_an_answer_above_the_limit_is_too_large(project, url, path) -> None:
    """X-19: of the message, in a body or in an event."""
    project.write(far={"url": f"{url}/{path}"})
    assert reason_of(project.call("far__write", max_message=64 * 1024)) == "too_large"


def test_headers_are_sent_and_never_shown(project, url, monkeypatch) -> None:
    """X-5: resolved at the call, masked in every error."""
    monkeypatch.setenv("FAR_TOKEN", "s3cr3t-token")
    entry = {"headers": {"Authorization": "Bearer ${FAR_TOKEN}"}}
    project.write(far={"url": f"{url}/plain", **entry}, bad={"url": f"{url}/s3cr3t-token", **entry})
    assert not project.call("far__write").is_error
    sent = [e["headers"]["authorization"] for e in log_of(url) if e.get("path") == "plain"]
    assert set(sent) == {"Bearer s3cr3t-token"}


@pytest.mark.parametrize("host", ["169.254.169.254", "10.1.2.3", "[fe80::1]"])
def test_a_private_address_of_a_repository_is_refused(project, host) -> None:
    """X-24: at the time of connecting, with the option in the text."""
    project.write(far={"url": f"https://{host}/mcp"})
    output = project.call("far__write")
    assert reason_of(output) == "unreachable" and "--allow-private-servers" in text_of(output)
    project.write(far={"url": "http://far.example/mcp"})
    assert "only https" in text_of(project.call("far__write"))


def test_nobody_there_backs_off(project) -> None:
    """X-14: a failed start is tried again later, and said at once meanwhile."""
    project.write(far={"url": "http://127.0.0.1:9/mcp"})

    async def work(pack: Any) -> Any:
        from packs.gateway.conftest import call

        return [await call(pack, "far__write") for _ in range(2)]

    first, second = project.run(work)
    assert reason_of(first) == "unreachable"
    assert reason_of(second) == "backing_off"
