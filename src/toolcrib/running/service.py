"""A long-lived child process that communicates through its standard streams.

It runs under a supervisor like every command. The supervisor ends it, and everything it started,
on request and when this process is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Mapping
from typing import Any

from toolcrib.running.pool import KeptSandbox, answered, framed

_PATIENCE = 0.1
_WATCHDOG = 3.0
CLOSING = 1.0
"""Seconds between the end of its standard input and SIGTERM."""
GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL."""


class Service:
    """One running program. `ended` holds what the supervisor told of its end."""

    def __init__(self, kept: KeptSandbox) -> None:
        self.ended: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self.stdin = self.stdout = self.stderr = -1
        self._kept = kept
        self._loop = asyncio.get_running_loop()
        self._line: socket.socket | None = None
        self._received = bytearray()
        self._stopping: asyncio.TimerHandle | None = None

    async def start(self, order: Mapping[str, Any]) -> None:
        """Start it; `OSError` if no supervisor or pipe is available."""
        message = framed({**order, "patience": _PATIENCE, "cleanup": None})
        theirs: list[int] = []
        ours: list[int] = []
        try:
            for writes in (True, False, False):
                reader, writer = os.pipe()
                theirs.append(reader if writes else writer)
                ours.append(writer if writes else reader)
            line = self._line = self._kept.line()
            socket.send_fds(line, [message[:4]], theirs)
        except OSError:
            for descriptor in ours:
                os.close(descriptor)
            self._end({})
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self.stdin, self.stdout, self.stderr = ours
        self._kept.busy += 1
        self._loop.add_reader(line, self._listen)
        await self._loop.sock_sendall(line, message[4:])

    def stop(self, closing: float = CLOSING, grace: float = GRACE) -> None:
        """End it: its input is closed already; SIGTERM after `closing`, SIGKILL after `grace`."""
        if self._stopping is None and self._line is not None:
            self._stopping = self._loop.call_later(closing, self._terminate, grace)

    def terminate(self, grace: float = GRACE) -> None:
        """End it without waiting first."""
        if self._stopping is not None:
            self._stopping.cancel()
        self._terminate(grace)

    def kill(self) -> None:
        """End it at once: a supervisor that loses its line kills what it watches."""
        self._end({})

    def _terminate(self, grace: float) -> None:
        if self._line is None:
            return
        with contextlib.suppress(OSError):
            self._line.send(framed({"stop": grace}))
        self._stopping = self._loop.call_later(grace + _WATCHDOG, self.kill)

    def _listen(self) -> None:
        line = self._line
        if line is None:
            return
        answer = answered(line, self._received)
        if answer is not None:
            self._end(answer)

    def _end(self, answer: Mapping[str, Any]) -> None:
        if self._stopping is not None:
            self._stopping.cancel()
        if self._line is not None:
            self._loop.remove_reader(self._line)
            self._line.close()
            self._line = None
            self._kept.busy -= 1
        if not self.ended.done():
            self.ended.set_result(answer)
