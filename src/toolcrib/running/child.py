"""One command as the server sees it: a supervisor at the end of a line, and two pipes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from typing import Any

from toolcrib.running.output import Capture
from toolcrib.running.pool import KeptSandbox, answered, framed

PATIENCE = 0.5
"""Seconds that what a command leaves behind may live on."""
_CHUNK = 65536
_PAUSE = 0.002
_CHUNKS_PER_TURN = 8
_WATCHDOG = 3.0


class Child:
    """A running command. `ended` is done when it, its output and its descendants are."""

    def __init__(self, kept: KeptSandbox, null: int, cap: int, slack: int = 0) -> None:
        self.stdout = Capture(cap, slack)
        self.stderr = Capture(cap, slack)
        self.ended: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.stopped = False
        self._loop = asyncio.get_running_loop()
        self._kept = kept
        self._null = null
        self._line: socket.socket | None = None
        self._received = bytearray()
        self._answer: dict[str, Any] = {}
        self._pipes: dict[int, Capture] = {}

    async def start(self, order: dict[str, Any], stdin: str | None) -> None:
        """Start the command; `OSError` if no supervisor or pipe is available."""
        theirs: list[int] = []
        message = framed({**order, "patience": PATIENCE})
        try:
            theirs.append(_input(stdin) if stdin is not None else os.dup(self._null))
            for capture in (self.stdout, self.stderr):
                reader, writer = os.pipe()
                theirs.append(writer)
                self._pipes[reader] = capture
            line = self._line = self._kept.line()
            socket.send_fds(line, [message[:4]], theirs)
        except OSError:
            self.drop()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        for reader, capture in self._pipes.items():
            os.set_blocking(reader, False)
            self._loop.add_reader(reader, self._read, reader, capture)
        self._loop.add_reader(line, self._listen)
        await self._send_rest(line, message[4:])

    def stop(self, grace: float) -> None:
        """Stop it: SIGTERM to all its processes now, SIGKILL after `grace` seconds."""
        self.stopped = True
        if self._line is not None:
            with contextlib.suppress(OSError):  # it has just ended
                self._line.send(framed({"stop": grace}))
            self._loop.call_later(grace + _WATCHDOG, self._give_up)

    def _give_up(self) -> None:
        """Kill a supervisor that does not respond, with everything it started."""
        if self._line is not None:
            self._kept.kill()
            self.drop()

    async def _send_rest(self, line: socket.socket, message: bytes) -> None:
        try:
            await self._loop.sock_sendall(line, message)
        except OSError:
            pass  # it died just now, which _listen() will notice
        except asyncio.CancelledError:
            self.drop()  # half an order is none
            raise

    def _read(self, reader: int, capture: Capture) -> None:
        # A flood is drained in sips, so that it cannot take all the time there is.
        flood = capture.cut > 0
        for _ in range(_CHUNKS_PER_TURN if flood else 1):
            try:
                data = os.read(reader, _CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._hang_up(reader)
                return
            capture.feed(data)
        if flood:
            self._loop.remove_reader(reader)
            self._loop.call_later(_PAUSE, self._resume, reader, capture)

    def _resume(self, reader: int, capture: Capture) -> None:
        if reader in self._pipes:
            self._loop.add_reader(reader, self._read, reader, capture)

    def _listen(self) -> None:
        line = self._line
        assert line is not None  # noqa: S101 - it is read from as long as it is there
        answer = answered(line, self._received)
        if answer is None:
            return
        self._loop.remove_reader(line)
        self._line = None
        if answer:
            self._answer = answer
        else:
            self._kept.distrust()
        if self._answer.get("last", True):
            line.close()
        else:
            self._kept.give_back(line)
        self._settle()
        if self._pipes:
            # All are dead; a pipe that is still open was handed to somebody outside.
            self._loop.call_later(PATIENCE, self.drop)

    def _hang_up(self, reader: int) -> None:
        self._loop.remove_reader(reader)
        del self._pipes[reader]
        os.close(reader)
        self._settle()

    def drop(self) -> None:
        """Release everything; a supervisor that loses its line kills its command."""
        if self._line is not None:
            self._loop.remove_reader(self._line)
            self._line.close()
            self._line = None
        for reader in list(self._pipes):
            self._hang_up(reader)
        self._settle()

    def _settle(self) -> None:
        if self._line is None and not self._pipes and not self.ended.done():
            self.ended.set_result(self._answer)


def _input(text: str) -> int:
    """A descriptor to read `text` from: a file in memory, so that writing never blocks."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("stdin", os.MFD_CLOEXEC)
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    data = memoryview(text.encode())
    while data:
        data = data[os.write(descriptor, data) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
