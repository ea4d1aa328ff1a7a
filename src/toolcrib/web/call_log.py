"""Recorded calls in memory: small enough for a hundred thousand, read on as they come."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from toolcrib.core.stats import percentile
from toolcrib.core.support.records import bare, record
from toolcrib.web.calls import FAILED, TURNED_AWAY, Line, RecordReader, client_name, completed

PAGE: Final = 100
_MOST_EVENTS = 2000


class Row:
    """One outer call: what the table shows, and the bytes of its line."""

    __slots__ = ("client", "id", "inner", "ms", "number", "outcome", "raw", "time", "tool")

    def __init__(self, number: int, line: Line, raw: bytes) -> None:
        self.number = number
        self.raw = raw
        self.inner: list[Row] = []
        self.id = str(line.get("id") or f"v1-{number}")
        self.time = str(line.get("time") or "")
        self.tool = str(line.get("tool"))
        self.client = client_name(line)
        self.outcome = str(line.get("outcome"))
        self.ms = float(line.get("duration_ms") or 0.0)

    @property
    def line(self) -> Line:
        """All of it."""
        return completed(json.loads(self.raw))

    @property
    def names(self) -> list[str]:
        """Its tool, and the tools of the calls that it made."""
        return [self.tool, *(each.tool for each in self.inner)]

    def has(self, words: Iterable[str]) -> bool:
        """Whether every word occurs in tool, client, arguments or error."""
        raws = [self.raw.lower(), *(each.raw.lower() for each in self.inner)]
        if not all(any(_escaped(word) in raw for raw in raws) for word in words):
            return False
        text = " ".join(_searched(each) for each in (self, *self.inner)).lower()
        return all(word in text for word in words)


@record
class Wanted:
    """Which calls are shown; what is empty does not matter."""

    words: tuple[str, ...] = ()
    outcome: str = ""
    client: str = ""
    tool: str = ""
    since: str = ""
    slower: float = 0.0

    def fits(self, row: Row, *, outcome: bool = True) -> bool:
        """Whether a row is one of those; without the outcome, for the counts beside it."""
        return (
            (not outcome or not self.outcome or row.outcome == self.outcome)
            and (not self.client or row.client == self.client)
            and (not self.tool or self.tool in row.names)
            and (not self.since or row.time >= self.since)
            and row.ms >= self.slower
            and (not self.words or row.has(self.words))
        )


@bare
class Summary:
    """What the filtered calls come to."""

    calls: int
    failed: int
    turned_away: int
    median_ms: float
    p95_ms: float
    outcomes: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {name: getattr(self, name) for name in self.__annotations__}


class CallLog:
    """The record of one project, as far as it was read."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: list[Row] = []
        self.events: deque[Line] = deque(maxlen=_MOST_EVENTS)
        self._reader = RecordReader(file)
        self._by_id: dict[str, Row] = {}
        self._waiting: dict[str, list[Row]] = {}

    @property
    def recorded(self) -> bool:
        """Whether there is a record at all."""
        return bool(self.rows or self.events) or self._reader.exists

    @property
    def unread(self) -> int:
        """Lines that could not be read."""
        return self._reader.unread

    def refresh(self) -> tuple[list[Row], list[Line]]:
        """Read on; returns the new rows and events."""
        rows: list[Row] = []
        events: list[Line] = []
        for line, raw in self._reader.read_raw():
            if "event" in line:
                events.append(line)
            elif (row := self._add(line, raw)) is not None:
                rows.append(row)
        self.events.extend(events)
        return rows, events

    def get(self, id: str) -> Row | None:
        """The call of that id."""
        return self._by_id.get(id)

    def select(self, wanted: Wanted) -> list[Row]:
        """The calls that are wanted, newest first."""
        return [row for row in reversed(self.rows) if wanted.fits(row)]

    def outcomes(self, wanted: Wanted) -> dict[str, int]:
        """How many calls of each outcome the other filters leave."""
        return dict(Counter(row.outcome for row in self.rows if wanted.fits(row, outcome=False)))

    def clients(self) -> list[str]:
        """Every client that has called."""
        return sorted({row.client for row in self.rows})

    def tools(self) -> list[str]:
        """Every tool that was called."""
        return sorted({name for row in self.rows for name in row.names})

    def _add(self, line: Line, raw: bytes) -> Row | None:
        row = Row(len(self.rows), line, raw)
        parent = line.get("parent")
        self._by_id[row.id] = row
        if parent is None:
            row.inner = self._waiting.pop(row.id, [])
            self.rows.append(row)
            return row
        outer = self._by_id.get(parent)
        if outer is None:
            self._waiting.setdefault(parent, []).append(row)
        elif outer.outcome == "asked":
            self.rows[outer.number] = row
            row.number = outer.number
            return row
        else:
            outer.inner.append(row)
        return None


def summary_of(rows: Sequence[Row]) -> Summary:
    """The numbers over some calls."""
    outcomes = Counter(row.outcome for row in rows)
    times = sorted(row.ms for row in rows)
    return Summary(
        len(rows),
        sum(outcomes[name] for name in FAILED),
        sum(outcomes[name] for name in TURNED_AWAY),
        round(percentile(times, 0.5), 1),
        round(percentile(times, 0.95), 1),
        dict(outcomes),
    )


def _searched(row: Row) -> str:
    line = json.loads(row.raw)
    arguments = json.dumps(line.get("arguments"), ensure_ascii=False)
    return f"{row.tool} {row.client} {arguments} {line.get('error') or ''}"


def _escaped(word: str) -> bytes:
    """A word as it stands in a line of JSON."""
    return json.dumps(word, ensure_ascii=False)[1:-1].encode("utf-8", "replace")
