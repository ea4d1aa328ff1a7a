"""What the page shows, asked for as any client asks: through the surface, and from the record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from toolcrib.core.errors import ToolNotListed
from toolcrib.core.pack import Pack
from toolcrib.core.support.records import bare
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput
from toolcrib.server.mcp.protocol import Request, Session, plain_result
from toolcrib.server.surface import Surface
from toolcrib.web.call_log import CallLog
from toolcrib.wire.eras import CAPABILITIES_KEY, CLIENT_KEY, MODERN, VERSION_KEY
from toolcrib.wire.messages import METHOD_NOT_FOUND, RpcError
from toolcrib.wire.versions import MODERN_VERSIONS

Kind = TypeVar("Kind", bound=Pack)
Plain = dict[str, Any]


@bare
class Hooks:
    """What the page shows and only the command line can tell."""

    findings: Callable[[], list[Plain]] = list
    """What `doctor` finds."""
    trust: Callable[[], Plain] = dict
    """What waits for trust, in words and as a diff."""
    waiting: Callable[[], list[Plain]] = list
    """Calls that wait for a person."""
    record: Callable[[], Any] = lambda: None
    """Opens the record for what a person does on the page."""
    recording: Callable[[], bool] = lambda: False
    """Whether the settings ask for a record."""
    problem: Callable[[], str | None] = lambda: None
    """Why the settings that are there now are not those that are served."""


@bare
class Allowed:
    """What a person may do from the page besides looking."""

    calls: bool = False
    edits: bool = False


class PagePeer:
    """The page as a caller: nothing is sent to it, and nothing can be asked of it."""

    def __init__(self, caller: str) -> None:
        self.session = Session()
        self.caller = caller

    async def notify(self, method: str, params: JSON) -> None:
        """Progress has no reader here."""

    async def request(self, method: str, params: JSON) -> JSON:
        """Refuse: the page answers no questions of a server."""
        raise RpcError(METHOD_NOT_FOUND, f"{method}: the page cannot be asked")


class PageSource:
    """One project: its surface, its record, and what the command line knows of it."""

    def __init__(
        self, surface: Surface, project: Path, log: CallLog, hooks: Hooks, allowed: Allowed
    ) -> None:
        self.surface = surface
        self.project = project
        self.log = log
        self.hooks = hooks
        self.allowed = allowed
        self.name = project.name or str(project)

    async def ask(self, method: str, **params: Any) -> JSON:
        """Answer one method without a trace: what draws the page is not recorded."""
        return await self._answered(method, params, recorded=False)

    async def act(
        self, tool: str, arguments: JSON, caller: str = "dashboard"
    ) -> tuple[JSON, float]:
        """Call a tool because a person says so: recorded as a call of the dashboard.

        A tool that no client can call by its name is called as a client calls it.
        """
        if self.surface.executor.audit is None:
            self.surface.executor.audit = self.hooks.record()
        started = time.perf_counter()
        given = self._as_called(tool, arguments)
        result = await self._answered("tools/call", given, recorded=True, caller=caller)
        return result, (time.perf_counter() - started) * 1000

    def _as_called(self, tool: str, arguments: JSON) -> JSON:
        found = self.surface.catalog.find(tool)
        if found is not None:
            try:
                self.surface.catalog.resolve(tool)
            except ToolNotListed:
                through = {"tool_name": tool, "args": arguments}
                return {"name": "climax_call", "arguments": through}
        return {"name": tool, "arguments": arguments}

    async def run(self, tool: Tool, arguments: JSON) -> ToolOutput:
        """Run a tool for the page itself, without a trace in record or statistics."""
        return ToolOutput.of(await tool.execute(arguments, CallContext(caller="dashboard")))

    def pack(self, kind: type[Kind]) -> Kind | None:
        """The pack of that class; None if it is not served."""
        return next((pack for pack in self.surface.packs if isinstance(pack, kind)), None)

    def tool(self, name: str) -> Tool | None:
        """A tool by its exact name, listed or not."""
        found = self.surface.catalog.find(name)
        return found[0] if found is not None else None

    async def _answered(
        self, method: str, params: Mapping[str, Any], *, recorded: bool, caller: str = "dashboard"
    ) -> JSON:
        meta = {
            VERSION_KEY: MODERN_VERSIONS[-1],
            CAPABILITIES_KEY: {},
            CLIENT_KEY: {"name": "dashboard", "version": None},
        }
        given = {**params, "_meta": meta}
        peer = PagePeer(caller)
        request = Request(method, given, MODERN, peer, id=1, recorded=recorded)
        answer: JSON = plain_result(await self.surface.answer(request))
        return {key: item for key, item in answer.items() if key not in ("ttlMs", "cacheScope")}
