"""A-10: a decision record is known by its name and by how it begins."""

from __future__ import annotations

import pytest

from toolcrib.packs.architecture.reading.metadata import is_decision
from toolcrib.packs.architecture.reading.recognition import BEGINNING, is_record, may_be_record

STATUS = b"# Use X\n\nStatus: Accepted\n\nWe use X.\n"
SECTIONS = b"# Use X\n\n## Context\n\nWe need one.\n\n## Decision\n\nX.\n"
MADR = b"# Use X\n\n## Considered Options\n\n* X\n* Y\n\n## Decision Outcome\n\nX.\n"
CHAPTER = b"# Setting up\n\n## Requirements\n\nStatus codes are listed below.\n"


@pytest.mark.parametrize(
    "name",
    [
        "adr-012-x.md",
        "0012-x.md",
        "ADR 12 Use X.md",
        "adr_0001.md",
        "ADR0007-x.md",
        "team-adr-3.md",
        "DR002-x.md",
        "dr-12.md",
        "ODH-ADR-Operator-0001-x.md",
        "adr_storage_012.md",
    ],
)
def test_a_record_by_name_needs_a_status_or_its_sections(name: str) -> None:
    """A-10: a status, or Context and Decision; MADR's sections say the same."""
    assert may_be_record(name)
    assert is_record(name, STATUS) and is_record(name, SECTIONS) and is_record(name, MADR)
    assert not is_record(name, CHAPTER) and not is_record(name, b"# X\n\nStatus: 404\n")


@pytest.mark.parametrize(
    "name", ["12-x.md", "2024-01-31-use-x.md", "adr-use-x.md", "adr-python-3.md"]
)
def test_a_name_that_others_have_too_needs_the_sections(name: str) -> None:
    """A-10: chapters and posts have such names, and a post may well have a status."""
    assert may_be_record(name) and is_record(name, SECTIONS)
    assert not is_record(name, b"---\nstatus: draft\n---\n# Hello\n\nA post.\n")


@pytest.mark.parametrize(
    "name",
    ["README.md", "index.md", "adr-template.md", "0000-template.md", "template.md", "adr-index.md",
     "use-x.md", "0012-x.txt", "chapter.md", "adr.md", "CHANGELOG.md"],
)  # fmt: skip
def test_templates_and_index_pages_have_other_names(name: str) -> None:
    """A-10: templates and index pages are no decisions."""
    assert not may_be_record(name)


def test_a_numbered_decision_about_a_template_is_a_decision() -> None:
    """A-1, A-10: decision records by what they are."""
    assert is_decision("docs/adr/0007-write-letters-with-our-own-template.md")
    assert not is_decision("docs/adr/0000-letter-template.md")
    assert not is_decision("docs/adr/0007-template.md")


@pytest.mark.parametrize(
    "title", ["{title}", "ADR-NNN: [short title]", "ADR XXX: {TITLE}", "<Title>"]
)
def test_a_form_that_is_not_filled_in_is_no_record(title: str) -> None:
    """A-10: whatever its file is called."""
    form = f"# {title}\n\n## Status\n\nAccepted\n\n## Context\n\n## Decision\n"
    assert not is_record("0000-x.md", form.encode())


def test_only_the_beginning_is_looked_at() -> None:
    """A-10: 4 KiB; a letter that is cut in two is no reason to fail."""
    late = b"# Use X\n\n" + b"word " * 2000 + b"\n\n## Status\n\nAccepted\n"
    assert not is_record("0012-x.md", late[:BEGINNING])
    cut = b"# Use X\n\nStatus: Accepted\n\n" + "é".encode() * BEGINNING
    assert is_record("0012-x.md", cut[:BEGINNING])
    assert not is_record("0012-x.md", b"\x00\xff\xfe" * 50)
