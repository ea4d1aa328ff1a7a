"""`ToolStats`: number of calls, durations and outcomes per tool."""

from __future__ import annotations

import math
import threading
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from toolcrib.core.audit import Outcome
from toolcrib.core.support.records import bare

# Enough for honest percentiles of recent calls; a long-lived server must not grow with them.
_KEPT = 1024

BOUNDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the histogram's buckets, in seconds; the last bucket has none."""
_BOUNDS_MS = tuple(bound * 1000 for bound in BOUNDS)


@bare
class _Counter:
    invocations: int = 0
    failures: int = 0
    timeouts: int = 0
    refusals: int = 0
    total_ms: float = 0.0
    recent: deque[float] = field(default_factory=lambda: deque(maxlen=_KEPT))
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    order: int = 0
    """How many tools were called before it for the first time."""


class ToolStats:
    """Counts every call; safe to use from threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters: dict[str, _Counter] = {}

    def record(self, name: str, outcome: Outcome, milliseconds: float) -> None:
        """Record one finished call."""
        with self._lock:
            counter = self._counters.get(name)
            if counter is None:
                counter = self._counters[name] = _Counter(order=len(self._counters))
            counter.invocations += 1
            if outcome == "refused":
                counter.refusals += 1
                return
            if outcome != "ok":
                counter.failures += outcome in ("failed", "timeout", "invalid", "denied")
                counter.timeouts += outcome == "timeout"
            counter.total_ms += milliseconds
            counter.recent.append(milliseconds)
            counter.buckets[bisect_left(_BOUNDS_MS, milliseconds)] += 1

    def snapshot(self) -> dict[str, Any]:
        """All counts as plain JSON, the tools sorted by name."""
        with self._lock:
            tools = {name: _shown(counter) for name, counter in sorted(self._counters.items())}
        return {
            "total_invocations": sum(tool["invocations"] for tool in tools.values()),
            "failed_invocations": sum(tool["failures"] for tool in tools.values()),
            "timeout_count": sum(tool["timeouts"] for tool in tools.values()),
            "refused_count": sum(tool["refusals"] for tool in tools.values()),
            "total_execution_time_ms": sum(tool["total_ms"] for tool in tools.values()),
            "tools": tools,
        }


def percentile(sorted_values: Sequence[float], share: float) -> float:
    """The value below which `share` of the sorted values lie (nearest rank)."""
    if not sorted_values:
        return 0.0
    return sorted_values[max(0, math.ceil(share * len(sorted_values)) - 1)]


def _shown(counter: _Counter) -> dict[str, Any]:
    ordered = sorted(counter.recent)
    return {
        "invocations": counter.invocations,
        "failures": counter.failures,
        "timeouts": counter.timeouts,
        "refusals": counter.refusals,
        "total_ms": counter.total_ms,
        "buckets": list(counter.buckets),
        "order": counter.order,
        "p50_ms": percentile(ordered, 0.50),
        "p95_ms": percentile(ordered, 0.95),
        "p99_ms": percentile(ordered, 0.99),
    }
