"""Metrics of a server in the Prometheus text format."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from toolcrib.core.stats import BOUNDS
from toolcrib.core.support.records import bare

MOST_NAMES: Final = 500
"""Tools that have a line of their own; the rest are `other`."""
OTHER: Final = "other"
_STATES = {"closed": 0, "half-open": 1, "open": 2}
_BY_TOOL = (
    ("toolcrib_calls_total", "counter", "Calls by tool", "invocations"),
    ("toolcrib_failures_total", "counter", "Failed calls by tool", "failures"),
    ("toolcrib_timeouts_total", "counter", "Missed deadlines by tool", "timeouts"),
    ("toolcrib_refusals_total", "counter", "Refusals by an open breaker", "refusals"),
)
_GAUGES = {
    "toolcrib_calls_in_flight": "Requests that are being answered",
    "toolcrib_calls_queued": "Requests that wait for a place",
    "toolcrib_sessions": "Sessions of the earlier eras",
    "toolcrib_listeners": "Open streams of events",
    "toolcrib_documents": "Documents that are served",
    "toolcrib_tools": "Tools that are listed",
    "toolcrib_store_up": "Whether the store answers",
    "toolcrib_store_wait_seconds": "Time that calls have waited for the store",
    "toolcrib_reload_seconds": "Time that the last reload took",
}
_DURATION: Final = "toolcrib_call_duration_seconds"

Labels = Mapping[str, str]


@bare
class Measured:
    """What is known of one project: its calls, its gauges, its reloads."""

    calls: Mapping[str, Any]
    gauges: Mapping[str, float]
    reloads: Mapping[str, int]
    labels: Labels


def exposition(measured: Sequence[Measured], *, version: str, revision: str | None) -> str:
    """Everything as text, each family of lines once, whatever number of projects it is about."""
    lines: list[str] = []
    shown = [(each, _named(each.calls["tools"])) for each in measured]
    for name, kind, text, key in _BY_TOOL:
        _family(lines, name, kind, text)
        for each, tools in shown:
            for tool, seen in tools.items():
                lines.append(_line(name, {**each.labels, "tool": tool}, seen[key]))
    _histograms(lines, shown)
    _family(lines, "toolcrib_breaker_state", "gauge", "0 closed, 1 half-open, 2 open")
    for each, tools in shown:
        for tool, seen in tools.items():
            labels = {**each.labels, "tool": tool}
            lines.append(_line("toolcrib_breaker_state", labels, _STATES[seen["breaker"]]))
    text = "Threads in calls that nobody waits for any more"
    _family(lines, "toolcrib_lost_threads", "gauge", text)
    for tool, count in (measured[0].calls.get("lost_threads", {}) if measured else {}).items():
        lines.append(_line("toolcrib_lost_threads", {"tool": tool}, count))
    _gauges(lines, measured)
    _process(lines)
    _family(lines, "toolcrib_build_info", "gauge", "Version and revision that are served")
    about = {"version": version, "revision": revision or ""}
    lines.append(_line("toolcrib_build_info", about, 1))
    return "\n".join(lines) + "\n"


def _named(tools: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """The tools by name, those that were called first; the others are added up under one name."""
    if len(tools) <= MOST_NAMES:
        return tools
    names = sorted(tools, key=lambda name: int(tools[name]["order"]))
    kept = {name: tools[name] for name in names[:MOST_NAMES]}
    rest = [tools[name] for name in names[MOST_NAMES:]]
    total: dict[str, Any] = {"breaker": "closed"}
    for key in ("invocations", "failures", "timeouts", "refusals", "total_ms"):
        total[key] = sum(seen[key] for seen in rest)
    total["buckets"] = [sum(column) for column in zip(*(s["buckets"] for s in rest), strict=True)]
    return {**kept, OTHER: total}


def _histograms(
    lines: list[str], shown: Iterable[tuple[Measured, Mapping[str, Mapping[str, Any]]]]
) -> None:
    _family(lines, _DURATION, "histogram", "Time of calls by tool")
    for each, tools in shown:
        for tool, seen in tools.items():
            labels = {**each.labels, "tool": tool}
            below = 0
            for bound, count in zip((*BOUNDS, None), seen["buckets"], strict=True):
                below += count
                limit = "+Inf" if bound is None else f"{bound:g}"
                lines.append(_line(f"{_DURATION}_bucket", {**labels, "le": limit}, below))
            lines.append(_line(f"{_DURATION}_sum", labels, seen["total_ms"] / 1000))
            lines.append(_line(f"{_DURATION}_count", labels, below))


def _gauges(lines: list[str], measured: Sequence[Measured]) -> None:
    for name, text in _GAUGES.items():
        _family(lines, name, "gauge", text)
        key = name.removeprefix("toolcrib_")
        for each in measured:
            if key in each.gauges or "store" not in key:
                lines.append(_line(name, each.labels, each.gauges.get(key, 0)))
    _family(lines, "toolcrib_reloads_total", "counter", "Reloads by outcome")
    for each in measured:
        for outcome, count in each.reloads.items():
            labels = {**each.labels, "outcome": outcome}
            lines.append(_line("toolcrib_reloads_total", labels, count))


def _process(lines: list[str]) -> None:
    """The standard `process_*` metrics."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    figures = {
        "process_cpu_seconds_total": ("counter", "Processor time", used.ru_utime + used.ru_stime),
        "process_resident_memory_bytes": ("gauge", "Memory in use", _resident(used.ru_maxrss)),
        "process_open_fds": ("gauge", "Open file descriptors", _open_files()),
    }
    for name, (kind, text, value) in figures.items():
        _family(lines, name, kind, text)
        lines.append(_line(name, {}, value))


def _resident(peak: int) -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize()
    except OSError:  # no such system: the most that it ever was
        return peak * (1 if sys.platform == "darwin" else 1024)


def _open_files() -> int:
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            return len(os.listdir(folder)) - 1  # noqa: PTH208 - the one that reads is no news
        except OSError:
            continue
    return 0


def _family(lines: list[str], name: str, kind: str, text: str) -> None:
    lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]


def _line(name: str, labels: Labels, value: float) -> str:
    shown = ",".join(f"{key}={_quoted(text)}" for key, text in labels.items())
    number = f"{value:.9g}" if isinstance(value, float) else str(value)
    return f"{name}{{{shown}}} {number}" if shown else f"{name} {number}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
