"""The directive pack served alone, by a real process, to raw bytes and to the SDK's client."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from toolcrib.packs.directive.scaffold import apply, plan_init

SERVE = [sys.executable, "-m", "toolcrib", "serve", "directive"]
TOOLS = [
    "directive/file.get",
    "directive/files.list",
    "directive/impact.template",
    "directive/spec.template",
    "directive/tdr.template",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    apply(tmp_path, plan_init(tmp_path)[0])
    return tmp_path


def exchange(project: Path, data: bytes) -> bytes:
    """What the server answers to these bytes until its input ends."""
    done = subprocess.run(SERVE, input=data, cwd=project, capture_output=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return done.stdout


def request(number: int, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def framed(message: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(message), message)


def test_a_bundle_comes_before_any_handshake_by_line(project: Path) -> None:
    """D-6: before a handshake too."""
    sent = [request(1, "spec.template"), request(2, "directive.file.get", path="../secret")]
    answers = {
        answer["id"]: answer
        for answer in map(json.loads, exchange(project, b"\n".join(sent) + b"\n").splitlines())
    }
    assert answers[1]["result"]["template"]["path"] == "directive/templates/spec_template.md"
    assert answers[2]["error"]["code"] == 1001


def test_a_bundle_comes_before_any_handshake_by_content_length(project: Path) -> None:
    """D-6: a client that opens with `Content-Length:` headers is answered in that framing."""
    sent = framed(request(1, "tdr.template")) + framed(request(2, "directive.files.list"))
    left, answers = exchange(project, sent), {}
    while left:
        head, _, left = left.partition(b"\r\n\r\n")
        length = int(head.removeprefix(b"Content-Length: "))
        answer = json.loads(left[:length])
        answers[answer["id"]] = answer["result"]
        left = left[length:]
    assert answers[1]["template"]["path"] == "directive/templates/tdr_template.md"
    assert len(answers[2]["files"]) == 5


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_s_client_sees_exactly_the_five_tools(project: Path, mode: str) -> None:
    """D-1, S-1, S-2: exactly five tools, without `listChanged`, and no resources, in both eras."""
    server = StdioServerParameters(command=SERVE[0], args=SERVE[1:], cwd=project)

    async def scenario() -> None:
        async with Client(server, mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert sorted(tool.name for tool in tools) == TOOLS
            assert not client.server_capabilities.tools.list_changed
            assert client.server_capabilities.resources is None
            result = await client.call_tool("directive/impact.template", {})
            assert json.loads(result.content[0].text) == result.structured_content
            assert result.structured_content["primer"].startswith("Do not write code")
            wrong = await client.call_tool("directive/file.get", {"path": "directive/nope.md"})
            assert wrong.is_error

    asyncio.run(scenario())
