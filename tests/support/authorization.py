"""An authorization server and an MCP server behind it, in one process: `python authorization.py`.

It prints its port. `/control` sets switches: seconds that a token is good for, whether a refresh is
refused, what `iss` says ("" for nothing), the status and the delay of `/token`. `/log` tells what
it was asked.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

SWITCHES: dict[str, Any] = {
    "expires": 3600, "refuse": False, "iss": None, "deny": False, "status": 200, "delay": 0,
    "documents": False, "issuer": None,
}  # fmt: skip
LOG: list[Any] = []
GOOD: set[str] = set()
COUNT = [0]
LOCK = threading.Lock()


@contextmanager
def authorization() -> Iterator[str]:
    """The url of fresh servers, which are stopped in the end."""
    process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def control(url: str, **switches: Any) -> None:
    """Set switches."""
    urlopen(Request(f"{url}/control", json.dumps(switches).encode())).close()


def log_of(url: str) -> list[Any]:
    """What was asked, in order."""
    with urlopen(f"{url}/log") as answer:
        return json.load(answer)


def granted() -> dict[str, Any]:
    with LOCK:
        COUNT[0] += 1
        token = f"token-{COUNT[0]}"
        GOOD.clear()
        GOOD.add(token)
    return {
        "access_token": token,
        "token_type": "Bearer",
        "refresh_token": f"refresh-{COUNT[0]}",
        "expires_in": SWITCHES["expires"],
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None:
        pass

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, status: int, value: object = None, **headers: str) -> None:
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/log":
            self.answer(200, LOG)
        elif parts.path.startswith("/.well-known/oauth-protected-resource"):
            path = parts.path.rpartition("/")[2]
            value = {"resource": f"{self.base}/{path}", "authorization_servers": [self.base]}
            self.answer(200, value)
        elif parts.path.startswith("/.well-known/oauth-authorization-server"):
            self.answer(200, self.about())
        elif parts.path == "/sse":
            self.serve({})
        elif parts.path == "/authorize":
            self.authorize({k: v[0] for k, v in parse_qs(parts.query).items()})
        else:
            self.answer(404)

    def about(self) -> dict[str, Any]:
        return {
            "issuer": SWITCHES["issuer"] or self.base,
            "client_id_metadata_document_supported": SWITCHES["documents"],
            "authorization_endpoint": f"{self.base}/authorize",
            "token_endpoint": f"{self.base}/token",
            "registration_endpoint": f"{self.base}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }

    def authorize(self, query: dict[str, str]) -> None:
        LOG.append({"authorize": query})
        iss = self.base if SWITCHES["iss"] is None else SWITCHES["iss"]
        back = {"state": query["state"], **({"iss": iss} if iss else {})}
        back |= {"error": "access_denied"} if SWITCHES["deny"] else {"code": "c0de"}
        self.answer(302, location=f"{query['redirect_uri']}?{urlencode(back)}")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/control":
            SWITCHES.update(json.loads(body))
            if SWITCHES.pop("revoke", None):
                GOOD.clear()
            self.answer(200)
        elif self.path == "/register":
            given = json.loads(body)
            LOG.append({"register": given})
            self.answer(201, {**given, "client_id": "registered"})
        elif self.path == "/token":
            self.token({k: v[0] for k, v in parse_qs(body.decode()).items()})
        elif self.path == "/mcp":
            self.serve(json.loads(body))
        else:
            self.answer(404)

    def token(self, form: dict[str, str]) -> None:
        LOG.append({"token": form})
        threading.Event().wait(SWITCHES["delay"])
        if SWITCHES["status"] != 200:
            self.answer(SWITCHES["status"])
        elif form["grant_type"] == "refresh_token" and SWITCHES["refuse"]:
            self.answer(400, {"error": "invalid_grant"})
        else:
            self.answer(200, granted())

    def serve(self, message: dict[str, Any]) -> None:
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in GOOD:
            where = f"{self.base}/.well-known/oauth-protected-resource{self.path}"
            self.answer(401, www_authenticate=f'Bearer resource_metadata="{where}"')
        elif "id" not in message:
            self.answer(202)
        else:
            result = self.result(message)
            if result is None:
                error = {"code": -32601, "message": "Method not found"}
                self.answer(404, {"jsonrpc": "2.0", "id": message["id"], "error": error})
            else:
                self.answer(200, {"jsonrpc": "2.0", "id": message["id"], "result": result})

    def result(self, message: dict[str, Any]) -> dict[str, Any] | None:
        method = message["method"]
        if method == "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "guarded", "version": "1"},
            }
        if method == "tools/list":
            return {"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}
        if method == "tools/call":
            return {"content": [{"type": "text", "text": self.headers["authorization"]}]}
        return None


if __name__ == "__main__":
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
