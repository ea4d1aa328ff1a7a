"""Health: servers that run, breakers that are open, what changed, flags."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from toolcrib.server.record import process_start
from toolcrib.web.call_log import dumped
from toolcrib.web.calls import Line

HOST: Final = socket.gethostname()
_MOST_CHANGES = 100
_SILENCE = 15 * 60.0
"""Seconds after which a server of another host that says nothing counts as ended."""
_KNOWN = {"v", "event", "time", "session", "pid", "host", "started", "error", "replica"}


def sessions(
    events: Iterable[Line], heard: Mapping[int, float], now: float | None = None
) -> list[dict[str, Any]]:
    """Servers that began and did not end, with their sessions over HTTP.

    One whose process is gone has ended; `heard` tells when each process last wrote a line.
    """
    servers: dict[int, Line] = {}
    clients: dict[tuple[int, str], Line] = {}
    for event in list(events):
        pid, kind = event.get("pid"), event["event"]
        if not isinstance(pid, int):
            continue
        if kind == "start":
            servers[pid] = event
        elif kind == "stop":
            servers.pop(pid, None)
        elif kind == "session":
            key = (pid, str(event.get("session")))
            if event.get("state") == "closed":
                clients.pop(key, None)
            else:
                clients[key] = event
    silent = (time.time() if now is None else now) - _SILENCE
    alive = {
        pid: event
        for pid, event in servers.items()
        if _is_alive(pid, event, heard.get(pid, 0.0) >= silent)
    }
    shown = [_session(event) for event in alive.values()]
    return shown + [_session(event) for (pid, _), event in clients.items() if pid in alive]


def open_breakers(states: Mapping[str, str]) -> list[dict[str, str]]:
    """The breakers that are not closed."""
    return [{"tool": tool, "state": state} for tool, state in states.items() if state != "closed"]


def changes(events: Sequence[Line]) -> list[dict[str, Any]]:
    """What happened besides calls, newest first."""
    newest = list(events)[: -_MOST_CHANGES - 1 : -1]
    return [
        {"time": str(event.get("time") or ""), "event": str(event["event"]), "words": words(event)}
        for event in newest
    ]


def grouped(findings: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Findings in their groups, those first that want a look."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for each in findings:
        groups.setdefault(str(each["group"]), []).append(each)
    order = {"error": 0, "warning": 1}
    for found in groups.values():
        found.sort(key=lambda each: order.get(str(each["level"]), 2))
    return groups


def words(event: Mapping[str, Any]) -> str:
    """An event in one line."""
    if event["event"] == "reload":
        said = []
        counts = event.get("counts")
        for what in ("added", "changed", "removed"):
            names = event.get(what)
            count = counts.get(what) if isinstance(counts, dict) else None
            if isinstance(names, list) and names:
                more = f" and {count - 5} more" if isinstance(count, int) and count > 5 else ""
                said.append(f"{what} {', '.join(map(str, names[:5]))}{more}")
        return "; ".join(said)
    told = [str(event["error"])] if isinstance(event.get("error"), str) else []
    told += [
        f"{key}: {_plain(value)}"
        for key, value in event.items()
        if key not in _KNOWN and value not in (None, [], {})
    ]
    return ", ".join(told)[:500]


def flag_value(text: str) -> Any:
    """The value that a text means: JSON where it reads as a value of a flag, else the text."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(read, bool):
        return read
    if isinstance(read, list) and all(isinstance(each, str) for each in read):
        return read
    if isinstance(read, dict) and all(isinstance(each, str) for each in read.values()):
        return read
    return text


def _session(event: Line) -> dict[str, Any]:
    client = event.get("client")
    name = client.get("name") if isinstance(client, dict) else None
    version = client.get("version") if isinstance(client, dict) else None
    host = event.get("host")
    return {
        "pid": event.get("pid"),
        "client": " ".join(str(each) for each in (name, version) if each),
        "transport": str(event.get("transport") or event["event"]),
        "since": str(event.get("time") or ""),
        "packs": event.get("packs"),
        "host": host if host not in (None, HOST) else None,
    }


def _is_alive(pid: int, event: Line, heard_lately: bool) -> bool:
    if event.get("host") not in (None, HOST):
        return heard_lately
    started = process_start(pid)
    if started is None:
        return False
    return event.get("started") in (None, started)


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    if isinstance(value, dict):
        return " ".join(str(each) for each in value.values() if each is not None)
    return dumped(value)
