"""Recorded calls in memory: rows, filters, numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.web.call_log import BARS, CallFilter, CallLog
from toolcrib.web.views.calls import listing, page_of, row_as_json, wanted_by


def log_of(folder: Path, *lines: dict[str, Any]) -> CallLog:
    file = folder / "r"
    given = {"parent": None, "v": 2, "outcome": "ok", "duration_ms": 1.0}
    file.write_text("".join(json.dumps({**given, **line}) + "\n" for line in lines))
    log = CallLog(file)
    log.refresh()
    return log


def shown_rows(log: CallLog, query: dict[str, str]) -> list[dict[str, Any]]:
    """What the table shows."""
    found = log.select(wanted_by(query))
    rows, _, _ = page_of(found, query)
    shown: list[dict[str, Any]] = listing(found, [(row, row.last_line) for row in rows], query)[
        "rows"
    ]
    return shown


def test_breakers_and_starts_are_known_however_much_happened_since(tmp_path: Path) -> None:
    """W-13: the last state of each breaker; a server that ended takes its own along."""
    events = [
        {"event": "start", "pid": 1},
        {"event": "start", "pid": 2},
        {"event": "breaker", "pid": 1, "tool": "a", "state": "open"},
        {"event": "breaker", "pid": 2, "tool": "b", "state": "open"},
        *({"event": "session", "pid": 1, "session": str(n)} for n in range(6000)),
        {"event": "breaker", "pid": 1, "tool": "a", "state": "half-open"},
        {"event": "stop", "pid": 2},
    ]
    log = log_of(tmp_path, *events)
    assert log.breakers == {1: {"a": "half-open"}} and list(log.starts) == [1]


def test_inner_calls_stand_below_their_outer_one_in_either_order(tmp_path: Path) -> None:
    """W-3: either may be written first; whoever counts counts lines without a parent."""
    outer, inner = {"tool": "outer", "id": "a"}, {"tool": "inner", "id": "b", "parent": "a"}
    for order in ((outer, inner), (inner, outer)):
        (row,) = log_of(tmp_path, *order).rows
        assert row.tool == "outer" and [each.tool for each in row.inner] == ["inner"]


def test_what_follows_a_question_takes_its_place(tmp_path: Path) -> None:
    """W-3: an asked call and its answer are one row, found by either id."""
    log = log_of(
        tmp_path,
        {"tool": "x", "id": "first", "outcome": "asked"},
        {"tool": "y", "id": "other"},
        {"tool": "x", "id": "second", "parent": "first"},
    )
    assert [(row.id, row.outcome) for row in log.rows] == [("second", "ok"), ("other", "ok")]
    assert log.get("first") is log.get("second") is log.rows[0]
    assert log.rows[0].was == "first"


def test_filters_look_at_inner_calls_clients_and_words(tmp_path: Path) -> None:
    """W-10, W-14: tool fits the outer or the inner name; every word must occur."""
    client = {"name": "cursor"}
    log = log_of(
        tmp_path,
        {"tool": "climax_call", "id": "a", "client": client, "arguments": {"x": "Paris"}},
        {"tool": "git_log", "id": "b", "parent": "a", "error": "no branch"},
    )
    fits = [
        CallFilter(tool="git_log"),
        CallFilter(tool="climax_call"),
        CallFilter(client="cursor", words=("paris", "git")),
        CallFilter(words=("x=paris", "branch")),
    ]
    assert all(wanted.of(log.rows) == log.rows for wanted in fits)
    others = [CallFilter(words=("paris", "rome")), CallFilter(client="codex"), CallFilter(slower=2)]
    assert not any(wanted.of(log.rows) for wanted in others)


def test_outcomes_are_counted_as_the_other_filters_leave_them(tmp_path: Path) -> None:
    """W-10: buttons `{outcome} {count}`: what the other filters leave."""
    log = log_of(
        tmp_path,
        {"tool": "a", "id": "1", "outcome": "ok"},
        {"tool": "a", "id": "2", "outcome": "denied"},
        {"tool": "b", "id": "3", "outcome": "denied"},
    )
    found = log.select(CallFilter(tool="a", outcome="ok"))
    assert [row.id for row in found.rows] == ["1"]
    assert dict(found.outcomes) == {"ok": 1, "denied": 1}
    assert found.summary.calls == 1


def test_the_order_is_that_of_the_file_when_the_clock_jumps_back(tmp_path: Path) -> None:
    """FAULTS: order by place in the file, not by time."""
    log = log_of(
        tmp_path,
        {"tool": "a", "id": "1", "time": "2026-01-01T12:00:00.000+00:00"},
        {"tool": "a", "id": "2", "time": "2025-01-01T12:00:00.000+00:00"},
    )
    assert [row["id"] for row in shown_rows(log, {})] == ["2", "1"]


def test_every_call_is_in_one_of_the_bars(tmp_path: Path) -> None:
    """W-10: one strip of bars by outcome; the newest call is in the last one."""
    times = [f"2026-01-01T12:{minute:02}:00+00:00" for minute in (0, 0, 30, 59)]
    outcomes = ("ok", "failed", "ok", "denied")
    given = zip(times, outcomes, strict=True)
    log = log_of(
        tmp_path, *({"tool": "a", "time": time, "outcome": outcome} for time, outcome in given)
    )
    strip = log.select(CallFilter()).strip
    assert list(strip) == sorted(strip) and max(strip) == BARS - 1
    assert strip[0] == {"ok": 1, "failed": 1} and strip[BARS - 1] == {"denied": 1}
    assert sum(counts.total() for counts in strip.values()) == 4


def test_what_a_reader_was_told_last_leads_to_what_came_after(tmp_path: Path) -> None:
    """W-6: `Last-Event-ID` resumes: new calls once, and calls that changed."""
    log = log_of(tmp_path, {"tool": "a", "id": "1"}, {"tool": "a", "id": "2"})
    number = log.number
    with log.file.open("a") as end:
        end.write('{"tool": "in", "id": "3", "parent": "1", "outcome": "ok"}\n')
        end.write('{"tool": "a", "id": "4", "parent": null, "outcome": "ok"}\n')
    log.refresh()
    assert [row.id for row in log.since(number)] == ["1", "4"]
    assert [row.id for row in log.since(0)] == ["2", "1", "4"]


def test_files_that_are_rotated_away_are_let_go(tmp_path: Path) -> None:
    """W-5: the log shows what is in the files, and holds no file that is gone."""
    file = tmp_path / "r"
    file.write_text('{"tool": "old", "id": "1", "parent": null}\n')
    log = CallLog(file)
    log.refresh()
    file.unlink()
    file.write_text('{"tool": "new", "id": "2", "parent": null}\n')
    log.refresh()
    assert [row.tool for row in log.rows] == ["new"] and log.get("1") is None
    assert log.tools() == ["new"] and [row.id for row in log.since(0)] == ["2"]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
KEYS = ("id", "tool", "time", "outcome", "duration_ms", "client", "caller", "arguments", "parent",
        "error", "pid", "event", "state", "place", "inner")  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record that each example writes anew."""
    return tmp_path_factory.mktemp("hostile") / "r"


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(st.dictionaries(st.sampled_from(KEYS), values), max_size=6))
def test_hostile_lines_break_nothing(file: Path, lines: list[dict[str, Any]]) -> None:
    """FAULTS: whatever somebody wrote into the record, the rest is shown."""
    good = {"tool": "good", "id": "good", "parent": None, "outcome": "ok"}
    file.write_text("".join(json.dumps(each) + "\n" for each in [*lines, good]))
    log = CallLog(file)
    log.refresh()
    assert shown_rows(log, {"q": "", "outcome": "", "page": "1"})[0]["tool"] == "good"
    json.dumps([row_as_json(row, row.last_line) for row in log.rows], allow_nan=False)
    shown_rows(log, {"q": "a b", "since": "1h", "slower": "1"})


@pytest.mark.parametrize(
    "time",
    ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59.9999999Z"],
)
def test_a_time_that_no_calendar_has_hides_no_other_call(tmp_path: Path, time: str) -> None:
    """FAULTS: the page stands, and the rest is shown."""
    good = {"tool": "good", "id": "good", "time": "2026-01-01T00:00:00+00:00"}
    log = log_of(tmp_path, {"tool": "odd", "id": "odd", "time": time}, good)
    assert [each["tool"] for each in shown_rows(log, {})] == ["good", "odd"]


def test_a_filter_may_reach_back_before_all_time(tmp_path: Path) -> None:
    """W-6: state is in the address, whatever somebody writes there."""
    log = log_of(tmp_path, {"tool": "t", "id": "t", "time": "2026-01-01T00:00:00+00:00"})
    assert [each["tool"] for each in shown_rows(log, {"since": "9999999d"})] == ["t"]


def test_a_record_that_was_removed_is_shown_no_more(tmp_path: Path) -> None:
    """FAULTS: deleted: the log shows what is on disk, also before a new file is there."""
    file = tmp_path / "r"
    (tmp_path / "r.1").write_text('{"tool": "old", "id": "1", "parent": null}\n')
    file.write_text('{"tool": "gone", "id": "2", "parent": null}\n')
    log = CallLog(file)
    log.refresh()
    assert [row.tool for row in log.rows] == ["old", "gone"]
    file.unlink()
    log.refresh()
    assert [row.tool for row in log.rows] == ["old"] and log.get("2") is None
    assert [row.id for row in log.since(0)] == ["1"] and log.tools() == ["old"]
    file.write_text('{"tool": "new", "id": "3", "parent": null}\n')
    log.refresh()
    assert [row.tool for row in log.rows] == ["old", "new"]
    assert [row.id for row in log.since(0)] == ["1", "3"]
    file.rename(tmp_path / "r.2")
    log.refresh()
    assert [row.tool for row in log.rows] == ["old", "new"], "renamed, not removed"
