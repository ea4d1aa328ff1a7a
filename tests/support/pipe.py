"""A raw MCP client over a real pipe: it sends exactly the bytes it is told to."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "pipe", "version": "1"},
}
PATIENCE = 20.0


class Pipe:
    """A server process and its two ends; a context manager that leaves nothing behind."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        framed: bool = False,
    ) -> None:
        self.framed = framed
        self.process = subprocess.Popen(
            list(command),
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.messages: queue.Queue[Any] = queue.Queue()
        self.notifications: list[dict[str, Any]] = []
        self.errors = bytearray()
        self._ids = iter(range(1, 1_000_000))
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        # A stream cannot be closed while a thread reads it, and that goes on as long as anybody
        # has its other end.
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "a process that outlived the server has its streams"
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]

    def send(self, raw: bytes) -> None:
        """Write bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def post(self, message: Mapping[str, Any]) -> None:
        """Write one message."""
        body = json.dumps(message).encode()
        head = b"Content-Length: %d\r\n\r\n" % len(body) if self.framed else b""
        self.send(head + body + (b"" if self.framed else b"\n"))

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message of any kind."""
        message = self.messages.get(timeout=timeout)
        if message is None:
            raise EOFError(self.errors.decode(errors="replace"))
        return message  # type: ignore[no-any-return]

    def answer(self, id: object, timeout: float = PATIENCE) -> dict[str, Any]:
        """The answer to one request; notifications on the way are kept."""
        while True:
            message = self.receive(timeout)
            if message.get("id") == id and "method" not in message:
                return message
            self.notifications.append(message)

    def ask(
        self, method: str, params: Mapping[str, Any] | None = None, modern: bool = False
    ) -> Any:
        """Send a request and wait for its answer."""
        id = next(self._ids)
        given: dict[str, Any] = dict(params or {})
        if modern:
            given["_meta"] = {**ENVELOPE, **given.get("_meta", {})}
        self.post({"jsonrpc": "2.0", "id": id, "method": method, "params": given})
        return self.answer(id)

    def result(
        self, method: str, params: Mapping[str, Any] | None = None, modern: bool = False
    ) -> Any:
        """The result of a request that must succeed."""
        answer = self.ask(method, params, modern)
        assert "result" in answer, answer
        return answer["result"]

    def error(
        self, method: str, params: Mapping[str, Any] | None = None, modern: bool = False
    ) -> Any:
        """The error of a request that must fail."""
        answer = self.ask(method, params, modern)
        assert "error" in answer, answer
        return answer["error"]

    def call(self, tool: str, arguments: Any = None, modern: bool = False) -> Any:
        """The result of `tools/call`."""
        return self.result("tools/call", {"name": tool, "arguments": arguments or {}}, modern)

    def initialize(self, version: str = "2025-11-25") -> Any:
        """The handshake of the earlier eras."""
        client = {"name": "pipe", "version": "1"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        result = self.result("initialize", params)
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def hang_up(self) -> int:
        """Close our end and wait for the server to go."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            if self.framed:
                head = stream.readline()
                if not head:
                    break
                stream.readline()
                body = stream.read(int(head.split(b":")[1]))
            else:
                body = stream.readline()
                if not body:
                    break
            self.messages.put(json.loads(body))
        self.messages.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line


def toolcrib(*words: str) -> list[str]:
    """The command line of `toolcrib` in this environment."""
    return [sys.executable, "-m", "toolcrib", *words]
