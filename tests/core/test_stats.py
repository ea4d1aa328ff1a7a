"""How often, how long, and how it ended."""

from __future__ import annotations

from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.stats import BOUNDS, ToolStats, percentile


def test_calls_are_counted_by_how_they_ended() -> None:
    """K-19: totals, and each tool by itself."""
    stats = ToolStats()
    for outcome in ("ok", "failed", "timeout", "refused", "cancelled"):
        stats.record("a", outcome, 2.0)  # type: ignore[arg-type]
    stats.record("b", "ok", 1.0)
    shown = stats.snapshot()
    assert (shown["total_invocations"], shown["failed_invocations"]) == (6, 2)
    assert (shown["timeout_count"], shown["refused_count"]) == (1, 1)
    assert list(shown["tools"]) == ["a", "b"] and shown["tools"]["a"]["total_ms"] == 8.0


def test_a_refused_call_takes_no_part_in_the_times() -> None:
    """K-19: what never ran has no duration."""
    stats = ToolStats()
    stats.record("a", "refused", 900.0)
    assert stats.snapshot()["tools"]["a"]["p99_ms"] == 0.0


def test_every_call_is_in_one_bucket_of_the_histogram() -> None:
    """K-19: the histogram of the metrics adds up."""
    stats = ToolStats()
    times = [0.5, 1.0, 3.0, 40_000.0]
    for each in times:
        stats.record("a", "ok", each)
    buckets = stats.snapshot()["tools"]["a"]["buckets"]
    assert len(buckets) == len(BOUNDS) + 1 and sum(buckets) == len(times)
    assert (buckets[0], buckets[1], buckets[-1]) == (2, 1, 1)


def test_threads_lose_no_call() -> None:
    """K-19: safe to use from threads."""
    stats = ToolStats()
    work = [
        Thread(target=lambda: [stats.record("a", "ok", 1.0) for _ in range(500)]) for _ in range(8)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert stats.snapshot()["total_invocations"] == 4000


@pytest.mark.parametrize(("share", "value"), [(0.5, 2), (0.95, 4), (0.0, 1), (1.0, 4)])
def test_a_percentile_is_one_of_the_values(share: float, value: float) -> None:
    """K-19: nearest rank."""
    assert percentile([1, 2, 3, 4], share) == value


@given(st.lists(st.floats(0, 1e6), max_size=50), st.floats(0, 1))
def test_at_least_that_share_lies_at_or_below_a_percentile(
    values: list[float], share: float
) -> None:
    """K-19: whatever the values are."""
    ordered = sorted(values)
    found = percentile(ordered, share)
    assert sum(each <= found for each in ordered) >= share * len(ordered) - 1e-6
