"""The next decision record: its number, its form, and its links both ways."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError, UsageError
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.records import LinkKind
from toolcrib.packs.architecture.records.authoring import (
    Draft,
    Relation,
    draft_decision,
    slug,
    write_drafts,
)
from toolcrib.packs.architecture.records.forms import restate

Shelve = Callable[..., Library]
TODAY = datetime.date(2024, 5, 6)
OLD = "# 2. Old\n\nDate: 2023-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nX.\n"


def drafts(library: Library, title: str, **links: str) -> list[Draft]:
    kinds: dict[str, LinkKind] = {
        "supersedes": "supersedes",
        "amends": "amends",
        "relates": "relates_to",
    }
    relations = [Relation(kinds[name], library.resolve_adr(each)) for name, each in links.items()]
    return draft_decision(library, title, relations, today=TODAY)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([], "mcp/resources/adr/0001-use-it.md"),
        (["docs/adr/0007-x.md", "docs/adr/0009-y.md"], "docs/adr/0010-use-it.md"),
        (["docs/decisions/adr-008-x.md"], "docs/decisions/adr-009-use-it.md"),
        (["docs/adr/99-x.md"], "docs/adr/100-use-it.md"),
        (["docs/adr/2023-01-01-x.md", "docs/adr/2023-02-01-y.md"], "docs/adr/2024-05-06-use-it.md"),
        (["docs/adr/0001-x.md", "docs/adr/0000-template.md"], "docs/adr/0002-use-it.md"),
    ],
)
def test_the_next_file_is_named_like_its_neighbours(
    shelve: Shelve, files: list[str], expected: str
) -> None:
    """A-1: next number."""
    (new,) = drafts(shelve(dict.fromkeys(files, OLD)), "Use it")
    assert new.file == expected


def test_a_new_record_is_a_decision_that_the_library_understands(
    shelve: Shelve, tmp_path: Path
) -> None:
    """A-1: template, and links both ways."""
    library = shelve({"docs/adr/0002-old.md": OLD})
    write_drafts(drafts(library, "Use  Postgres", supersedes="2"))
    library.refresh()
    old, new = library.records("adr")
    assert (new.title, new.status, new.date) == ("3. Use Postgres", "proposed", "2024-05-06")
    assert [(link.kind, link.uri) for link in new.links] == [("supersedes", old.uri)]
    assert [(link.kind, link.uri) for link in old.links] == [("superseded_by", new.uri)]
    assert old.status == "superseded"
    assert library.successor(old) == new


def test_an_amended_record_keeps_its_status(shelve: Shelve) -> None:
    """A-1: amends."""
    library = shelve({"docs/adr/0002-old.md": OLD})
    write_drafts(drafts(library, "More", amends="2"))
    library.refresh()
    old, new = library.records("adr")
    assert old.status == "accepted"
    assert [(link.kind, link.uri) for link in old.links] == [("amended_by", new.uri)]


def test_a_mere_relation_leaves_the_other_alone(shelve: Shelve) -> None:
    library = shelve({"docs/adr/0002-old.md": OLD})
    new, other = drafts(library, "More", relates="2")
    assert other.text == other.old
    assert "Relates to [2. Old](0002-old.md)" in new.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# T\n\n## Status\n\nAccepted\n", "# T\n\n## Status\n\nSuperseded by [N](n.md)\n"),
        ("# T\n\n* Status: accepted\n", "# T\n\n* Status: superseded by [N](n.md)\n"),
        (
            "---\nstatus: accepted\ndate: 2024\n---\n# T\n",
            '---\nstatus: "superseded by [N](n.md)"\ndate: 2024\n---\n# T\n',
        ),
        (
            "---\nstatus: accepted\n---\n# T\n\n## Status\n\nAccepted\n",
            '---\nstatus: "superseded by [N](n.md)"\n---\n# T\n\n## Status\n\n'
            "Superseded by [N](n.md)\n",
        ),
        ("# T\n\nNo status.\n", None),
    ],
)
def test_a_status_is_restated_in_its_own_form(text: str, expected: str | None) -> None:
    """A-1: MADR, Nygard, front matter."""
    assert restate(text, "Superseded by [N](n.md)") == expected


def test_a_record_without_a_status_cannot_be_superseded(shelve: Shelve) -> None:
    library = shelve({"docs/adr/0002-old.md": "# Old\n"})
    with pytest.raises(ConfigError, match=r"docs/adr/0002-old.md states no status"):
        drafts(library, "New", supersedes="2")


def test_an_existing_file_is_never_overwritten(shelve: Shelve, tmp_path: Path) -> None:
    library = shelve({"docs/adr/0002-old.md": OLD})
    (new,) = drafts(library, "New")
    new.path.write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        write_drafts([new])
    assert new.path.read_text() == "mine"


def test_another_folder_can_be_chosen(shelve: Shelve) -> None:
    library = shelve({"docs/adr/0002-old.md": OLD})
    (new,) = draft_decision(library, "New", folder="docs/decisions/")
    assert new.file == "docs/decisions/0001-new.md"
    with pytest.raises(UsageError, match="is no folder of decisions") as caught:
        draft_decision(library, "New", folder="docs")
    assert caught.value.next is not None
    assert "docs/decisions" in caught.value.next


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Use PostgreSQL, für alles!", "use-postgresql-fur-alles"),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 100, "a" * 60),
        ("word " * 30, "-".join(["word"] * 12)),
    ],
)
def test_a_title_becomes_a_harmless_name(title: str, expected: str) -> None:
    assert slug(title) == expected


def test_a_title_without_letters_is_refused(shelve: Shelve) -> None:
    with pytest.raises(UsageError, match="no letters"):
        drafts(shelve({}), "!!! …")


@pytest.mark.parametrize(
    ("neighbour", "begins"),
    [
        ("---\nstatus: accepted\ndate: 2023-01-01\n---\n\n# Old\n", "---\nstatus: proposed\n"),
        ("# Old\n\n* Status: accepted\n* Date: 2023-01-01\n", "# New\n\n* Status: proposed\n"),
        ("# 2. Old\n\n## Status\n\nAccepted\n", "# 3. New\n\nDate: 2024-05-06\n\n## Status\n"),
    ],
)
def test_a_new_record_has_the_form_of_its_neighbour(
    shelve: Shelve, neighbour: str, begins: str
) -> None:
    """A-1: MADR, Nygard, front matter; and its links are understood in each."""
    library = shelve({"docs/adr/0002-old.md": neighbour})
    drafted = drafts(library, "New", supersedes="2")
    assert drafted[0].text.startswith(begins)
    write_drafts(drafted)
    library.refresh()
    old, new = library.records("adr")
    assert (new.status, new.date) == ("proposed", "2024-05-06")
    assert ("supersedes", old.uri) in [(link.kind, link.uri) for link in new.links]
    assert ("superseded_by", new.uri) in [(link.kind, link.uri) for link in old.links]


def test_a_template_of_the_team_is_filled_in(shelve: Shelve) -> None:
    """A-1: template."""
    template = "# NUMBER. TITLE\n\n**Date**: YYYY\n\n## Status\n\n…\n\n## Our own section\n"
    library = shelve({"docs/adr/0002-old.md": OLD, "docs/adr/template.md": template})
    assert drafts(library, "New", supersedes="2")[0].text == (
        "# 3. New\n\n**Date**: 2024-05-06\n\n## Status\n\nProposed\n\n"
        "Supersedes [2. Old](0002-old.md)\n\n## Our own section\n"
    )


def test_a_changed_file_keeps_its_line_ends_and_its_mark(shelve: Shelve, tmp_path: Path) -> None:
    """FAULTS, documents: BOM, CRLF."""
    library = shelve({"docs/adr/0001-x.md": OLD.replace("2.", "1.")})
    file = tmp_path / "docs/adr/0002-old.md"
    file.write_bytes(b"\xef\xbb\xbf" + OLD.replace("\n", "\r\n").encode())
    write_drafts(drafts(library, "New", supersedes="2"))
    changed = file.read_bytes()
    assert changed.startswith(b"\xef\xbb\xbf# 2. Old\r\n")
    assert b"Superseded by [3. New](0003-new.md)\r\n" in changed
    assert b"\n" not in changed.replace(b"\r\n", b"")
