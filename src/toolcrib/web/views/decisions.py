"""Decisions over time: each with its links, and a proposal compared with all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

STRUCK: Final = ("superseded", "deprecated", "rejected")
_LINE = 41
_LEFT = 96


def listing(
    records: Sequence[Any], edges: Sequence[Any], query: Mapping[str, str]
) -> dict[str, Any]:
    """What the list shows: rows in order of number and date, and the arcs between them."""
    words = query.get("q", "").lower().split()
    status = query.get("status", "")
    shown = [
        record
        for record in records
        if (not status or _status(record) == status)
        and all(word in f"{record.adr_id} {record.title}".lower() for word in words)
    ]
    places = {record.uri: at for at, record in enumerate(shown)}
    return {
        "rows": [_row(record) for record in shown],
        "statuses": sorted({_status(record) for record in records}),
        "arcs": _arcs(shown, edges, places),
        "height": len(shown) * _LINE,
        "total": len(records),
        "chosen": query,
    }


def links_of(record: Any, edges: Sequence[Any], titles: Mapping[str, Any]) -> list[dict[str, str]]:
    """The links of one decision both ways, in words."""
    found = []
    for edge in edges:
        if edge.source == record.uri and edge.target in titles:
            found.append({"words": _verb(edge.kind), "id": titles[edge.target].adr_id})
        elif edge.target == record.uri and edge.source in titles:
            found.append({"words": _passive(edge.kind), "id": titles[edge.source].adr_id})
    return found


def _row(record: Any) -> dict[str, Any]:
    return {
        "id": record.adr_id,
        "title": record.title,
        "status": _status(record),
        "date": str(record.date or ""),
        "struck": _status(record) in STRUCK,
        "uri": record.uri,
    }


def _status(record: Any) -> str:
    return str(record.status or "no status").split()[0].lower() if record.status else "no status"


def _arcs(
    shown: Sequence[Any], edges: Sequence[Any], places: Mapping[str, int]
) -> list[dict[str, Any]]:
    ids = {record.uri: record.adr_id for record in shown}
    found = []
    for edge in edges:
        if edge.source not in places or edge.target not in places:
            continue
        one, other = places[edge.source], places[edge.target]
        top, bottom = (at * _LINE + _LINE / 2 for at in (one, other))
        reach = min(20 + abs(one - other) * 6, _LEFT - 10)
        found.append(
            {
                "path": f"M {_LEFT} {top:.0f} C {_LEFT - reach} {top:.0f}, "
                f"{_LEFT - reach} {bottom:.0f}, {_LEFT} {bottom:.0f}",
                "kind": str(edge.kind).replace("_", "-"),
                "title": f"{ids[edge.source]} {_verb(edge.kind)} {ids[edge.target]}",
            }
        )
    return found


def _verb(kind: object) -> str:
    return {"relates_to": "relates to", "relates": "relates to"}.get(str(kind), str(kind)).replace(
        "_", " "
    )


def _passive(kind: object) -> str:
    words = {"supersedes": "superseded by", "amends": "amended by", "deprecates": "deprecated by"}
    return words.get(str(kind), _verb(kind))
