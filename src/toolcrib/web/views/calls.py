"""Calls: what agents did in this repository."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from toolcrib.web.call_log import (
    FAILED,
    TURNED_AWAY,
    CallFilter,
    CallSelection,
    Row,
    dumped,
)
from toolcrib.web.calls import Line
from toolcrib.web.views.text import marked

PAGE: Final = 100
OUTCOMES: Final = (
    "ok", "failed", "timeout", "invalid", "denied", "refused", "cancelled", "asked",
)  # fmt: skip
TIMES: Final = (
    ("", "all the time"), ("1h", "last hour"), ("1d", "last day"), ("7d", "last week"),
)  # fmt: skip
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LONGEST_VALUE, _LONGEST_LINE = 60, 200
_HEIGHT, _BAR = 60, 8
_SLOWEST = 3.5
"""Powers of ten of a millisecond that fill the bar beside a time: about three seconds."""


def wanted_by(query: Mapping[str, str], caller: str = "") -> CallFilter:
    """The filter that an address asks for; `caller` is all that a visitor may see."""
    return CallFilter(
        tuple(query.get("q", "").lower().split()),
        query.get("outcome", ""),
        query.get("client", ""),
        query.get("tool", ""),
        _since(query.get("since", "")),
        _slower(query),
        caller,
    )


def page_of(found: CallSelection, query: Mapping[str, str]) -> tuple[list[Row], int, int]:
    """The rows of the page that an address asks for, newest first; its number, and of how many."""
    pages = max(1, -(-len(found.rows) // PAGE))
    page = min(page_number(query), pages)
    return found.rows[::-1][(page - 1) * PAGE : page * PAGE], page, pages


def listing(
    found: CallSelection, shown: Sequence[tuple[Row, Line]], query: Mapping[str, str]
) -> dict[str, Any]:
    """What the page of calls shows of a selection: its numbers, and some rows with their lines."""
    return {
        "summary": found.summary,
        "rows": [row_as_json(row, line) for row, line in shown],
        "outcomes": in_order({**_chosen_outcome(query), **found.outcomes}),
        "times": _times(query.get("since", "")),
        "slower": _slower(query),
        "bars": bars(found),
        "chosen": query,
    }


def page_number(query: Mapping[str, str]) -> int:
    """The page that an address asks for, from 1 on."""
    number = query.get("page", "1")
    return max(1, int(number)) if number.isdecimal() and len(number) < 9 else 1


def as_json(shown: Mapping[str, Any], lines: Sequence[Line]) -> dict[str, Any]:
    """The same numbers for scripts."""
    return {
        "summary": shown["summary"].as_dict(),
        "calls": list(lines),
        "page": shown["page"],
        "pages": shown["pages"],
        "unread": shown["unread"],
    }


def summary_as_json(found: CallSelection) -> dict[str, Any]:
    """What a page that is open needs to show other numbers."""
    return {**found.summary.as_dict(), "bars": bars(found)}


def row_as_json(row: Row, line: Line) -> dict[str, Any]:
    """One row of the table, in words that can be shown as they are.

    `line` is that of the call itself, or of the last one that it made.
    """
    return {
        "id": row.id,
        "was": row.was,
        "time": row.time,
        "client": marked(row.client),
        "tool": marked(row.tool),
        "inner": [marked(each.tool) for each in row.inner],
        "arguments": marked(brief_arguments(line.get("arguments"))),
        "outcome": marked(row.outcome),
        "kind": kind_of(row.outcome),
        "ms": row.ms,
        "bar": _bar(row.ms),
    }


def brief_arguments(arguments: Any) -> str:
    """The arguments in one short line."""
    if not isinstance(arguments, dict):
        return "" if arguments is None else dumped(arguments)[:_LONGEST_LINE]
    pieces = (f"{key}={_brief(value)}" for key, value in arguments.items())
    return " ".join(pieces)[:_LONGEST_LINE]


def form_address(line: Line) -> str:
    """Where the form of a called tool stands, filled; empty where it was no tool that was asked."""
    if line.get("method") not in (None, "tools/call"):
        return ""
    tool, arguments = str(line.get("tool")), line.get("arguments")
    given = f"?arguments={quote(dumped(arguments), safe='')}" if arguments else ""
    return f"/tools/{quote(tool, safe='')}{given}"


def kind_of(outcome: str) -> str:
    """In one of four words how a call ended."""
    if outcome in FAILED:
        return "bad"
    if outcome in TURNED_AWAY:
        return "away"
    return "good" if outcome in ("ok", "asked") else "other"


def in_order(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Outcomes with their counts, the usual ones first."""
    known = [(name, counts[name]) for name in OUTCOMES if name in counts]
    others = sorted((name, number) for name, number in counts.items() if name not in OUTCOMES)
    return known + others


def bars(found: CallSelection) -> list[dict[str, Any]]:
    """Calls over time as at most sixty bars, each split by what came of them."""
    strip = found.strip
    most = max((counts.total() for counts in strip.values()), default=0)
    drawn = []
    for at, counts in strip.items():
        base = 0.0
        for kind in ("good", "other", "away", "bad"):
            number = sum(count for name, count in counts.items() if kind_of(name) == kind)
            if number:
                height = max(number * _HEIGHT / most, 1.0)
                drawn.append(
                    {"x": at * 10, "y": round(_HEIGHT - base - height, 1), "width": _BAR,
                     "height": round(height, 1), "kind": kind}
                )  # fmt: skip
                base += height
    return drawn


def _bar(ms: float) -> int:
    """How long the bar beside a time is, of forty; each tenfold is as much longer."""
    return max(2, min(40, round(40 * math.log10(1 + max(ms, 0.0)) / _SLOWEST)))


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else dumped(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _chosen_outcome(query: Mapping[str, str]) -> dict[str, int]:
    """The outcome that an address asks for has its button, also where no call ended so."""
    chosen = query.get("outcome", "")
    return {chosen: 0} if chosen else {}


def _times(since: str) -> list[tuple[str, str]]:
    """What can be chosen, with what an address asks for besides."""
    known = [value for value, _ in TIMES]
    return [*TIMES, (since, f"last {since}")] if _since(since) and since not in known else [*TIMES]


def _slower(query: Mapping[str, str]) -> float:
    text = query.get("slower", "")
    return float(text) if text.replace(".", "", 1).isdecimal() else 0.0


def _since(text: str) -> float:
    if text[-1:] not in _UNITS or not text[:-1].isdecimal() or len(text) > 8:
        return 0.0
    return time.time() - int(text[:-1]) * _UNITS[text[-1]]
