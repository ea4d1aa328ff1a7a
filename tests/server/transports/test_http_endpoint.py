"""The endpoint of both eras over HTTP, against a real server on loopback."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.pipe import ENVELOPE
from support.serving import BOTH, Serving, modern_headers, until

ECHO = {"name": "echo", "arguments": {"text": "x"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("bench")) as serving:
        yield serving


def raw(server: Serving, body: bytes, *headers: tuple[str, str]) -> tuple[int, Any]:
    given = [("Content-Type", "application/json"), ("Accept", BOTH), *headers]
    answer = server.ask("POST", "/mcp", body, given)
    return answer.status, answer.json["error"]["code"]


def modern(params: dict[str, Any], meta: dict[str, Any] | None = None) -> dict[str, Any]:
    given = {**params, "_meta": ENVELOPE if meta is None else meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": given}


def test_a_status_says_what_became_of_a_message(server: Serving) -> None:
    """PROTOCOL: parse, request, params, header and version errors 400; unknown methods 404; tool
    results and -32603 200."""
    assert raw(server, b"{", *modern_headers("x", {})) == (400, -32700)
    assert raw(server, b"[]", *modern_headers("x", {})) == (400, -32600)
    unknown = server.modern("no/such", {})
    assert (unknown.status, unknown.json["error"]["code"]) == (404, -32601)
    no_tool = server.call("nowhere", {})
    assert (no_tool.status, no_tool.json["error"]["code"]) == (400, -32602)
    failed = server.call("fail", {})
    assert failed.status == 200 and failed.json["result"]["isError"]
    bare = server.post(modern(ECHO, {}), *modern_headers("tools/call", ECHO))
    assert (bare.status, bare.json["error"]["code"]) == (400, -32602)
    later = {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    headers = [("MCP-Protocol-Version", "2030-01-01"), *modern_headers("tools/call", ECHO)[1:]]
    answer = server.post(modern(ECHO, later), *headers)
    assert (answer.status, answer.json["error"]["code"]) == (400, -32022)
    assert answer.json["error"]["data"]["supported"] == ["2026-07-28"]


@pytest.mark.parametrize(
    "headers",
    [
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call")],
        [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/list"),
            ("Mcp-Name", "echo"),
        ],
        [
            ("MCP-Protocol-Version", "2025-11-25"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "echo"),
        ],
        [("Mcp-Method", "tools/call"), ("Mcp-Name", "echo")],
        [*modern_headers("tools/call", ECHO), ("Mcp-Name", "echo")],
        [*modern_headers("tools/call", ECHO), ("Mcp-Method", "tools/call")],
        [*modern_headers("tools/call", ECHO)[:2], ("Mcp-Name", "=?base64?b3RoZXI=?=")],
        [*modern_headers("tools/call", ECHO)[:2], ("Mcp-Name", "=?base64?!?=")],
    ],
)
def test_headers_that_are_missing_doubled_or_different_are_refused(
    server: Serving, headers: list[tuple[str, str]]
) -> None:
    """PROTOCOL: header and body agree; any of them twice, or different from the body: -32020."""
    answer = server.post(modern(ECHO), *headers)
    assert (answer.status, answer.json["error"]["code"]) == (400, -32020)
    assert answer.json["id"] == 1


def test_a_name_may_be_sent_as_base64(server: Serving) -> None:
    """PROTOCOL: `Mcp-Name` may be `=?base64?…?=`."""
    headers = [*modern_headers("tools/call", ECHO)[:2], ("Mcp-Name", "=?base64?ZWNobw==?=")]
    assert server.post(modern(ECHO), *headers).status == 200


def test_an_argument_that_a_header_repeats_must_agree_with_it(server: Serving) -> None:
    """PROTOCOL: `x-mcp-header: X` and `Mcp-Param-X`: both there or both absent."""
    said = {"text": "hé"}
    assert server.call("mirror", said).json["error"]["code"] == -32020
    assert server.call("mirror", said, ("Mcp-Param-Text", "no")).json["error"]["code"] == -32020
    twice = [("Mcp-Param-Text", "=?base64?aMOp?=")] * 2
    assert server.call("mirror", said, *twice).json["error"]["code"] == -32020
    assert server.call("mirror", said, twice[0]).status == 200
    missing = server.call("mirror", {}, twice[0])
    assert missing.json["error"]["code"] == -32020
    assert server.call("echo", said, ("Mcp-Param-Text", "no")).status == 200, "not declared there"


def test_accept_decides_what_can_be_answered(server: Serving) -> None:
    """PROTOCOL: neither kind 406, `*/*` is fine; a listen needs a stream."""
    listen = {"notifications": {"toolsListChanged": True}}
    assert server.modern("tools/list", {}, ("Accept", "text/html")).status == 406
    assert server.modern("tools/list", {}, ("Accept", "*/*")).status == 200
    plain = server.call("talk", {"_": 1}, ("Accept", "application/json"))
    assert plain.json["result"]["content"][0]["text"] == "talked"
    answer = server.modern("subscriptions/listen", listen, ("Accept", "application/json"))
    assert answer.status == 406
    stream = server.call("echo", {"text": "s"}, ("Accept", "text/event-stream"))
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.events[0]["result"]["structuredContent"] == {"said": "s"}


def test_progress_turns_an_answer_into_a_stream(server: Serving) -> None:
    """S-8: what the client must hear before the result comes on the stream of its request."""
    params = {"name": "talk", "arguments": {}, "_meta": {"progressToken": "p"}}
    events = server.modern("tools/call", params).events
    assert [event.get("method") for event in events] == ["notifications/progress"] * 2 + [None]
    assert events[-1]["result"]["content"][0]["text"] == "talked"


def test_a_client_that_goes_cancels_its_stateless_request(server: Serving, tmp_path: Path) -> None:
    """FAULTS: client gone: its work stops; in this era closing the connection is the way."""
    note = tmp_path / "note"
    params = {"name": "wait", "arguments": {"note": str(note)}}
    body = json.dumps(modern(params)).encode()
    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += "".join(f"{name}: {text}\r\n" for name, text in modern_headers("tools/call", params))
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        until(lambda: note.exists() and note.read_text() == "began")
    until(lambda: note.read_text() == "cancelled")


def test_other_methods_of_http_are_405_with_those_that_are_served(server: Serving) -> None:
    """PROTOCOL: GET and DELETE of 2026-07-28 are 405 with `Allow`."""
    version = [("MCP-Protocol-Version", "2026-07-28"), ("Accept", "text/event-stream")]
    for method in ("GET", "DELETE"):
        answer = server.ask(method, "/mcp", None, version)
        assert (answer.status, answer.headers["allow"]) == (405, "POST")
    answer = server.ask("PUT", "/mcp", b"{}")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, POST, DELETE")


def test_a_session_is_needed_known_and_ended_once(server: Serving) -> None:
    """PROTOCOL: no session 400; an unknown one 404; DELETE 200 and 404 the second time."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert server.post(message).status == 400
    assert server.post(message, ("Mcp-Session-Id", "nobody")).status == 404
    session = server.initialize()
    assert server.legacy(session, "tools/list").status == 200
    own = [("Mcp-Session-Id", session)]
    assert server.ask("DELETE", "/mcp", None, own).status in (200, 202, 204)
    assert server.ask("DELETE", "/mcp", None, own).status == 404
    assert server.legacy(session, "tools/list").status == 404


def test_notifications_are_202_in_both_eras(server: Serving) -> None:
    """PROTOCOL: a notification 202; an unserved version 400."""
    session = server.initialize()
    assert server.legacy(session, "notifications/initialized", id=None).status == 202
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert server.post(note, ("MCP-Protocol-Version", "2026-07-28")).status == 202
    assert server.post(note, ("MCP-Protocol-Version", "1999-01-01")).status == 400


def test_a_tool_asks_its_client_in_the_way_of_the_era(server: Serving) -> None:
    """S-1: earlier eras: a request on the stream, answered by another POST; 2026-07-28: a result
    that asks, and a sealed state."""
    session = server.initialize(elicitation={})
    params = {"name": "question", "arguments": {}}
    with ThreadPoolExecutor(1) as pool:
        headers = [
            ("Content-Type", "application/json"),
            ("Accept", BOTH),
            ("Mcp-Session-Id", session),
        ]
        body = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params}
        with server.asked("POST", "/mcp", json.dumps(body).encode(), headers) as response:
            lines = iter(response.readline, b"")
            asked = next(json.loads(line[6:]) for line in lines if line.startswith(b"data:"))
            assert asked["method"] == "elicitation/create"
            reply = {"action": "accept", "content": {"name": "Ann"}}
            answer = {"jsonrpc": "2.0", "id": asked["id"], "result": reply}
            told = pool.submit(server.post, answer, ("Mcp-Session-Id", session))
            result = next(json.loads(line[6:]) for line in lines if line.startswith(b"data:"))
            assert told.result().status == 202
    assert result["result"]["content"][0]["text"] == "You are Ann"

    first = server.modern("tools/call", params).json["result"]
    assert first["resultType"] == "input_required" and first["requestState"] != "asked"
    responses = {"who": {"action": "accept", "content": {"name": "Bob"}}}
    second = {**params, "inputResponses": responses, "requestState": first["requestState"]}
    assert "You are Bob" in str(server.modern("tools/call", second).json["result"])
    changed = {**second, "arguments": {"other": 1}}
    refused = server.modern("tools/call", changed).json["error"]
    assert (refused["code"], refused["message"]) == (-32602, "Invalid or expired requestState")


def test_a_second_stream_of_a_session_takes_the_place_of_the_first(server: Serving) -> None:
    """PROTOCOL: GET needs a session and text/event-stream; a client that comes back is served."""
    session = server.initialize()
    headers = [("Accept", "text/event-stream"), ("Mcp-Session-Id", session)]
    assert server.ask("GET", "/mcp", None, headers[1:]).status == 406
    assert server.ask("GET", "/mcp", None, headers[:1]).status == 400
    with (
        server.asked("GET", "/mcp", None, headers) as first,
        server.asked("GET", "/mcp", None, headers) as second,
    ):
        assert first.status == second.status == 200
        assert first.read() == b"", "ended with its last chunk"
        assert server.ask("DELETE", "/mcp", None, headers[1:]).status == 200
        assert second.read() == b""
