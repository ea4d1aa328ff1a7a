"""Files that people name: read once, and never answered from what they were before."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.files import yaml_document
from toolcrib.files.yaml_document import YamlDocument, folder_of, read_bytes


@pytest.fixture
def settled(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a file whose last change is long ago; only the kernel could set `ctime` back."""

    def write(text: str) -> Path:
        path = tmp_path / "a.yaml"
        path.write_text(text)
        return path

    return write


def test_a_file_that_stays_as_it_is_is_read_once(
    settled: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-16: a start needs the same files several times."""
    path = settled("one")
    ahead = time.time_ns() + 10 * yaml_document._SETTLED
    monkeypatch.setattr(yaml_document.time, "time_ns", lambda: ahead)
    first = read_bytes(path)
    assert first == b"one" and read_bytes(path) is first


def test_a_change_is_seen_also_where_size_and_time_stay_the_same(
    settled: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-1: what is read is what is there."""
    path = settled("one")
    ahead = time.time_ns() + 10 * yaml_document._SETTLED
    monkeypatch.setattr(yaml_document.time, "time_ns", lambda: ahead)
    before = path.stat()
    assert read_bytes(path) == b"one"
    other = path.with_name("other")
    other.write_text("two")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert read_bytes(path) == b"two"
    path.unlink()
    with pytest.raises(ConfigError, match="No such file"):
        read_bytes(path)


def test_a_file_that_was_just_written_is_read_again(settled: Callable[[str], Path]) -> None:
    """C-1: two changes within one tick of the clock look the same from outside."""
    path = settled("one")
    assert read_bytes(path) == b"one"
    assert str(path) not in yaml_document._read


def test_a_link_out_of_its_folder_is_refused_after_as_before(tmp_path: Path) -> None:
    """HOUSE: a name leads to nothing outside of its folder."""
    inside, outside = tmp_path / "in", tmp_path / "secret"
    inside.mkdir()
    outside.write_text("s")
    (inside / "a.yaml").symlink_to("../secret")
    for _ in range(2):
        with pytest.raises(ConfigError, match="No such file"):
            read_bytes(inside / "a.yaml")


def test_files_of_one_folder_are_read_through_one_root(tmp_path: Path) -> None:
    """R-16: a folder is opened once for all its files."""
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(name)
    root = folder_of(tmp_path / "a.yaml")
    assert [read_bytes(tmp_path / name, root) for name in ("a.yaml", "b.yaml")] == [
        b"a.yaml",
        b"b.yaml",
    ]
    root.close()


@pytest.mark.parametrize(
    ("text", "said"), [(b"a: [", "YAML"), (b"\xff\xfe\x00", "not text"), (b"a: 1\na: 2", "a")]
)
def test_what_is_no_document_is_told_with_its_file(text: bytes, said: str) -> None:
    """C-1: a mistake names its place."""
    with pytest.raises(ConfigError, match=said) as told:
        YamlDocument(text, "x.yaml")
    assert told.value.where is not None and told.value.where.file == "x.yaml"
