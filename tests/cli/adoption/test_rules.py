"""Rules of clients that come along."""

from __future__ import annotations

import json

import pytest

from toolcrib.cli.adoption.rules import rules_of


def write(file, value) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))


def test_claude_codes_rules_come_along(machine, home, repo, candidate) -> None:
    """X-27: denied → deny, asked → approve; what was allowed is named."""
    write(home / ".claude/settings.json", {"permissions": {
        "deny": ["mcp__my_srv__drop", "mcp__other__x", "Bash(rm:*)"],
        "ask": ["mcp__my_srv__send_*"], "allow": ["mcp__my_srv__get"]}})  # fmt: skip
    write(repo / ".claude/settings.local.json", {"permissions": {"deny": ["mcp__my_srv__drop"]}})
    found = rules_of(candidate("claude-code", {}, name="my.srv"), machine, repo)
    assert (found.deny, found.approve, found.disabled) == (["drop"], ["send_*"], False)
    assert len(found.lost) == 1 and "mcp__my_srv__get" in found.lost[0]
    other = rules_of(candidate("claude-code", {}, name="my"), machine, repo)
    assert (other.deny, other.approve, other.lost) == ([], [], [])


@pytest.mark.parametrize("rule", ["mcp__srv", "mcp__srv__*", "mcp__*"])
def test_a_server_that_is_denied_as_a_whole_stays_denied(
    machine, home, repo, candidate, rule
) -> None:
    """X-27: rules for every tool of a server."""
    write(home / ".claude/settings.json", {"permissions": {"deny": [rule]}})
    assert rules_of(candidate("claude-code", {}, name="srv"), machine, repo).deny == ["*"]


def test_a_server_that_is_turned_off_stays_off(machine, home, repo, candidate) -> None:
    """X-27: Claude Code's and Gemini's lists of disabled servers."""
    write(repo / ".claude/settings.local.json", {"disabledMcpjsonServers": ["srv"]})
    write(home / ".claude.json", {"projects": {str(repo): {"disabledMcpServers": ["here"]}}})
    assert rules_of(candidate("claude-code", {}, "project", "srv"), machine, repo).disabled
    assert not rules_of(candidate("claude-code", {}, "user", "srv"), machine, repo).disabled
    assert rules_of(candidate("claude-code", {}, "local", "here"), machine, repo).disabled
    assert rules_of(candidate("claude-code", {}, "user", "here"), machine, repo).lost
    write(home / ".gemini/settings.json", {"mcp": {"excluded": ["srv"], "allowed": ["a", "srv"]}})
    assert rules_of(candidate("gemini", {}, name="srv"), machine, repo).disabled
    assert rules_of(candidate("gemini", {}, name="b"), machine, repo).disabled
    one = rules_of(candidate("gemini", {}, name="a"), machine, repo)
    assert not one.disabled and "add toolcrib" in one.lost[0]


def test_the_rules_of_cursor_codex_and_zed_come_along(machine, home, repo, candidate) -> None:
    """X-27: each in the way that its client writes them."""
    denied = ["Mcp(srv:drop)", "Mcp(srv, wipe)", "Mcp(x:y)"]
    rules = {"permissions": {"deny": denied, "allow": ["Mcp(srv:get)"]}}
    write(home / ".cursor/cli-config.json", rules)
    write(home / ".cursor/permissions.json", {"mcpAllowlist": ["srv:*"]})
    cursor = rules_of(candidate("cursor", {}, name="srv"), machine, repo)
    assert cursor.deny == ["drop", "wipe"] and len(cursor.lost) == 2
    written = {
        "default_tools_approval_mode": "prompt",
        "tools": {"get": {"approval_mode": "approve"}},
    }
    codex = rules_of(candidate("codex", written, name="srv"), machine, repo)
    assert codex.approve == ["*"] and len(codex.lost) == 1
    write(home / ".config/zed/settings.json", {"agent": {
        "tool_permissions": {"tools": {"mcp:srv:drop": {"default": "deny"},
                                       "mcp:srv:send": {"default": "confirm"},
                                       "mcp:srv:get": {"default": "allow"}}},
        "profiles": {"ask": {"context_servers": {"srv": {"tools": {"x": False}}}}}}})  # fmt: skip
    zed = rules_of(candidate("zed", {}, name="srv"), machine, repo)
    assert (zed.deny, zed.approve) == (["drop"], ["send"]) and len(zed.lost) == 2


def test_the_rules_of_geminis_policy_engine_come_along(machine, home, repo, candidate) -> None:
    """X-27: of a server, of one of its tools, and by their whole names; narrower ones are named."""
    folder = home / ".gemini/policies"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(
        """
[[rule]]
mcpName = "srv"
toolName = ["drop", "wipe"]
decision = "deny"
[[rule]]
mcpName = "*"
toolName = "send"
decision = "ask_user"
[[rule]]
toolName = "mcp_srv_burn"
decision = "deny"
[[rule]]
mcpName = "srv"
toolName = "look"
argsPattern = "x"
decision = "deny"
[[rule]]
mcpName = "other"
decision = "deny"
[[rule]]
toolName = "run_shell_command"
decision = "deny"
"""
    )
    settings = {"tools": {"exclude": ["mcp_srv_old", "write_file"]}}
    (home / ".gemini/settings.json").write_text(json.dumps(settings))
    found = rules_of(candidate("gemini", {"command": "x"}, name="srv"), machine, repo)
    assert sorted(found.deny) == ["burn", "drop", "old", "wipe"]
    assert found.approve == ["send"]
    assert len(found.lost) == 1 and "look" in found.lost[0]


def test_rules_that_cannot_be_read_are_named(machine, home, repo, candidate) -> None:
    """X-27: they may deny something."""
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text("{")
    assert "settings.json" in rules_of(candidate("claude-code", {}), machine, repo).lost[0]
    assert rules_of(candidate("windsurf", {}), machine, repo).lost == []
