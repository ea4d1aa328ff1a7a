"""The HTTP lines of the table of faults, against a real server on loopback."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.pipe import ENVELOPE
from support.waiting import until
from toolcrib.core.errors import ConfigError
from toolcrib.server.auth.tokens import verifier_for
from toolcrib.settings import HttpSettings

BENCH = Path(__file__).parents[1] / "support" / "workbench.py"
TOKEN = "open-sesame-open-sesame"
JSON_HEADERS = {
    "Content_Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "x", "version": "1"},
}


class Server:
    def __init__(self, project: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(BENCH), "0", *words],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "WORKBENCH_PROJECT": str(project)},
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            match = re.search(r"http://[^:]+:(\d+)/mcp", line)
            if match:
                self.port = int(match.group(1))
                return
        raise AssertionError("the server did not start")

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            if body is not None and "Content_Length" not in headers:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def session(self, hello: dict[str, Any], headers: dict[str, str]) -> str:
        """The id of a new session of the earlier eras."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST", "/mcp", json.dumps(message), named)
        response = connection.getresponse()
        connection.close()
        return str(response.headers["mcp-session-id"])

    def modern(self, method: str, params: dict[str, Any], **more: str) -> tuple[int, Any]:
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": method,
            "params": {**params, "_meta": ENVELOPE},
        }
        headers = {
            "Content_Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP_Protocol_Version": "2026-07-28",
            "Mcp_Method": method,
            **({"Mcp_Name": params["name"]} if "name" in params else {}),
            **more,
        }
        status, body = self.request("POST", "/mcp", json.dumps(message).encode(), **headers)
        return status, json.loads(body) if body else None


def started(project: Path, toml: str = "", *words: str) -> Iterator[Server]:
    (project / "toolcrib.toml").write_text(toml)
    server = Server(project, *words)
    yield server
    server.process.terminate()
    assert server.process.wait(10) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    toml = "[server]\nmax_message_bytes = 100000\n[http]\nbody_timeout = 0.5\n"
    yield from started(tmp_path_factory.mktemp("open"), toml)


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    hashed = hashlib.sha256(TOKEN.encode()).hexdigest()
    yield from started(tmp_path_factory.mktemp("locked"), f'[http]\ntokens = ["{hashed}"]\n')


@pytest.mark.parametrize("path", ["/mcp", "/healthz", "/metrics", "/nowhere"])
def test_a_wrong_host_or_origin_is_refused_on_every_route(server: Server, path: str) -> None:
    """S-6, FAULTS: Host and Origin checked on every route: 421 and 403."""
    assert server.request("GET", path, Host="evil.example")[0] == 421
    assert server.request("GET", path, Host="127.0.0.1.evil.example")[0] == 421
    assert server.request("GET", path, Origin="http://evil.example")[0] == 403
    assert server.request("GET", path, Origin="null")[0] == 403
    for almost in ("http://127.0.0.1:80@evil.example", "http://[::1].evil.example", "http://"):
        assert server.request("GET", path, Origin=almost)[0] == 403
    for good in ("http://localhost:3000", "https://[::1]:3000", "HTTP://LOCALHOST"):
        assert server.request("GET", path, Origin=good)[0] not in (403, 421)


def test_a_body_above_the_cap_is_413(server: Server) -> None:
    """FAULTS: body above the cap, declared or not."""
    head = {"Content_Type": "application/json"}
    assert server.request("POST", "/mcp", b"x" * 200_000, **head)[0] == 413
    chunked = {**head, "Transfer_Encoding": "chunked", "Content_Length": "5"}
    del chunked["Content_Length"]
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        raw.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        try:
            for _ in range(30):
                raw.sendall(b"2710\r\n" + b"x" * 10_000 + b"\r\n")
        except OSError:
            pass
        assert raw.recv(100).startswith(b"HTTP/1.1 413")


def test_a_slow_body_times_out(server: Server) -> None:
    """FAULTS: slow body: timeout."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        raw.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
        assert raw.recv(100).startswith(b"HTTP/1.1 408")


def test_a_post_that_is_not_json_is_415(server: Server) -> None:
    """FAULTS: text/plain POST."""
    assert server.request("POST", "/mcp", b"{}", Content_Type="text/plain")[0] == 415
    assert server.request("POST", "/mcp", b"{}")[0] == 415


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"not json", -32700),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":NaN}}', -32700),
        (b"[]", -32600),
    ],
)
def test_a_malformed_body_is_400_with_the_code(server: Server, body: bytes, code: int) -> None:
    """FAULTS: the same codes as over a pipe."""
    status, answer = server.request("POST", "/mcp", body, Content_Type="application/json")
    assert status == 400 and json.loads(answer)["error"]["code"] == code


def test_a_bad_session_is_404(server: Server) -> None:
    """FAULTS: bad session."""
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
    status, _ = server.request(
        "POST",
        "/mcp",
        body,
        Content_Type="application/json",
        Accept="application/json, text/event-stream",
        Mcp_Session_Id="0123456789abcdef",
    )
    assert status == 404


def test_a_second_request_with_an_id_in_flight_is_refused_alone(
    server: Server, tmp_path: Path
) -> None:
    """FAULTS: -32600 for the second, the first unaffected; without a session all stand alone."""
    session = server.session(HELLO, JSON_HEADERS)
    call = {"name": "wait", "arguments": {"note": str(tmp_path / "note"), "seconds": 0.5}}
    body = json.dumps({"jsonrpc": "2.0", "id": "twice", "method": "tools/call", "params": call})

    def ask() -> tuple[int, bytes]:
        return server.request("POST", "/mcp", body.encode(), Mcp_Session_Id=session, **JSON_HEADERS)

    with ThreadPoolExecutor(2) as pool:
        answers = sorted(pool.map(lambda _: ask(), range(2)))
        modern = list(pool.map(lambda _: server.modern("tools/call", call)[0], range(2)))
    assert [status for status, _ in answers] == [200, 400]
    assert b"waited" in answers[0][1]
    refused = json.loads(answers[1][1])
    assert (refused["id"], refused["error"]["code"]) == ("twice", -32600)
    assert ask()[0] == 200
    assert modern == [200, 200]


@pytest.mark.parametrize("id", ["slow", 7])
def test_a_cancelled_call_over_http_gets_no_reply(
    server: Server, tmp_path: Path, id: str | int
) -> None:
    """FAULTS: cancel of a running call: its work stops, no reply; an unknown one is ignored."""
    session = server.session(HELLO, JSON_HEADERS)
    note = tmp_path / "note"

    def post(message: dict[str, Any], **more: str) -> tuple[int, bytes]:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        headers = {**JSON_HEADERS, "Mcp_Session_Id": session, **more}
        return server.request("POST", "/mcp", body, **headers)

    def cancel(what: object, **more: str) -> int:
        params = {"requestId": what}
        return post({"method": "notifications/cancelled", "params": params}, **more)[0]

    def call(seconds: float) -> tuple[int, bytes]:
        params = {"name": "wait", "arguments": {"note": str(note), "seconds": seconds}}
        return post({"id": id, "method": "tools/call", "params": params})

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(call, 3600)
        until(lambda: note.exists() and note.read_text() == "began")
        assert cancel("never heard of") == 202
        assert cancel(id, MCP_Protocol_Version="1999-01-01") == 400  # refused: it runs on
        assert not running.done() and note.read_text() == "began"
        assert cancel(id) == 202
        status, body = running.result(10)
        assert (status, body) == (200, b"")
        assert note.read_text() == "cancelled"
        assert b"waited" in call(0)[1], "the id is free again, and the session goes on"


def test_a_number_and_its_digits_are_two_ids(server: Server, tmp_path: Path) -> None:
    """FAULTS: a second request with an id that is in flight: 7 and "7" each get their answer."""
    session = server.session(HELLO, JSON_HEADERS)

    def call(id: str | int) -> tuple[int, bytes]:
        arguments = {"note": str(tmp_path / "note"), "seconds": 0.5}
        params = {"name": "wait", "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
        body = json.dumps(message).encode()
        return server.request("POST", "/mcp", body, Mcp_Session_Id=session, **JSON_HEADERS)

    with ThreadPoolExecutor(2) as pool:
        answers = [json.loads(body) for _, body in pool.map(call, (7, "7"))]
    assert [answer["id"] for answer in answers] == [7, "7"]
    assert all("waited" in str(answer["result"]) for answer in answers)


def test_headers_that_disagree_with_the_body_are_400(server: Server) -> None:
    """PROTOCOL: Mcp-Method and Mcp-Name must match the body, else 400 and -32020."""
    params = {"name": "echo", "arguments": {"text": "x"}}
    assert server.modern("tools/call", params)[0] == 200
    status, answer = server.modern("tools/call", params, Mcp_Name="other")
    assert status == 400 and answer["error"]["code"] == -32020
    status, answer = server.modern("no/such", {})
    assert status == 404 and answer["error"]["code"] == -32601


def test_health_and_metrics_answer(server: Server) -> None:
    """S-6: `/healthz` and `/metrics` in Prometheus' form."""
    server.modern("tools/call", {"name": "echo", "arguments": {"text": "x"}})
    status, body = server.request("GET", "/healthz")
    assert status == 200 and json.loads(body)["status"] == "ok"
    status, body = server.request("GET", "/metrics")
    assert status == 200
    assert re.search(rb'^toolcrib_calls_total\{tool="echo"\} \d+$', body, re.MULTILINE)


def test_a_token_opens_what_nothing_else_opens(locked: Server) -> None:
    """S-6: bearer tokens, hashed in the config; health stays open for probes."""
    good = {"Authorization": f"Bearer {TOKEN}"}
    assert locked.modern("tools/list", {})[0] == 401
    for wrong in ("Bearer nope", "Bearer ", f"Basic {TOKEN}", TOKEN):
        assert locked.modern("tools/list", {}, Authorization=wrong)[0] == 401
    assert locked.request("GET", "/metrics")[0] == 401
    assert locked.modern("tools/list", {}, **good)[0] == 200
    assert locked.request("GET", "/healthz")[0] == 200


def test_two_hundred_clients_at_once_each_get_their_own(server: Server) -> None:
    """FAULTS: 200 clients at once, each echoing a nonce: each gets its own; 0 errors."""

    def one(nonce: int) -> bool:
        params = {"name": "echo", "arguments": {"text": f"nonce-{nonce}"}}
        status, answer = server.modern("tools/call", params)
        return status == 200 and answer["result"]["structuredContent"]["said"] == f"nonce-{nonce}"

    with ThreadPoolExecutor(200) as pool:
        assert all(pool.map(one, range(200)))


def test_a_port_in_use_is_one_line_with_port_and_option(server: Server, tmp_path: Path) -> None:
    """FAULTS: port in use: one line naming the port and the option."""
    (tmp_path / "directive").mkdir()
    command = [
        sys.executable,
        "-m",
        "toolcrib",
        "serve",
        "directive",
        "--http",
        f"127.0.0.1:{server.port}",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert f"127.0.0.1:{server.port}" in done.stderr and "--http" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_token_file_holds_tokens_of_any_look_and_hashes_that_say_so(tmp_path: Path) -> None:
    """S-6: `--token-file F`: 64 hexadecimal digits are a token, not the hash of one."""
    secret, other = "0123456789abcdef" * 4, "swordfish"
    hashed = hashlib.sha256(other.encode()).hexdigest()
    file = tmp_path / "tokens.txt"
    file.touch(0o600)
    file.write_text(f"# ours\n{secret}\n\n  sha256:{hashed}\n")
    verifier = verifier_for(HttpSettings(token_file="tokens.txt"), tmp_path)
    assert verifier is not None
    callers = [asyncio.run(verifier.caller(token)) for token in (secret, other, hashed, "", "#")]
    assert [caller is not None for caller in callers] == [True, True, False, False, False]
    for content in ("# nothing\n", "sha256:short\n"):
        file.write_text(content)
        with pytest.raises(ConfigError):
            verifier_for(HttpSettings(token_file="tokens.txt"), tmp_path)
    with pytest.raises(ConfigError, match="SHA-256 hashes, not tokens"):
        verifier_for(HttpSettings(tokens=(other,)), tmp_path)


def test_a_public_address_without_auth_is_refused(tmp_path: Path) -> None:
    """S-6: a non-loopback bind without auth is refused unless --insecure-no-auth."""
    (tmp_path / "directive").mkdir()
    command = [sys.executable, "-m", "toolcrib", "serve", "directive", "--http", "0.0.0.0:0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert "without authentication" in done.stderr and "--token-file" in done.stderr
