"""`search-architecture`: the documents that speak of what you ask, best first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolcrib.core.tool import JSON
from toolcrib.core.workflow import ARGUMENT as WORKFLOW
from toolcrib.core.workflow import SCHEMA as WORKFLOW_SCHEMA
from toolcrib.packs.architecture.record import Record

if TYPE_CHECKING:
    from toolcrib.search.index import Index

NAME = "search-architecture"
WEIGHTS = {"title": 3.0, "id": 2.0, "tags": 2.0, "body": 1.0}
EXCERPT = 240

_SINGULAR = {"guideline": "guidelines", "pattern": "patterns", "adrs": "adr"}
_MOST_ANSWERS = 256
_NEIGHBOURHOOD = 1_200
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~).*$|<!--.*?-->", re.M | re.S)
_WORD = re.compile(r"\w{3,}")

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
        WORKFLOW: WORKFLOW_SCHEMA,
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
    },
    "required": ["results", "total_matches"],
}


def new_index() -> Index:
    """An empty index with the fields of a document."""
    from toolcrib.search.index import Index

    return Index(WEIGHTS)


def add_record(index: Index, record: Record, body: str) -> None:
    """Put one document in, in the place of its former version."""
    index.add(
        record.uri,
        {
            "title": record.title,
            "id": f"{record.stem} {record.path.rpartition('/')[0]}",
            "tags": record.tags,
            "body": body,
        },
        {"kind": record.kind},
    )
