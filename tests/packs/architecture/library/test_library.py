"""A-1, A-2, S-5: the library reads once, names every document, and stays current."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.core.errors import FileRefused, InvalidParams, ResourceNotFound
from toolcrib.packs.architecture.library import search
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.records import DocumentRecord
from toolcrib.packs.architecture.library.search import Searcher
from toolcrib.search.index import IndexItem

Shelve = Callable[..., Library]
ADR = "mcp/resources/adr"


def adr(number: int, title: str, status: str = "Accepted") -> str:
    head = f"# {number}. {title}\n\nDate: 2024-01-0{number}\n\n## Status\n\n{status}\n"
    return f"{head}\n## Context\n\nBecause.\n"


def uris(library: Library) -> list[str]:
    return [record.uri for record in library.records()]


def test_documents_of_all_kinds_are_found(shelve: Shelve) -> None:
    """A-1: `mcp/resources/{guidelines,patterns,adr}/**/*.md`."""
    library = shelve(
        {
            f"{ADR}/0001-first.md": adr(1, "First"),
            "mcp/resources/patterns/data/repository.md": "# Repository\n",
            "mcp/resources/guidelines/api.md": "# API\n",
            "mcp/resources/guidelines/notes.txt": "no document",
            "mcp/resources/guidelines/.hidden/x.md": "# Hidden\n",
            "mcp/resources/other/x.md": "# Another kind\n",
        }
    )
    assert uris(library) == [
        "architecture://adr/0001",
        "architecture://guidelines/api",
        "architecture://patterns/data/repository",
    ]
    record = library.get("architecture://adr/0001")
    assert record is not None
    assert (record.title, record.status, record.date, record.number) == (
        "1. First",
        "accepted",
        "2024-01-01",
        1,
    )


@pytest.mark.parametrize(
    "folder", ["docs/adr", "docs/decisions", "doc/adr", "docs/architecture/decisions"]
)
def test_the_usual_homes_are_detected(shelve: Shelve, folder: str) -> None:
    """A-1: also by detection."""
    assert uris(shelve({f"{folder}/0001-first.md": adr(1, "First")})) == ["architecture://adr/0001"]
    assert uris(shelve({}, detect=False)) == []


def test_configured_folders_come_from_anywhere(shelve: Shelve, tmp_path: Path) -> None:
    """A-1: by configuration, and several roots."""
    outside = tmp_path.parent / f"{tmp_path.name}-shared"
    outside.mkdir()
    (outside / "logging.md").write_text("# Logging\n")
    library = shelve(
        {"a/x.md": "# X\n", "b/0001-y.md": adr(1, "Y")},
        resources=(),
        patterns=("a",),
        adr=("b",),
        guidelines=(str(outside),),
    )
    assert uris(library) == [
        "architecture://adr/0001",
        "architecture://guidelines/logging",
        "architecture://patterns/x",
    ]


def test_nothing_is_read_before_the_first_question(shelve: Shelve) -> None:
    """A-1: the scan happens at first use."""
    library = shelve({f"{ADR}/0001-first.md": adr(1, "First")})
    assert not library.loaded
    assert len(library.records("adr")) == 1
    assert library.loaded


def test_every_document_has_a_uri_of_its_own(shelve: Shelve) -> None:
    """A-2: also with dates or doubled numbers in file names."""
    library = shelve(
        {
            f"{ADR}/0001-one.md": "# One\n",
            f"{ADR}/0002-two.md": "# Two\n",
            f"{ADR}/0002-another-two.md": "# Another\n",
            f"{ADR}/02-third-two.md": "# Third\n",
            f"{ADR}/2024-01-31-dated.md": "# Dated\n",
            f"{ADR}/back/0003-x.md": "# Back\n",
            f"{ADR}/front/0003-x.md": "# Front\n",
            "docs/adr/0004-x.md": "# Here\n",
            "docs/decisions/0004-x.md": "# There\n",
            f"{ADR}/with space & ü.md": "# Odd\n",
        }
    )
    assert uris(library) == sorted(
        [
            "architecture://adr/0001",
            "architecture://adr/0002-two",
            "architecture://adr/0002-another-two",
            "architecture://adr/02-third-two",
            "architecture://adr/2024-01-31-dated",
            "architecture://adr/back/0003-x",
            "architecture://adr/front/0003-x",
            "architecture://adr/docs/adr/0004-x",
            "architecture://adr/docs/decisions/0004-x",
            "architecture://adr/with%20space%20&%20%C3%BC",
        ]
    )
    for record in library.records():
        assert library.find(record.uri) is record
        assert record.adr_id == record.name


@pytest.mark.parametrize(
    "short", ["3", "0003", "003", "ADR-3", "adr 0003", "0003-third", "0003-third.md", "0003.md"]
)
def test_a_short_id_finds_its_decision(shelve: Shelve, short: str) -> None:
    """A-2: id or file stem; `.md` is left off and accepted."""
    library = shelve({f"{ADR}/0003-third.md": adr(3, "Third"), f"{ADR}/0004-x.md": adr(4, "X")})
    assert library.resolve_adr(short).title == "3. Third"
    assert library.find(f"architecture://adr/{short}").title == "3. Third"


def test_a_number_in_the_heading_is_a_short_id_too(shelve: Shelve) -> None:
    """A-1: number in the name, heading or front matter."""
    library = shelve({f"{ADR}/use-postgres.md": "# ADR 12: Use Postgres\n"})
    assert library.resolve_adr("12").uri == "architecture://adr/use-postgres"


def test_an_ambiguous_short_id_lists_the_candidates(shelve: Shelve) -> None:
    """A-2: an error that lists the candidates, never a guess."""
    library = shelve({f"{ADR}/0002-a.md": "# A\n", f"{ADR}/0002-b.md": "# B\n"})
    with pytest.raises(InvalidParams, match="0002-a, architecture://adr/0002-b") as caught:
        library.resolve_adr("2")
    assert caught.value.data == {
        "uri": "architecture://adr/2",
        "candidates": ["architecture://adr/0002-a", "architecture://adr/0002-b"],
    }


@pytest.mark.parametrize(
    ("uri", "nearest"),
    [
        (
            "architecture://patterns/repositry-pattern",
            ["architecture://patterns/repository-pattern"],
        ),
        (
            "architecture://pattern/repository-pattern",
            ["architecture://patterns/repository-pattern"],
        ),
        ("architecture://adr/9999", []),
        ("architecture://patterns/../../../etc/passwd", []),
        ("file:///etc/passwd", []),
        ("architecture://adr/", []),
    ],
)
def test_what_is_not_there_is_told_with_the_nearest(
    shelve: Shelve, uri: str, nearest: list[str]
) -> None:
    """A-2: not found with the uri and the nearest ones."""
    library = shelve({"mcp/resources/patterns/repository-pattern.md": "# Repository\n"})
    with pytest.raises(ResourceNotFound) as caught:
        library.find(uri)
    assert caught.value.data == {"uri": uri, "nearest": nearest}


def test_links_are_tied_to_the_documents_they_mean(shelve: Shelve) -> None:
    """A-1: links between ADRs."""
    library = shelve(
        {
            f"{ADR}/0001-old.md": adr(1, "Old", "Superseded by [2. New](0002-new.md)"),
            f"{ADR}/0002-new.md": adr(2, "New", "Accepted\n\nSupersedes ADR-1\n\nAmends ADR-9"),
        }
    )
    old, new = library.records("adr")
    assert [(link.kind, link.uri) for link in old.links] == [("superseded_by", new.uri)]
    assert [(link.kind, link.uri) for link in new.links] == [
        ("supersedes", old.uri),
        ("amends", None),
    ]


def test_a_document_that_only_names_its_successor_is_superseded(shelve: Shelve) -> None:
    """A-1: status."""
    library = shelve(
        {
            f"{ADR}/0001-old.md": "# Old\n\nReplaced by [new](0002-new.md).\n",
            f"{ADR}/0002-new.md": adr(2, "New"),
        }
    )
    assert library.resolve_adr("1").status == "superseded"


def test_a_successor_is_followed_through_every_step(shelve: Shelve) -> None:
    """A-7: superseded ADRs are followed to their successor."""
    library = shelve(
        {
            f"{ADR}/0001-a.md": adr(1, "A", "Superseded by ADR 2"),
            f"{ADR}/0002-b.md": adr(2, "B", "Accepted"),
            f"{ADR}/0003-c.md": adr(3, "C", "Accepted\n\nSupersedes ADR 2"),
            f"{ADR}/0004-d.md": adr(4, "D", "Proposed\n\nSupersedes ADR 3"),
            f"{ADR}/0005-e.md": adr(5, "E", "Superseded by ADR 6"),
            f"{ADR}/0006-f.md": adr(6, "F", "Superseded by ADR 5"),
            f"{ADR}/0007-g.md": adr(7, "G", "Accepted. Parts were superseded by ADR 3"),
        }
    )
    successor = {
        record.adr_id: found.adr_id if (found := library.successor(record)) else None
        for record in library.records("adr")
    }
    assert successor == {
        "0001": "0003",
        "0002": "0003",
        "0003": None,
        "0004": None,
        "0005": "0006",
        "0006": "0005",
        "0007": None,
    }


def test_a_changed_document_is_read_again(shelve: Shelve, tmp_path: Path) -> None:
    """S-5: a changed document is served, and its listing only when that changed."""
    library = shelve({f"{ADR}/0001-first.md": adr(1, "First"), f"{ADR}/0002-x.md": adr(2, "X")})
    library.index()
    version = library.version
    file = tmp_path / ADR / "0001-first.md"
    file.write_text(adr(1, "First") + "\nzebra\n")
    updates = library.refresh([file])
    assert (updates.updated, updates.listing) == (("architecture://adr/0001",), False)
    assert [hit.key for hit in library.index().search("zebra").hits] == ["architecture://adr/0001"]
    assert library.version == version + 1
    file.write_text(adr(1, "Other"))
    assert library.refresh([file]).listing
    assert library.index().search("zebra").total == 0
    assert library.refresh([file]).updated == ("architecture://adr/0001",)
    assert library.refresh() == type(updates)()


def test_documents_come_and_go(shelve: Shelve, tmp_path: Path) -> None:
    """S-5: added and removed documents, with or without being told which."""
    library = shelve({f"{ADR}/0001-a.md": adr(1, "A", "Superseded by ADR 2")})
    assert library.records()[0].links[0].uri is None
    new = tmp_path / ADR / "0002-b.md"
    new.write_text(adr(2, "B"))
    updates = library.refresh([new])
    assert (updates.added, updates.listing) == (("architecture://adr/0002",), True)
    assert library.records()[0].links[0].uri == "architecture://adr/0002"
    new.unlink()
    updates = library.refresh()
    assert (updates.removed, updates.listing) == (("architecture://adr/0002",), True)
    assert library.records()[0].links[0].uri is None


def test_an_answer_given_while_a_document_is_worked_in_is_not_kept(
    shelve: Shelve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-16: a new document is found; no call that came between the list and the index hides it."""
    library = shelve({f"{ADR}/0001-a.md": adr(1, "A")})
    searcher = Searcher(library)
    assert not searcher.search("zeppelin").found
    update = library._update_index

    def asked_before(*given: Any) -> None:
        assert library.version == 2 and not searcher.search("zeppelin").found
        update(*given)

    monkeypatch.setattr(library, "_update_index", asked_before)
    new = tmp_path / ADR / "0002-b.md"
    new.write_text(adr(2, "Zeppelin"))
    library.refresh([new])
    assert [each.record.path for each in searcher.search("zeppelin").found] == ["0002-b.md"]


def test_a_library_that_is_let_go_leaves_memory(shelve: Shelve) -> None:
    """R-10: a project that nobody uses goes, with all that was read of it."""
    library = shelve({f"{ADR}/0001-a.md": adr(1, "A")})
    library.index()
    assert library.decisions is not None  # it knows the library: only a collection ends both
    gone = weakref.ref(library)
    library.close()
    del library
    gc.collect()
    assert gone() is None


def test_a_first_index_tells_how_far_it_is(shelve: Shelve, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-16: "being built, N %", where the first question is a search and nothing was read yet."""
    library = shelve({f"{ADR}/000{number}-a.md": adr(number, "A") for number in range(1, 6)})
    told: list[int] = []
    item_of = search.item_of

    def noted(record: DocumentRecord, body: str) -> IndexItem:
        told.append(library.progress)
        return item_of(record, body)

    monkeypatch.setattr(search, "item_of", noted)
    assert library.progress == 0
    library.index()
    assert told == [20, 40, 60, 80, 99]
    assert library.progress == 100


def test_a_doubled_number_renames_both(shelve: Shelve, tmp_path: Path) -> None:
    """A-2: own URIs at every moment."""
    library = shelve({f"{ADR}/0001-a.md": adr(1, "A")})
    library.records()
    twin = tmp_path / ADR / "0001-b.md"
    twin.write_text(adr(1, "B"))
    updates = library.refresh([twin])
    assert sorted(updates.added) == ["architecture://adr/0001-a", "architecture://adr/0001-b"]
    assert updates.removed == ("architecture://adr/0001",)
    assert library.index().search("B").hits


NAMES = ["0001-a", "0001-b", "1-a", "x/0001-a", "x/README", "0002-x/README", "README", "a", "x/a"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.sampled_from(NAMES)), min_size=2, max_size=4))
def test_names_after_any_changes_are_those_of_a_fresh_library(moments: list[set[str]]) -> None:
    """A-2: every document its own uri, whatever came and went before."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        home = project / "docs/adr"
        home.mkdir(parents=True)
        library = Library(project)
        for moment in moments:
            for name in NAMES:
                file = home / f"{name}.md"
                if name in moment:
                    file.parent.mkdir(exist_ok=True)
                    file.write_text(f"# {name}\n\nSee [a](0001-a.md), ADR-1 and [b](../x/a.md).\n")
                else:
                    file.unlink(missing_ok=True)
            library.refresh()
            fresh = Library(project)
            assert library.records() == fresh.records()
            assert len(set(uris(library))) == len(moment)


def test_a_folder_that_is_away_keeps_its_last_index(
    shelve: Shelve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """FAULTS, documents: "unavailable", the last index kept, recovery without a restart."""
    library = shelve({f"{ADR}/0001-a.md": adr(1, "A"), "docs/adr/0002-b.md": adr(2, "B")})
    library.index()
    home = tmp_path / ADR
    shutil.move(home, tmp_path / "away")
    with caplog.at_level(logging.WARNING):
        library.refresh([home / "0001-a.md", home])
    assert f"{ADR} is unavailable; the last index is kept" in caplog.text
    assert library.snapshot.unavailable == (ADR,)
    assert uris(library) == ["architecture://adr/0001", "architecture://adr/0002"]
    assert library.index().search("Because").total == 2
    shutil.move(tmp_path / "away", home)
    (home / "0003-c.md").write_text(adr(3, "C"))
    assert library.refresh([home]).added == ("architecture://adr/0003",)
    assert library.snapshot.unavailable == ()


def test_one_bad_file_never_fails_the_rest(shelve: Shelve, tmp_path: Path) -> None:
    """FAULTS, documents: binary, named pipe, huge; the others are served."""
    library = shelve({f"{ADR}/0001-a.md": adr(1, "A")})
    home = tmp_path / ADR
    (home / "0002-binary.md").write_bytes(b"\0\1\2")
    (home / "0003-huge.md").write_bytes(b"x" * (5 * 1024 * 1024))
    os.mkfifo(home / "0004-pipe.md")
    (home / "0005-link.md").symlink_to("/etc/hostname")
    assert uris(library) == ["architecture://adr/0001"]
    assert [file for file, _ in library.snapshot.problems] == [
        f"{ADR}/0002-binary.md",
        f"{ADR}/0003-huge.md",
    ]
    (home / "0002-binary.md").write_text(adr(2, "Text now"))
    assert library.refresh([home / "0002-binary.md"]).added == ("architecture://adr/0002",)
    assert [file for file, _ in library.snapshot.problems] == [f"{ADR}/0003-huge.md"]


def test_a_folder_that_leads_out_of_the_project_is_not_followed(
    shelve: Shelve, tmp_path: Path
) -> None:
    """A-8: file access only below the configured roots."""
    outside = tmp_path.parent / f"{tmp_path.name}-secret"
    outside.mkdir()
    (outside / "0001-secret.md").write_text(adr(1, "Secret"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "adr").symlink_to(outside)
    assert uris(shelve({})) == []


def test_a_document_that_went_meanwhile_says_so(shelve: Shelve, tmp_path: Path) -> None:
    """FAULTS, documents: deleted between listing and reading."""
    library = shelve({f"{ADR}/0001-a.md": adr(1, "A")})
    (record,) = library.records()
    (tmp_path / record.file).unlink()
    with pytest.raises(FileRefused):
        library.text(record)


def test_a_burst_is_one_rebuild_and_loses_nothing(shelve: Shelve, tmp_path: Path) -> None:
    """FAULTS, documents: a burst of changes, one rebuild, nothing lost."""
    library = shelve({f"{ADR}/{n:04}-x.md": f"# {n}. Old\n\nancient\n" for n in range(1, 301)})
    index = library.index()
    files = sorted((tmp_path / ADR).iterdir())
    for file in files:
        file.write_text(file.read_text().replace("ancient", "modern"))
    updates = library.refresh(files)
    assert len(updates.updated) == 300
    assert library.index() is not index
    assert library.index().search("modern", limit=1).total == 300
    assert library.index().search("ancient").total == 0


def test_a_search_during_a_rebuild_sees_the_old_index(
    shelve: Shelve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAULTS, documents: the old index until the swap."""
    library = shelve({f"{ADR}/{n:04}-x.md": f"# {n}. Old\n\nancient\n" for n in range(1, 151)})
    old = library.index()
    building, go_on = threading.Event(), threading.Event()
    indexed = Library._indexed

    def slowly(self: Library, *arguments: object) -> object:
        building.set()
        assert go_on.wait(10)
        return indexed(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Library, "_indexed", slowly)
    for file in (tmp_path / ADR).iterdir():
        file.write_text("# New\n\nmodern\n")
    rebuild = threading.Thread(target=library.refresh)
    rebuild.start()
    assert building.wait(10)
    assert library.index() is old
    assert library.index().search("ancient", limit=1).total == 150
    go_on.set()
    rebuild.join(10)
    assert library.index().search("modern", limit=1).total == 150
    assert library.index().search("ancient").total == 0


def test_many_threads_ask_first_and_one_reads(shelve: Shelve) -> None:
    """K-16: safe under concurrency."""
    library = shelve({f"{ADR}/{n:04}-x.md": adr(1, "X") for n in range(1, 40)})
    seen: list[int] = []
    threads = [threading.Thread(target=lambda: seen.append(id(library.snapshot))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seen)) == 1
