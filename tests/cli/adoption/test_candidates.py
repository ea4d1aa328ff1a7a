"""The servers that clients have."""

from __future__ import annotations

import json

import pytest

from toolcrib.cli.adoption.candidates import candidates
from toolcrib.cli.clients import registry
from toolcrib.core.errors import ConfigError


def test_the_scopes_of_a_person_are_read_and_the_project_only_where_asked_for(
    machine, home, repo
) -> None:
    """X-27: project scope is adopted only with `--scope project`."""
    (repo / ".mcp.json").write_text(json.dumps({"mcpServers": {"p": {"command": "x"}}}))
    local = {"mcpServers": {"l": {"command": "x"}, "odd": 3}}
    (home / ".claude.json").write_text(
        json.dumps({"mcpServers": {"u": {"command": "x"}}, "projects": {str(repo): local}})
    )
    every = [registry.get("claude-code"), registry.get("zed")]
    assert [(each.name, each.scope) for each in candidates(machine, repo, every, None)] == [
        ("l", "local"), ("u", "user"),
    ]  # fmt: skip
    assert [each.name for each in candidates(machine, repo, every, "project")] == ["p"]
    assert [each.name for each in candidates(machine, repo, every, None, ["u"])] == ["u"]
    assert candidates(machine, repo, every, "local")[0].shown == "l of Claude Code (local)"


def test_a_file_that_cannot_be_read_is_an_error_with_its_place(machine, home, repo) -> None:
    """X-27: nothing is moved on a guess."""
    (home / ".claude.json").write_text('{"mcpServers": {')
    with pytest.raises(ConfigError, match=r"\.claude\.json"):
        candidates(machine, repo, [registry.get("claude-code")], None)
