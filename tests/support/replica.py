"""A server over HTTP as a real process, and requests of both eras to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from support.pipe import ENVELOPE

ACCEPT = "application/json, text/event-stream"
MODERN = "2026-07-28"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Replica:
    """`toolcrib serve --http` on a project; a context manager that leaves nothing behind."""

    def __init__(
        self, project: Path, *words: str, env: Mapping[str, str] | None = None, port: int = 0
    ) -> None:
        command = [sys.executable, "-m", "toolcrib", "serve", *words]
        self.process = subprocess.Popen(
            [*command, "--http", f"127.0.0.1:{port}"],
            cwd=project,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        )
        self.log: list[str] = []
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            match = re.search(r"http://[^:/]+:(\d+)/", line)
            if match:
                self.port = int(match.group(1))
                threading.Thread(target=self._read_log, daemon=True).start()
                return
        raise AssertionError("the server did not start: " + "".join(self.log))

    def __enter__(self) -> Replica:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def modern(
        self, method: str, params: Mapping[str, Any], *, path: str = "/mcp", **headers: str
    ) -> Any:
        """The whole JSON-RPC answer of a stateless request."""
        return json.loads(self.post_modern(method, params, path=path, **headers)[1])

    def post_modern(
        self, method: str, params: Mapping[str, Any], *, path: str = "/mcp", **headers: str
    ) -> tuple[int, bytes]:
        """Status and body of a stateless request."""
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": method,
            "params": {**params, "_meta": ENVELOPE},
        }
        named = {"Mcp-Name": str(params[_NAMED[method]])} if method in _NAMED else {}
        sent = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method, **named, **headers}
        return self.post(message, sent, path)

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """The result of `tools/call`."""
        answer = self.modern("tools/call", {"name": tool, "arguments": dict(arguments or {})})
        assert "result" in answer, answer
        return answer["result"]

    def post(
        self, message: Any, headers: Mapping[str, str], path: str = "/mcp"
    ) -> tuple[int, bytes]:
        """POST one message."""
        status, _, body = self.request("POST", path, json.dumps(message).encode(), headers)
        return status, body

    def request(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            sent = {"Content-Type": "application/json", "Accept": ACCEPT, **headers}
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    @contextlib.contextmanager
    def stream(self, session: str) -> Iterator[Iterator[dict[str, Any]]]:
        """The events of a session's stream, one by one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(
            "GET", "/mcp", headers={"Accept": "text/event-stream", "Mcp-Session-Id": session}
        )
        response = connection.getresponse()
        try:
            yield (json.loads(line[5:]) for line in response if line.startswith(b"data:"))
        finally:
            response.close()
            connection.close()

    def session(self) -> str:
        """The id of a new session of the earlier eras."""
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "replica", "version": "1"},
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        _, headers, _ = self.request("POST", "/mcp", json.dumps(message).encode(), {})
        id = str(headers["mcp-session-id"])
        done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self.post(done, {"Mcp-Session-Id": id})
        return id

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        self.log += self.process.stderr
