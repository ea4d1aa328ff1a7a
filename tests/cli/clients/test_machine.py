"""Programs of this machine, and those that only look like it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolcrib.cli.clients.machine import Machine

FAKE = """#!/bin/sh
echo "$0 $@" >> {mark}
echo "toolcrib: toolcrib serve - ✓ Connected"
"""


def program(folder: Path, name: str, mark: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(FAKE.format(mark=mark))
    (folder / name).chmod(0o755)
    return folder / name


@pytest.mark.parametrize("where", [".", "", "node_modules/.bin", ".venv/bin", "{repo}", "{link}"])
def test_no_program_of_the_repository_is_taken_for_one_of_the_machine(
    where: str, home: Path, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: clients are never found below the project, on whatever search path."""
    (tmp_path / "link").symlink_to(repo)
    monkeypatch.chdir(repo)
    folder = where.format(repo=repo, link=tmp_path / "link")
    for each in (repo, repo / folder):
        program(each, "claude", tmp_path / "mark")
    absolute = folder if os.path.isabs(folder) or folder in ("", ".") else str(repo / folder)
    monkeypatch.setenv("PATH", absolute)
    assert Machine.here(repo).program("claude") is None
    own = program(home / "bin", "claude", tmp_path / "mark")
    monkeypatch.setenv("PATH", os.pathsep.join((absolute, str(home / "bin"))))
    assert Machine.here(repo).program("claude") == str(own)


def test_a_link_into_the_repository_is_none_either(home: Path, repo: Path, tmp_path: Path) -> None:
    """T-14: what counts is where the program truly lies."""
    (home / "bin" / "claude").symlink_to(program(repo / "bin", "claude", tmp_path / "mark"))
    assert Machine.here(repo).program("claude") is None


def test_a_program_where_commands_may_write_is_none(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: nor below another place that a command may write, such as a temporary folder."""
    found = program(tmp_path / "elsewhere", "claude", tmp_path / "mark")
    monkeypatch.setenv("PATH", str(found.parent))
    monkeypatch.setenv("TMPDIR", str(found.parent))
    assert Machine.here(repo).program("claude") is None


def test_doctor_starts_no_client_in_a_repository_that_nobody_trusted(
    home: Path,
    repo: Path,
    tmp_path: Path,
    toolcrib: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """T-1: none of them runs code of the repo to find out: a client that is asked in a folder may
    start the servers that this folder's files name.
    """
    mark = tmp_path / "mark"
    program(home / "bin", "claude", mark)
    (repo / ".mcp.json").write_text('{"mcpServers": {"toolcrib": {"command": "/bin/true"}}}')
    (repo / "toolcrib.toml").write_text('[custom]\nmodules = ["mine.py"]\n')
    (repo / "mine.py").write_text("")
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    monkeypatch.setenv("CLAUDECODE", "")
    ran = toolcrib("doctor")
    assert not mark.exists()
    (told,) = [line for line in ran.out.splitlines() if "Claude Code" in line]
    assert "⚠" in told and "is configured for this server (project)" in told and "not asked" in told
    assert toolcrib("trust", "--yes").code == 0
    assert "Claude Code has this server" in toolcrib("doctor").out
    assert "mcp list" in mark.read_text()


@pytest.mark.parametrize(
    ("file", "text", "asked"),
    [
        (None, "", True),
        (".mcp.json", '{"mcpServers": {"toolcrib": OURS, "x": {"command": "./evil"}}}', False),
        (".mcp.json", '{"mcpServers": {"toolcrib": {"command": "./evil"}}}', False),
        (".mcp.json", '{"mcpServers": {"toolcrib": OURS}, "more": 1}', False),
        (".claude/settings.json", '{"hooks": {}}', False),
    ],
)
def test_a_client_is_asked_where_the_repository_leads_it_to_nothing_but_us(
    file, text, asked, home, repo, tmp_path, toolcrib, monkeypatch
):
    """U-1: a tick only where the client itself says so, also where nothing is there to trust;
    T-1: nothing that the repository names is started to find out.
    """
    mark = tmp_path / "mark"
    program(home / "bin", "claude", mark)
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    monkeypatch.setenv("CLAUDECODE", "")
    toolcrib("install", "claude-code")
    ours = json.dumps(json.loads((repo / ".mcp.json").read_text())["mcpServers"]["toolcrib"])
    if file is not None:
        (repo / file).parent.mkdir(exist_ok=True)
        (repo / file).write_text(text.replace("OURS", ours))
    mark.unlink(missing_ok=True)
    out = toolcrib("doctor").out
    assert mark.exists() is asked
    assert ("Claude Code has this server" in out) is asked
    assert "→ toolcrib trust" not in out, "it would say that there is nothing to trust"
    assert ("not asked" in out) == ("→ claude mcp list" in out)
