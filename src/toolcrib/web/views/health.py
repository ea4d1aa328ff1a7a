"""Health: servers that run, breakers that are open, what changed, flags."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from toolcrib.web.call_log import dumped
from toolcrib.web.calls import Line

_MOST_CHANGES = 100
_ABOUT_NOBODY: Final = ("start", "stop", "reload", "breaker", "refused_config")
_KNOWN = {"v", "event", "time", "session", "pid", "host", "started", "error", "replica"}


_TRUSTED_BY: Final = {
    "record": "Everything that acts here is as somebody at a terminal saw it and trusted it.",
    "all": "TOOLCRIB_TRUST=all lets everything act without a question; nobody has to have looked.",
    "digest": "TOOLCRIB_TRUST names the digest of exactly what is here.",
    "paths": "The folder is one of those that the person's own settings trust.",
    "nothing": "Nothing here acts: documents and prompts need nobody's trust.",
}


def trusted_because(by: str) -> str:
    """What the trust in a repository rests on, in a sentence."""
    return _TRUSTED_BY.get(by, f"It is trusted by {by}.")


def sessions(
    running: Mapping[int, Line], events: Iterable[Line], host: str, only: str = ""
) -> list[dict[str, Any]]:
    """Servers that run, with their sessions over HTTP; `only` is the caller whose are shown."""
    clients: dict[tuple[int, str], Line] = {}
    for event in list(events):
        pid, kind = event.get("pid"), event["event"]
        if not isinstance(pid, int) or pid not in running:
            continue
        if kind == "start":
            clients = {key: each for key, each in clients.items() if key[0] != pid}
        elif kind == "session":
            key = (pid, str(event.get("session")))
            if event.get("state") == "closed":
                clients.pop(key, None)
            elif only in ("", event.get("caller")):
                clients[key] = event
    return [_session(event, host) for event in (*running.values(), *clients.values())]


def open_breakers(
    states: Mapping[int, Mapping[str, str]], ended: Collection[int]
) -> list[dict[str, Any]]:
    """The breakers that are not closed; those of servers that ended have gone with them."""
    return [
        {"tool": tool, "state": state, "pid": pid}
        for pid, tools in list(states.items())
        for tool, state in list(tools.items())
        if pid not in ended and state != "closed"
    ]


def changes(events: Iterable[Line], only: str = "") -> list[dict[str, Any]]:
    """What happened besides calls, newest first; `only` is the caller who may see it."""
    shown = [each for each in list(events) if not only or _is_open_to(only, each)]
    newest = shown[: -_MOST_CHANGES - 1 : -1]
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


def _is_open_to(caller: str, event: Line) -> bool:
    """Whether a visitor who may see only their own calls may see an event."""
    return event["event"] in _ABOUT_NOBODY or event.get("caller") == caller


def _session(event: Line, here: str) -> dict[str, Any]:
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
        "host": host if host not in (None, here) else None,
    }


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    if isinstance(value, dict):
        return " ".join(str(each) for each in value.values() if each is not None)
    return dumped(value)
