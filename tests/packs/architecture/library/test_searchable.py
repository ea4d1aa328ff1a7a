"""What the library offers to the one search (S-10)."""

from __future__ import annotations

from collections.abc import Callable

from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.searchable import searchable

RECORD = "# 1. First\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do.\n"


def test_templates_and_index_pages_are_found_as_documents(shelve: Callable[..., Library]) -> None:
    """A-10: templates and index pages are no decisions, S-10: each has its kind."""
    library = shelve(
        {
            "docs/decisions/0001-first.md": RECORD,
            "docs/decisions/adr-template.md": "# {short title}\n\n## Context\n",
            "docs/decisions/index.md": "# Decisions\n\n- [First](0001-first.md)\n",
            "mcp/resources/patterns/p.md": "# P\n",
        }
    )
    kinds = {each.uri: each.kind for each in searchable(library)}
    assert kinds == {
        "architecture://adr/0001": "decision",
        "architecture://adr/adr-template": "document",
        "architecture://adr/index": "document",
        "architecture://patterns/p": "pattern",
    }
