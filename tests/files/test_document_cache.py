"""Documents kept by the identity of their files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolcrib.core.errors import FileRefused
from toolcrib.files.document_cache import DocumentCache
from toolcrib.files.root import Root

LONG_AGO = 10**18


@pytest.fixture
def cache(tmp_path: Path) -> DocumentCache:
    (tmp_path / "a.md").write_text("# One")
    os.utime(tmp_path / "a.md", ns=(LONG_AGO, LONG_AGO))
    return DocumentCache(Root(tmp_path))


def test_an_unchanged_file_is_not_read_again(cache: DocumentCache) -> None:
    assert cache.get("a.md") is cache.get("a.md")


def test_a_changed_file_is(cache: DocumentCache, tmp_path: Path) -> None:
    assert cache.get("a.md").title == "One"
    (tmp_path / "a.md").write_text("# Two")
    assert cache.get("a.md").title == "Two"


def test_so_is_one_whose_size_and_time_were_kept(cache: DocumentCache, tmp_path: Path) -> None:
    """rsync, git and touch can set any time stamp they like."""
    assert cache.get("a.md").title == "One"
    (tmp_path / "a.md").write_text("# Two")
    os.utime(tmp_path / "a.md", ns=(LONG_AGO, LONG_AGO))
    assert cache.get("a.md").title == "Two"


def test_so_is_one_replaced_by_another(cache: DocumentCache, tmp_path: Path) -> None:
    assert cache.get("a.md").title == "One"
    (tmp_path / "b.md").write_text("# Two")
    os.utime(tmp_path / "b.md", ns=(LONG_AGO, LONG_AGO))
    (tmp_path / "b.md").rename(tmp_path / "a.md")
    assert cache.get("a.md").title == "Two"


def test_a_file_written_a_moment_ago_is_not_trusted_yet(
    cache: DocumentCache, tmp_path: Path
) -> None:
    """A second write may fall into the same tick of the clock and leave the same stamp."""
    later = os.stat(tmp_path).st_mtime_ns + 10**12
    os.utime(tmp_path / "a.md", ns=(later, later))
    assert cache.get("a.md") is not cache.get("a.md")


def test_a_removed_file_is_forgotten(cache: DocumentCache, tmp_path: Path) -> None:
    cache.get("a.md")
    (tmp_path / "a.md").unlink()
    with pytest.raises(FileRefused):
        cache.get("a.md")
    (tmp_path / "a.md").write_text("# Back")
    assert cache.get("a.md").title == "Back"


def test_forgetting_makes_it_read_again(cache: DocumentCache) -> None:
    first = cache.get("a.md")
    cache.forget("a.md")
    assert cache.get("a.md") is not first
    cache.forget("never seen")
