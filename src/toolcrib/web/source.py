"""What the page shows, asked for as any client asks: through the surface, and from the record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from toolcrib.core.pack import Pack
from toolcrib.core.support.records import bare
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput
from toolcrib.server.mcp.protocol import Request, Session
from toolcrib.server.surface import Surface, plain_result
from toolcrib.web.call_log import CallLog
from toolcrib.wire.eras import CAPABILITIES_KEY, CLIENT_KEY, MODERN, VERSION_KEY
from toolcrib.wire.messages import METHOD_NOT_FOUND, RpcError
from toolcrib.wire.versions import MODERN_VERSIONS

Kind = TypeVar("Kind", bound=Pack)
Findings = Callable[[], list[dict[str, Any]]]


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
        """Nobody is there to answer."""
        raise RpcError(METHOD_NOT_FOUND, f"{method}: the page cannot be asked")


class Source:
    """One project: its surface, its record, and what `doctor` finds."""

    def __init__(
        self,
        surface: Surface,
        project: Path,
        log: CallLog,
        *,
        name: str,
        findings: Findings,
        allowed: Allowed,
        record: Callable[[], Any] = lambda: None,
        waiting: Callable[[], list[dict[str, Any]]] = list,
    ) -> None:
        self.surface = surface
        self.project = project
        self.log = log
        self.name = name
        self.findings = findings
        self.allowed = allowed
        self._record = record
        self.waiting = waiting
        """Calls that wait for a person."""

    async def ask(self, method: str, **params: Any) -> JSON:
        """Answer one method without a trace: what draws the page is not recorded."""
        return await self._answered(method, params, recorded=False)

    async def act(self, tool: str, arguments: JSON) -> tuple[JSON, float]:
        """Call a tool because a person says so: recorded as a call of the dashboard."""
        if self.surface.executor.audit is None:
            self.surface.executor.audit = self._record()
        started = time.perf_counter()
        given = {"name": tool, "arguments": arguments}
        result = await self._answered("tools/call", given, recorded=True)
        return result, (time.perf_counter() - started) * 1000

    async def run(self, tool: Tool, arguments: JSON) -> ToolOutput:
        """Run a tool for the page itself, without a trace in record or statistics."""
        return ToolOutput.of(await tool.execute(arguments, CallContext(caller="dashboard")))

    def pack(self, kind: type[Kind]) -> Kind | None:
        """The pack of that class; None if it is not served."""
        return next((pack for pack in self.surface.packs if isinstance(pack, kind)), None)

    def tool(self, name: str) -> Tool | None:
        """A tool by its exact name, listed or not."""
        return next((tool for tool in self.surface.catalog.every() if tool.name == name), None)

    async def _answered(self, method: str, params: Mapping[str, Any], *, recorded: bool) -> JSON:
        meta = {
            VERSION_KEY: MODERN_VERSIONS[-1],
            CAPABILITIES_KEY: {},
            CLIENT_KEY: {"name": "dashboard", "version": None},
        }
        given = {**params, "_meta": meta}
        peer = PagePeer("dashboard")
        request = Request(method, given, MODERN, peer, id=1, recorded=recorded)
        answer: JSON = plain_result(await self.surface.answer(request))
        return {key: item for key, item in answer.items() if key not in ("ttlMs", "cacheScope")}
