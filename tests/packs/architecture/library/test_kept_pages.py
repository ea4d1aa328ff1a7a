"""Pages that are kept from one start to the next."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from toolcrib.files.root import Blob, Root
from toolcrib.packs.architecture.library import kept_pages
from toolcrib.packs.architecture.library.library import Library
from toolcrib.search.kept import background

COUNT = kept_pages.WORTH_KEEPING + 20


class Starts:
    """Starts of a server over one project: what each of them reads."""

    def __init__(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project = project
        self.read: list[str] = []
        self.threads: list[threading.Thread] = []
        read = Root.read

        def noted(root: Root, path: str, *given: Any, **more: Any) -> Blob:
            self.read.append(path)
            return read(root, path, *given, **more)

        def begun(work: Any, name: str = "") -> None:
            self.threads.append(threading.Thread(target=work))
            self.threads[-1].start()

        monkeypatch.setattr(Root, "read", noted)
        monkeypatch.setattr(background, "start", begun)

    def again(self) -> Library:
        """A start as of a new process, until everything that is to be kept is written."""
        self.read.clear()
        library = Library(self.project)
        assert library.snapshot
        for thread in self.threads:
            thread.join()
        return library


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Starts:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    # Files of a test are always new: let them count as settled.
    monkeypatch.setattr(kept_pages, "_SETTLED_NS", -(10**18))
    folder = tmp_path / "project" / "docs" / "adr"
    folder.mkdir(parents=True)
    for number in range(1, COUNT + 1):
        status = f"Superseded by [next]({number + 1:04}-use-it.md)" if number % 2 else "Accepted"
        (folder / f"{number:04}-use-it.md").write_text(
            f"---\ntags: [one, two]\n---\n# {number}. Use it – naïvely\n\nDate: 2024-01-02\n\n"
            f"## Status\n\n{status}\n\n## Context\n\nIt is needed {number} times.\n"
        )
    return Starts(tmp_path / "project", monkeypatch)


def _told(library: Library) -> dict[object, object]:
    pages = library.snapshot.pages.items()
    return {key: (page.entry, page.file, page.said, page.speaks_of) for key, page in pages}


def test_a_second_start_reads_no_document_that_is_as_it_was(starts: Starts) -> None:
    """R-16: the second start takes at most half the CPU: every record is the same, unread."""
    first = starts.again()
    assert len(starts.read) == COUNT
    second = starts.again()
    assert starts.read == []
    assert list(second.records()) == list(first.records())
    assert _told(second) == _told(first)
    assert second.successor(second.find("architecture://adr/1")).number == 2


def test_what_changed_came_or_went_meanwhile_is_noticed(starts: Starts) -> None:
    """R-16, S-5: nothing stale is served after a start."""
    starts.again()
    folder = starts.project / "docs" / "adr"
    changed = folder / "0002-use-it.md"
    changed.write_text(changed.read_text().replace("Use it", "Let go"))
    (folder / "0003-use-it.md").unlink()
    (folder / "9000-new.md").write_text("# 9000. New\n")
    library = starts.again()
    assert sorted(starts.read) == ["0002-use-it.md", "9000-new.md"]
    assert "Let go" in library.find("architecture://adr/2").title
    assert library.find("architecture://adr/9000").title == "9000. New"
    assert len(library.records()) == COUNT
    assert library.get("architecture://adr/0003") is None


def test_a_file_that_was_renamed_is_found_by_its_new_name(starts: Starts) -> None:
    """R-16, A-2: a rename keeps size, time and inode of a file, and here its uri as well."""
    starts.again().index()
    for thread in starts.threads:
        thread.join()
    folder = starts.project / "docs" / "adr"
    (folder / "0002-use-it.md").rename(folder / "0002-zeppelin.md")
    library = starts.again()
    assert [hit.key for hit in library.index().search("zeppelin").hits] == [
        "architecture://adr/0002"
    ]


def test_a_file_that_had_just_changed_is_read_again(
    starts: Starts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-16: a second change within one tick of the clock would not show; so it is not kept."""
    monkeypatch.setattr(kept_pages, "_SETTLED_NS", 3_600 * 10**9)
    starts.again()
    starts.again()
    assert len(starts.read) == COUNT


@pytest.mark.parametrize("harm", ["cut", "other key", "nothing"])
def test_what_cannot_be_relied_on_counts_as_absent(
    starts: Starts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    """R-16: a damaged cache, or one that somebody else could have written, is none."""
    first = starts.again()
    (kept,) = (tmp_path / "cache").rglob("pages-*")
    if harm == "cut":
        kept.write_bytes(kept.read_bytes()[:-100])
    elif harm == "other key":
        monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "elsewhere"))
    second = starts.again()
    assert len(starts.read) == (0 if harm == "nothing" else COUNT)
    assert list(second.records()) == list(first.records())


def test_a_few_documents_are_not_kept(starts: Starts, tmp_path: Path) -> None:
    """R-16: a small repository leaves nothing behind for what is read in no time."""
    for path in list((starts.project / "docs" / "adr").iterdir())[: COUNT // 2]:
        path.unlink()
    starts.again()
    assert not list((tmp_path / "cache").rglob("pages-*"))
