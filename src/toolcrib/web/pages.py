"""The pages: from an address to what is shown, as HTML or as JSON."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote, urlencode

from toolcrib import __version__
from toolcrib.core.support.suggest import nearest
from toolcrib.core.support.workers import in_thread
from toolcrib.web.exchange import Request, Response
from toolcrib.web.lock import Visitor
from toolcrib.web.pages_decisions import DecisionPages
from toolcrib.web.pages_health import HealthPages
from toolcrib.web.pages_library import LibraryPages
from toolcrib.web.pages_tools import ToolPages
from toolcrib.web.render import Renderer
from toolcrib.web.source import Source
from toolcrib.web.stream import CallStream
from toolcrib.web.views import calls as calls_view

Shown = tuple[str, dict[str, Any]]
"""A template and what it shows."""
NAVIGATION = (
    ("calls", "Calls"), ("tools", "Tools"), ("decisions", "Decisions"), ("library", "Library"),
    ("health", "Health"),
)  # fmt: skip


class Pages:
    """Answers every address of the page."""

    def __init__(self, source: Source, renderer: Renderer) -> None:
        self._source = source
        self._renderer = renderer
        self._stream = CallStream(source.log)
        self._tools = ToolPages(source)
        self._decisions = DecisionPages(source, renderer)
        self._library = LibraryPages(source, renderer)
        self._health = HealthPages(source)
        self._getters: Mapping[str, Callable[..., Awaitable[Any]]] = {
            "calls": self._calls,
            "tools": self._tools.get,
            "decisions": self._decisions.get,
            "library": self._library.get,
            "rules": self._library.rules,
            "patterns": self._library.pattern,
            "health": self._health.get,
            "trust": self._health.trust,
            "approvals": self._health.approvals,
        }

    async def get(self, request: Request, visitor: Visitor) -> Response:
        """One page."""
        if request.path == "/":
            return Response.to(self._renderer.url("/calls"))
        if request.path == "/calls/stream":
            return await self._live(request)
        if request.path == "/calls.jsonl":
            return await self._download(request)
        page, _, rest = request.path.strip("/").partition("/")
        as_json = False
        if rest.endswith(".json") and not self._is_tool(page, rest):
            rest, as_json = rest.removesuffix(".json"), True
        elif not rest and page.endswith(".json"):
            page, as_json = page.removesuffix(".json"), True
        getter = self._getters.get(page)
        if getter is None:
            return await self._missing(request, visitor, [name for name, _ in NAVIGATION])
        shown = await getter(unquote(rest), request.query)
        if isinstance(shown, Response):
            return shown
        if isinstance(shown, list):
            return await self._missing(request, visitor, shown, page)
        template, values = shown
        if as_json:
            return Response.json(values["json"])
        return await self._page(template, values, request, visitor)

    async def post(self, request: Request, visitor: Visitor, form: Mapping[str, str]) -> Response:
        """What a form asks for."""
        path = request.path.strip("/")
        page, _, rest = path.partition("/")
        target, _, action = rest.rpartition("/")
        shown: Any = None
        if page == "tools" and action in ("check", "call"):
            shown = await self._tools.post(unquote(target), action, form)
        elif path == "decisions/check":
            shown = await self._decisions.check(form)
        elif page == "patterns" and action == "check":
            shown = await self._library.check(unquote(target), form)
        elif page == "flags" and rest:
            shown = await self._health.set_flag(unquote(rest), form)
        if shown is None:
            return Response.text("Not found", 404)
        if isinstance(shown, Response):
            return shown
        if isinstance(shown, list):
            return await self._missing(request, visitor, shown, page)
        template, values = shown
        status = values.pop("status", 200)
        if (request.header("accept") or "").startswith("application/json"):
            return Response.json(values["json"], status)
        response = await self._page(template, values, request, visitor)
        response.status = status
        return response

    def _is_tool(self, page: str, rest: str) -> bool:
        return page == "tools" and self._source.tool(unquote(rest)) is not None

    async def _calls(self, id: str, query: Mapping[str, str]) -> Any:
        log = self._source.log
        await in_thread(log.refresh)
        if id:
            row = log.get(id)
            if row is None:
                return [each.id for each in log.rows[-3:]]
            values = calls_view.detail(row)
            values |= {"heading": row.tool, "json": row.line, "explained": self._explained(row)}
            return "call.html", values
        values = await in_thread(calls_view.listing, log, query)
        values |= {
            "heading": "Calls",
            "json": calls_view.as_json(values),
            "brief": calls_view.brief_arguments,
            "link": lambda **more: _address("/calls", query, more),
        }
        return "calls.html", values

    def _explained(self, row: Any) -> list[str]:
        line = row.line
        if line.get("outcome") != "denied":
            return []
        place = line.get("place") or "no place"
        return [f"{line.get('refused_by')} turned it away at {place}"]

    async def _live(self, request: Request) -> Response:
        since = request.header("last-event-id") or request.query.get("since", "")
        wanted = calls_view.wanted_by(request.query)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        stream = self._stream.events(since, wanted)
        return Response(b"", 200, "text/event-stream; charset=utf-8", headers, stream)

    async def _download(self, request: Request) -> Response:
        log = self._source.log
        await in_thread(log.refresh)
        rows = log.select(calls_view.wanted_by(request.query))
        body = b"".join(row.raw + b"\n" for row in reversed(rows))
        headers = {"content-disposition": 'attachment; filename="calls.jsonl"'}
        return Response(body, 200, "application/x-ndjson; charset=utf-8", headers)

    async def _page(
        self, template: str, values: dict[str, Any], request: Request, visitor: Visitor
    ) -> Response:
        heading = values["heading"]
        current = values.get("current") or request.path.strip("/").partition("/")[0]
        body = self._renderer.page(
            template,
            **values,
            csrf=visitor.csrf,
            title=f"{heading} · {self._source.name} · toolcrib",
            project=self._source.name,
            navigation=await in_thread(self._counts),
            at=current.removesuffix(".json"),
            allowed=self._source.allowed,
            version=__version__,
            quoted=lambda text: quote(text, safe=""),
        )
        return Response(body)

    def _counts(self) -> list[tuple[str, str, str]]:
        surface = self._source.surface
        counts = {"calls": str(len(self._source.log.rows))}
        counts["tools"] = str(len(surface.catalog.listed()))
        counts["decisions"] = str(self._decisions.count())
        counts["library"] = str(self._library.count())
        counts["health"] = self._health.mark()
        return [(path, name, counts.get(path, "")) for path, name in NAVIGATION]

    async def _missing(
        self, request: Request, visitor: Visitor, known: list[str], page: str = ""
    ) -> Response:
        name = request.parts()[-1].removesuffix(".json")
        near = nearest(name, known) or known[:3]
        links = [(each, f"/{page}/{quote(each, safe='')}" if page else f"/{each}") for each in near]
        values = {"heading": "Not found", "missing": name, "links": links, "json": {}}
        if request.path.endswith(".json"):
            return Response.json({"error": f"not found: {name}", "nearest": near}, 404)
        response = await self._page("missing.html", values, request, visitor)
        response.status = 404
        return response


def _address(path: str, query: Mapping[str, str], more: Mapping[str, Any]) -> str:
    merged = {**query, **{key: str(value) for key, value in more.items()}}
    kept = {key: value for key, value in merged.items() if value}
    return f"{path}?{urlencode(kept)}" if kept else path


def loads_or_empty(text: str) -> dict[str, Any]:
    """A JSON object from an address; nothing where it is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
