"""A real server over HTTP, spoken to without any client library."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from support.pipe import ENVELOPE
from support.waiting import until as until

BENCH = Path(__file__).parent / "workbench.py"
BOTH = "application/json, text/event-stream"
PATIENCE = 20.0

Pairs = Sequence[tuple[str, str]]


class Answer:
    """What came back: status, headers, body."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """The messages of an event stream."""
        return [
            json.loads(line[6:]) for line in self.body.splitlines() if line.startswith(b"data:")
        ]


class Serving:
    """One server process; stops with the `with` block."""

    def __init__(
        self, project: Path, toml: str = "", *words: str, env: dict[str, str] | None = None
    ) -> None:
        (project / "toolcrib.toml").write_text(toml)
        self._start([sys.executable, str(BENCH), "0", *words], project, env)

    def _start(self, command: list[str], project: Path, env: dict[str, str] | None) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=project,
            env={**os.environ, "WORKBENCH_PROJECT": str(project), **(env or {})},
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            match = re.search(r"http://[^:]+:(\d+)/", line)
            if match:
                self.port = int(match.group(1))
                threading.Thread(target=self._keep_reading, daemon=True).start()
                return
        raise AssertionError("the server did not start: " + "".join(self.lines))

    def _keep_reading(self) -> None:
        assert self.process.stderr is not None
        self.lines += self.process.stderr

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    @contextlib.contextmanager
    def asked(
        self, method: str, path: str, body: bytes | None, headers: Pairs
    ) -> Iterator[http.client.HTTPResponse]:
        """The response to a request, still open."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            names = {name.lower() for name, _ in headers}
            connection.putrequest(method, path, skip_host="host" in names)
            for name, value in headers:
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            yield connection.getresponse()
        finally:
            connection.close()

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Pairs = ()) -> Answer:
        with self.asked(method, path, body, headers) as response:
            return Answer(response)

    def post(self, message: Any, *headers: tuple[str, str]) -> Answer:
        """A message to the endpoint."""
        kind = ("Content-Type", "application/json")
        given = [kind, *headers]
        if not any(name.lower() == "accept" for name, _ in headers):
            given.append(("Accept", BOTH))
        return self.ask("POST", "/mcp", json.dumps(message).encode(), given)

    def modern(self, method: str, params: dict[str, Any], *more: tuple[str, str]) -> Answer:
        """A request of the stateless era, with all that belongs to it."""
        given = {**params, "_meta": {**ENVELOPE, **params.get("_meta", {})}}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}
        return self.post(message, *modern_headers(method, params), *more)

    @contextlib.contextmanager
    def listening(self) -> Iterator[http.client.HTTPResponse]:
        """A stream of events, still open."""
        params = {"notifications": {"toolsListChanged": True}, "_meta": ENVELOPE}
        message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}
        headers = [("Content-Type", "application/json"), ("Accept", BOTH)]
        headers += modern_headers("subscriptions/listen", params)
        with self.asked("POST", "/mcp", json.dumps(message).encode(), headers) as response:
            yield response

    def call(self, tool: str, arguments: dict[str, Any], *more: tuple[str, str]) -> Answer:
        return self.modern("tools/call", {"name": tool, "arguments": arguments}, *more)

    def initialize(self, *headers: tuple[str, str], **capabilities: Any) -> str:
        """The id of a new session."""
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": {"name": "tester", "version": "1"},
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        answer = self.post(message, *headers)
        assert answer.status == 200, answer.body
        return str(answer.headers["mcp-session-id"])

    def legacy(
        self, session: str, method: str, params: Any = None, *headers: tuple[str, str], id: Any = 2
    ) -> Answer:
        """A request in a session."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if id is not None:
            message["id"] = id
        return self.post(message, ("Mcp-Session-Id", session), *headers)


def modern_headers(method: str, params: dict[str, Any]) -> list[tuple[str, str]]:
    headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)]
    name = params.get("name", params.get("uri"))
    return [*headers, ("Mcp-Name", name)] if isinstance(name, str) else headers
