"""An index that was kept answers like the one that was built."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.index import Index
from toolcrib.search.kept import storage

KEY = b"k" * 32
WORDS = ["list", "remove", "files", "image", "remote", "branch", "zebra"]
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
documents = st.dictionaries(st.sampled_from("abcdef"), st.tuples(texts, texts), min_size=1)


def filled(documents: dict[str, tuple[str, str]]) -> Index:
    index = tool_index(semantic=False)
    index.add_all(
        tool_item(name, text, key=key, cli="box", categories=["c"], arguments=[name])
        for key, (name, text) in sorted(documents.items())
    )
    return index


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "tools.index"


def loaded(file: Path) -> Index:
    index = tool_index(semantic=False)
    assert storage.load(index, file, KEY)
    return index


@given(documents, documents, st.sampled_from([*WORDS, "remove file", "ist", "box", ""]))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_kept_index_that_is_changed_answers_like_one_built_afresh(
    tmp_path: Path, before: dict, after: dict, query: str
) -> None:
    """R-16: what is taken over from the file, and what is worked in, are one index."""
    path = tmp_path / "x.index"
    assert storage.save(filled(before), path, KEY)
    kept = loaded(path)
    assert kept.search(query, explain=True) == filled(before).search(query, explain=True)
    for key in before.keys() - after.keys():
        kept.remove(key)
    kept.add_all(
        tool_item(name, text, key=key, cli="box", categories=["c"], arguments=[name])
        for key, (name, text) in after.items()
        if before.get(key) != (name, text)
    )
    assert kept.search(query, explain=True) == filled(after).search(query, explain=True)
    assert kept.search(query, where={"category": "C"}) == filled(after).search(query)
    assert sorted(kept.nearest(query, 9)) == sorted(filled(after).nearest(query, 9))
    assert storage.save(kept, path, KEY)
    assert loaded(path).search(query) == filled(after).search(query)


def test_a_file_is_for_its_owner_alone(file: Path) -> None:
    """What is kept can tell of a private repository."""
    assert storage.save(filled({"a": ("list", "list files")}), file, KEY)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("place", [0, 20, 60, 400, -1, -70, -200])
def test_a_damaged_file_counts_as_absent(file: Path, place: int) -> None:
    """A bit that turned must not turn an answer."""
    storage.save(filled({"a": ("list", "list the files"), "b": ("image", "remove it")}), file, KEY)
    data = bytearray(file.read_bytes())
    data[place] ^= 0x40
    file.write_bytes(data)
    assert not storage.load(tool_index(semantic=False), file, KEY)


@pytest.mark.parametrize("length", [0, 10, 100, 500])
def test_a_file_that_was_cut_off_counts_as_absent(file: Path, length: int) -> None:
    storage.save(filled({"a": ("list", "list the files")}), file, KEY)
    file.write_bytes(file.read_bytes()[:length])
    assert not storage.load(tool_index(semantic=False), file, KEY)


def test_a_file_that_others_could_write_counts_as_absent(file: Path) -> None:
    """Secure by default: what is read decides what an agent is told."""
    storage.save(filled({"a": ("list", "list the files")}), file, KEY)
    file.chmod(0o666)
    assert not storage.load(tool_index(semantic=False), file, KEY)
    file.chmod(0o600)
    link = file.with_name("link.index")
    link.symlink_to(file)
    assert not storage.load(tool_index(semantic=False), link, KEY)


def test_a_file_that_another_user_sealed_counts_as_absent(file: Path) -> None:
    """T-5: who can write a cache cannot have it mean something else."""
    storage.save(filled({"a": ("list", "list the files")}), file, b"x" * 32)
    assert not storage.load(tool_index(semantic=False), file, KEY)


def test_an_index_of_other_fields_is_not_taken_over(file: Path) -> None:
    storage.save(filled({"a": ("list", "list the files")}), file, KEY)
    assert not storage.load(Index({"name": 1.0}, semantic=False), file, KEY)


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    """A full or read-only disk is no reason to fail."""
    (tmp_path / "file").write_text("")
    assert not storage.save(filled({"a": ("list", "x")}), tmp_path / "file" / "x.index", KEY)


def test_only_so_many_files_are_kept(tmp_path: Path) -> None:
    index = filled({"a": ("list", "list the files")})
    for number in range(storage._MOST_FILES + 3):
        path = tmp_path / f"{number}.index"
        storage.save(index, path, KEY)
        os.utime(path, (number, number))
    storage.save(index, tmp_path / "last.index", KEY)
    left = {path.name for path in tmp_path.iterdir()}
    assert len(left) == storage._MOST_FILES
    assert "last.index" in left
    assert "0.index" not in left
