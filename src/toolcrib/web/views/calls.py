"""Calls: what agents did in this repository."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from toolcrib.web.call_log import PAGE, CallLog, Row, Wanted, summary_of

OUTCOMES: Final = (
    "ok", "failed", "timeout", "invalid", "denied", "refused", "cancelled", "asked",
)  # fmt: skip
TIMES: Final = (
    ("", "all the time"), ("1h", "last hour"), ("1d", "last day"), ("7d", "last week"),
)  # fmt: skip
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_BARS = 60


def wanted_by(query: Mapping[str, str]) -> Wanted:
    """The filter that an address asks for."""
    slower = query.get("slower", "")
    return Wanted(
        tuple(query.get("q", "").lower().split()),
        query.get("outcome", ""),
        query.get("client", ""),
        query.get("tool", ""),
        _since(query.get("since", "")),
        float(slower) if slower.replace(".", "", 1).isdigit() else 0.0,
    )


def listing(log: CallLog, query: Mapping[str, str]) -> dict[str, Any]:
    """What the page of calls shows."""
    wanted = wanted_by(query)
    rows = log.select(wanted)
    pages = max(1, -(-len(rows) // PAGE))
    number = query.get("page", "1")
    page = min(max(1, int(number) if number.isdigit() and len(number) < 9 else 1), pages)
    return {
        "summary": summary_of(rows),
        "rows": rows[(page - 1) * PAGE : page * PAGE],
        "page": page,
        "pages": pages,
        "unread": log.unread,
        "outcomes": _outcomes(log.outcomes(wanted)),
        "clients": log.clients(),
        "tools": log.tools(),
        "times": TIMES,
        "bars": _bars(rows),
        "recorded": log.recorded,
        "chosen": query,
    }


def as_json(shown: Mapping[str, Any]) -> dict[str, Any]:
    """The same numbers for scripts."""
    return {
        "summary": shown["summary"].as_dict(),
        "calls": [row.line for row in shown["rows"]],
        "page": shown["page"],
        "pages": shown["pages"],
        "unread": shown["unread"],
    }


def row_as_json(row: Row) -> dict[str, Any]:
    """One row for the live table."""
    return {
        "id": row.id,
        "time": row.time,
        "client": row.client,
        "tool": row.tool,
        "inner": [each.tool for each in row.inner],
        "arguments": brief_arguments(row),
        "outcome": row.outcome,
        "ms": row.ms,
    }


def brief_arguments(row: Row) -> str:
    """The arguments in one short line; of a call through climax_call those of the inner one."""
    shown = row.inner[0] if row.inner else row
    arguments = json.loads(shown.raw).get("arguments") or {}
    pieces = (f"{key}={_brief(value)}" for key, value in arguments.items())
    return " ".join(pieces)[:200]


def detail(row: Row) -> dict[str, Any]:
    """All that there is to say of one call."""
    return {"row": row, "line": row.line, "inner": [each.line for each in row.inner]}


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:60]


def _outcomes(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    known = [(name, counts[name]) for name in OUTCOMES if name in counts]
    others = sorted((name, number) for name, number in counts.items() if name not in OUTCOMES)
    return known + others


def _bars(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Calls over time as at most sixty bars, each split by what came of them."""
    if not rows:
        return []
    stamps = [_seconds(row.time) for row in rows]
    first, last = min(stamps), max(stamps)
    width = max((last - first) / _BARS, 1.0)
    counted: dict[int, Counter[str]] = {}
    for row, stamp in zip(rows, stamps, strict=True):
        group = "good" if row.outcome in ("ok", "asked") else (
            "away" if row.outcome in ("invalid", "denied", "refused") else "bad"
        )  # fmt: skip
        counted.setdefault(min(int((stamp - first) / width), _BARS - 1), Counter())[group] += 1
    most = max(sum(each.values()) for each in counted.values())
    found = []
    for at, groups in sorted(counted.items()):
        base = 0.0
        for name in ("good", "away", "bad"):
            height = groups[name] * 60 / most
            if height:
                found.append({"x": at * 10, "y": round(64 - base - height, 1),
                              "height": round(height, 1), "group": name})  # fmt: skip
            base += height
    return found


def _seconds(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0


def _since(text: str) -> str:
    if len(text) < 2 or text[-1] not in _UNITS or not text[:-1].isdigit() or len(text) > 8:
        return ""
    then = datetime.now(UTC) - timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
    return then.isoformat(timespec="milliseconds")
