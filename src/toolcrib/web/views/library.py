"""The library: documents by kind, and code beside what was found in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolcrib.packs.architecture.library.records import Kind, Record

KINDS: Final[tuple[tuple[Kind, str], ...]] = (
    ("guidelines", "Guidelines"), ("patterns", "Patterns"), ("adr", "Decisions"),
)  # fmt: skip
LANGUAGES: Final = ("python", "typescript", "javascript", "go", "rust", "java", "sql")
_MOST_LINES = 2000


def as_json(groups: Sequence[tuple[str, Sequence[Record]]]) -> dict[str, Any]:
    """The documents for scripts."""
    return {
        "documents": [
            {"uri": each.uri, "title": each.title, "kind": each.kind}
            for _, records in groups
            for each in records
        ]
    }


def code_lines(code: str, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The code line by line, those marked that a violation names; nothing where none does."""
    marked = {each.get("line") for each in answer.get("violations", ())} - {None}
    if not marked:
        return []
    lines = code.split("\n")[:_MOST_LINES]
    return [
        {"number": number, "text": text, "marked": number in marked}
        for number, text in enumerate(lines, 1)
    ]
