"""What a person does at a terminal is in the record of the project's calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.hostile import toolcrib

CONFIG = "name: own\ncommand: echo\ntools:\n  - {name: own_hi, description: Say hi}\n"


@pytest.fixture(autouse=True)
def nobody_trusts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    for name in ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def events(tmp_path: Path) -> list[dict[str, object]]:
    (file,) = (tmp_path / "state" / "audit").glob("*.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [line for line in lines if "event" in line]


def test_trusting_and_revoking_are_in_the_record(tmp_path: Path) -> None:
    """T-21, W-4: events trust and revoke, with digest, files and who it was."""
    repo = tmp_path / "own"
    (repo / "climax").mkdir(parents=True)
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    (repo / "toolcrib.toml").write_text('[server]\naudit = "auto"\n')
    digest = toolcrib(repo, "trust", "--digest").stdout.strip()
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    assert toolcrib(repo, "trust", "--revoke").returncode == 0
    first, second = events(tmp_path)
    assert (first["event"], first["trust"]) == ("trust", digest)
    assert first["files"] == ["climax/own.yaml"] and first["by"]
    assert (second["event"], second["trust"]) == ("revoke", [digest])


def test_a_record_that_only_trust_allows_hears_of_its_end(tmp_path: Path) -> None:
    """T-21: the place of `audit` is an acting setting, and is gone with the trust in it."""
    repo = tmp_path / "own"
    repo.mkdir()
    (repo / "toolcrib.toml").write_text('[server]\naudit = "calls.jsonl"\n')
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    assert toolcrib(repo, "trust", "--revoke").returncode == 0
    lines = [json.loads(line) for line in (repo / "calls.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["trust", "revoke"]


def test_remembered_approvals_are_in_the_record(tmp_path: Path) -> None:
    """T-21, T-20: approve and revoke, with the tool and who it was."""
    repo = tmp_path / "own"
    (repo / "climax").mkdir(parents=True)
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    (repo / "toolcrib.toml").write_text('[server]\naudit = "auto"\n')
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    assert toolcrib(repo, "approve", "--always", "own_hi", "--yes").returncode == 0
    assert toolcrib(repo, "approve", "--revoke", "own_hi").returncode == 0
    _, approved, revoked = events(tmp_path)
    assert approved["event"] == "approve" and approved["tool"] == "own_hi" and approved["by"]
    assert approved["how"] == "remembered"
    assert (revoked["event"], revoked["approvals"]) == ("revoke", 1)


def test_where_nothing_is_recorded_nothing_is_written(tmp_path: Path) -> None:
    """T-21: the opposite: no record, no file."""
    repo = tmp_path / "own"
    (repo / "climax").mkdir(parents=True)
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    assert not (tmp_path / "state" / "audit").exists()
