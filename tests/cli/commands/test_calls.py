"""`toolcrib calls`: rows and lines of the record, for people and for scripts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "directive").mkdir(parents=True)
    (folder / "directive" / "agent_context.md").write_text("# Context\n")
    return folder


def ran(repo: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "TOOLCRIB_STATE": str(repo.parent / "state")}
    return subprocess.run(
        toolcrib("calls", *words), cwd=repo, env=env, capture_output=True, text=True
    )


def serve(repo: Path, *files: str) -> None:
    env = {"TOOLCRIB_STATE": str(repo.parent / "state")}
    with Pipe(toolcrib("serve"), cwd=repo, env=env) as pipe:
        pipe.initialize()
        for file in files:
            pipe.call("directive/file.get", {"path": file})
        pipe.hang_up()


def test_without_a_record_the_command_to_begin_with_is_told(repo: Path) -> None:
    """W-14: exit 1, `Calls are not recorded here.` and the command to type."""
    done = ran(repo)
    assert done.returncode == 1
    assert "Calls are not recorded here." in done.stderr and "toolcrib calls --on" in done.stderr


def test_without_a_record_a_script_is_told_as_json(repo: Path) -> None:
    """U-1, W-14: `--json` everywhere: an error is JSON too, with the same exit code."""
    done = ran(repo, "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 1 and done.stderr == ""
    assert (
        error["what"] == "Calls are not recorded here." and error["next"] == "toolcrib calls --on"
    )


def test_on_writes_two_lines_and_twice_is_no_change(repo: Path) -> None:
    """W-14: `--on` writes `audit = "auto"`; already recorded: says where, nothing written."""
    assert ran(repo, "--on").returncode == 0
    text = (repo / "toolcrib.toml").read_text()
    assert text.split() == ["[server]", "audit", "=", '"auto"']
    again = ran(repo, "--on", "--json")
    assert again.returncode == 0 and json.loads(again.stdout)["audit"].endswith(".jsonl")
    assert (repo / "toolcrib.toml").read_text() == text


def test_rows_and_lines_show_the_newest_and_what_fits(repo: Path) -> None:
    """W-14: oldest first, the newest N, filters; `--json` one recorded line per object."""
    ran(repo, "--on")
    serve(repo, "directive/agent_context.md", "directive/missing.md")
    lines = [json.loads(line) for line in ran(repo, "--json").stdout.splitlines()]
    assert [line["outcome"] for line in lines] == ["ok", "failed"] and lines[0]["v"] == 2
    (newest,) = [
        json.loads(line) for line in ran(repo, "--json", "--limit", "1").stdout.splitlines()
    ]
    assert newest["id"] == lines[1]["id"]
    assert ran(repo, "--outcome", "failed").stdout.count("directive/file.get") == 1
    assert ran(repo, "--client", "nobody").stdout == ""
    assert ran(repo, "--client", "nobody").returncode == 0
    assert ran(repo, "--since", "1h", "--tool", "directive/file.get").stdout.count(" ms ") == 2


def test_a_wrong_age_names_a_right_one(repo: Path) -> None:
    """W-14: exit 2 for a wrong option; `--since soon` names `90s`."""
    done = ran(repo, "--since", "soon")
    assert done.returncode == 2 and "90s" in done.stderr


def test_follow_shows_new_calls_and_ends_at_an_interrupt_with_0(repo: Path) -> None:
    """W-14: `--follow` shows a new line; INT ends it with 0."""
    ran(repo, "--on")
    serve(repo, "directive/agent_context.md")
    env = {**os.environ, "TOOLCRIB_STATE": str(repo.parent / "state")}
    follower = subprocess.Popen(
        toolcrib("calls", "--follow", "--json"),
        cwd=repo,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        # Whoever runs these tests in the background of a shell ignores it, and so would the child.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert follower.stdout is not None
    assert json.loads(follower.stdout.readline())["outcome"] == "ok"
    serve(repo, "directive/missing.md")
    assert json.loads(follower.stdout.readline())["outcome"] == "failed"
    follower.send_signal(signal.SIGINT)
    assert follower.wait(20) == 0
