"""A server that is up: its process, and the session with it."""

from __future__ import annotations

from toolcrib.client.pipes import Pipes
from toolcrib.client.session import ServerSession
from toolcrib.running.pool import KeptSandbox
from toolcrib.running.service import Service


class Running:
    """A server's process and the session with it."""

    def __init__(
        self, service: Service, kept: KeptSandbox, pipes: Pipes, session: ServerSession
    ) -> None:
        self.service = service
        self.pipes = pipes
        self.session = session
        self._kept = kept

    def stop(self, *, at_once: bool = False) -> None:
        """Close its input, then SIGTERM, then SIGKILL; `at_once` SIGTERM comes right away."""
        self.pipes.close()
        self.session.connection.lose("the server was stopped")
        if at_once:
            self.service.terminate()
        else:
            self.service.stop()
        self.service.ended.add_done_callback(lambda _: self._kept.hang_up())
