"""The text that Prometheus reads."""

from __future__ import annotations

import re

from toolcrib.core.stats import BOUNDS, ToolStats
from toolcrib.server.metrics import MOST_NAMES, Measured, exposition


def text_of(stats: ToolStats, **labels: str) -> str:
    calls = stats.snapshot()
    for tool in calls["tools"].values():
        tool["breaker"] = "closed"
    measured = Measured(calls, {"tools": 3}, {"ok": 1, "failed": 0}, labels)
    return exposition([measured], version="1", revision=None)


def test_a_histogram_counts_each_call_once_and_below_its_bounds() -> None:
    """R-12: `_bucket`, `_sum`, `_count` that can be added over replicas."""
    stats = ToolStats()
    for milliseconds in (0.5, 1.0, 7.0, 40_000.0):
        stats.record("echo", "ok", milliseconds)
    stats.record("echo", "refused", 1.0)
    text = text_of(stats)
    buckets = re.findall(r'_bucket\{tool="echo",le="([^"]+)"\} (\d+)', text)
    assert [bound for bound, _ in buckets] == [f"{bound:g}" for bound in BOUNDS] + ["+Inf"]
    counts = [int(count) for _, count in buckets]
    assert counts == sorted(counts) and counts[0] == 2 and counts[-1] == 4
    assert 'duration_seconds_count{tool="echo"} 4' in text
    assert 'duration_seconds_sum{tool="echo"} 40.0085' in text


def test_names_beyond_the_first_five_hundred_are_other() -> None:
    """R-12: at most 500 names, then `other`; a name that has a line keeps it."""
    stats = ToolStats()
    for number in range(MOST_NAMES + 20):
        stats.record(f"tool_{9999 - number}", "ok", 1.0)
    text = text_of(stats)
    names = set(re.findall(r'calls_total\{tool="([^"]+)"\}', text))
    assert len(names) == MOST_NAMES + 1
    assert "tool_9999" in names and f"tool_{9999 - MOST_NAMES}" not in names
    assert 'toolcrib_calls_total{tool="other"} 20' in text
    assert 'duration_seconds_count{tool="other"} 20' in text


def test_names_are_quoted_and_projects_labelled() -> None:
    """R-10, R-12: whatever a tool is called; metrics carry the label `project`."""
    stats = ToolStats()
    stats.record('we"ird\\\n', "ok", 1.0)
    text = text_of(stats, project="p1")
    assert 'toolcrib_calls_total{project="p1",tool="we\\"ird\\\\\\n"} 1' in text
    assert 'toolcrib_tools{project="p1"} 3' in text
