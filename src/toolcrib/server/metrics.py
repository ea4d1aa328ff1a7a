"""The statistics in the text form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_STATES = {"closed": 0, "half-open": 1, "open": 2}

_COUNTERS: list[tuple[str, str, str, Callable[[Mapping[str, Any]], float]]] = [
    ("toolcrib_calls_total", "counter", "Calls by tool", lambda tool: tool["invocations"]),
    ("toolcrib_failures_total", "counter", "Failed calls by tool", lambda tool: tool["failures"]),
    (
        "toolcrib_timeouts_total",
        "counter",
        "Missed deadlines by tool",
        lambda tool: tool["timeouts"],
    ),
    ("toolcrib_refusals_total", "counter", "Refusals by breaker", lambda tool: tool["refusals"]),
    (
        "toolcrib_call_seconds_total",
        "counter",
        "Time spent in calls by tool",
        lambda tool: tool["total_ms"] / 1000,
    ),
    (
        "toolcrib_breaker_state",
        "gauge",
        "0 closed, 1 half-open, 2 open",
        lambda tool: _STATES[tool["breaker"]],
    ),
]


def exposition(metrics: Mapping[str, Any]) -> str:
    """One line per tool and measure, and the recent percentiles as a summary."""
    lines: list[str] = []
    tools = metrics["tools"]
    for name, kind, text, value in _COUNTERS:
        lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{{tool={_quoted(tool)}}} {value(seen):g}" for tool, seen in tools.items()]
    lines += ["# HELP toolcrib_call_seconds Recent calls", "# TYPE toolcrib_call_seconds summary"]
    for tool, seen in tools.items():
        for quantile, key in (("0.5", "p50_ms"), ("0.95", "p95_ms"), ("0.99", "p99_ms")):
            labels = f"tool={_quoted(tool)},quantile={_quoted(quantile)}"
            lines.append(f"toolcrib_call_seconds{{{labels}}} {seen[key] / 1000:g}")
    lines += [
        "# HELP toolcrib_lost_threads Threads in calls that nobody waits for any more, by tool",
        "# TYPE toolcrib_lost_threads gauge",
    ]
    lost = dict.fromkeys(tools, 0) | metrics.get("lost_threads", {})
    lines += [f"toolcrib_lost_threads{{tool={_quoted(tool)}}} {n}" for tool, n in lost.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
