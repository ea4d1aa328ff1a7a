"""What the record of calls says of trust."""

from __future__ import annotations

import json
from pathlib import Path

from support.hostile import toolcrib
from support.pipe import Pipe
from support.pipe import toolcrib as command

CONFIG = "name: own\ncommand: echo\ntools:\n  - {name: own_one, description: One, command: one}\n"


def test_each_call_says_what_was_trusted_and_which_lines_decided(alone: Path) -> None:
    """T-21: the digest of what acts, and `file:line` of each layer."""
    repo = alone / "repo"
    (repo / "climax").mkdir(parents=True)
    (repo / ".git").mkdir()
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    (repo / "climax" / "policy.yaml").write_text("tools:\n  own_one: {}\n")
    toolcrib(repo, "trust", "--yes")
    digest = toolcrib(repo, "trust", "--digest").stdout.strip()
    log = alone / "calls.jsonl"
    with Pipe([*command("serve"), "--audit", str(log)], cwd=repo) as pipe:
        pipe.initialize()
        assert not pipe.call("climax_call", {"tool_name": "own_one"})["isError"]
        pipe.hang_up()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (line,) = [each for each in lines if each.get("tool") == "own_one"]
    assert line["trust"] == digest
    assert line["layers"] == ["climax/policy.yaml:2"]


def test_a_rule_is_explained_by_its_number(alone: Path) -> None:
    """T-22: `toolcrib explain T-…`; one that is not there is an error."""
    told = toolcrib(alone, "explain", "T-6")
    assert told.returncode == 0 and "toolcrib trust" in told.stdout
    assert toolcrib(alone, "explain", "T-99").returncode == 2
