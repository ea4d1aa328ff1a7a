"""The ASGI application: the MCP endpoint, health and metrics, behind the guard."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from toolcrib import __version__
from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.logs import get_logger, reopen_files
from toolcrib.core.tool import JSON
from toolcrib.server.auth.tokens import Verifier, verifier_for
from toolcrib.server.metrics import Measured, exposition
from toolcrib.server.readiness import Check
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_endpoint import PING
from toolcrib.server.transports.http_guard import CHALLENGE, HttpGuard, served_hosts
from toolcrib.server.transports.http_headers import Headers
from toolcrib.server.transports.http_health import LIVE, READY, HealthRoutes
from toolcrib.server.transports.http_site import OneSite, Site
from toolcrib.server.transports.http_visit import ClientGone, Receive, RequestRefused, Scope, Visit
from toolcrib.server.transports.sse import JSON_TYPE, Send, respond
from toolcrib.settings import Settings
from toolcrib.wire.messages import Malformed, RpcError, encode_error

_TEXT_TYPE: Final = (b"content-type", b"text/plain; version=0.0.4; charset=utf-8")
_GET = ("GET", "HEAD")
PAGE: Final = "dashboard"
"""The last step of the path below which the page for people stands."""

logger = get_logger("server")


class Sites(Protocol):
    """What is served under which path."""

    @property
    def guarded(self) -> bool:
        """Whether anybody is asked for a token."""

    @property
    def active(self) -> Sequence[Site]:
        """The sites that are assembled now."""

    async def enter(self, path: str, headers: Headers) -> tuple[Site, str] | None:
        """The site that a path leads to, and who asks; None where it leads to none."""

    def begin(self) -> None:
        """The port is open."""

    def warm(self) -> None:
        """Build the indexes before the port opens."""

    def reopen(self, verifier: Verifier | None) -> None:
        """Read and open again what is in files."""

    async def beside(self) -> None:
        """What runs beside the requests."""

    def checks(self) -> Mapping[str, Check]:
        """What is there and what is not."""

    def revision(self) -> str | None:
        """Which revision is served, where there is one."""

    def measured(self) -> Sequence[Measured]:
        """What `/metrics` tells, project by project."""


class PageRoutes(Protocol):
    """The page for people, or those of several projects."""

    def serves(self, path: str) -> bool:
        """Whether an address is one of the page's."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""


class HttpApplication:
    """Routes every HTTP request.

    It serves one surface, or with `projects` several projects, each under its own path.
    """

    def __init__(
        self, surface: Surface | None, settings: Settings, projects: Path | None = None
    ) -> None:
        http = settings.http
        self._settings = settings
        self._guard = HttpGuard(
            hosts=served_hosts(http.host, http.allowed_hosts),
            origins=http.allowed_origins,
            verifier=verifier_for(http, settings.project),
        )
        self.sites: Sites
        if surface is not None:
            self.sites = OneSite(surface, settings, self._guard)
        elif projects is not None:
            from toolcrib.server.projects.sites import ProjectSites

            self.sites = ProjectSites(projects, settings, self._guard.verifier)
        self.page: PageRoutes | None = None
        """The page for people, where it is served as well."""
        self.health = HealthRoutes(self.sites.checks, self.sites.revision, http.ready_needs_store)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        pairs = scope["headers"]
        headers = dict(pairs)
        try:
            path = scope["path"]
            if self.page is not None and self.page.serves(path):
                await self.page(scope, receive, send)
                return
            self._guard.check_source(headers, pairs)
            found = await self.sites.enter(path, headers)
            if found is None:
                await self._beside(Visit(scope, headers, pairs, "", receive, send), path)
            else:
                site, caller = found
                await site.endpoint.serve(Visit(scope, headers, pairs, caller, receive, send))
                site.readiness.answered()
        except RequestRefused as refused:
            await _refuse(send, refused)
        except Malformed as error:
            await respond(send, 400, encode_error(error.id, error).encode(), [JSON_TYPE])
        except ClientGone:
            pass

    @property
    def guard(self) -> HttpGuard:
        """Who decides about hosts and tokens."""
        return self._guard

    async def beside(self) -> None:
        """Show clients that wait for long that their requests are under way; never returns."""
        sites = asyncio.get_running_loop().create_task(self.sites.beside())
        try:
            while True:
                await asyncio.sleep(PING / 2)
                for site in self.sites.active:
                    await site.endpoint.ping_late()
        finally:
            sites.cancel()

    async def finish(self, grace: float) -> None:
        """Let calls end within `grace` seconds, and answer the rest."""
        await asyncio.gather(*(site.finish(grace) for site in self.sites.active))

    async def close(self) -> None:
        """Close everything."""
        await asyncio.gather(*(site.close() for site in self.sites.active))

    def reopen(self) -> None:
        """Read the tokens again, and open files anew that somebody may have moved away."""
        reopen_files()
        try:
            self._guard.verifier = verifier_for(self._settings.http, self._settings.project)
        except ToolcribError as error:
            logger.error("kept the tokens as they were: %s", error)
        self.sites.reopen(self._guard.verifier)

    async def _beside(self, visit: Visit, path: str) -> None:
        """Health, metrics, and nothing else."""
        if path in LIVE:
            _check_get(visit)
            await _respond_json(visit.send, {"status": "ok", "version": __version__})
        elif path == READY:
            _check_get(visit)
            status, body = self.health.ready()
            known = await self._is_known(visit)
            await _respond_json(visit.send, body if known else {"status": body["status"]}, status)
        else:
            await self._check_operator(visit)
            if path != "/metrics":
                raise RequestRefused(404, "Not found")
            _check_get(visit)
            revision = self.sites.revision()
            text = exposition(self.sites.measured(), version=__version__, revision=revision)
            await respond(visit.send, 200, text.encode(), [_TEXT_TYPE])

    async def _check_operator(self, visit: Visit) -> None:
        """Raise `RequestRefused` without a token of the server's own."""
        await self._guard.caller(visit.headers)
        if self._guard.verifier is None and self.sites.guarded:
            raise RequestRefused(
                401, "A token of the server's own is required ([http] tokens)", CHALLENGE
            )

    async def _is_known(self, visit: Visit) -> bool:
        try:
            await self._check_operator(visit)
        except RequestRefused:
            return False
        return True


def _check_get(visit: Visit) -> None:
    if visit.scope["method"] not in _GET:
        raise RequestRefused(405, "Only GET is served here", (b"allow", b"GET, HEAD"))


async def _respond_json(send: Send, body: JSON, status: int = 200) -> None:
    await respond(send, status, json.dumps(body).encode(), [JSON_TYPE])


async def _refuse(send: Send, refused: RequestRefused) -> None:
    if refused.code is None:
        body = json.dumps({"error": refused.text})
    else:
        body = encode_error(None, RpcError(refused.code, refused.text, refused.data))
    await respond(send, refused.status, body.encode(), [JSON_TYPE, *refused.headers])
