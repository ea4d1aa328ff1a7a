"""A-1: title, date, tags, number and description of a document."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.reading.metadata import (
    Metadata,
    file_number,
    is_decision,
    iso_date,
    read_metadata,
)


def read(body: str, path: str = "x.md", title: str = "T", **front_matter: object) -> Metadata:
    return read_metadata(path, title, Outline(body), front_matter, decision=True)


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("0003-use-postgres.md", "0003"),
        ("3-use-postgres.md", "3"),
        ("adr-008-dcert.md", "008"),
        ("ADR_012.md", "012"),
        ("ODH-ADR-0007-gitops.md", "0007"),
        ("replace-adr-5.md", None),
        ("ODH-ADR-Operator-0001-x.md", None),
        ("2021-11-18_011-use-cardano-api.md", "011"),
        ("sub/folder/0042-deep.md", "0042"),
        ("features/0015-acks/README.md", "0015"),
        ("2023-01-16-npm-packages.md", None),
        ("2022-21-11-odd-date.md", None),
        ("2026-01-content.md", None),
        ("2023-09-22-2-factor.md", None),
        ("20230615-compact.md", None),
        ("use-postgres.md", None),
        ("README.md", None),
    ],
)
def test_the_number_is_as_the_file_name_writes_it(path: str, number: str | None) -> None:
    """A-2: `0003`, and a date is no number."""
    assert file_number(path) == number


@pytest.mark.parametrize(
    ("title", "front_matter", "number"),
    [
        ("ADR 12: Use Postgres", {}, 12),
        ("12. Use Postgres", {}, 12),
        ("Aries RFC 0015: ACKs", {}, 15),
        ("[ADR-0007] Something", {}, 7),
        ("Use Postgres", {"id": "0009-use-postgres"}, 9),
        ("Use Postgres", {"number": 4}, 4),
        ("Use 3 databases", {}, None),
        ("Use Postgres", {"id": True}, None),
    ],
)
def test_without_a_number_in_the_name_heading_and_front_matter_are_asked(
    title: str, front_matter: dict[str, object], number: int | None
) -> None:
    """A-1: number in the name, heading or front matter."""
    assert read("", title=title, **front_matter).number == number


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-01-31", "2024-01-31"),
        ("2024/1/3", "2024-01-03"),
        ("31.01.2024", "2024-01-31"),
        ("Jan 31, 2024", "2024-01-31"),
        ("31 January 2024", "2024-01-31"),
        ("2019 Aug 31", "2019-08-31"),
        ("2022-21-11", "2022-11-21"),
        ("2024-02-31", None),
        ("soon", None),
    ],
)
def test_dates_are_understood_in_figures_and_in_words(text: str, date: str | None) -> None:
    """A-1: date."""
    assert iso_date(text) == date


def test_the_date_comes_from_front_matter_then_a_line_then_the_name() -> None:
    """A-1: date."""
    line = "# T\n\n* Date: 2023-05-06\n"
    assert read(line, "2020-01-01-x.md", date=datetime.date(2024, 7, 8)).date == "2024-07-08"
    assert read(line, "2020-01-01-x.md").date == "2023-05-06"
    assert read("# T\n", "2020-01-01-x.md").date == "2020-01-01"
    assert read("# T\n", "0001-x.md").date is None


def test_tags_come_from_front_matter_or_a_line() -> None:
    """A-1: tags."""
    assert read("", tags=["a", "b", "a"]).tags == ("a", "b")
    assert read("", keywords="x, y").tags == ("x", "y")
    assert read("# T\n\n- Tags: [feature](/tags.md#feature), `protocol`\n").tags == (
        "feature",
        "protocol",
    )


def test_the_description_is_the_first_sentence_of_the_context() -> None:
    """A-2: listed with description."""
    body = "# T\n\nDate: 2024-01-01\n\n## Context\n\nWe [need](x.md) a store.\n"
    assert read(body).description == "We need a store."
    assert read("", description="Said up front").description == "Said up front"


def test_a_long_description_is_cut_at_a_word() -> None:
    """A-2: listed with description."""
    shown = read("# T\n\n" + "word " * 200).description
    assert len(shown) <= 241
    assert shown.endswith("word…")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("0001-x.md", True),
        ("README.md", False),
        ("index.md", False),
        ("0000-index.md", False),
        ("000_adr-log.md", False),
        ("0000-record-architecture-decisions.md", True),
        ("0012-index.md", True),
        ("template.md", False),
        ("adr-template.md", False),
        ("features/0015-acks/README.md", True),
    ],
)
def test_a_table_of_contents_is_no_decision(path: str, expected: bool) -> None:
    """A-1, A-10: records are decisions; index pages are none, whatever their number."""
    assert is_decision(path) is expected


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("AGENTS.md", "# Decisions\n\nRead these before you change anything.\n", False),
        ("ADR-MAPPING.md", "# From old to new\n\n| 1 | 7 |\n", False),
        ("STORAGE.md", "# Storage\n\nStatus: accepted\n", True),
        ("STORAGE.md", "# Storage\n\n## Context\n\nA.\n\n## Decision\n\nB.\n", True),
        ("ADR-7.md", "# Storage\n\nWe keep it in files.\n", True),
        ("storage.md", "# Storage\n\nWe keep it in files.\n", True),
    ],
)
def test_a_page_about_the_folder_is_no_decision(path: str, body: str, expected: bool) -> None:
    """A-10: what stands in capitals among records, and has nothing of a record, is none."""
    assert read(body, path=path).is_decision is expected


@given(
    st.text(max_size=300),
    st.text(max_size=40),
    st.dictionaries(
        st.sampled_from(["date", "tags", "id", "number", "description", "status"]),
        st.one_of(st.text(), st.integers(), st.booleans(), st.none(), st.lists(st.text())),
    ),
)
def test_any_document_is_read_without_a_crash(
    body: str, path: str, front_matter: dict[str, object]
) -> None:
    """A-1: documents are untrusted."""
    found = read(body, f"{path}.md", body, **front_matter)
    assert found.date is None or datetime.date.fromisoformat(found.date)
    assert len(found.description) <= 241
