"""Which revision is checked out, held against git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

from toolcrib.files.revision import head_revision


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def repository(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def test_every_way_to_be_at_a_revision(tmp_path: Path) -> None:
    """R-11: a plain HEAD, packed-refs, a worktree's .git file, or detached."""
    main = repository(tmp_path / "main")
    assert head_revision(main) == git(main, "rev-parse", "HEAD")
    git(main, "pack-refs", "--all")
    assert head_revision(main) == git(main, "rev-parse", "HEAD")
    git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    git(tmp_path / "side", "commit", "-q", "--allow-empty", "-m", "second")
    assert head_revision(tmp_path / "side") == git(tmp_path / "side", "rev-parse", "HEAD")
    assert head_revision(tmp_path / "side") != head_revision(main)
    git(main, "checkout", "-q", "--detach")
    assert head_revision(main) == git(main, "rev-parse", "HEAD")


def test_what_is_no_revision_is_none(tmp_path: Path) -> None:
    """R-11: no repository, no commit yet, and a HEAD that leads elsewhere."""
    assert head_revision(tmp_path) is None
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    assert head_revision(empty) is None
    (empty / ".git" / "HEAD").write_text("ref: refs/../../../etc/passwd\n")
    assert head_revision(empty) is None
    (empty / ".git" / "HEAD").write_bytes(b"\xff" * 40)
    assert head_revision(empty) is None
