"""Kept indexes: at the next start, only what has changed is made again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.index import Index, IndexItem
from toolcrib.search.kept import keeping


class Makers:
    """Files of tools that count how often they are read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[str] = []
        self.written = threading.Event()
        write = keeping._write

        def noted(index: Index, path: Path, key: bytes) -> None:
            write(index, path, key)
            self.written.set()

        monkeypatch.setattr(keeping, "_write", noted)

    def index(self, files: dict[str, int]) -> Index:
        """An index of files with so many tools each; a file's name is what it is made from."""

        def items(file: str, count: int) -> Iterator[IndexItem]:
            self.read.append(file)
            for number in range(count):
                yield tool_item(f"{file}_{number}", f"Does thing {number} of {file}", cli=file)

        self.read.clear()
        self.written.clear()
        return keeping.kept_index(
            lambda: tool_index(semantic=False),
            "tools",
            "/some/where",
            {file: (file, count) for file, count in files.items()},
            lambda wanted: items(*wanted),
        )


@pytest.fixture
def makers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Makers:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Makers(monkeypatch)


def test_only_a_changed_file_is_read_again(makers: Makers) -> None:
    """R-16: a changed config costs what that file costs."""
    files = {"one": 400, "two": 400, "three": 10}
    makers.index(files)
    assert makers.written.wait(30)
    again = makers.index(files)
    assert makers.read == []
    assert len(again) == 810
    assert again.search("thing 7 of two").hits[0].key == "two_7"
    changed = makers.index({"one": 400, "two": 400, "three_new": 12})
    assert makers.read == ["three_new"]
    assert len(changed) == 812
    assert changed.search("three_3").hits[0].key != "three_3"
    assert "three_new_11" in changed
    assert not makers.written.is_set()


def test_one_file_of_twenty_is_no_reason_to_write_the_index_again(makers: Makers) -> None:
    """R-16: one of 20 files among 10,000 tools costs what that file costs, whatever its bytes."""
    files = {f"file{number}": 50 for number in range(20)}
    makers.index(files)
    assert makers.written.wait(30)
    del files["file7"]
    makers.index({**files, "file7_changed": 51})
    assert makers.read == ["file7_changed"] and not makers.written.is_set()


def test_an_index_of_which_nothing_is_left_is_built_afresh(makers: Makers) -> None:
    """R-16: a checkout made anew costs one index, without the old one beside it."""
    makers.index({"one": 600})
    assert makers.written.wait(30)
    index = makers.index({"other": 600})
    assert makers.read == ["other"]
    assert "one_3" not in index
    assert not index._postings.kept
    assert makers.written.wait(30)


def test_a_small_index_is_not_worth_keeping(makers: Makers, tmp_path: Path) -> None:
    makers.index({"one": 20})
    assert not makers.written.is_set()
    assert not (tmp_path / "cache").exists()


def test_what_is_damaged_is_made_again(makers: Makers, tmp_path: Path) -> None:
    """FAULTS: a damaged cache is no reason for a wrong answer."""
    files = {"one": 600}
    makers.index(files)
    assert makers.written.wait(30)
    (file,) = (tmp_path / "cache" / "toolcrib" / "indexes").iterdir()
    file.write_bytes(b"nonsense" * 100)
    assert len(makers.index(files)) == 600
    assert makers.read == ["one"]


def test_without_a_home_nothing_is_kept(makers: Makers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "")
    assert len(makers.index({"one": 600})) == 600
    assert not makers.written.is_set()
