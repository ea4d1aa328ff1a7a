"""From an address to a page, as HTML or as JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

from toolcrib import __version__
from toolcrib.core.support.suggest import nearest
from toolcrib.core.support.workers import in_thread
from toolcrib.web import processes
from toolcrib.web.exchange import READING, PageRequest, Response
from toolcrib.web.lock import Visitor
from toolcrib.web.pages.calls import CallPages
from toolcrib.web.pages.decisions import DecisionPages
from toolcrib.web.pages.health import HealthPages
from toolcrib.web.pages.library import LibraryPages
from toolcrib.web.pages.shown import Found, Missing, Shown
from toolcrib.web.pages.tools import ToolPages
from toolcrib.web.render import Renderer
from toolcrib.web.source import PageSource
from toolcrib.web.views.text import marked

NAVIGATION = (
    ("calls", "Calls"), ("tools", "Tools"), ("decisions", "Decisions"), ("library", "Library"),
    ("health", "Health"),
)  # fmt: skip
Getter = Callable[[str, Mapping[str, str], Visitor], Awaitable[Found]]


class Pages:
    """Answers every address of the page."""

    def __init__(self, source: PageSource, renderer: Renderer) -> None:
        self._source = source
        self._renderer = renderer
        self._calls = CallPages(source)
        self._tools = ToolPages(source)
        self._decisions = DecisionPages(source, renderer)
        self._library = LibraryPages(source, renderer)
        self._health = HealthPages(source)
        self._getters: Mapping[str, Getter] = {
            "calls": self._calls.get,
            "tools": self._tools.get,
            "decisions": self._decisions.get,
            "library": self._library.get,
            "rules": self._library.rules,
            "patterns": self._library.pattern,
            "health": self._health.get,
            "trust": self._health.trust,
            "approvals": self._health.approvals,
        }

    def warm(self) -> None:
        """Work out what the first look would have to wait for."""
        self._source.log.refresh()
        self._tools.warm()
        self._health.warm()

    async def get(self, request: PageRequest, visitor: Visitor) -> Response:
        """One page."""
        if request.path == "/":
            return Response.to(self._renderer.url("/calls"))
        if request.path == "/calls/stream":
            return self._calls.live(request, visitor)
        if request.path == "/calls.jsonl":
            return await self._calls.download(request, visitor)
        page, _, rest = request.path.strip("/").partition("/")
        if _is_action(page, rest) and not self._is_tool(page, rest):
            return Response.not_allowed("POST")
        as_json = False
        if rest.endswith(".json") and not self._is_tool(page, rest):
            rest, as_json = rest.removesuffix(".json"), True
        elif not rest and page.endswith(".json"):
            page, as_json = page.removesuffix(".json"), True
        getter = self._getters.get(page)
        if getter is None:
            missing = Missing([name for name, _ in NAVIGATION])
            return await self._response(missing, request, visitor, as_json=as_json)
        found = await getter(unquote(rest), request.query, visitor)
        return await self._response(found, request, visitor, as_json=as_json)

    async def post(
        self, request: PageRequest, visitor: Visitor, form: Mapping[str, str]
    ) -> Response:
        """What a form asks for."""
        path = request.path.strip("/")
        page, _, rest = path.partition("/")
        target, _, action = rest.rpartition("/")
        found: Found = Missing([name for name, _ in NAVIGATION])
        if page == "tools" and action in ("check", "call"):
            found = await self._tools.post(unquote(target), action, form, visitor, request)
        elif path == "decisions/check":
            found = await self._decisions.check(form, visitor)
        elif page == "patterns" and action == "check":
            found = await self._library.check(unquote(target), form, visitor)
        elif page == "flags" and rest:
            found = await self._health.set_flag(unquote(rest), form, visitor)
        elif page.removesuffix(".json") in self._getters:
            found = Response.not_allowed(*READING)
        as_json = (request.header("accept") or "").startswith("application/json")
        return await self._response(found, request, visitor, as_json=as_json)

    def methods(self, request: PageRequest) -> tuple[str, ...]:
        """How an address may be asked for."""
        page, _, rest = request.path.strip("/").partition("/")
        only_forms = _is_action(page, rest) and not self._is_tool(page, rest)
        return ("POST",) if only_forms else READING

    def _is_tool(self, page: str, rest: str) -> bool:
        return page == "tools" and self._source.tool(unquote(rest)) is not None

    async def _response(
        self, found: Found, request: PageRequest, visitor: Visitor, *, as_json: bool
    ) -> Response:
        if isinstance(found, Response):
            return found
        if isinstance(found, Missing):
            found = _missing(found, request)
        if as_json:
            value = await in_thread(found.json) if callable(found.json) else found.json
            return Response.json(value, found.status)
        values = await in_thread(self._values, found, request, visitor)
        pieces = self._renderer.pieces(found.template, **values)
        if found.in_pieces:
            return Response(b"", found.status, stream=_one_by_one(pieces))
        return Response(await in_thread(b"".join, pieces), found.status)

    def _values(self, shown: Shown, request: PageRequest, visitor: Visitor) -> dict[str, Any]:
        values = {"current": request.path.strip("/").partition("/")[0], **shown.values}
        return {
            **values,
            "csrf": visitor.csrf,
            "visitor": visitor,
            "title": marked(f"{values['heading']} · {self._source.name} · toolcrib"),
            "project": self._source.name,
            "navigation": self._navigation(visitor),
            "running": len(self._health.running()),
            "host": processes.HOST,
            "allowed": self._source.allowed,
            "notices": self._health.notices(),
            "version": __version__,
        }

    def _navigation(self, visitor: Visitor) -> list[tuple[str, str, str]]:
        log, surface = self._source.log, self._source.surface
        counts = {
            "calls": "" if visitor.only else f"{len(log.rows):,}",
            "tools": f"{len(surface.catalog.listed()):,}",
            "decisions": f"{self._decisions.count():,}",
            "library": f"{self._library.count():,}",
            "health": self._health.mark(),
        }
        return [(path, name, counts[path]) for path, name in NAVIGATION]


async def _one_by_one(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await in_thread(next, pieces, None)) is not None:
        yield piece


def _is_action(page: str, rest: str) -> bool:
    """Whether an address is one that only forms are sent to."""
    target, _, action = rest.rpartition("/")
    if page == "tools":
        return bool(target) and action in ("check", "call")
    if page == "patterns":
        return bool(target) and action == "check"
    return (page, rest) == ("decisions", "check") or (page == "flags" and bool(rest))


def _missing(found: Missing, request: PageRequest) -> Shown:
    page, _, rest = request.path.strip("/").partition("/")
    if request.method == "POST" and _is_action(page, rest):
        rest = rest.rpartition("/")[0]
    name = unquote(rest or page).removesuffix(".json")
    if page == "library":
        name = request.query.get("uri", name)
    near = nearest(name, found.known) or found.known[:3]
    links = [(each, _address(page, each)) for each in near]
    values: dict[str, Any] = {"heading": "Not found", "missing": name, "links": links}
    return Shown("missing.html", values, {"error": f"not found: {name}", "nearest": near}, 404)


def _address(page: str, name: str) -> str:
    if page == "library":
        return f"/library?uri={quote(name, safe='')}"
    if page in ("calls", "tools", "decisions", "patterns"):
        return f"/{page}/{quote(name, safe='')}"
    return f"/{name}"
