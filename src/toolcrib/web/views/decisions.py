"""Decisions over time: each with its links, and a proposal compared with all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from toolcrib.packs.architecture.library.records import DocumentRecord
from toolcrib.packs.architecture.records.graph import Edge

STRUCK: Final = ("superseded", "deprecated", "rejected")
_LINE, _YEAR = 42, 24
_NUMBER = re.compile(r"^(?:ADR[-\s]?)?\d+\s*[.:)–-]\s+", re.IGNORECASE)
_LEFT = 104
_VERBS = {
    "supersedes": "supersedes", "amends": "amends", "deprecates": "deprecates",
    "relates_to": "relates to",
}  # fmt: skip
_PASSIVES = {
    "supersedes": "superseded by", "amends": "amended by", "deprecates": "deprecated by",
    "relates_to": "relates to",
}  # fmt: skip


def listing(
    records: Sequence[DocumentRecord],
    edges: Sequence[Edge],
    query: Mapping[str, str],
    wrong: Collection[str] = (),
) -> dict[str, Any]:
    """What the list shows: rows in order of number and date, and the arcs between them."""
    words = query.get("q", "").lower().split()
    status = query.get("status", "")
    shown = [
        record
        for record in records
        if (not status or status_of(record) == status)
        and all(word in f"{record.adr_id} {record.title} {record.date}".lower() for word in words)
    ]
    rows, middles, height = _rows(shown, wrong)
    return {
        "rows": rows,
        "statuses": Counter(status_of(record) for record in records).most_common(),
        "arcs": _arcs(shown, edges, middles),
        "kinds": sorted({str(edge.kind) for edge in edges}),
        "height": height,
        "total": len(records),
    }


def as_json(shown: Mapping[str, Any]) -> dict[str, Any]:
    """The list for scripts."""
    keys = ("id", "title", "status", "date", "uri")
    return {
        "decisions": [{key: row[key] for key in keys} for row in shown["rows"]],
        "links": [arc["title"] for arc in shown["arcs"]],
        "total": shown["total"],
    }


def decision_as_json(record: DocumentRecord, shown: Mapping[str, Any]) -> dict[str, Any]:
    """One decision for scripts."""
    return {
        "id": record.adr_id,
        "title": record.title,
        "status": record.status,
        "date": record.date,
        "uri": record.uri,
        "file": record.file,
        "links": shown["links"],
        "findings": [str(each) for each in shown["findings"]],
    }


def alignment(answer: Mapping[str, Any], milliseconds: float) -> dict[str, Any]:
    """The answer of check-adr-alignment, conflicts first."""
    order = {"conflicts": 0, "supports": 1, "aligns": 1}
    related = sorted(
        answer.get("related_adrs", ()), key=lambda each: order.get(each["alignment"], 2)
    )
    conflicts = sum(each["alignment"] == "conflicts" for each in related)
    return {
        "related": related,
        "conflicts": conflicts,
        "suggestions": answer.get("suggestions", ()),
        "ms": round(milliseconds, 1),
    }


def links_of(
    record: DocumentRecord, edges: Sequence[Edge], titles: Mapping[str, DocumentRecord]
) -> list[dict[str, str]]:
    """The links of one decision both ways, in words."""
    found = []
    for edge in edges:
        if edge.source == record.uri and edge.target in titles:
            found.append((_VERBS[edge.kind], titles[edge.target]))
        elif edge.target == record.uri and edge.source in titles:
            found.append((_PASSIVES[edge.kind], titles[edge.source]))
    return [
        {"words": words, "id": str(other.adr_id), "title": plain_title(other)}
        for words, other in found
    ]


def status_of(record: DocumentRecord) -> str:
    """The status in one word."""
    return str(record.status or "").partition(" ")[0].lower() or "no status"


def plain_title(record: DocumentRecord) -> str:
    """The title without the number that the id says already."""
    return _NUMBER.sub("", record.title, count=1) or record.title


def _rows(
    shown: Sequence[DocumentRecord], wrong: Collection[str]
) -> tuple[list[dict[str, Any]], dict[str, float], int]:
    """The rows, where the middle of each stands, and how high they are together."""
    rows: list[dict[str, Any]] = []
    middles: dict[str, float] = {}
    height, before = 0, None
    for record in shown:
        date = str(record.date or "")
        year = date[:4] if date[:4].isdigit() else "no date"
        first = year != before
        before = year
        height += _YEAR if first else 0
        middles[record.uri] = height + _LINE / 2
        height += _LINE
        rows.append(
            {
                "id": record.adr_id,
                "title": plain_title(record),
                "status": status_of(record),
                "date": date,
                "year": year if first else None,
                "struck": status_of(record) in STRUCK,
                "wrong": record.file in wrong,
                "uri": record.uri,
            }
        )
    return rows, middles, height


def _arcs(
    shown: Sequence[DocumentRecord], edges: Sequence[Edge], middles: Mapping[str, float]
) -> list[dict[str, Any]]:
    ids = {record.uri: record.adr_id for record in shown}
    found = []
    for edge in edges:
        if edge.source not in middles or edge.target not in middles:
            continue
        start, end = middles[edge.source], middles[edge.target]
        reach = min(16 + abs(start - end) / _LINE * 7, _LEFT - 14)
        found.append(
            {
                "path": f"M {_LEFT} {start:.0f} C {_LEFT - reach:.0f} {start:.0f}, "
                f"{_LEFT - reach:.0f} {end:.0f}, {_LEFT - 4} {end:.0f}",
                "kind": str(edge.kind).replace("_", "-"),
                "title": f"{ids[edge.source]} {_VERBS[edge.kind]} {ids[edge.target]}",
                "ends": (ids[edge.source], ids[edge.target]),
            }
        )
    return found
