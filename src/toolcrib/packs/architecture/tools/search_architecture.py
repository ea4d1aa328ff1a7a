"""`search-architecture`: find the guidelines, patterns and decisions that speak of something."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolcrib.core.tool import JSON, READ_ONLY, CallContext, Tool
from toolcrib.packs.architecture.library.records import KINDS, Kind

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.library.search import Searcher

INPUT: JSON = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "Search query", "maxLength": 500},
        "resource_type": {
            "type": "string",
            "enum": ["guidelines", "patterns", "adr", "all"],
            "description": "Filter by resource type (default: all)",
        },
        "max_results": {
            "type": "integer",
            "minimum": 1,
            "maximum": 20,
            "description": "Maximum results to return (default: 10)",
        },
    },
    "required": ["query"],
}
OUTPUT: JSON = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "uri": {"type": "string"},
                    "title": {"type": "string"},
                    "resource_type": {"type": "string", "enum": ["guidelines", "patterns", "adr"]},
                    "relevance_score": {"type": "number", "minimum": 0, "maximum": 1},
                    "excerpt": {"type": "string"},
                },
                "required": ["uri", "title", "resource_type", "relevance_score", "excerpt"],
            },
        },
        "total_matches": {"type": "integer", "minimum": 0},
        "note": {"type": "string", "description": "How far the index is, while it is built"},
    },
    "required": ["results", "total_matches"],
}

_SPELLINGS = {"guideline": "guidelines", "pattern": "patterns", "adrs": "adr"}


def tool(library: Library) -> Tool:
    """The tool over a library."""
    searcher: Searcher | None = None

    def run(arguments: JSON, context: CallContext) -> JSON:
        nonlocal searcher
        if searcher is None:
            from toolcrib.packs.architecture.library.search import Searcher  # at the first search

            searcher = Searcher(library)
        kind = arguments.get("resource_type", "all")
        answer = searcher.search(
            arguments["query"].strip(),
            cast(Kind, kind) if kind in KINDS else None,
            arguments.get("max_results", 10),
        )
        told: JSON = {"note": answer.note} if answer.note else {}
        return told | {
            "results": [
                {
                    "uri": each.record.uri,
                    "title": each.record.title,
                    "resource_type": each.record.kind,
                    "relevance_score": each.score,
                    "excerpt": each.excerpt,
                }
                for each in answer.found
            ],
            "total_matches": answer.total,
        }

    return Tool(
        name="search-architecture",
        title="Search architecture",
        description="Searches architectural documentation by keywords",
        input_schema=INPUT,
        output_schema=OUTPUT,
        annotations=READ_ONLY,
        tags=("architecture", "search"),
        origin=__name__,
        validate=_understood,
        run=run,
    )


def _understood(arguments: JSON) -> JSON:
    """Accept `pattern` for `patterns`."""
    kind = arguments.get("resource_type")
    if isinstance(kind, str):
        plain = kind.strip().casefold()
        return {**arguments, "resource_type": _SPELLINGS.get(plain, plain)}
    return arguments
