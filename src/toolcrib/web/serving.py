"""The page beside the MCP endpoint of a server over HTTP: of one project, or of several."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from toolcrib.server.mcp.seal import Seal
from toolcrib.server.projects.sites import ProjectSites
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_app import PAGE, HttpApplication
from toolcrib.server.transports.http_site import Site
from toolcrib.server.transports.http_visit import RequestRefused
from toolcrib.settings import Settings
from toolcrib.web.admission import Holder, HttpAdmission
from toolcrib.web.app import Dashboard
from toolcrib.web.exchange import Receive, Scope, Send
from toolcrib.web.lock import Lock
from toolcrib.web.source import PageSource

_ROUTE: Final = re.compile(rf"/([^/]+)/{PAGE}(?:/.*)?")
MakeSource = Callable[[Surface, Settings], PageSource]


class ServedPages:
    """Makes the pages of an HTTP server."""

    def __init__(
        self, application: HttpApplication, settings: Settings, port: int, source: MakeSource
    ) -> None:
        self._guard = application.guard
        self._settings = settings
        self._port = port
        self._source = source
        self.admission = HttpAdmission(settings.http, lambda: self._guard.verifier)

    def url(self, prefix: str) -> str | None:
        """The address that opens a page, where its token was made here."""
        own = self.admission.own
        host = self._settings.http.host
        shown = f"[{host}]" if ":" in host else host
        if own is None:
            return None
        return f"http://{shown}:{self._port}{prefix}/?token={own.token}"

    def one(
        self, surface: Surface, settings: Settings, prefix: str, holder: Holder, name: str = ""
    ) -> Dashboard:
        """The page of one project."""
        seal: Seal | None = surface.seal if surface.seal.shared else None
        admission = self.admission.of(name, holder)
        lock = Lock(admission, seal, f"{prefix} {surface.options.project}")
        source = self._source(surface, settings)
        return Dashboard(source, lock, self._guard.is_host, prefix, ("http", "https"))

    def none(self, prefix: str) -> Dashboard:
        """The page of an unknown project: every sign-in fails."""

        async def nobody(token: str) -> None:
            return None

        return Dashboard(None, Lock(nobody), self._guard.is_host, prefix)


class ProjectPages:
    """Serves `/{project}/dashboard/`; a project is assembled at its first request."""

    def __init__(self, pages: ServedPages, sites: ProjectSites) -> None:
        self._pages = pages
        self._sites = sites
        self._made: dict[str, tuple[Site, Dashboard]] = {}

    def serves(self, path: str) -> bool:
        """Whether an address is one of a page."""
        return _ROUTE.fullmatch(path) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; of a project that is not there everybody is asked for a token."""
        route = _ROUTE.fullmatch(scope["path"])
        name = route[1] if route is not None else ""
        if name not in self._sites.names:
            page = self._pages.none(f"/{name}/{PAGE}")
        else:
            page = await self._page(name)
        await page(scope, receive, send)

    async def _page(self, name: str) -> Dashboard:
        site = await self._sites.site(name)
        known = self._made.get(name)
        if known is None or known[0] is not site:

            async def holder(token: str) -> str | None:
                try:
                    return await self._sites.access.holder(name, token)
                except RequestRefused:
                    return None

            prefix = f"/{name}/{PAGE}"
            page = self._pages.one(site.surface, site.settings, prefix, holder, name)
            known = self._made[name] = (site, page)
        return known[1]


def page_of(
    application: HttpApplication,
    port: int,
    surface: Surface | None,
    settings: Settings,
    source: MakeSource,
) -> tuple[Dashboard | ProjectPages, str | None]:
    """The page of a server, and the address that opens it where its token was made here."""
    pages = ServedPages(application, settings, port, source)
    sites = application.sites
    if isinstance(sites, ProjectSites):
        first = next(iter(sites.names), "")
        return ProjectPages(pages, sites), pages.url(f"/{first}/{PAGE}") if first else None
    if surface is None:
        raise ValueError("nothing is served")
    name = settings.project.name
    page = pages.one(surface, settings, f"/{PAGE}", pages.admission.verified, name)
    return page, pages.url(f"/{PAGE}")
