"""Health and metrics, as probes and Prometheus see them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.serving import Serving, until
from toolcrib import __version__


def test_readiness_tells_everything_where_nobody_has_a_token(tmp_path: Path) -> None:
    """R-7: `/readyz` with checks and revision; a server without tokens tells everybody."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    with Serving(tmp_path) as server:
        until(lambda: server.ask("GET", "/readyz").status == 200)
        body = server.ask("GET", "/readyz").json
        assert body["status"] == "ready" and body["revision"] == head.stdout.strip()
        assert body["checks"]["packs"] == {"ok": True, "why": None}
        for path in ("/livez", "/healthz"):
            assert server.ask("GET", path).status == 200
        assert server.ask("POST", "/readyz", b"").status == 405
        info = f'toolcrib_build_info{{version="{__version__}",revision="{body["revision"]}"}} 1'
        assert info in server.ask("GET", "/metrics").body.decode()


def test_health_needs_no_token_and_tells_strangers_only_the_status(tmp_path: Path) -> None:
    """R-7: none needs a token; without one, only `status` is told."""
    hashed = hashlib.sha256(b"ann").hexdigest()
    with Serving(tmp_path, f'[http]\ntokens = ["{hashed}"]\n') as server:
        until(lambda: server.ask("GET", "/readyz").status == 200)
        assert server.ask("GET", "/readyz").json == {"status": "ready"}
        known = [("Authorization", "Bearer ann")]
        assert set(server.ask("GET", "/readyz", None, known).json) == {
            "status",
            "checks",
            "revision",
        }
        assert server.ask("GET", "/metrics").status == 401
        assert server.ask("GET", "/metrics", None, known).status == 200


def test_warm_builds_the_indexes_before_the_port_opens(tmp_path: Path) -> None:
    """R-7: with `--warm` the first answer of `/readyz` is ready."""
    (tmp_path / "docs").mkdir()
    decisions = tmp_path / "docs" / "adr"
    decisions.mkdir()
    (decisions / "0001-x.md").write_text("# 1. X\n\n## Status\n\nAccepted\n\nWe do x.\n")
    with _command(tmp_path, "architecture", "--warm") as server:
        body = server.ask("GET", "/readyz").json
        assert body["status"] == "ready" and body["checks"]["index_architecture"]["ok"]
        assert b"toolcrib_documents 1" in server.ask("GET", "/metrics").body


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is missing")
def test_prometheus_has_nothing_to_say_about_the_metrics(tmp_path: Path) -> None:
    """R-12: `promtool check metrics`; histograms; what is in flight, queued, open."""
    with Serving(tmp_path) as server:
        for _ in range(3):
            server.call("echo", {"text": "x"})
        server.call("crash", {})
        server.call("nowhere", {})
        server.initialize()
        text = server.ask("GET", "/metrics").body
    done = subprocess.run(
        ["promtool", "check", "metrics"], input=text, capture_output=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    names = set(re.findall(rb"^(\w+)", text, re.MULTILINE))
    wanted = "calls_in_flight calls_queued sessions listeners documents tools reloads_total "
    wanted += "reload_seconds breaker_state build_info call_duration_seconds_bucket"
    assert {f"toolcrib_{name}".encode() for name in wanted.split()} <= names
    assert {
        b"process_cpu_seconds_total",
        b"process_resident_memory_bytes",
        b"process_open_fds",
    } < names
    assert b'toolcrib_call_duration_seconds_count{tool="echo"} 3' in text
    assert b'le="+Inf"} 3' in text and b"toolcrib_sessions 1" in text
    assert b"nowhere" not in text, "unknown names never"


def test_the_record_tells_where_a_request_came_from(tmp_path: Path) -> None:
    """R-13: request_id, address, project, replica, trace_id; a stranger's X-Forwarded-For is
    ignored, a trusted proxy's is not."""
    audit = tmp_path / "audit.jsonl"
    toml = f'[server]\naudit = "{audit}"\nreplica = "r1"\n'
    trace = "0af7651916cd43dd8448eb211c80319c"
    headers = [
        ("X-Request-Id", "abc-1"),
        ("X-Forwarded-For", "203.0.113.9, 198.51.100.7:1234"),
        ("traceparent", f"00-{trace}-b7ad6b7169203331-01"),
    ]
    for proxies, address in (("", "127.0.0.1"), ('["127.0.0.0/8"]', "198.51.100.7")):
        more = f"[http]\ntrusted_proxies = {proxies}\n" if proxies else ""
        with Serving(tmp_path, toml + more) as server:
            server.call("echo", {"text": "x"}, *headers)
            session = server.initialize()
            server.legacy(session, "tools/call", {"name": "echo", "arguments": {"text": "y"}})
            server.ask("DELETE", "/mcp", None, [("Mcp-Session-Id", session)])
            assert server.stop() == 0
        lines = [json.loads(line) for line in audit.read_text().splitlines()]
        modern, legacy = (line for line in lines if line.get("tool") == "echo")
        assert modern["request_id"] == "abc-1" and modern["address"] == address
        assert modern["trace_id"] == trace and modern["replica"] == "r1"
        assert modern["session"] is None and legacy["session"] not in (None, session)
        assert legacy["client"] == {"name": "tester", "version": "1"}
        assert re.fullmatch(r"[\x21-\x7e]{1,128}", legacy["request_id"])
        events = [line["state"] for line in lines if line.get("event") == "session"]
        assert events == ["opened", "closed"]
        kinds = [line["event"] for line in lines if "event" in line]
        assert kinds[0] == "start" and kinds[-1] == "stop" and "revision" in lines[0]
        audit.unlink()


def _command(project: Path, *words: str) -> Serving:
    """`toolcrib serve` itself."""
    import sys

    serving = Serving.__new__(Serving)
    command = [sys.executable, "-m", "toolcrib", "serve", *words, "--http", "127.0.0.1:0"]
    serving._start(command, project, None)
    return serving
