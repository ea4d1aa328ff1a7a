"""Files of other programs, read and replaced as a whole."""

from __future__ import annotations

import os
import stat

import pytest

from toolcrib.cli.editing.whole import read_text, real_path, write_text
from toolcrib.core.errors import ConfigError


def test_line_ends_and_marks_stay_as_they_are(tmp_path) -> None:
    """U-1: byte for byte."""
    file = tmp_path / "x"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\n")
    text = read_text(file)
    assert text == "\ufeffa\r\nb\n"
    write_text(file, text, None)
    assert file.read_bytes() == b"\xef\xbb\xbfa\r\nb\n"


def test_mode_and_other_names_of_a_file_are_kept(tmp_path) -> None:
    """U-1: a link stays a link, a second name stays one."""
    file, link, second = tmp_path / "x", tmp_path / "link", tmp_path / "second"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    os.link(file, second)
    write_text(real_path(link), "new", None)
    assert link.is_symlink() and second.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_what_cannot_be_read_is_an_error_and_nothing_is_none(tmp_path) -> None:
    """U-1: a file that is no text is never replaced."""
    assert read_text(tmp_path / "none") is None
    (tmp_path / "x").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_text(tmp_path / "x")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_text(tmp_path / "x" / "y", "text", None)
