"""Threads that a server has lost, told to `toolcrib doctor`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolcrib.files.identity import project_identity
from toolcrib.server.losses import losses_of

LOSE = """
import sys, threading, time
from pathlib import Path
from toolcrib.core.support.workers import WORKERS
from toolcrib.server.losses import NOTE, losses_of
project = Path(sys.argv[1])
NOTE.cover(project)
WORKERS.lost = lambda: {"nap": 3}
WORKERS.on_loss()
while not list(losses_of(project)):
    time.sleep(0.01)
print([(each.tools, list(losses_of(project / 'other'))) for each in losses_of(project)])
"""


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of notes, in a state folder of its own."""
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    folder = tmp_path / "state" / "lost-threads"
    folder.mkdir(parents=True)
    return folder


def note(folder: Path, project: Path, pid: int, **changed: object) -> None:
    told = {"pid": pid, "projects": [project_identity(project)], "tools": {"nap": 2}, **changed}
    (folder / f"{pid}.json").write_text(json.dumps(told))


def test_a_process_tells_its_losses_while_it_runs(notes: Path, tmp_path: Path) -> None:
    """K-17: for the projects that it serves and no other; the note goes with the process."""
    (tmp_path / "other").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", LOSE, str(tmp_path)], capture_output=True, text=True, timeout=30
    )
    assert done.stdout.strip() == "[({'nap': 3}, [])]", done.stderr
    assert list(notes.glob("*.json")) == [] and list(losses_of(tmp_path)) == []


def test_a_note_of_a_dead_process_or_a_broken_one_says_nothing(notes: Path, tmp_path: Path) -> None:
    """K-17: only servers that run are told of; a torn note is no error of doctor."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    note(notes, tmp_path, gone.pid)
    (notes / "1.json").write_text("{")
    (notes / "2.json").write_text('{"pid": 1, "projects": 3, "tools": {}}')
    assert list(losses_of(tmp_path)) == []
    note(notes, tmp_path, os.getpid())
    assert [each.tools for each in losses_of(tmp_path)] == [{"nap": 2}]
