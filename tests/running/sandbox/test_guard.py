"""Protected files before and after a call, without any sandbox."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolcrib.running.sandbox.guard import ProtectedFiles
from toolcrib.running.sandbox.layout import Layout
from toolcrib.running.sandbox.profile import NOTHING, Access


@pytest.fixture
def guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ProtectedFiles, Path]:
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    project = tmp_path / "project"
    project.mkdir()
    return ProtectedFiles(Layout(project, (), (), lambda: [f"{project}/toolcrib.toml"])), project


def test_what_was_there_stays(guard: tuple[ProtectedFiles, Path]) -> None:
    """T-14: only what appears is taken away; a person may write their own files meanwhile."""
    watch, project = guard
    (project / ".mcp.json").write_text("{}")
    before = watch.before(NOTHING)
    (project / ".mcp.json").write_text("changed")
    (project / "other").write_text("x")
    assert watch.after(before) == []
    assert (project / ".mcp.json").read_text() == "changed"


def test_what_appears_is_moved_and_told(guard: tuple[ProtectedFiles, Path]) -> None:
    """T-14: files, folders and links; twice in a row, too."""
    watch, project = guard
    for _ in range(2):
        before = watch.before(NOTHING)
        (project / ".envrc").write_text("evil")
        (project / ".cursor").mkdir()
        (project / ".vscode").symlink_to("/etc")
        (project / "toolcrib.toml").write_text("x")
        notes = watch.after(before)
        assert len(notes) == 4
        assert sorted(os.listdir(project)) == []


def test_many_are_told_in_few_words(guard: tuple[ProtectedFiles, Path]) -> None:
    """T-14: an answer stays readable."""
    watch, project = guard
    before = watch.before(NOTHING)
    for name in (".mcp.json", ".cursor", ".vscode", ".claude", ".codex", ".gemini", ".zed"):
        (project / name).write_text("x")
    assert watch.after(before)[-1] == "and 2 more protected files"


def test_git_may_bring_them(guard: tuple[ProtectedFiles, Path]) -> None:
    """T-14: tools of git that write the work tree are free of it."""
    watch, project = guard
    before = watch.before(Access(changes_work_tree=True))
    (project / ".envrc").write_text("from a branch")
    assert watch.after(before) == []
