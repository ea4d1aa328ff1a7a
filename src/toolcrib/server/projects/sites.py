"""The sites of several projects: each is loaded at its first request and unloaded when idle."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import WORKERS, Share
from toolcrib.server.assembly import assemble
from toolcrib.server.auth.tokens import Verifier
from toolcrib.server.metrics import Measured
from toolcrib.server.projects.access import ProjectAccess
from toolcrib.server.projects.entries import ProjectEntry, read_entries
from toolcrib.server.readiness import Check
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_headers import Headers
from toolcrib.server.transports.http_limits import RequestLimits
from toolcrib.server.transports.http_origin import Origins
from toolcrib.server.transports.http_sessions import HttpSessions
from toolcrib.server.transports.http_site import Site
from toolcrib.server.transports.http_visit import RequestRefused
from toolcrib.settings import Settings, load
from toolcrib.wire.messages import INTERNAL_ERROR

logger = logging.getLogger("toolcrib.server")

T = TypeVar("T")

_ROUTE = re.compile(r"/([^/]+)/mcp")
_SWEEP: Final = 2.0
"""Seconds between two looks for projects that nobody uses, at most."""
_REST: Final = 10.0
"""Seconds after which the files of a project that nobody uses are no longer watched."""
_PATIENCE: Final = 10.0
"""Seconds that a request waits for its project; what takes longer goes on without it."""
_LOADING = Share("projects", 32, inside=WORKERS.all)
"""What projects that are slow to load may take of the threads."""


class ProjectSites:
    """Serves `/{project}/mcp` for each project of a file or a folder."""

    def __init__(self, source: Path, settings: Settings, verifier: Verifier | None) -> None:
        self._source = source
        self._settings = settings
        self._verifier = verifier
        self._entries: dict[str, ProjectEntry] = {}
        self._sites: dict[str, Site] = {}
        self._sessions: dict[str, HttpSessions] = {}
        self._loading: dict[str, asyncio.Task[Site]] = {}
        http = settings.http
        self._limits = RequestLimits(http.max_in_flight, http.max_per_caller)
        self._origins = Origins(http.trusted_proxies, settings.server.replica)
        self._read()

    @property
    def guarded(self) -> bool:
        """Whether anybody is asked for a token."""
        return self._access.guarded

    @property
    def active(self) -> Sequence[Site]:
        """The sites that are assembled now."""
        return list(self._sites.values())

    async def enter(self, path: str, headers: Headers) -> tuple[Site, str] | None:
        """The site that a path leads to, and who asks; None where it leads to no project."""
        route = _ROUTE.fullmatch(path)
        if route is None:
            return None
        caller = await self._access.caller(route[1], headers)
        return await self.site(route[1]), caller

    @property
    def names(self) -> Sequence[str]:
        """The projects that there are."""
        return list(self._entries)

    @property
    def access(self) -> ProjectAccess:
        """Who may open which project."""
        return self._access

    async def site(self, name: str) -> Site:
        """The site of a project; raises `RequestRefused` where it cannot be served."""
        site = self._sites.get(name) or await self._loaded(name)
        site.used = asyncio.get_running_loop().time()
        if not site.awake:
            await self._waited(name, site.rouse(), "its files are still being looked at")
        return site

    def begin(self) -> None:
        """Nothing to do before the first request."""

    def warm(self) -> None:
        """Nothing is assembled before the first request."""

    def reopen(self, verifier: Verifier | None) -> None:
        """Read the projects and their tokens again; sites that are in use stay as they are."""
        self._verifier = verifier
        for site in self.active:
            site.reopen()
        try:
            self._read()
        except ToolcribError as error:
            logger.error("kept the projects as they were: %s", error)

    async def beside(self) -> None:
        """Let go of projects that nobody uses; never returns."""
        idle = self._settings.http.idle
        while True:
            await asyncio.sleep(min(_SWEEP, idle / 4))
            await self._sweep(idle)

    async def _sweep(self, idle: float) -> None:
        now = asyncio.get_running_loop().time()
        for name, site in list(self._sites.items()):
            unused = now - site.used
            if unused > idle and not site.busy:
                del self._sites[name]
                logger.info("project %s is let go", name)
                await site.close()
            elif unused > _REST and site.awake and not site.endpoint.listeners:
                await site.rest()

    def checks(self) -> Mapping[str, Check]:
        """With several projects, ready means that they are known."""
        return {"projects": Check(True)}

    def revision(self) -> str | None:
        """There is no one revision of several repositories."""
        return None

    def measured(self) -> Sequence[Measured]:
        """What `/metrics` tells, project by project."""
        return [site.measured() for site in self.active]

    def _read(self) -> None:
        entries = read_entries(self._source)
        self._access = ProjectAccess(entries, self._verifier, self._settings.http.project_claim)
        self._entries = entries

    async def _loaded(self, name: str) -> Site:
        """Assemble a project once, however many ask for it at the same time."""
        task = self._loading.get(name)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load(name))
            self._loading[name] = task
            task.add_done_callback(lambda task: self._end_loading(name, task))
        return await self._waited(name, task, "it is still being loaded")

    async def _waited(self, name: str, task: asyncio.Task[T], late: str) -> T:
        """What becomes of a project's task; raises `RequestRefused` where it fails or is `late`."""
        try:
            async with asyncio.timeout(_PATIENCE):
                # A caller that goes away must not end it for the others.
                return await asyncio.shield(task)
        except TimeoutError:
            logger.error("project %s: %s", name, late)
        except ToolcribError as error:
            logger.error("project %s: %s", name, error)
        except OSError as error:
            logger.error("project %s: %s", name, error.strerror)
        except Exception:  # whatever is wrong with one project is no fault of the server
            logger.exception("project %s", name)
        data = {"reason": "project_unavailable"}
        raise RequestRefused(503, "The project is not available", code=INTERNAL_ERROR, data=data)

    def _end_loading(self, name: str, task: asyncio.Task[Site]) -> None:
        self._loading.pop(name, None)
        if not task.cancelled():
            task.exception()  # told by whoever waits; it may be that nobody does any more

    async def _load(self, name: str) -> Site:
        entry = self._entries[name]
        surface, settings = await WORKERS.run(self._assembled, entry, share=_LOADING)
        known = self._sessions.get(name)
        site = Site(surface, settings, self._limits, self._origins, name, known)
        # They outlive the site: who comes back after a pause still has a session.
        self._sessions[name] = site.sessions
        site.used = asyncio.get_running_loop().time()
        site.begin()
        self._sites[name] = site
        return site

    def _assembled(self, entry: ProjectEntry) -> tuple[Surface, Settings]:
        if not entry.path.is_dir():
            raise ToolcribError("the folder is not there")
        overrides: Mapping[str, Mapping[str, Any]] = entry.overrides
        settings = load(entry.path, overrides)
        # The address, the tokens and the limits are the server's; so is the secret.
        server = replace(settings.server, secret_file=self._secret_file)
        settings = replace(settings, http=self._settings.http, server=server)
        surface = assemble(settings, (), overrides, name=entry.name)
        return surface, settings

    @property
    def _secret_file(self) -> str | None:
        named = self._settings.server.secret_file
        return None if named is None else str((self._settings.project / named).absolute())
