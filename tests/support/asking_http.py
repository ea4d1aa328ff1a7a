"""The asking server over HTTP: `python asking_http.py legacy|modern`, which prints its port.

Each session has a process of `asking_server.py`. Its answers, and what it asks meanwhile, are
events in the stream of the call; an answer to a question is a POST of its own.
"""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ASKING = Path(__file__).parent / "asking_server.py"
NUMBERS = itertools.count(1)


@contextmanager
def asking_http(era: str) -> Iterator[str]:
    """The url of a fresh server, which is stopped in the end."""
    words = [sys.executable, __file__, era]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
    finally:
        process.terminate()
        process.wait()


class Session:
    """A process, and a queue of lines for each request that waits for its answer."""

    def __init__(self) -> None:
        words = [sys.executable, str(ASKING), sys.argv[1]]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
        self._waiting: dict[object, queue.Queue[str]] = {}
        self._calls: list[queue.Queue[str]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            told = json.loads(line)
            # What it asks belongs to the call that is under way.
            there = self._calls[-1] if "method" in told else self._waiting.pop(told["id"], None)
            if there is not None:
                there.put(line)

    def send(self, message: dict[str, Any]) -> queue.Queue[str]:
        """Send a message; the queue of the lines that come of a request, its answer the last."""
        lines: queue.Queue[str] = queue.Queue()
        if "method" in message and "id" in message:
            self._waiting[message["id"]] = lines
            if message["method"] == "tools/call":
                self._calls.append(lines)
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return lines


SESSIONS: dict[str, Session] = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None:
        pass

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.answer(405)

    def do_DELETE(self) -> None:
        session = SESSIONS.pop(self.headers["mcp-session-id"], None)
        if session is not None:
            session.process.kill()
        self.answer(200)

    def do_POST(self) -> None:
        message: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["content-length"])))
        name = self.headers.get("mcp-session-id") or f"s{next(NUMBERS)}"
        session = SESSIONS[name] if name in SESSIONS else Session()
        SESSIONS[name] = session
        lines = session.send(message)
        if "id" not in message or "method" not in message:
            return self.answer(202)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        if message["method"] == "initialize":
            self.send_header("Mcp-Session-Id", name)
        self.close_connection = True
        self.end_headers()
        while True:
            line = lines.get()
            self.wfile.write(f"data: {line}\n".encode())
            self.wfile.flush()
            if "method" not in json.loads(line):
                return None


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    try:
        server.serve_forever()
    finally:
        for each in SESSIONS.values():
            each.process.kill()
