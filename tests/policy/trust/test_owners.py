"""Whose a file is: the file, every folder on the way to it, and where links lead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolcrib.policy.trust.owners import Owners

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "x.py").write_text("")
    (folder / "y.py").write_text("")
    return folder


FILES = ["a/b/x.py", "y.py"]


def test_ones_own_files_are_not_foreign(repo: Path) -> None:
    """T-3: the ordinary case; a file that is not there is nobody's."""
    assert Owners().foreign(repo, [*FILES, "gone.py", "a/gone/z.py"]) is None


@root_only
@pytest.mark.parametrize("path", [".", "a", "a/b", "a/b/x.py", "y.py"])
def test_anything_on_the_way_counts(repo: Path, path: str) -> None:
    """T-3: a folder on the way to it that belongs to another user; named, with the cure."""
    os.chown(repo / path, 12345, -1)
    found = Owners().foreign(repo, FILES)
    assert found is not None and found.owner == "12345"
    assert found.path == (str(repo) if path == "." else path)
    assert Owners(["12345"]).foreign(repo, FILES) is None


@pytest.mark.parametrize("path", ["a", "a/b", "y.py"])
def test_what_all_may_write_is_foreign(repo: Path, path: str) -> None:
    """T-3: o+w without the sticky bit; group-writable is fine."""
    (repo / path).chmod(0o775)
    assert Owners().foreign(repo, FILES) is None
    (repo / path).chmod(0o777)
    found = Owners().foreign(repo, FILES)
    assert found is not None and found.path == path and not found.owner
    assert Owners(any_mode=[str(repo / path)]).foreign(repo, FILES) is None
    if (repo / path).is_dir():
        (repo / path).chmod(0o1777)
        assert Owners().foreign(repo, FILES) is None


@root_only
@pytest.mark.parametrize("linked", ["file", "folder", "outside"])
def test_a_link_counts_by_what_it_leads_to(repo: Path, linked: str) -> None:
    """T-2: the owner of what it links to, and of the folders there."""
    other = repo.parent / "other" if linked == "outside" else repo / "other"
    other.mkdir()
    (other / "z.py").write_text("")
    if linked == "file":
        (repo / "z.py").symlink_to(other / "z.py")
        paths = ["z.py"]
    else:
        (repo / "link").symlink_to(other)
        paths = ["link/z.py"]
    assert Owners().foreign(repo, paths) is None
    os.chown(other / "z.py", 12345, -1)
    assert Owners().foreign(repo, paths) is not None
    os.chown(other / "z.py", 0, -1)
    if linked != "outside":
        os.chown(other, 12345, -1)
        assert Owners().foreign(repo, paths) is not None


@root_only
def test_a_path_with_dots_is_examined_where_it_leads(repo: Path) -> None:
    """T-3: also a file of the settings that is written in a roundabout way."""
    os.chown(repo / "y.py", 12345, -1)
    assert Owners().foreign(repo, ["a/../y.py"]) is not None
