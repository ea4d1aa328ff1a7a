"""U-1: the real clients agree; `make clients` fetches them with npm, else this is skipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(__file__).parents[3] / "build" / "clients" / "node_modules" / ".bin"

pytestmark = pytest.mark.skipif(
    not BIN.is_dir(), reason="the real clients are not here: make clients"
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


def trusted_by_claude(home: Path, repo: Path) -> None:
    file = home / ".claude.json"
    settings = json.loads(file.read_text())
    project = settings.setdefault("projects", {}).setdefault(str(repo), {})
    project |= {"enabledMcpjsonServers": ["toolcrib"], "hasTrustDialogAccepted": True}
    file.write_text(json.dumps(settings))


def trusted_by_codex(home: Path, repo: Path) -> None:
    folder = home / ".codex"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(f'[projects."{repo}"]\ntrust_level = "trusted"\n')


def trusted_by_gemini(home: Path, repo: Path) -> None:
    (home / ".gemini").mkdir(exist_ok=True)
    (home / ".gemini/trustedFolders.json").write_text(json.dumps({str(repo): "TRUST_FOLDER"}))


@pytest.mark.parametrize(
    ("client", "program", "before", "trust"),
    [
        ("claude-code", "claude", "waits", trusted_by_claude),
        ("codex", "codex", "lacks", trusted_by_codex),
        ("gemini", "gemini", "waits", trusted_by_gemini),
    ],
)
def test_the_real_client_has_the_server_once_a_person_has_agreed(
    client, program, before, trust, home, repo, toolcrib, monkeypatch
):
    """U-1: install and doctor say what is left to do, and tick it when the client agrees."""
    if not (BIN / program).exists():
        pytest.skip(f"{program} is not here")
    ours = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{BIN}:{ours}:/usr/local/bin:/usr/bin:/bin")
    (repo / ".git").rmdir()
    subprocess.run(["git", "init", "-q", repo], check=True)
    (change,) = toolcrib("install", client, "--json").json["changes"]
    assert change["client_says"] == before
    assert change["next"].startswith("start `")
    trust(home, repo)
    (change,) = toolcrib("install", client, "--json").json["changes"]
    assert change["client_says"] == "has"
    findings = toolcrib("doctor", "--json").json["findings"]
    told = [each for each in findings if each["group"] == "clients" and each["level"] == "ok"]
    assert len(told) == 1


@pytest.mark.parametrize(
    ("client", "program", "add"),
    [
        ("claude-code", "claude", ["mcp", "add", "--scope", "user", "odd", "--"]),
        ("codex", "codex", ["mcp", "add", "odd", "--"]),
        ("gemini", "gemini", ["mcp", "add", "--scope", "user", "odd"]),
    ],
)
def test_the_real_client_agrees_with_an_adoption(
    client, program, add, home, repo, toolcrib, monkeypatch
):
    """X-27, X-28: what the client itself wrote moves; it lists toolcrib then, and again its own."""
    if not (BIN / program).exists():
        pytest.skip(f"{program} is not here")
    ours = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{BIN}:{ours}:/usr/local/bin:/usr/bin:/bin")
    odd = Path(__file__).parents[2] / "support" / "odd_server.py"

    def said(*words: str | Path) -> str:
        ran = subprocess.run(
            [BIN / program, *words],
            cwd=repo,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return ran.stdout + ran.stderr

    said(*add, sys.executable, odd)
    assert "odd_server.py" in said("mcp", "list")
    ran = toolcrib("adopt", client, "--yes", "--json")
    assert ran.code == 0, ran.out + ran.err
    assert [each["name"] for each in ran.json["adopted"]] == ["odd"]
    listed = said("mcp", "list")
    assert "toolcrib" in listed and "odd_server.py" not in listed
    assert toolcrib("adopt", "--undo", "--yes").code == 0
    listed = said("mcp", "list")
    assert "odd_server.py" in listed and "toolcrib" not in listed.replace(str(ours), "")


ODD = Path(__file__).parents[2] / "support" / "odd_server.py"
ADDED = [
    ("claude-code", "claude", ["mcp", "add", "--scope", "user", "odd", "--"], ".claude.json"),
    ("codex", "codex", ["mcp", "add", "odd", "--"], ".codex/config.toml"),
    ("gemini", "gemini", ["mcp", "add", "--scope", "user", "odd"], ".gemini/settings.json"),
]


@pytest.mark.parametrize(("client", "program", "add", "file"), ADDED)
def test_the_real_client_agrees_to_an_adoption_and_its_undo(
    client, program, add, file, home, repo, toolcrib, monkeypatch
):
    """X-27, X-28: its own list names toolcrib instead of the server, and the server afterwards."""
    if not (BIN / program).exists():
        pytest.skip(f"{program} is not here")
    monkeypatch.setenv("PATH", f"{BIN}:/usr/local/bin:/usr/bin:/bin")

    def run(*words: str) -> str:
        done = subprocess.run(
            [BIN / program, *words], cwd=repo, env=dict(os.environ), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    run(*add, sys.executable, str(ODD), "{}")
    before = (home / file).read_bytes()
    moved = toolcrib("adopt", client, "--yes", "--json")
    assert moved.code == 0 and [each["name"] for each in moved.json["adopted"]] == ["odd"]
    listed = run("mcp", "list")
    assert "toolcrib" in listed and "odd_server" not in listed
    back = toolcrib("adopt", "--undo", "--yes", "--json")
    assert back.code == 0
    if not back.json["remarks"]:  # else the client itself has written meanwhile
        assert (home / file).read_bytes() == before
    assert "odd_server" in run("mcp", "list")
