"""What the tests of trust share: a state folder of their own, and no blanket trust."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hostile import hostile


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is trusted, and this person has trusted nothing yet."""
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    for name in ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI"):
        monkeypatch.delenv(name, raising=False)
    for name in ("state", "config", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def mark(alone: Path) -> Path:
    """The file that appears if anything of the repository runs."""
    return alone / "mark"


@pytest.fixture
def repo(alone: Path, mark: Path) -> Path:
    """A freshly cloned hostile repository."""
    outside = alone / "outside"
    outside.mkdir()
    return hostile(alone / "repo", mark=mark, outside=outside)
