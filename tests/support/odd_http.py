"""An MCP server over HTTP whose faults are paths: `/plain`, `/gone`, `/busy`, …

It is a process of its own (`python odd_http.py`), prints its port, and tells at `/log` what it was
sent. It speaks HTTP by the standard library alone, so that it can be wrong in every way.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

LOG: list[dict] = []
SEEN: dict[str, int] = {}
LISTENERS: list = []
LARGE = 300_000


@contextmanager
def odd_http() -> Iterator[str]:
    """The url of a fresh server, which is stopped in the end."""
    process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def log_of(url: str) -> list[dict]:
    """What a server was sent, in order."""
    with urlopen(f"{url}/log") as answer:
        return json.load(answer)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None:
        pass

    def answer(
        self, status: int, body: bytes = b"", kind: str = "application/json", **more
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.close_connection = True
        self.end_headers()

    def event(self, data: object, id: str | None = None, event: str | None = None) -> None:
        lines = [f"event: {event}"] if event else []
        lines += [f"id: {id}"] if id else []
        text = data if isinstance(data, str) else json.dumps(data)
        self.wfile.write("\n".join([*lines, f"data: {text}", "", ""]).encode())
        self.wfile.flush()

    def do_GET(self) -> None:
        path = self.path.strip("/")
        if path == "log":
            return self.answer(200, json.dumps(LOG).encode())
        LOG.append({"get": path, "last": self.headers.get("last-event-id")})
        if path == "resume" and self.headers.get("last-event-id"):
            self.stream()
            return self.event({"jsonrpc": "2.0", "id": SEEN["id"], "result": echo("resumed")})
        if path == "sse-moved":
            return self.answer(307, location="/sse")
        if path == "sse-busy" and SEEN.setdefault("sse busy", 0) < 1:
            SEEN["sse busy"] += 1
            return self.answer(429, retry_after="0")
        if path in ("sse", "sse-busy", "elsewhere"):
            self.stream()
            where = "http://127.0.0.2:1/messages" if path == "elsewhere" else "/messages"
            LISTENERS.append(self)  # before anybody can know where to send messages
            self.event(where, event="endpoint")
            with contextlib_suppress():
                while True:
                    time.sleep(0.2)  # no event: keeps the stream of one thread open
                    self.wfile.write(b": alive\n\n")
                    self.wfile.flush()
            return None
        return self.answer(405)

    def do_DELETE(self) -> None:
        LOG.append({"delete": self.path.strip("/"), "session": self.headers.get("mcp-session-id")})
        self.answer(200)

    def do_POST(self) -> None:
        path = self.path.strip("/")
        body = self.rfile.read(int(self.headers["content-length"]))
        message = json.loads(body)
        kept = {name.lower(): value for name, value in self.headers.items()}
        LOG.append({"path": path, "message": message, "headers": kept})
        SEEN[path] = SEEN.get(path, 0) + 1
        fault = getattr(self, f"at_{path.replace('-', '_')}", None)
        if fault is not None and fault(message):
            return None
        if path == "messages":
            self.answer(202)
            if "id" in message:
                big = called(message) and message["params"].get("arguments") == {"big": True}
                result = echo("x" * LARGE) if big else legacy(message)
                LISTENERS[-1].event({"jsonrpc": "2.0", "id": message["id"], "result": result})
            return None
        if "id" not in message:
            return self.answer(202)
        if message["method"] == "server/discover":
            return self.answer(400, b"no such thing", "text/plain")
        more = {"Mcp_Session_Id": f"s{SEEN[path]}"} if message["method"] == "initialize" else {}
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": legacy(message)}
        return self.answer(200, json.dumps(reply).encode(), **more)

    def at_login(self, message: dict) -> bool:
        self.answer(401, www_authenticate="Bearer")
        return True

    def at_broken(self, message: dict) -> bool:
        self.answer(500, b"oh no", "text/plain")
        return True

    def at_nothing(self, message: dict) -> bool:
        self.answer(404, b"", "text/plain")
        return True

    def at_busy(self, message: dict) -> bool:
        if called(message) and SEEN.setdefault("busy calls", 0) < 2:
            SEEN["busy calls"] += 1
            self.answer(429, retry_after="0")
            return True
        return False

    def at_redirect_in(self, message: dict) -> bool:
        self.answer(307, location="/plain")
        return True

    def at_redirect_out(self, message: dict) -> bool:
        port = self.server.server_address[1]
        self.answer(307, location=f"http://localhost:{port}/plain")
        return True

    def at_gone(self, message: dict) -> bool:
        if called(message):
            self.answer(404, b"no such session", "text/plain")
        return called(message)

    def at_renewed(self, message: dict) -> bool:
        """The session that was opened first ends before its first call."""
        if called(message):
            first = SEEN.setdefault("renewed first", self.headers["mcp-session-id"])
            if self.headers["mcp-session-id"] == first:
                self.answer(404, b"no such session", "text/plain")
                return True
        return False

    def refuse(self, status: int, code: int, words: str) -> bool:
        error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": words}}
        self.answer(status, json.dumps(error).encode())
        return True

    def at_typescript(self, message: dict) -> bool:
        """What servers of the TypeScript SDK say before `initialize`, and without their session."""
        if message["method"] == "server/discover":
            return self.refuse(400, -32000, "Bad Request: Server not initialized")
        return False

    def at_forgets_404(self, message: dict) -> bool:
        return self.forgets(message, 404, -32001, "Session not found")

    def at_forgets_400(self, message: dict) -> bool:
        words = "Bad Request: No valid session ID provided"
        return self.forgets(message, 400, -32000, words)

    def forgets(self, message: dict, status: int, code: int, words: str) -> bool:
        """The first session is over after the restart that comes before the first call."""
        if not called(message):
            return False
        first = SEEN.setdefault(f"first {self.path}", self.headers["mcp-session-id"])
        return self.headers["mcp-session-id"] == first and self.refuse(status, code, words)

    def at_scope(self, message: dict) -> bool:
        if not called(message):
            return False
        self.answer(403, www_authenticate='Bearer error="insufficient_scope", scope="write"')
        return True

    def at_forbidden(self, message: dict) -> bool:
        if called(message):
            self.answer(403, b"no", "text/plain")
        return called(message)

    def at_big(self, message: dict) -> bool:
        if called(message):
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": echo("x" * LARGE)}
            self.answer(200, json.dumps(reply).encode())
            return True
        return False

    def at_big_event(self, message: dict) -> bool:
        if called(message):
            self.stream()
            self.event({"jsonrpc": "2.0", "id": message["id"], "result": echo("x" * LARGE)})
        return called(message)

    def at_page(self, message: dict) -> bool:
        if called(message):
            self.answer(200, b"<html>", "text/html")
            return True
        return False

    def at_stream(self, message: dict) -> bool:
        if not called(message):
            return False
        self.stream()
        token = message["params"]["_meta"]["progressToken"]
        params = {"progressToken": token, "progress": 1, "total": 2, "message": "half"}
        self.event({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        self.event({"jsonrpc": "2.0", "id": message["id"], "result": echo("streamed")})
        return True

    def at_cut(self, message: dict) -> bool:
        if not called(message):
            return False
        self.stream()
        self.event({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
        return True

    def at_resume(self, message: dict) -> bool:
        if not called(message):
            return False
        self.stream()
        SEEN["id"] = message["id"]
        self.event("", id="7")
        return True

    def at_late(self, message: dict) -> bool:
        if not called(message):
            return False
        threading.Event().wait(30)
        return True

    def at_error(self, message: dict) -> bool:
        if not called(message):
            return False
        reply = {"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "bad word"}}
        self.answer(400, json.dumps(reply).encode())
        return True


def contextlib_suppress():
    import contextlib

    return contextlib.suppress(OSError)


def called(message: dict) -> bool:
    return message.get("method") == "tools/call"


def echo(text: str) -> dict:
    return {"content": [{"type": "text", "text": text}]}


def legacy(message: dict) -> dict:
    method = message["method"]
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "odd http", "version": "1"},
        }
    if method == "tools/list":
        names = ("look", "write")
        return {
            "tools": [
                {"name": name, "inputSchema": {"type": "object"},
                 "annotations": {"readOnlyHint": name == "look"}}
                for name in names
            ]
        }  # fmt: skip
    if method == "tools/call":
        return echo(json.dumps(message["params"].get("arguments")))
    return {}


if __name__ == "__main__":
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
