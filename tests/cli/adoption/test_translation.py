"""Entries of each client in our own words."""

from __future__ import annotations

import json

import pytest

from toolcrib.cli.adoption.translation import Stays, translated
from toolcrib.packs.gateway.entries import parse_servers

CASES = [
    ("claude-code", {"type": "stdio", "command": "x", "args": ["a"], "env": {}},
     {"command": "x", "args": ["a"]}),
    ("claude-code", {"type": "http", "url": "https://x/mcp", "timeout": 600000},
     {"url": "https://x/mcp", "timeout": 600}),
    ("claude-code", {"type": "sse", "url": "https://x/sse", "oauth": {"clientId": "me"}},
     {"type": "sse", "url": "https://x/sse", "oauth": {"client_id": "me"}}),
    ("claude-desktop", {"command": "x", "disabled": True}, {"command": "x", "disabled": True}),
    ("cursor", {"url": "https://x", "headers": {"X": "${env:A}"}, "auth": {"CLIENT_ID": "i"}},
     {"url": "https://x", "headers": {"X": "${env:A}"}, "oauth": {"client_id": "i"}}),
    ("cursor", {"command": "${userHome}/x", "args": ["${workspaceFolder}${/}y"]},
     {"command": "${HOME}/x", "args": ["${workspaceFolder}/y"]}),
    ("vscode", {"type": "stdio", "command": "x", "dev": {"watch": "*"}, "gallery": True},
     {"command": "x"}),
    ("codex", {"command": "x", "startup_timeout_sec": 400, "tool_timeout_sec": 0.5,
               "enabled_tools": ["a"], "disabled_tools": ["b"], "env_vars": ["HOST_VAR"],
               "enabled": False, "tools": {"a": {"approval_mode": "prompt"}}},
     {"command": "x", "startup_timeout": 300, "timeout": 1, "tools": ["a"], "deny": ["b"],
      "env": {"HOST_VAR": "${HOST_VAR:-}"}, "disabled": True}),
    ("codex", {"url": "https://x", "bearer_token_env_var": "T", "http_headers": {"A": "b"},
               "env_http_headers": {"C": "D"}, "startup_timeout_ms": 1500},
     {"url": "https://x", "startup_timeout": 1.5,
      "headers": {"A": "b", "Authorization": "Bearer ${T}", "C": "${D}"}}),
    ("gemini", {"httpUrl": "https://x", "timeout": 5000, "includeTools": ["a"], "trust": True},
     {"url": "https://x", "timeout": 5, "tools": ["a"]}),
    ("gemini", {"url": "https://x/sse", "excludeTools": ["b"]},
     {"url": "https://x/sse", "type": "sse", "deny": ["b"]}),
    ("gemini", {"command": "x", "env": {"K": "$MY_KEY", "L": "${OTHER}"}},
     {"command": "x", "env": {"K": "${MY_KEY}", "L": "${OTHER}"}}),
    ("gemini", {"command": "$BIN/x", "args": ["--root", "$ROOT", "$5"], "cwd": "$WORK"},
     {"command": "${BIN}/x", "args": ["--root", "${ROOT}", "$5"], "cwd": "${WORK}"}),
    ("windsurf", {"serverUrl": "https://x", "disabledTools": ["b"]},
     {"url": "https://x", "deny": ["b"]}),
    ("zed", {"source": "custom", "command": "x", "args": [], "env": {"A": "1"}},
     {"command": "x", "env": {"A": "1"}}),
    ("zed", {"command": {"path": "x", "args": ["y"], "env": {"A": "1"}}},
     {"command": "x", "args": ["y"], "env": {"A": "1"}}),
]  # fmt: skip


@pytest.mark.parametrize(("client", "written", "expected"), CASES)
def test_what_a_client_writes_its_own_way_is_translated(
    candidate, repo, client, written, expected
) -> None:
    """X-27: milliseconds, httpUrl, serverUrl, …_sec, env_http_headers, $VAR."""
    found = translated(candidate(client, written), repo, lambda id: None)
    assert found.entry == expected
    text = json.dumps({"mcpServers": {"x": found.entry}})
    read = parse_servers(text, "servers.json", "user", repo)
    assert not read.problems and not read.warnings


@pytest.mark.parametrize(
    ("client", "written", "why"),
    [
        ("zed", {"source": "extension", "settings": {}}, "extension"),
        ("claude-code", {"url": "https://x", "headersHelper": "/bin/x"}, "headersHelper"),
        ("gemini", {"httpUrl": "https://x", "authProviderType": "google_credentials"}, "Google"),
        ("vscode", {"command": "x", "args": ["${command:pick}"]}, "command:pick"),
        ("vscode", {"command": "x", "env": {"A": "${input:key}"}}, "--input key=VALUE"),
        ("vscode", {"command": "x", "envFile": "nowhere.env"}, "envFile"),
    ],
)
def test_what_only_its_client_can_use_stays(candidate, repo, client, written, why) -> None:
    """X-27: what cannot be moved is named with its reason."""
    with pytest.raises(Stays, match=why):
        translated(candidate(client, written), repo, lambda id: None)


def test_an_input_is_filled_in_and_kept_as_a_secret(candidate, repo) -> None:
    """X-27: VS Code's `${input:ID}` is a secret of the user, in the open only among arguments."""
    written = {"command": "x", "args": ["${input:dir}"], "env": {"A": "Bearer ${input:key}"}}
    given = {"key": "k3y", "dir": "/d"}
    found = translated(candidate("vscode", written), repo, given.get)
    assert found.entry == {"command": "x", "args": ["/d"], "env": {"A": "Bearer k3y"}}
    assert found.private == {("env", "A")}
    with pytest.raises(Stays, match="arguments"):
        translated(candidate("vscode", written, "project"), repo, given.get)


def test_an_environment_file_is_read_and_stays_out_of_the_repository(candidate, repo) -> None:
    """X-27: `envFile` is read; what the entry says itself wins."""
    (repo / ".env").write_text('# mine\nexport A="one two"\nB=2 # note\nC=3\nnot a line\n')
    written = {"command": "x", "envFile": "${workspaceFolder}/.env", "env": {"C": "own"}}
    found = translated(candidate("vscode", written, "project"), repo, lambda id: None)
    assert found.entry["env"] == {"A": "one two", "B": "2", "C": "own"}
    assert found.private == {("env", "A"), ("env", "B")}
    assert not translated(candidate("cursor", written), repo, lambda id: None).private


def test_an_entry_for_one_project_alone_keeps_its_folder(candidate, repo) -> None:
    """X-27: Claude Code's local scope becomes an entry with `root`."""
    (repo / "run.sh").touch()
    found = translated(
        candidate("claude-code", {"command": "./run.sh"}, "local"), repo, lambda id: None
    )
    assert found.entry == {"command": str(repo / "run.sh"), "root": str(repo), "cwd": str(repo)}


def test_tools_that_ran_without_a_question_are_named(candidate, repo) -> None:
    """X-27: what cannot be carried over is said."""
    found = translated(
        candidate("windsurf", {"command": "x", "alwaysAllow": ["a"]}), repo, lambda id: None
    )
    assert found.entry == {"command": "x"}
    assert "asked for again" in found.remarks[0]
