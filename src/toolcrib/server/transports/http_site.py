"""One project over HTTP: its surface, its endpoint, and what runs beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from toolcrib.files.identity import project_identity
from toolcrib.server.auth.tokens import Verifier
from toolcrib.server.losses import NOTE
from toolcrib.server.metrics import Measured
from toolcrib.server.readiness import Check, Readiness
from toolcrib.server.reload import Reloader
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_endpoint import Endpoint
from toolcrib.server.transports.http_guard import ANONYMOUS, HttpGuard
from toolcrib.server.transports.http_headers import Headers
from toolcrib.server.transports.http_limits import RequestLimits
from toolcrib.server.transports.http_origin import Origins
from toolcrib.server.transports.http_sessions import HttpSession, HttpSessions
from toolcrib.settings import Settings

_POLL: Final = 0.02


class Site:
    """What is served of one project, from its first request to its last."""

    def __init__(
        self,
        surface: Surface,
        settings: Settings,
        limits: RequestLimits,
        origins: Origins,
        name: str = "",
        sessions: HttpSessions | None = None,
    ) -> None:
        """`sessions` are those of an earlier site of the same project, which go on."""
        self.name = name
        """What the project is called where several are served."""
        self.surface = surface
        self.settings = settings
        self._limits = limits
        self.used = 0.0
        """When the last request came, by the clock of the loop."""
        if sessions is None:
            lifetime = settings.http.session_lifetime
            project = surface.options.project
            sessions = HttpSessions(surface.seal, lifetime=lifetime, project=project)
        self.sessions = sessions
        sessions.on_change = self._tell
        self.endpoint = Endpoint(
            surface,
            self.sessions,
            limits,
            origins,
            project=name or surface.options.project or project_identity(settings.project),
            cap=settings.server.max_message_bytes,
        )
        self.readiness = Readiness(surface)
        self._reloader = Reloader(surface, one_client=False)
        self._resting = False
        self._rousing: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether a call, a stream or a workflow in memory would be lost with it."""
        workflows = self.surface.executor.workflows.in_memory()
        return bool(self.endpoint.in_flight or self.endpoint.listeners or workflows)

    async def rest(self) -> None:
        """Stop watching the files while there are no requests, to save resources."""
        self._resting = True
        await self._reloader.close()

    def rouse(self) -> asyncio.Task[None]:
        """Process changes made meanwhile, once for all concurrent requests."""
        if self._rousing is None or self._rousing.done():
            self._rousing = asyncio.get_running_loop().create_task(self._catch_up())
        return self._rousing

    async def _catch_up(self) -> None:
        if self._resting:
            await self._reloader.catch_up()
            self._resting = False

    @property
    def awake(self) -> bool:
        """Whether the files are watched."""
        return not self._resting

    def begin(self) -> None:
        """Watch the files, and build the indexes soon."""
        if self.surface.record is not None:
            self.surface.record.start("http", self.surface.about())
        NOTE.cover(self.settings.project)
        self._reloader.wake()
        self.readiness.begin()

    async def finish(self, grace: float) -> None:
        """End the streams, let calls end within `grace` seconds, answer the rest with an error."""
        self.endpoint.end_streams()
        loop = asyncio.get_running_loop()
        end = loop.time() + grace
        # An event would cost every call for the sake of the last one.
        while self.endpoint.in_flight and loop.time() < end:  # noqa: ASYNC110
            await asyncio.sleep(_POLL)
        self.endpoint.cut()

    async def close(self) -> None:
        """Close the packs and stop the watcher; the sessions may go on in another site."""
        self.sessions.on_change = lambda session, state: None
        self.readiness.close()
        if self._rousing is not None:
            self._rousing.cancel()
        await asyncio.gather(self.surface.close(), self._reloader.close())

    def reopen(self) -> None:
        """Open the record anew, which somebody may have moved away."""
        if self.surface.record is not None:
            self.surface.record.reopen()

    def revision(self) -> str | None:
        """Which revision of the repository is checked out."""
        return self.surface.revision()

    def checks(self) -> Mapping[str, Check]:
        """What is there and what is not."""
        self.readiness.ask_store()
        return self.readiness.checks()

    def measured(self) -> Measured:
        """What `/metrics` tells of this project."""
        gauges: dict[str, float] = {
            "calls_in_flight": self.endpoint.in_flight,
            "calls_queued": self._limits.waiting,
            "sessions": len(self.sessions),
            "listeners": self.endpoint.listeners,
            "tools": len(self.surface.catalog.listed()),
            "reload_seconds": self._reloader.seconds,
        }
        store = self.readiness.store()
        if store is not None:
            gauges["store_up"] = float(store.up)
            gauges["store_wait_seconds"] = store.waited_seconds
        for pack in self.surface.packs:
            for name, value in pack.measures().items():
                gauges[name] = gauges.get(name, 0) + value
        labels = {"project": self.name} if self.name else {}
        calls = self.surface.executor.metrics()
        return Measured(calls, gauges, self._reloader.outcomes, labels)

    def _tell(self, session: HttpSession, state: str) -> None:
        record = self.surface.record
        if record is not None:
            record.session_event(session.state.id, session.caller, session.state.client, state)


class OneSite:
    """Serves the one project of a server, at `[http] path`."""

    def __init__(self, surface: Surface, settings: Settings, guard: HttpGuard) -> None:
        http = settings.http
        self._path = http.path
        self._guard = guard
        self._site = Site(
            surface,
            settings,
            RequestLimits(http.max_in_flight, http.max_per_caller),
            Origins(http.trusted_proxies, settings.server.replica),
        )
        self.active: Sequence[Site] = (self._site,)

    @property
    def guarded(self) -> bool:
        """Whether anybody is asked for a token."""
        return self._guard.verifier is not None

    async def enter(self, path: str, headers: Headers) -> tuple[Site, str] | None:
        """The site, and who asks for it; None for any other path."""
        if path != self._path:
            return None
        anyone = self._guard.verifier is None
        return self._site, ANONYMOUS if anyone else await self._guard.caller(headers)

    def begin(self) -> None:
        """The port is open: start what runs beside the requests."""
        self._site.begin()

    def warm(self) -> None:
        """Build the indexes here and now."""
        self._site.readiness.build()

    def reopen(self, verifier: Verifier | None) -> None:
        """Open files anew that somebody may have moved away."""
        self._site.reopen()

    async def beside(self) -> None:
        """Nothing runs beside one site."""

    def checks(self) -> Mapping[str, Check]:
        """What is there and what is not."""
        return self._site.checks()

    def revision(self) -> str | None:
        """Which revision of the repository is checked out."""
        return self._site.revision()

    def measured(self) -> Sequence[Measured]:
        """What `/metrics` tells."""
        return (self._site.measured(),)
