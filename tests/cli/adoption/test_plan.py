"""Which servers move, under which names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolcrib.cli.adoption.literals import KeptSecrets
from toolcrib.cli.adoption.plan import Plan, Planner, Targets, file_edits


@pytest.fixture
def planned(machine, home, repo):
    targets = Targets(repo / "mcp/servers.json", home / "servers.json", home / "config.toml")

    def make(*candidates) -> tuple[Plan, Targets]:
        plan = Plan(repo, KeptSecrets(home / "secrets", {}))
        return Planner(machine, plan, targets, lambda id: None).planned(candidates), targets

    return make


def test_the_same_definition_in_two_clients_is_one_entry(candidate, planned) -> None:
    """X-27: also where one of them writes it in another way; the rules of both hold."""
    one = candidate("cursor", {"command": "x", "env": {"A_KEY": "k3y"}})
    two = candidate("zed", {"command": {"path": "x", "env": {"A_KEY": "k3y"}}})
    plan, _ = planned(one, two)
    assert [(move.name, len(move.sources)) for move in plan.moves] == [("github", 2)]
    assert plan.secrets.values == {"github-A_KEY": "k3y"}


def test_one_name_with_two_definitions_becomes_two(candidate, planned) -> None:
    """X-27: the second becomes `NAME-2`, and a person is told."""
    plan, _ = planned(*(candidate("cursor", {"command": each}) for each in "xyz"))
    assert [move.name for move in plan.moves] == ["github", "github-2", "github-3"]
    assert any("becomes github-2: that name is taken" in remark for remark in plan.remarks)


def test_a_refused_name_gets_the_proposed_one(candidate, planned) -> None:
    """X-27, X-3: names of clients may have blanks."""
    plan, _ = planned(candidate("claude-desktop", {"command": "x"}, name="my server!"))
    assert plan.moves[0].name == "my-server"


def test_what_our_file_has_already_is_not_written_twice(candidate, planned, home) -> None:
    """X-27: a second client that has the same server only loses its entry."""
    known = {"command": "x", "sandbox": "auto", "deny": ["a"]}
    (home / "servers.json").write_text(json.dumps({"mcpServers": {"gh": known}}))
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {"github": {"command": "x"}}}')
    plan, targets = planned(candidate("cursor", {"command": "x"}))
    assert plan.moves[0].there
    assert {change.path.name for change in file_edits(plan, targets, {})} == {
        "config.toml",
        "mcp.json",
    }


def test_toolcrib_itself_never_moves_behind_itself(candidate, planned) -> None:
    """X-3: its own entry is left alone."""
    plan, _ = planned(candidate("cursor", {"command": "toolcrib", "args": ["serve"]}))
    assert not plan.moves and not plan.stays


def test_what_the_gateway_could_not_use_stays(candidate, planned) -> None:
    """X-27: an entry that is broken where it stands is named."""
    plan, _ = planned(candidate("cursor", {"command": 3}), candidate("cursor", {}))
    assert not plan.moves
    assert "must be text" in plan.stays[0][1] and "neither" in plan.stays[1][1]


def test_our_files_are_changed_before_those_of_clients(candidate, planned, home) -> None:
    """X-28: the order in which a crash leaves every server somewhere."""
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"github": {"command": "x", "env": {"A_KEY": "k"}}}}')
    plan, targets = planned(candidate("cursor", {"command": "x", "env": {"A_KEY": "k"}}))
    files = [change.path for change in file_edits(plan, targets, {})]
    assert files == [targets.config, targets.user, file]
    kept = file_edits(plan, targets, {"climax": {"approve": "never"}})[0]
    assert [edit.keys for edit in kept.edits] == [("secrets", "github-A_KEY")]


def test_a_toolcrib_that_serves_chosen_packs_serves_the_gateway_too(
    candidate, planned, home
) -> None:
    """X-27: else the servers would be gone from that client."""
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    ours = {"command": "toolcrib", "args": ["serve", "guide", "--project", "/p"]}
    file.write_text(json.dumps({"mcpServers": {"tc": ours, "github": {"command": "x"}}}))
    plan, targets = planned(candidate("cursor", {"command": "x"}))
    edits = file_edits(plan, targets, {})[-1].edits
    assert edits[-1].keys == ("mcpServers", "tc", "args")
    assert edits[-1].after == ["serve", "gateway", "guide", "--project", "/p"]
    ours["args"] = ["serve", "--project", "/p"]
    file.write_text(json.dumps({"mcpServers": {"tc": ours, "github": {"command": "x"}}}))
    assert len(file_edits(plan, targets, {})[-1].edits) == 1


def test_secrets_of_what_stays_are_not_kept(candidate, planned) -> None:
    """X-27: what fails stays where it was, whole."""
    plan, _ = planned(candidate("cursor", {"command": "x", "env": {"A_KEY": "k"}}))
    plan.fails(plan.moves[0], "why")
    assert plan.secrets.values == {} and plan.stays[0][1] == "why"


def test_a_project_moves_to_its_own_file(candidate, planned) -> None:
    """X-27: project scope: the repo's, others: the user's."""
    plan, targets = planned(candidate("claude-code", {"command": "x"}, "project"))
    assert plan.moves[0].file == targets.repo
    assert isinstance(targets.repo, Path)
