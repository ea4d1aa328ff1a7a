"""Policies: tightening needs nobody, loosening waits, nothing that looks like one is ignored."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from support.hostile import toolcrib
from support.pipe import Pipe
from support.pipe import toolcrib as command
from support.waiting import until

CONFIG = """
name: own
command: echo
tools:
  - {name: own_one, description: One, command: one}
  - {name: own_two, description: Two, command: two}
"""


@pytest.fixture
def plain(alone: Path) -> Path:
    """A trusted repository with a config in climax/ and a policy that allows one of its tools."""
    repo = alone / "repo"
    (repo / "climax").mkdir(parents=True)
    (repo / ".git").mkdir()
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    (repo / "climax" / "policy.yaml").write_text("tools:\n  own_one: {}\n")
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    return repo


def allowed(repo: Path, tool: str) -> bool:
    return toolcrib(repo, "policy", "explain", tool).returncode == 0


def test_an_edit_that_allows_waits_and_one_that_forbids_holds(plain: Path) -> None:
    """T-5, FAULTS: within seconds in a server that runs; broken refuses everything."""
    policy = plain / "climax" / "policy.yaml"
    with Pipe(command("serve"), cwd=plain) as pipe:
        pipe.initialize()

        def runs(tool: str) -> bool:
            return not pipe.call("climax_call", {"tool_name": tool})["isError"]

        assert runs("own_one") and not runs("own_two")
        policy.write_text("default: enabled\n")
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            assert not runs("own_two"), "an edit that allows has to wait"
        policy.write_text("default: disabled\n")
        until(lambda: not runs("own_one"))
        policy.write_text("tools:\n  own_one: {}\n")
        until(lambda: runs("own_one"))
        policy.write_text("tools: [broken\n")
        until(lambda: not runs("own_one"))
        policy.unlink()
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            assert not runs("own_two"), "a policy that held does not vanish"
    assert not allowed(plain, "own_two"), "nor does it after a restart"


@pytest.mark.parametrize("trusted", [True, False], ids=["by record", "by all"])
def test_a_policy_that_is_renamed_away_does_not_open_anything(plain: Path, trusted: bool) -> None:
    """T-5: deleted, renamed or no longer named, it holds; with `all` until the process ends."""
    env = {} if trusted else {"TOOLCRIB_TRUST": "all"}
    with Pipe(command("serve"), cwd=plain, env=env) as pipe:
        pipe.initialize()
        assert pipe.call("climax_call", {"tool_name": "own_two"})["isError"]
        (plain / "climax" / "policy.yaml").rename(plain / "elsewhere.yaml")
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            assert pipe.call("climax_call", {"tool_name": "own_two"})["isError"]


@pytest.mark.parametrize(
    "name",
    [
        "climax/Policy.yaml",
        "climax/policies.yaml",
        "climax/POLICY.yml",
        "climax/policy.json",
        "climax/policy",
        "tools/policy.yaml",
        ".climax/policies",
        "tools/rules.yaml",
    ],
)
def test_a_policy_that_is_not_in_use_refuses_every_call(alone: Path, name: str) -> None:
    """T-5: misnamed or misplaced; start-up and doctor name it."""
    repo = alone / "stray"
    (repo / "climax").mkdir(parents=True)
    (repo / ".git").mkdir()
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text("default: disabled\n")
    toolcrib(repo, "trust", "--yes")
    explained = toolcrib(repo, "policy", "explain", "own_one")
    assert explained.returncode == 1 and name in explained.stdout
    assert name in toolcrib(repo, "doctor").stdout
    assert toolcrib(repo, "call", "own_one").returncode != 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tools/values.yaml", "default: 3\nlimits: {}\n"),
        ("tools/compose.yaml", "services: {}\n"),
        ("tools/list.yaml", "tools: [a, b]\n"),
        ("docs/policy.yaml", "default: disabled\n"),
        ("climax/policy.md", "# Policy\n"),
    ],
)
def test_what_only_resembles_a_policy_changes_nothing(alone: Path, name: str, text: str) -> None:
    """T-5: anything else is at most a warning."""
    repo = alone / "calm"
    (repo / "climax").mkdir(parents=True)
    (repo / ".git").mkdir()
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text(text)
    toolcrib(repo, "trust", "--yes")
    assert allowed(repo, "own_one")


def test_beside_a_named_config_and_switched_off(alone: Path) -> None:
    """T-5: beside a named config it refuses; `policy = ''` chooses none, and doctor names it."""
    repo = alone / "named"
    (repo / "mine").mkdir(parents=True)
    (repo / ".git").mkdir()
    (repo / "mine" / "own.yaml").write_text(CONFIG)
    (repo / "mine" / "policy.yaml").write_text("default: disabled\n")
    settings = repo / "toolcrib.toml"
    settings.write_text('[climax]\nconfigs = ["mine/own.yaml"]\n')
    toolcrib(repo, "trust", "--yes")
    assert not allowed(repo, "own_one")
    settings.write_text('[climax]\nconfigs = ["mine/own.yaml"]\npolicy = ""\n')
    toolcrib(repo, "trust", "--yes")
    assert allowed(repo, "own_one")
    assert "mine/policy.yaml" in toolcrib(repo, "doctor").stdout
    settings.write_text('[climax]\nconfigs = ["mine/own.yaml"]\npolicy = "mine/policy.yaml"\n')
    toolcrib(repo, "trust", "--yes")
    assert not allowed(repo, "own_one")


def test_the_persons_policy_counts_and_every_layer_is_shown(plain: Path) -> None:
    """T-5: `policy explain` shows each layer's line; a broken layer refuses everything."""
    own = plain.parent / "config" / "toolcrib"
    own.mkdir()
    (own / "policy.yaml").write_text("# mine\ndeny: [own_two]\n")
    shown = json.loads(toolcrib(plain, "policy", "explain", "own_one", "--json").stdout)
    assert shown["allowed"]
    layers = [(each["layer"], each["allows"]) for each in shown["decisions"]]
    assert layers == [("person", True), ("repository", True)]
    (own / "policy.yaml").write_text("deny: [own_one]\n")
    explained = toolcrib(plain, "policy", "explain", "own_one", "--json")
    first = json.loads(explained.stdout)["decisions"][0]
    assert explained.returncode == 1
    assert (first["layer"], first["rule"], first["line"]) == ("person", "deny: own_one", 1)
    (own / "policy.yaml").write_text("deny: {\n")
    assert not allowed(plain, "own_one")


def test_forgetting_looser_versions_is_the_default(plain: Path) -> None:
    """T-3: where a new policy is stricter than an earlier record's, those are forgotten."""
    policy = plain / "climax" / "policy.yaml"
    loose = policy.read_text()
    policy.write_text("default: disabled\n")
    assert toolcrib(plain, "trust", "--yes").returncode == 0
    policy.write_text(loose)
    assert toolcrib(plain, "trust", "--check").returncode == 1
