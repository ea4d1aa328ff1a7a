"""A-2: the documents as resources."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.core.errors import InvalidParams, ResourceNotFound
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.resources import LibraryResources
from toolcrib.packs.architecture.patterns.patterns import find_pattern

FILES = {
    "mcp/resources/adr/0001-first.md": "# 1. First\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n"
    "## Context\n\nWe need it.\n",
    "mcp/resources/adr/0012-twelfth.md": "# 12. Twelfth\n",
    "mcp/resources/patterns/data/repository-pattern.md": "\ufeff# Repository\r\n\r\nWords.\r\n",
    "mcp/resources/guidelines/api.md": "# API\n",
}


@pytest.fixture
def resources(shelve: Callable[..., Library]) -> LibraryResources:
    return LibraryResources(shelve(FILES))


def test_documents_are_listed_with_what_is_known_of_them(resources: LibraryResources) -> None:
    """A-2: listed with title, description, size, `text/markdown`; sorted."""
    listed = [each.to_wire() for each in resources.resources()]
    assert [each["uri"] for each in listed] == [
        "architecture://adr/0001",
        "architecture://adr/0012",
        "architecture://guidelines/api",
        "architecture://patterns/data/repository-pattern",
    ]
    assert listed[0] == {
        "uri": "architecture://adr/0001",
        "name": "0001",
        "title": "1. First",
        "description": "Accepted, 2024-01-02. We need it.",
        "mimeType": "text/markdown",
        "size": len(FILES["mcp/resources/adr/0001-first.md"]),
    }
    assert resources.resources() is resources.resources()


def test_there_is_a_template_for_each_kind(resources: LibraryResources) -> None:
    """A-2: templates for each."""
    assert [each.uri_template for each in resources.templates()] == [
        "architecture://adr/{adr_id}",
        "architecture://guidelines/{path}",
        "architecture://patterns/{path}",
    ]


@pytest.mark.parametrize("uri", ["architecture://adr/0001", "architecture://adr/0001-first.md"])
def test_a_document_is_read_by_id_or_stem(resources: LibraryResources, uri: str) -> None:
    """A-2: id or file stem."""
    (piece,) = asyncio.run(resources.read(uri))
    assert piece.to_wire() == {
        "uri": "architecture://adr/0001",
        "mimeType": "text/markdown",
        "text": FILES["mcp/resources/adr/0001-first.md"],
    }


def test_a_name_is_told_as_people_write_it(shelve: Callable[..., Library]) -> None:
    """A-2: escapes belong into uris alone; both spellings are understood."""
    library = shelve(
        {
            "docs/adr/use a cache (100%).md": "# Use a cache\n\nStatus: accepted\n",
            "docs/patterns/data/deep one.md": "# Deep\n",
        }
    )
    deep, decision = library.records("patterns")[0], library.records("adr")[0]
    assert (deep.uri, deep.name) == ("architecture://patterns/data/deep%20one", "data/deep one")
    assert decision.uri == "architecture://adr/use%20a%20cache%20(100%25)"
    assert decision.adr_id == "use a cache (100%)"
    for uri in (decision.uri, "architecture://adr/use a cache (100%)", f"{decision.uri}.md"):
        assert library.find(uri) is decision
    assert library.resolve_adr(decision.adr_id) is decision
    assert find_pattern(library, "data/deep one") is deep
    assert find_pattern(library, deep.uri) is deep


def test_a_byte_order_mark_and_carriage_returns_are_gone(resources: LibraryResources) -> None:
    """FAULTS, documents: BOM stripped."""
    (piece,) = asyncio.run(resources.read("architecture://patterns/data/repository-pattern"))
    assert piece.text == "# Repository\n\nWords.\n"


def test_an_unknown_uri_names_the_nearest(resources: LibraryResources) -> None:
    """A-2: not found: -32602 with the uri and the nearest ones."""
    with pytest.raises(ResourceNotFound) as caught:
        asyncio.run(resources.read("architecture://patterns/data/repository"))
    assert caught.value.data == {
        "uri": "architecture://patterns/data/repository",
        "nearest": ["architecture://patterns/data/repository-pattern"],
    }


@pytest.mark.parametrize("steps", ["%2e%2e/%2e%2e/secret", "..%2fsecret", "/etc/passwd", "a\0b"])
def test_no_uri_leads_out(resources: LibraryResources, steps: str) -> None:
    """FAULTS, documents: `..`, absolute, percent-encoded, NUL."""
    with pytest.raises(ResourceNotFound):
        asyncio.run(resources.read(f"architecture://guidelines/{steps}"))


def test_a_folder_that_is_away_is_unavailable(resources: LibraryResources, tmp_path: Path) -> None:
    """FAULTS, documents: "unavailable", the last index kept."""
    assert len(resources.resources()) == 4
    shutil.move(tmp_path / "mcp", tmp_path / "away")
    with pytest.raises(InvalidParams, match="is unavailable"):
        asyncio.run(resources.read("architecture://guidelines/api"))
    assert len(resources.resources()) == 4


@pytest.mark.parametrize(
    ("template", "argument", "value", "expected"),
    [
        ("architecture://adr/{adr_id}", "adr_id", "", ["0001", "0012"]),
        ("architecture://adr/{adr_id}", "adr_id", "1", ["0001", "0012"]),
        ("architecture://adr/{adr_id}", "adr_id", "12", ["0012"]),
        ("architecture://adr/{adr_id}", "adr_id", "twelf", ["0012"]),
        ("architecture://patterns/{path}", "path", "da", ["data/repository-pattern"]),
        ("architecture://patterns/{path}", "path", "REPO", ["data/repository-pattern"]),
        ("architecture://guidelines/{path}", "path", "x", []),
        ("architecture://guidelines/{path}", "other", "", []),
    ],
)
def test_ids_and_paths_are_completed(
    resources: LibraryResources, template: str, argument: str, value: str, expected: list[str]
) -> None:
    """S-8: pattern names, ADR ids."""
    assert resources.complete(template, argument, value, {}) == expected


def test_templates_and_index_pages_are_read_but_not_listed(
    shelve: Callable[..., Library],
) -> None:
    """A-10: templates and index pages are no decisions; A-2: each document has its own uri."""
    pages = {
        "docs/decisions/index.md": "# Decisions\n\n- [First](0001-first.md)\n",
        "docs/decisions/adr-template.md": "# {short title}\n",
        "docs/decisions/0001-first.md": "# First\n\n## Context\n\nx\n\n## Decision\n\ny\n",
    }
    resources = LibraryResources(shelve(pages))
    assert [each.uri for each in resources.resources()] == ["architecture://adr/0001"]
    (read,) = asyncio.run(resources.read("architecture://adr/adr-template"))
    assert "short title" in str(read)
