"""A running server: its process and its session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from toolcrib.client.connection import Progress
from toolcrib.client.pipes import Pipes
from toolcrib.client.session import ServerSession
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.life.planted import PlantedFiles
from toolcrib.running.pool import KeptSandbox
from toolcrib.running.service import Service


@dataclass(frozen=True, slots=True)
class Started:
    """A process that was started for a server, and its sandbox."""

    service: Service
    kept: KeptSandbox
    planted: PlantedFiles | None = None
    """What watches over the protected files; None where nothing is shut in."""

    def when_ended(self) -> None:
        """Clean up as soon as the process is gone."""
        self.service.ended.add_done_callback(self._ended)

    def _ended(self, _: object) -> None:
        self.kept.leave()
        if self.planted is not None:
            self.planted.ended()


class Running:
    """A server's process and the session with it."""

    def __init__(
        self,
        started: Started,
        pipes: Pipes,
        session: ServerSession,
        redacted: Callable[[JSON], JSON],
    ) -> None:
        """`redacted` removes the values of secrets from what it answers."""
        self._redacted = redacted
        self.service = started.service
        self.pipes = pipes
        self.session = session
        self._started = started

    async def request(self, method: str, params: Mapping[str, Any], heard: Progress) -> JSON:
        """Ask it something, and return what may be passed on."""
        redacted = self._redacted
        return redacted(
            await self.session.request(method, params, lambda told: heard(redacted(told)))
        )

    def stop(self, *, at_once: bool = False) -> None:
        """Close its input, then SIGTERM, then SIGKILL; `at_once` SIGTERM comes right away."""
        if self._started.planted is not None:
            self._started.planted.asked()
        self.pipes.close()
        self.session.connection.lose("the server was stopped")
        if at_once:
            self.service.terminate()
        else:
            self.service.stop()
        self._started.when_ended()
