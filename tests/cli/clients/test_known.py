"""What a client's files say of this project's server, and what doctor makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def program(home: Path, name: str, body: str) -> None:
    """Put a program on the PATH."""
    file = home / "bin" / name
    file.write_text(f"#!/usr/bin/env -S /bin/sh\n{body}\n")
    file.chmod(0o755)


def about_clients(ran):
    (found,) = [each for each in ran.json["findings"] if each["group"] == "clients"]
    return found


def test_a_server_of_another_name_is_known_and_asked_for_by_it(home, repo, toolcrib):
    """U-1: `install --name shop`: doctor looks for the server, not for the usual name."""
    program(home, "toolcrib", "exit 0")
    program(home, "codex", "[ $2 = list ] && echo 'shop  toolcrib  serve  -  enabled  Unsupported'")
    assert toolcrib("install", "codex", "--name", "shop").code == 0
    found = about_clients(toolcrib("doctor", "--json"))
    assert found["level"] == "ok"
    assert found["text"] == "Codex has this server (project, as shop)"


def test_a_server_of_another_name_that_starts_nothing_is_installed_again_by_it(
    home, repo, toolcrib
):
    """U-1: the command that cures names the entry that is wrong."""
    server = {"command": "/gone/toolcrib", "args": ["serve"]}
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"mcpServers": {"shop": server}}))
    found = about_clients(toolcrib("doctor", "--json"))
    assert found["level"] == "error"
    assert found["cure"] == "toolcrib install cursor --scope user --name shop"


@pytest.mark.parametrize(
    "server",
    [
        {"command": "toolcrib", "args": ["serve", "--project", "/srv/another"]},
        {"command": "toolcrib", "args": ["climax", "run", "git"]},
        {"command": "node", "args": ["serve"]},
        {"url": "https://example.org/toolcrib/serve"},
    ],
)
def test_what_serves_something_else_is_not_this_server(server, home, repo, toolcrib):
    """U-1: a tick for another project's server would be a wrong one."""
    program(home, "toolcrib", "exit 0")
    file = home / ".codeium/windsurf/mcp_config.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"mcpServers": {"shop": server}}))
    found = about_clients(toolcrib("doctor", "--json"))
    assert found["text"] == "Windsurf does not know this server"


def disable(repo: Path) -> Path:
    file = repo / ".codex/config.toml"
    file.write_text(f"{file.read_text().rstrip()}\nenabled = false\n")
    return file


def test_a_server_that_is_disabled_is_enabled_and_not_trusted(home, repo, toolcrib):
    """U-1: the step that Codex still wants is in its file; trust would change nothing."""
    program(home, "toolcrib", "exit 0")
    line = "toolcrib  toolcrib  serve  -  disabled  Unsupported"
    program(home, "codex", f"[ $2 = list ] && echo '{line}'")
    assert toolcrib("install", "codex").code == 0
    file = disable(repo)
    found = about_clients(toolcrib("doctor", "--json"))
    assert found["level"] == "warning"
    assert found["text"] == (
        "Codex is configured for this server (project), but it is disabled there"
    )
    assert found["cure"] == f"set enabled to true for the server toolcrib in {file}"
    (again,) = toolcrib("install", "codex", "--json").json["changes"]
    assert (again["client_says"], again["next"]) == ("off", found["cure"])


def test_a_disabled_server_is_told_where_the_client_cannot_be_asked(home, repo, toolcrib):
    """U-1: what its file says is enough."""
    program(home, "toolcrib", "exit 0")
    (home / ".codex").mkdir()
    assert toolcrib("install", "codex").code == 0
    disable(repo)
    assert "it is disabled there" in about_clients(toolcrib("doctor", "--json"))["text"]


@pytest.mark.parametrize(
    ("settings", "words", "plain"),
    [
        ('names = "safe"', [], True),
        ('names = "safe"', ["--names", "exact"], False),
        ('names = "exact"', ["--names=safe"], True),
        ('names = "exact"', [], False),
    ],
)
def test_plain_names_may_be_chosen_by_the_settings(settings, words, plain, home, repo, toolcrib):
    """S-7, S-4: `[server] names` counts unless the entry's own words say otherwise."""
    program(home, "toolcrib", "exit 0")
    (repo / "toolcrib.toml").write_text(f"[server]\n{settings}\n")
    server = {"command": "toolcrib", "args": ["serve", "--project", str(repo), *words]}
    file = home / ".config/Claude/claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"mcpServers": {"toolcrib": server}}))
    told = about_clients(toolcrib("doctor", "--json"))["text"]
    assert ("needs plain tool names" not in told) is plain


@pytest.mark.parametrize(
    ("settings", "level"),
    [
        ({"enabledMcpjsonServers": ["toolcrib"]}, "ok"),
        ({"enableAllProjectMcpServers": True, "permissions": {"allow": ["Bash(ls)"]}}, "ok"),
        ({"enabledMcpjsonServers": ["toolcrib"], "apiKeyHelper": "./key"}, "warning"),
        ({"hooks": {}}, "warning"),
        (["enabledMcpjsonServers"], "warning"),
        ("{", "warning"),
    ],
)
def test_an_approval_is_ticked_and_nothing_else_is_started_for_it(
    settings, level, home, repo, toolcrib, monkeypatch
):
    """U-1: what Claude Code itself writes then does not keep it from being asked."""
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    program(home, "toolcrib", "exit 0")
    mark = home / "asked"
    line = "toolcrib: toolcrib serve - ✔ Connected"
    program(home, "claude", f"[ $2 = list ] && : > '{mark}' && echo '{line}'")
    assert toolcrib("install", "claude-code").code == 0
    mark.unlink()
    (repo / ".claude").mkdir()
    text = settings if isinstance(settings, str) else json.dumps(settings)
    (repo / ".claude/settings.local.json").write_text(text)
    found = about_clients(toolcrib("doctor", "--json"))
    assert found["level"] == level
    assert mark.exists() is (level == "ok")
