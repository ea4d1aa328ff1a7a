"""U-1: the real clients agree; `make clients` fetches them with npm, else this is skipped."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

BIN = Path(__file__).parents[3] / "build" / "clients" / "node_modules" / ".bin"

pytestmark = pytest.mark.skipif(
    not BIN.is_dir(), reason="the clients are not here: make clients (needs npm)"
)

CASES = [
    ("claude-code", "claude", "project", ["mcp", "get", "toolcrib"]),
    ("claude-code", "claude", "local", ["mcp", "get", "toolcrib"]),
    ("claude-code", "claude", "user", ["mcp", "get", "toolcrib"]),
    ("codex", "codex", "user", ["mcp", "get", "toolcrib"]),
    ("gemini", "gemini", "user", ["mcp", "list"]),
]


@pytest.mark.parametrize("way", ["own command", "merge"])
@pytest.mark.parametrize(("client", "program", "scope", "ask"), CASES)
def test_the_real_client_finds_the_server(
    client, program, scope, ask, way, home, repo, toolcrib, monkeypatch
):
    """U-1: after install the client's own list names the server, by either way."""
    if not (BIN / program).exists():
        pytest.skip(f"{program} is not here")
    usual = f"{BIN}:/usr/local/bin:/usr/bin:/bin"
    if way == "own command":
        monkeypatch.setenv("PATH", usual)
    ran = toolcrib("install", client, "--scope", scope, "--json")
    assert ran.code == 0, ran.err
    assert bool(ran.json["changes"][0]["command"]) == (way == "own command")
    monkeypatch.setenv("PATH", usual)
    listed = subprocess.run(
        [BIN / program, *ask],
        cwd=repo,
        env=dict(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "toolcrib" in listed.stdout + listed.stderr
    assert "serve" in listed.stdout + listed.stderr
    assert toolcrib("uninstall", client).code == 0
