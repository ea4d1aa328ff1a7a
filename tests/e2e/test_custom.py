"""A team's own module, served by a real process and changed while it is."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.clock import assert_within

TOOL = '''
from pydantic import Field
from toolcrib import Result, ToolArguments

class Add(ToolArguments):
    a: int = Field(description="One number")
    b: int = Field(description="Another number")

@ToolArguments.declare
def add(args: Add) -> Result[int]:
    """Add two numbers."""
    print("this must not reach the wire")
    return Result.ok(args.a {sign} args.b)
'''


class Server:
    """A server over a pipe; whatever it says that is no answer is kept for later."""

    def __init__(self, project: Path) -> None:
        command = [sys.executable, "-m", "toolcrib", "serve"]
        self.process = subprocess.Popen(
            command, cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.heard: list[dict[str, Any]] = []
        self._number = 0

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        while (answer := self.receive()).get("id") != self._number:
            self.heard.append(answer)
        return answer

    def until(self, method: str) -> None:
        while method not in [each.get("method") for each in self.heard]:
            self.heard.append(self.receive())


@pytest.mark.timing
def test_a_team_s_module_is_served_and_reloaded(tmp_path: Path) -> None:
    """S-2, S-5, K-4: named in the configuration, served, changed, told within 2 s."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "toolcrib.toml").write_text('[custom]\nmodules = ["tools/*.py"]\n')
    module = tmp_path / "tools" / "sums.py"
    module.write_text(TOOL.replace("{sign}", "+"))
    server = Server(tmp_path)
    try:
        client = {"name": "test", "version": "1"}
        hello = server.ask(
            "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client
        )
        assert hello["result"]["capabilities"]["tools"]["listChanged"]
        server.send({"method": "notifications/initialized"})
        tools = server.ask("tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools] == ["add"]
        assert set(tools[0]["inputSchema"]["properties"]) == {"a", "b"}

        result = server.ask("tools/call", name="add", arguments={"a": 6, "b": 2})["result"]
        assert result["structuredContent"] == {"success": True, "value": 8}
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        wrong = server.ask("tools/call", name="add", arguments={"a": "six", "c": 2})["result"]
        assert wrong["isError"]
        assert wrong["structuredContent"]["success"] is False
        for part in ("'a'", "'b'", "'c'"):
            assert part in wrong["structuredContent"]["error"]

        module.write_text(TOOL.replace("{sign}", "-"))
        changed = time.monotonic()
        server.until("notifications/tools/list_changed")
        assert_within(2, time.monotonic() - changed)
        result = server.ask("tools/call", name="add", arguments={"a": 6, "b": 2})["result"]
        assert result["structuredContent"]["value"] == 4
    finally:
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(5) == 0
