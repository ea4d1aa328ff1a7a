"""The page of health: findings, sessions, breakers, changes, flags; trust and approvals."""

from __future__ import annotations

from collections.abc import Mapping

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.web import processes
from toolcrib.web.calls import Line
from toolcrib.web.lock import Visitor
from toolcrib.web.pages.shown import Found, Shown
from toolcrib.web.source import PageSource, Plain
from toolcrib.web.views import health as view
from toolcrib.wire.messages import RpcError

_EDITS_OFF = "Edits are off: start with --allow-edits"
_SCOPES = (("global", "guide_list_feature_flags"), ("project", "guide_list_project_flags"))


class HealthPages:
    """What is well, what is not, and what happened."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self._wrong = 0

    def warm(self) -> None:
        """Count the findings, for the mark on every page."""
        self._findings()

    def mark(self) -> str:
        """What stands beside the link: how many findings want a look."""
        return f"{self._wrong} ⚠" if self._wrong else ""

    def notices(self) -> list[tuple[str, str]]:
        """What every page has to say: a sentence, and where there is more."""
        found = []
        problem = self._source.hooks.problem()
        if problem is not None:
            found.append((f"The last good settings are shown: {problem}", "/health"))
        return found

    def running(self) -> Mapping[int, Line]:
        """The starts of the servers that run."""
        return processes.running(self._source.log.starts, self._source.log.heard)

    async def get(self, name: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """All of it."""
        return await self._shown(visitor)

    async def set_flag(self, name: str, form: Mapping[str, str], visitor: Visitor) -> Found:
        """Set or remove a flag, asked once more."""
        if not self._source.allowed.edits:
            return await self._shown(visitor, _EDITS_OFF, 403)
        name = form.get("name") or name
        removing = form.get("remove") == "1"
        if visitor.by_cookie and form.get("really") != "yes":  # a script cannot be asked
            confirm = {**form, "name": name, "removing": removing}
            return await self._shown(visitor, confirm=confirm)
        scope = "feature" if form.get("scope") == "global" else "project"
        value = None if removing else view.flag_value(form.get("value", ""))
        given = {"name": name, "value": value}
        try:
            result, _ = await self._source.act(f"guide_set_{scope}_flag", given, visitor.name)
        except RpcError as error:
            return await self._shown(visitor, error.message, 400)
        problem = (result.get("structuredContent") or {}).get("error")
        return await self._shown(visitor, problem, 400 if problem else 200)

    async def trust(self, name: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """What waits for trust, in words and line by line, and the command to type."""
        try:
            found = await in_thread(self._source.hooks.trust)
        except ToolcribError as error:
            found = {"state": "unknown", "problem": str(error)}
        because = view.trusted_because(str(found.get("by")))
        values = {"heading": "Trust", "current": "health", "trust": found, "because": because}
        return Shown("trust.html", values, found)

    async def approvals(self, name: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """Calls that wait for a person, and the command to type.

        Whose call waits is not known, so who may see their own calls alone sees none.
        """
        waiting = [] if visitor.only else await in_thread(self._source.hooks.waiting)
        values = {"heading": "Approvals", "current": "health", "waiting": waiting}
        return Shown("approvals.html", values, {"waiting": waiting})

    async def _shown(
        self,
        visitor: Visitor,
        problem: str | None = None,
        status: int = 200,
        confirm: Plain | None = None,
    ) -> Shown:
        log = self._source.log
        await in_thread(log.refresh)
        running = await in_thread(self.running)
        shown = {
            "sessions": view.sessions(running, log.events, processes.HOST, visitor.only),
            "breakers": view.open_breakers(log.breakers, log.starts.keys() - running.keys()),
            "changes": view.changes(log.events, visitor.only),
            "flags": await self._flags(),
        }
        values = {
            **shown,
            "heading": "Health",
            "current": "health",
            "groups": lambda: view.grouped(self._findings()),
            "confirm": confirm,
            "problem": problem,
            "edits": self._source.tool("guide_set_project_flag") is not None,
        }

        def as_json() -> Plain:
            return {"problem": problem} if problem else {"findings": self._findings(), **shown}

        return Shown("health.html", values, as_json, status, in_pieces=True)

    def _findings(self) -> list[Plain]:
        """What `doctor` finds now: it looks at every file, and takes its time."""
        found = self._source.hooks.findings()
        self._wrong = sum(each["level"] != "ok" for each in found)
        return found

    async def _flags(self) -> list[Plain]:
        found: dict[str, Plain] = {}
        for scope, name in _SCOPES:
            if self._source.tool(name) is None:
                continue
            try:
                answer = await self._source.ask("tools/call", name=name, arguments={})
            except RpcError:  # a store that is away is no reason to show nothing
                continue
            value = (answer.get("structuredContent") or {}).get("value")
            for flag, item in value.items() if isinstance(value, dict) else ():
                if flag not in found or found[flag]["value"] != item:
                    found[flag] = {"name": flag, "value": item, "from": scope}
        return [found[name] for name in sorted(found)]
