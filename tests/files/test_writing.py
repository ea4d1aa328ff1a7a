"""Writing below a root."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.opening import Opener
from toolcrib.files.root import Root
from toolcrib.files.writing import write_file


@pytest.fixture
def root(tmp_path: Path, opener: Opener) -> Root:
    (tmp_path / "project").mkdir()
    return Root(tmp_path / "project", opener=opener)


def test_folders_on_the_way_are_made(root: Root) -> None:
    write_file(root, "a/b/c.md", b"text")
    assert (root.path / "a" / "b" / "c.md").read_bytes() == b"text"
    assert os.listdir(root.path / "a" / "b") == ["c.md"]


def test_an_existing_file_is_replaced_and_keeps_its_mode(root: Root) -> None:
    target = root.path / "run.sh"
    target.write_text("old")
    target.chmod(0o750)
    write_file(root, "run.sh", b"new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o750


def test_a_link_that_leads_out_is_never_written_through(root: Root) -> None:
    outside = root.path.parent / "outside"
    outside.mkdir()
    (outside / "file.md").write_text("untouched")
    (root.path / "folder").symlink_to(outside)
    (root.path / "link.md").symlink_to(outside / "file.md")
    with pytest.raises(FileRefused):
        write_file(root, "folder/file.md", b"x")
    with pytest.raises(FileRefused):
        write_file(root, "../outside/file.md", b"x")
    write_file(root, "link.md", b"x")  # the link itself is replaced by a file
    assert (outside / "file.md").read_text() == "untouched"
    assert (root.path / "link.md").read_text() == "x"
    assert os.listdir(outside) == ["file.md"]


def test_a_failed_write_leaves_nothing_behind(root: Root) -> None:
    (root.path / "taken").mkdir()
    (root.path / "taken" / "x").touch()
    with pytest.raises(FileUnreadable, match="taken cannot be written"):
        write_file(root, "taken", b"x")
    assert os.listdir(root.path) == ["taken"]
