"""A home that is not mine, and the command as people type it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from toolcrib.cli import main
from toolcrib.running.sandbox import places


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and a PATH on which nothing but ./bin is found."""
    folder = tmp_path / "home"
    (folder / "bin").mkdir(parents=True)
    trust = os.environ.get("TOOLCRIB_TRUST")
    for name in [name for name in os.environ if name.startswith(("XDG_", "TOOLCRIB_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    if trust is not None:
        monkeypatch.setenv("TOOLCRIB_TRUST", trust)
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.setenv("NO_COLOR", "1")
    # This home lies in a temporary folder, where no program of the machine is looked for.
    monkeypatch.setattr(places, "temporary_folders", lambda environment: [])
    return folder


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty repository, with a space in its path."""
    folder = tmp_path / "my repo"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def toolcrib(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Type a command in the repository."""
    monkeypatch.chdir(repo)

    def run(*words: str) -> Ran:
        try:
            code = main(words)
        except SystemExit as done:
            code = int(done.code or 0)
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def shop(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example shop in a repository of its own, with python3 to be found."""
    example = Path(__file__).parents[2] / "examples" / "shop"
    shutil.copytree(
        example, repo, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "var")
    )
    (home / "bin" / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{home / 'bin'}:/usr/local/bin:/usr/bin:/bin")
    return repo
