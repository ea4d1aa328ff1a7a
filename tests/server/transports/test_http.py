"""Coming and going of a server over HTTP: signals, grace, drain, what is said at the start."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support.serving import Serving, until

WAITS = "[http]\ngrace = 0.4\n"


def began(note: Path) -> bool:
    return note.exists() and note.read_text() == "began"


def test_a_call_that_ends_within_the_grace_is_answered(tmp_path: Path) -> None:
    """R-8: running calls have `[http] grace` seconds; exit 0."""
    with Serving(tmp_path, "[http]\ngrace = 20\n") as server, ThreadPoolExecutor(1) as pool:
        note = tmp_path / "note"
        call = pool.submit(server.call, "wait", {"note": str(note), "seconds": 0.6})
        until(lambda: began(note))
        assert server.stop() == 0
        answer = call.result()
    assert answer.status == 200 and "waited" in str(answer.json)
    assert answer.headers["connection"] == "close"


def test_what_is_cut_is_answered_with_503_and_a_reason(tmp_path: Path) -> None:
    """R-8: HTTP 503, Retry-After, -32603 with `shutting_down`; exit 0 soon after the grace."""
    with Serving(tmp_path, WAITS) as server, ThreadPoolExecutor(1) as pool:
        note = tmp_path / "note"
        call = pool.submit(server.call, "wait", {"note": str(note)})
        until(lambda: began(note))
        told = time.monotonic()
        assert server.stop() == 0
        spent = time.monotonic() - told
        answer = call.result()
    assert answer.status == 503 and int(answer.headers["retry-after"]) >= 1
    error = answer.json["error"]
    assert (error["code"], error["data"]["reason"], answer.json["id"]) == (
        -32603,
        "shutting_down",
        1,
    )
    assert note.read_text() == "cancelled"
    assert spent > 0.4


def test_streams_end_with_their_last_chunk(tmp_path: Path) -> None:
    """R-8: a stream that had begun ends with the same error as its last event; a stream of events
    ends cleanly."""
    with Serving(tmp_path, WAITS) as server:
        session = server.initialize()
        own = [("Accept", "text/event-stream"), ("Mcp-Session-Id", session)]
        with ThreadPoolExecutor(1) as pool, server.listening() as listening:
            first = listening.readline() + listening.readline()
            assert b"notifications/subscriptions/acknowledged" in first
            with server.asked("GET", "/mcp", None, own) as stream:
                params = {"name": "talk", "arguments": {"wait": True}}
                params["_meta"] = {"progressToken": 1}
                begun = pool.submit(server.modern, "tools/call", params)
                until(lambda: b"toolcrib_listeners 2" in server.ask("GET", "/metrics").body)
                until(lambda: b"calls_in_flight 1" in server.ask("GET", "/metrics").body)
                assert server.stop() == 0
                assert stream.read() == b""
            last = begun.result().events[-1]
            assert last["error"]["data"]["reason"] == "shutting_down"
            ended = [line for line in listening.read().splitlines() if line.startswith(b"data: ")]
        result = json.loads(ended[-1].removeprefix(b"data: "))["result"]
        assert result["_meta"]["io.modelcontextprotocol/subscriptionId"] == 1


def test_while_draining_calls_are_taken_and_nobody_is_sent(tmp_path: Path) -> None:
    """R-8: SIGTERM: `/readyz` is 503 and calls are still taken for `[http] drain` seconds."""
    with Serving(tmp_path, "[http]\ndrain = 1.5\n") as server:
        until(lambda: server.ask("GET", "/readyz").status == 200)
        server.process.send_signal(signal.SIGTERM)
        until(lambda: server.ask("GET", "/readyz").status == 503)
        assert server.ask("GET", "/readyz").json["status"] == "leaving"
        assert server.ask("GET", "/livez").status == 200
        assert server.call("echo", {"text": "x"}).status == 200
        assert server.process.wait(20) == 0


def test_hanging_up_reopens_files_and_reads_the_tokens_again(tmp_path: Path) -> None:
    """R-13: SIGHUP reopens the record and re-reads the token file; over HTTP it ends nothing."""
    tokens, audit = tmp_path / "tokens", tmp_path / "audit.jsonl"
    tokens.touch(0o600)
    tokens.write_text("first\n")
    toml = f'[http]\ntoken_file = "tokens"\n[server]\naudit = "{audit}"\n'
    with Serving(tmp_path, toml) as server:
        old, new = (("Authorization", f"Bearer {word}") for word in ("first", "second"))
        assert server.call("echo", {"text": "x"}, old).status == 200
        audit.rename(tmp_path / "old.jsonl")
        tokens.write_text("second\n")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: server.call("echo", {"text": "x"}, new).status == 200)
        assert server.call("echo", {"text": "x"}, old).status == 401
        assert "echo" in audit.read_text()
        tokens.chmod(0o644)
        server.process.send_signal(signal.SIGHUP)
        until(lambda: any("0644" in line for line in server.lines))
        assert server.call("echo", {"text": "x"}, new).status == 200, "kept as they were"
        assert server.stop() == 0


def test_without_a_token_the_start_says_who_may_call(tmp_path: Path) -> None:
    """S-6: without a token on loopback one WARNING says that every process may call."""
    with Serving(tmp_path) as server:
        assert sum("every process of this machine may call" in line for line in server.lines) == 1


def test_a_token_file_that_others_can_read_is_an_error_with_its_mode(tmp_path: Path) -> None:
    """S-6: a token file that others can read is an error that names its mode."""
    (tmp_path / "tokens").write_text("open sesame\n")
    (tmp_path / "tokens").chmod(0o644)
    (tmp_path / "directive").mkdir()
    command = [sys.executable, "-m", "toolcrib", "serve", "directive", "--http", "127.0.0.1:0"]
    command += ["--token-file", "tokens"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1 and "0644" in done.stderr and "chmod" in done.stderr


def test_headers_that_must_not_be_there_twice(tmp_path: Path) -> None:
    """S-6, PROTOCOL: two `Authorization` lines 401; two Host or Mcp-Session-Id 400."""
    with Serving(tmp_path) as server:
        twice = [("Authorization", "Bearer a")] * 2
        assert server.call("echo", {"text": "x"}, *twice).status == 401
        assert server.call("echo", {"text": "x"}, *[("Mcp-Session-Id", "a")] * 2).status == 400
        hosts = [("Host", "localhost"), ("Host", "localhost")]
        assert server.ask("GET", "/livez", None, hosts).status == 400


def test_the_record_can_be_standard_output(tmp_path: Path) -> None:
    """R-13: `--audit -` writes to stdout; over stdio it is an error."""
    with Serving(tmp_path, '[server]\naudit = "-"\n') as server:
        server.call("echo", {"text": "x"})
        server.stop()
        assert server.process.stdout is not None
        lines = [json.loads(line) for line in server.process.stdout]
    assert [line["tool"] for line in lines if "tool" in line] == ["echo"]
    command = [sys.executable, "-m", "toolcrib", "serve", "--audit", "-"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=20)
    assert done.returncode == 2 and "--http" in done.stderr


def test_a_slow_request_is_cut_off_whatever_part_is_late(tmp_path: Path) -> None:
    """PROTOCOL: `body_timeout` runs from the first byte to the last, headers included; other
    clients are not held up."""
    with Serving(tmp_path, "[http]\nbody_timeout = 0.5\n") as server:
        halves = [
            b"POST /mcp HT",
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccep",
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 50\r\n\r\n{",
        ]
        slow = [socket.create_connection(("127.0.0.1", server.port), 10) for _ in range(30)]
        for number, connection in enumerate(slow):
            connection.sendall(halves[number % 3])
        assert server.call("echo", {"text": "x"}).status == 200
        for number, connection in enumerate(slow):
            said = connection.recv(100)
            assert said.startswith(b"HTTP/1.1 408") or (said == b"" and number % 3 < 2)
            connection.close()
        until(lambda: open_sockets(server) <= 2)


def open_sockets(server: Serving) -> int:
    folder = Path(f"/proc/{server.process.pid}/fd")
    names = [os.readlink(each) for each in folder.iterdir() if each.is_symlink()]
    return sum(name.startswith("socket:") for name in names) - 2


def test_a_second_signal_does_not_wait_for_the_drain(tmp_path: Path) -> None:
    """R-8: whoever tells it twice is in a hurry."""
    with Serving(tmp_path, "[http]\ndrain = 300\n") as server:
        server.process.send_signal(signal.SIGTERM)
        until(lambda: server.ask("GET", "/readyz").status == 503)
        assert server.stop() == 0


def test_a_low_limit_of_open_files_is_raised_as_far_as_allowed(tmp_path: Path) -> None:
    """R-15, FAULTS: a thousand streams are a thousand files; the usual limit is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = min(soft, 256)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    try:
        serving = Serving(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with serving as server:
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        allowed = limits.partition("Max open files")[2].split()[0]
        assert int(allowed) == (65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536))
        assert server.call("echo", {"text": "x"}).status == 200
