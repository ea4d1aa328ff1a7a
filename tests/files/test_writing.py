"""Writing below a root."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.beneath import Opener
from toolcrib.files.root import Root
from toolcrib.files.writing import check_way, write_file


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


@pytest.mark.parametrize(
    ("path", "new", "told"),
    [
        ("file/a.md", True, "file is in the way: it is a file"),
        ("out/a.md", False, "out is in the way: it is a link to ../outside"),
        ("folder/loop/a.md", True, "folder/loop is in the way: it is a link to loop"),
        ("folder/nowhere.md", True, "folder/nowhere.md is in the way: it is a link to nowhere"),
        ("folder", True, "folder is in the way: it is a folder"),
        ("file", False, None),
        ("folder/a.md", True, None),
        ("inside/a.md", True, None),
        ("new/new/a.md", True, None),
    ],
)
def test_what_stands_in_the_way_is_told_before_anything_is_written(
    root: Root, path: str, new: bool, told: str | None
) -> None:
    """D-8: a clear error that says what is there."""
    (root.path.parent / "outside").mkdir()
    (root.path / "folder").mkdir()
    (root.path / "file").touch()
    (root.path / "out").symlink_to("../outside")
    (root.path / "inside").symlink_to("folder")
    (root.path / "folder" / "loop").symlink_to("loop")
    (root.path / "folder" / "nowhere.md").symlink_to("nowhere")
    if told is None:
        check_way(root, path, new=new)
    else:
        with pytest.raises(FileUnreadable, match=f"^{told}"):
            check_way(root, path, new=new)
