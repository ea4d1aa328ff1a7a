"""Files that toolcrib itself writes in a repository: links there lead nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolcrib.files.private import opener_for

FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "logs").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "bashrc").write_text("mine\n")
    return folder


def _append(project: Path, path: Path) -> None:
    descriptor = opener_for(project)(str(path), FLAGS)
    os.write(descriptor, b"line\n")
    os.close(descriptor)


def test_a_file_of_the_repository_is_appended_to_and_private(project: Path) -> None:
    """S-9: made where it is missing, for its owner alone."""
    for _ in range(2):
        _append(project, project / "logs" / "audit")
    assert (project / "logs" / "audit").read_text() == "line\nline\n"
    assert (project / "logs" / "audit").stat().st_mode & 0o777 == 0o600


def test_a_link_in_its_place_is_not_followed(project: Path) -> None:
    """T-14, FAULTS: what a command puts there never has something else written."""
    outside = project.parent / "outside"
    (project / "logs" / "audit").symlink_to(outside / "bashrc")
    with pytest.raises(OSError, match="symbolic links"):
        _append(project, project / "logs" / "audit")
    (project / "other").symlink_to(outside)
    with pytest.raises(OSError):
        _append(project, project / "other" / "bashrc")
    assert (outside / "bashrc").read_text() == "mine\n"


def test_elsewhere_a_link_is_a_persons_own(project: Path) -> None:
    """S-9: a path outside of the repository is opened as it is."""
    outside = project.parent / "outside"
    (outside / "log").symlink_to("bashrc")
    _append(project, outside / "log")
    _append(project, project / "logs" / ".." / ".." / "outside" / "log")
    assert (outside / "bashrc").read_text() == "mine\nline\nline\n"
