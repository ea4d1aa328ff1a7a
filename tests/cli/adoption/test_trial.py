"""Each server is connected once before it moves."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from toolcrib.cli.adoption.literals import KeptSecrets
from toolcrib.cli.adoption.plan import Plan, Planner, Targets
from toolcrib.cli.adoption.trial import try_all, variants
from toolcrib.core.errors import CallError

NEEDS = """
import os, runpy, sys
os.environ["A_KEY"] == "k3yk3y" or sys.exit(3)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
ODD = Path(__file__).parents[2] / "support" / "odd_server.py"


async def nothing(name: str) -> str:
    raise CallError(f"no secret {name}")


def odd(**switches) -> dict:
    return {"command": sys.executable, "args": [str(ODD), json.dumps(switches)]}


def test_what_works_moves_and_what_fails_stays_with_its_reason(
    candidate, machine, home, repo
) -> None:
    """X-27: a server that cannot be started is named; the new secrets are at hand already."""
    good = {"command": sys.executable, "args": ["-c", NEEDS, str(ODD)], "env": {"A_KEY": "k3yk3y"}}
    targets = Targets(repo / "mcp/servers.json", home / "servers.json", home / "config.toml")
    plan = Plan(repo, KeptSecrets(home / "secrets", {}))
    found = [
        candidate("cursor", good, name="good"),
        candidate("cursor", {"command": "/nowhere"}, name="bad"),
        candidate("cursor", {**odd(), "env": {"X": "secret:gone"}}, name="unset"),
        candidate("cursor", {"command": "/nowhere", "disabled": True}, name="off"),
    ]
    Planner(machine, plan, targets, lambda id: None).planned(found)
    failed = asyncio.run(try_all(plan, nothing, trusted=True))
    assert set(failed) == {"bad", "unset"}
    assert "was not found" in failed["bad"] and "no secret gone" in failed["unset"]
    assert plan.moves[0].entry["sandbox"] in ("auto", "off")


def test_a_program_is_tried_inside_first(tmp_path) -> None:
    """X, exactly: `adopt` tries each inside first; folders among its arguments may be written."""
    outside = tmp_path / "notes"
    outside.mkdir()
    entry = {"command": "x", "args": [str(outside), str(tmp_path / "repo"), "word"]}
    (tmp_path / "repo").mkdir()
    inside, off = variants(entry, "user", tmp_path / "repo")
    assert inside == {**entry, "sandbox": "auto", "writes": [str(outside)]}
    assert off == {**entry, "sandbox": "off"}
    assert variants(entry, "project", tmp_path / "repo")[0]["network"] == "full"
    assert variants({"url": "https://x"}, "user", tmp_path) == [{"url": "https://x"}]
