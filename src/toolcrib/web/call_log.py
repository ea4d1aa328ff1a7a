"""Recorded calls in memory: small enough for a hundred thousand, read on as they come.

Of each call only what is listed and searched is kept; the rest stays in the file, and is read when
somebody looks at that call.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from math import isfinite
from pathlib import Path
from sys import intern
from typing import Any, Final

from pydantic_core import from_json

from toolcrib.core.stats import percentile
from toolcrib.core.support.gc_pause import no_collections
from toolcrib.core.support.records import bare, record
from toolcrib.web.calls import Line, Recorded, RecordReader, client_name, completed

FAILED: Final = ("failed", "timeout")
TURNED_AWAY: Final = ("invalid", "denied", "refused")
BARS: Final = 60
_MOST_EVENTS = 5000
_MOST_KEPT = 8
_NESTED = (dict, list, bool, type(None))


class Row:
    """One call: what the table shows and the filters look at."""

    __slots__ = (
        "caller", "client", "file", "id", "inner", "length", "ms", "number", "offset", "outcome",
        "seconds", "text", "tool", "was",
    )  # fmt: skip

    def __init__(self, found: Recorded, number: int) -> None:
        # One for each of a hundred thousand lines: what is usual is done without a call.
        line, self.file, self.offset, self.length = found
        get = line.get
        tool, caller, outcome, id = get("tool"), get("caller"), get("outcome"), get("id")
        ms, error = get("duration_ms"), get("error")
        self.inner: tuple[Row, ...] = ()
        """The calls that it made."""
        self.was = ""
        """The id of the question that it answers."""
        self.number = number
        """Grows with each line that brings or changes a call."""
        self.id = (id if type(id) is str else _text(id)) or f"v1-{number}"
        self.tool = intern(tool if type(tool) is str else _text(tool))
        self.client = intern(client_name(line))
        self.caller = intern(caller if type(caller) is str else _text(caller))
        self.outcome = intern(outcome if type(outcome) is str else _text(outcome))
        self.ms = ms if type(ms) is float and isfinite(ms) else _number(ms)
        self.seconds = _seconds(get("time"))
        words = arguments_in_words(get("arguments"))
        self.text = f"{self.tool}\n{self.client}\n{words}\n{error or ''}".lower()

    @property
    def time(self) -> str:
        """When it ended, as lines write it; empty where the line does not tell."""
        if not self.seconds:
            return ""
        try:
            return datetime.fromtimestamp(self.seconds, UTC).isoformat(timespec="milliseconds")
        except (ValueError, OverflowError):  # before the year 1, or after 9999
            return ""

    @property
    def raw(self) -> bytes:
        """Its line as it stands in the file; empty where the file has it no longer."""
        try:
            return self.file.read_at(self.offset, self.length)
        except OSError:
            return b""

    @property
    def line(self) -> Line:
        """All of it."""
        try:
            found = from_json(self.raw)
        except ValueError:  # the file was cut off meanwhile
            found = None
        if not isinstance(found, dict):
            found = {"tool": self.tool, "outcome": self.outcome, "time": self.time, "id": self.id}
        return completed(found)

    @property
    def last_line(self) -> Line:
        """All of the last call that it made, or of itself where it made none."""
        return self.inner[-1].line if self.inner else self.line

    @property
    def names(self) -> list[str]:
        """Its tool, and the tools of the calls that it made."""
        return [self.tool, *(each.tool for each in self.inner)]

    def became(self, other: Row) -> None:
        """Take over all of another call: that of the answer to the question that this one was."""
        before = self.id
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))
        self.was = before


@record
class CallFilter:
    """Which calls are shown; what is empty does not matter."""

    words: tuple[str, ...] = ()
    outcome: str = ""
    client: str = ""
    tool: str = ""
    since: float = 0.0
    """The earliest time, in seconds."""
    slower: float = 0.0
    caller: str = ""
    """Only the calls of this caller: all that some visitors may see."""

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """Those of some rows that are wanted."""
        found = list(rows)
        if self.caller:
            found = [row for row in found if row.caller == self.caller]
        if self.outcome:
            found = [row for row in found if row.outcome == self.outcome]
        if self.client:
            found = [row for row in found if row.client == self.client]
        if self.tool:
            found = [row for row in found if self.tool == row.tool or self.tool in row.names]
        if self.since:
            found = [row for row in found if row.seconds >= self.since]
        if self.slower:
            found = [row for row in found if row.ms >= self.slower]
        for word in self.words:
            word = word.lower()
            found = [row for row in found if word in row.text]
        return found


@bare
class Summary:
    """What some calls come to."""

    calls: int
    failed: int
    turned_away: int
    median_ms: float
    p95_ms: float
    outcomes: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {name: getattr(self, name) for name in self.__annotations__}


class CallSelection:
    """The calls that match a filter, oldest first, with their totals."""

    def __init__(self, rows: list[Row], outcomes: Mapping[str, int], number: int) -> None:
        self.rows = rows
        self.outcomes = outcomes
        """How many calls of each outcome the other filters leave."""
        self.number = number
        """The newest line that was looked at."""

    @cached_property
    def summary(self) -> Summary:
        """The numbers."""
        outcomes = Counter([row.outcome for row in self.rows])
        times = sorted([row.ms for row in self.rows])
        return Summary(
            len(self.rows),
            sum(outcomes[name] for name in FAILED),
            sum(outcomes[name] for name in TURNED_AWAY),
            round(percentile(times, 0.5), 1),
            round(percentile(times, 0.95), 1),
            dict(outcomes),
        )

    @cached_property
    def strip(self) -> dict[int, Counter[str]]:
        """How many calls ended how in each sixtieth of the time that they span."""
        if not self.rows:
            return {}
        stamps = [row.seconds for row in self.rows]
        first = min(stamps)
        width = (max(stamps) - first) / BARS or 1.0
        places = [int((seconds - first) / width) for seconds in stamps]
        pairs = Counter(zip(places, [row.outcome for row in self.rows], strict=True))
        found: dict[int, Counter[str]] = {}
        for (at, outcome), count in sorted(pairs.items()):  # the very last one is in the last bar
            found.setdefault(min(at, BARS - 1), Counter())[outcome] += count
        return found


class CallLog:
    """The record of one project, as far as it was read. Safe to use from several threads."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: list[Row] = []
        """The outer calls, in the order of the file."""
        self.events: deque[Line] = deque(maxlen=_MOST_EVENTS)
        self.event_count = 0
        self.starts: dict[int, Line] = {}
        """The start of each process that did not say that it ended."""
        self.breakers: dict[int, dict[str, str]] = {}
        """The last known state of each breaker that was ever open, by process and tool."""
        self.heard: dict[int, float] = {}
        """When each process last wrote a line, in seconds."""
        self._reader = RecordReader(file)
        self._lock = threading.Lock()
        self._number = 0
        self._arrivals: list[Row | None] = []
        """For each line the outer call that it brought or changed, if that one is known."""
        self._forgotten = 0
        """How many lines are no longer among them."""
        self._by_id: dict[str, Row] = {}
        self._waiting: dict[str, list[Row]] = {}
        self._clients: set[str] = set()
        self._tools: set[str] = set()
        self._selected: dict[CallFilter, CallSelection] = {}

    @property
    def recorded(self) -> bool:
        """Whether there is a record at all."""
        return bool(self.rows or self.events) or self._reader.exists

    @property
    def unread(self) -> int:
        """Lines that could not be read."""
        return self._reader.unread

    @property
    def problem(self) -> str | None:
        """Why the record cannot be read."""
        return self._reader.problem

    @property
    def number(self) -> int:
        """The number of the newest line."""
        return self._number

    def refresh(self) -> None:
        """Read on."""
        with self._lock:
            files = len(self._reader.files)
            with no_collections():
                for found in self._reader.read():
                    if "event" in found.line:
                        self._add_event(found.line)
                    else:
                        self._add(found)
            if len(self._reader.files) > files > 0 or self._reader.is_gone:
                self._forget_gone()

    def get(self, id: str) -> Row | None:
        """The call of that id."""
        return self._by_id.get(id)

    def number_of(self, id: str) -> int | None:
        """The number of the line that brought the call of that id; None where it is not known.

        A question that was answered since stands in the row of its answer, which is newer.
        """
        row = self._by_id.get(id)
        if row is None or row.was != id:
            return row.number if row is not None else None
        first = next((at for at, each in enumerate(self._arrivals, 1) if each is row), 0)
        return self._forgotten + first

    def since(self, number: int) -> list[Row]:
        """The calls that lines after the one of that number brought or changed, each once."""
        first = max(number - self._forgotten, 0)
        following = enumerate(self._arrivals[first:], self._forgotten + first + 1)
        return [row for at, row in following if row is not None and row.number == at]

    def select(self, wanted: CallFilter) -> CallSelection:
        """The calls that are wanted."""
        number = self._number
        known = self._selected.get(wanted)
        if known is not None and known.number == number:
            return known
        others = replace(wanted, outcome="").of(self.rows)
        rows = (
            [row for row in others if row.outcome == wanted.outcome] if wanted.outcome else others
        )
        found = CallSelection(rows, Counter([row.outcome for row in others]), number)
        if len(self._selected) >= _MOST_KEPT:
            self._selected.clear()
        self._selected[wanted] = found
        return found

    def calls_of(self, tool: str, caller: str = "") -> list[Row]:
        """The calls of one tool, also those that other calls made."""
        rows = CallFilter(tool=tool, caller=caller).of(self.rows)
        return [each for row in rows for each in (row, *row.inner) if each.tool == tool]

    def clients(self, caller: str = "") -> list[str]:
        """Every client that has called, or that of one caller."""
        if caller:
            return sorted({row.client for row in CallFilter(caller=caller).of(self.rows)})
        return sorted(self._clients)

    def tools(self, caller: str = "") -> list[str]:
        """Every tool that was called, or those that one caller called."""
        if caller:
            rows = CallFilter(caller=caller).of(self.rows)
            return sorted({name for row in rows for name in row.names})
        return sorted(self._tools)

    def _add_event(self, line: Line) -> None:
        self.events.append(line)
        self.event_count += 1
        self._hear(line, _seconds(line.get("time")))
        pid, kind = line.get("pid"), line["event"]
        pid = pid if type(pid) is int else 0
        if kind in ("start", "stop"):
            self.starts.pop(pid, None)
            self.breakers.pop(pid, None)
        if kind == "start":
            self.starts[pid] = line
        elif kind == "breaker":
            states = self.breakers.setdefault(pid, {})
            states[_text(line.get("tool"))] = _text(line.get("state"))

    def _hear(self, line: Line, seconds: float) -> None:
        pid = line.get("pid")
        if type(pid) is int:
            self.heard[pid] = seconds

    def _add(self, found: Recorded) -> None:
        self._number = number = self._number + 1
        row = Row(found, number)
        parent = found.line.get("parent")
        self._hear(found.line, row.seconds)
        self._by_id[row.id] = row
        self._tools.add(row.tool)
        self._clients.add(row.client)
        if parent is None:
            self.rows.append(row)
            self._arrivals.append(row)
            if self._waiting:
                for inner in self._waiting.pop(row.id, ()):
                    self._put_into(row, inner)
        else:
            self._arrivals.append(self._add_to(str(parent), row))

    def _add_to(self, parent: str, row: Row) -> Row | None:
        """Put a call where it belongs: into the one that made it, or in the place of a question."""
        outer = self._by_id.get(parent)
        if outer is None or outer is row:
            self._waiting.setdefault(parent, []).append(row)
            return None
        if outer.outcome == "asked":
            row.inner = (*outer.inner, *row.inner)
            outer.became(row)
            self._by_id[row.id] = outer
        else:
            self._put_into(outer, row)
            outer.number = row.number
        return outer

    def _put_into(self, outer: Row, inner: Row) -> None:
        outer.inner = (*outer.inner, inner)
        outer.text = f"{outer.text}\n{inner.text}"

    def _forget_gone(self) -> None:
        """Forget files that were rotated out or removed: the log shows what is on disk."""
        gone = [file for file in self._reader.files if file.is_gone]
        if not gone:
            return
        self.rows = [row for row in self.rows if row.file not in gone]
        self._by_id = {id: row for id, row in self._by_id.items() if row.file not in gone}
        kept = min((row.number for row in self.rows), default=self._number + 1)
        self._arrivals = [
            row if row is not None and row.file not in gone else None
            for row in self._arrivals[max(kept - 1 - self._forgotten, 0) :]
        ]
        self._forgotten = self._number - len(self._arrivals)
        self._waiting = {}
        self._clients = {row.client for row in self._by_id.values()}
        self._tools = {row.tool for row in self._by_id.values()}
        self._selected.clear()
        for file in gone:
            self._reader.drop(file)


dumped: Final = json.JSONEncoder(ensure_ascii=False, default=str).encode
"""A value as JSON in one line."""


def arguments_in_words(arguments: Any) -> str:
    """Arguments in one line, as `name=value`."""
    if not isinstance(arguments, dict):
        return "" if arguments is None else str(arguments)
    return " ".join(
        [
            f"{key}={dumped(value) if type(value) in _NESTED else value}"
            for key, value in arguments.items()
        ]
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and isfinite(value) else 0.0


def _seconds(time: Any) -> float:
    try:
        return datetime.fromisoformat(time).timestamp()
    except (TypeError, ValueError, OverflowError):
        return 0.0
