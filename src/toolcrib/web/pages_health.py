"""The page of health: findings, sessions, breakers, changes, flags; trust and approvals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.server.record import process_start
from toolcrib.web.source import Source

_MOST_CHANGES = 100


class HealthPages:
    """What is well, what is not, and what happened."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._wrong = 0

    def mark(self) -> str:
        """What stands beside the link: how many findings want a look."""
        return f"{self._wrong} ⚠" if self._wrong else ""

    async def get(self, name: str, query: Mapping[str, str]) -> Any:
        """All of it."""
        findings = await in_thread(self._source.findings)
        self._wrong = sum(each["level"] != "ok" for each in findings)
        await in_thread(self._source.log.refresh)
        groups: dict[str, list[dict[str, Any]]] = {}
        for each in findings:
            groups.setdefault(each["group"], []).append(each)
        values: dict[str, Any] = {
            "heading": "Health",
            "groups": groups,
            "sessions": self._sessions(),
            "breakers": self._breakers(),
            "changes": self._changes(),
            "flags": await self._flags(),
            "confirm": None,
        }
        values["json"] = {
            "findings": findings, "sessions": values["sessions"], "breakers": values["breakers"],
            "changes": values["changes"], "flags": values["flags"],
        }  # fmt: skip
        return "health.html", values

    async def set_flag(self, name: str, form: Mapping[str, str]) -> Any:
        """Set or remove a flag, asked once more."""
        template, values = await self.get("", {})
        if not self._source.allowed.edits:
            values |= {"status": 403, "problem": "Edits are off: start with --allow-edits"}
            values["json"] = {"problem": values["problem"]}
            return template, values
        removing = form.get("remove") == "1"
        if form.get("really") != "yes":
            values["confirm"] = {"name": name, "removing": removing, **form}
            return template, values
        scope = "feature" if form.get("scope") == "global" else "project"
        value = None if removing else _value(form.get("value", ""))
        result, _ = await self._source.act(
            f"guide_set_{scope}_flag", {"name": name, "value": value}
        )
        _, values = await self.get("", {})
        values["json"] = result.get("structuredContent")
        values["problem"] = (result.get("structuredContent") or {}).get("error")
        return template, values

    async def trust(self, name: str, query: Mapping[str, str]) -> Any:
        """What waits for trust, and the command to type."""
        values = await in_thread(self._trust)
        return "trust.html", {"heading": "Trust", "current": "health", **values}

    async def approvals(self, name: str, query: Mapping[str, str]) -> Any:
        """Calls that wait for a person, and the command to type."""
        waiting = await in_thread(self._source.waiting)
        return "approvals.html", {
            "heading": "Approvals", "current": "health", "waiting": waiting,
            "json": {"waiting": waiting},
        }  # fmt: skip

    def _trust(self) -> dict[str, Any]:
        from toolcrib.settings import load

        try:
            trust = load(self._source.project).trust
        except ToolcribError as error:
            return {"state": "unknown", "files": [], "problem": str(error), "json": {}}
        if trust is None:
            return {"state": "trusted", "files": [], "problem": None, "json": {"state": "trusted"}}
        files = [{"path": each.path, "why": trust.why(each.path)} for each in trust.withheld()]
        state = trust.state
        return {
            "state": state, "files": files, "problem": None,
            "json": {"state": state, "files": files},
        }  # fmt: skip

    def _sessions(self) -> list[dict[str, Any]]:
        """Servers that began and did not end; one whose process is gone has ended."""
        running: dict[int, dict[str, Any]] = {}
        for event in self._source.log.events:
            pid = event.get("pid")
            if event["event"] == "start" and isinstance(pid, int):
                running[pid] = event
            elif event["event"] == "stop" and isinstance(pid, int):
                running.pop(pid, None)
        found = []
        for pid, event in running.items():
            if _alive(pid, event):
                client = event.get("client") or {}
                found.append({"pid": pid, "client": client.get("name") or event.get("transport"),
                              "since": event.get("time"), "packs": event.get("packs")})  # fmt: skip
        return found

    def _breakers(self) -> list[dict[str, Any]]:
        states: dict[str, str] = {}
        for event in self._source.log.events:
            if event["event"] == "breaker":
                states[str(event.get("tool"))] = str(event.get("state"))
        return [
            {"tool": tool, "state": state} for tool, state in states.items() if state != "closed"
        ]

    def _changes(self) -> list[dict[str, Any]]:
        shown = [
            {"time": event.get("time"), "event": event["event"], "words": _words(event)}
            for event in reversed(self._source.log.events)
        ]
        return shown[:_MOST_CHANGES]

    async def _flags(self) -> list[dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for scope, name in (("global", "guide_list_feature_flags"),
                            ("project", "guide_list_project_flags")):  # fmt: skip
            if self._source.tool(name) is None:
                continue
            try:
                answer = await self._source.ask("tools/call", name=name, arguments={})
            except Exception:  # noqa: BLE001, S112 - a store that is away is no reason to fail
                continue
            value = (answer.get("structuredContent") or {}).get("value")
            for flag, item in value.items() if isinstance(value, dict) else ():
                if flag not in found or found[flag]["value"] != item:
                    found[flag] = {"name": flag, "value": item, "from": scope}
        return [found[name] for name in sorted(found)]


def _alive(pid: int, event: Mapping[str, Any]) -> bool:
    import socket

    if event.get("host") not in (None, socket.gethostname()):
        return True
    started = process_start(pid)
    if started is None:
        return False
    return event.get("started") in (None, started)


def _words(event: Mapping[str, Any]) -> str:
    if event["event"] == "reload":
        counts = event.get("counts") or {}
        names = [*(event.get("added") or ()), *(event.get("changed") or ()),
                 *(event.get("removed") or ())]  # fmt: skip
        numbers = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
        return f"{numbers}: {', '.join(map(str, names[:5]))}"
    known = {"v", "event", "time", "session", "pid", "host", "started"}
    return ", ".join(
        f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in event.items()
        if key not in known and value is not None
    )


def _value(text: str) -> Any:
    try:
        read = json.loads(text)
    except ValueError:
        return text
    if isinstance(read, bool):
        return read
    if isinstance(read, list) and all(isinstance(each, str) for each in read):
        return read
    if isinstance(read, dict) and all(isinstance(each, str) for each in read.values()):
        return read
    return text
