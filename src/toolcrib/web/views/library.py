"""The library: documents by kind, and code beside what was found in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolcrib.packs.architecture.library.records import DocumentRecord, Kind
from toolcrib.packs.architecture.patterns.heuristics import TextCheck
from toolcrib.packs.architecture.patterns.rules import RuleSet

KINDS: Final[tuple[tuple[Kind, str], ...]] = (
    ("guidelines", "Guidelines"), ("patterns", "Patterns"), ("adr", "Decisions"),
)  # fmt: skip
_MOST_LINES = 2000


def as_json(groups: Sequence[tuple[str, Sequence[DocumentRecord]]]) -> dict[str, Any]:
    """The documents for scripts."""
    return {
        "documents": [
            {"uri": each.uri, "title": each.title, "kind": each.kind}
            for _, records in groups
            for each in records
        ]
    }


def demands(rules: RuleSet, words: Sequence[TextCheck]) -> dict[str, Any]:
    """What a pattern asks of code: by its rules, else by its words; and which of them it is."""
    if rules.rules or rules.problems:
        found = [
            {"rule": each.id, "severity": each.severity, "language": each.language.name,
             "text": each.message}
            for each in rules.rules
        ]  # fmt: skip
        return {"mode": "rules", "rules": found, "wrong": [str(each) for each in rules.problems]}
    found = [
        {"rule": each.name, "severity": "error" if each.strict else "warning", "language": "",
         "text": f"“{each.sentence}”"}
        for each in words
    ]  # fmt: skip
    return {"mode": "heuristic" if found else "none", "rules": found, "wrong": []}


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
