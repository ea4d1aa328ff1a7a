"""Serving over standard input and output: private streams, disconnects, orderly shutdown.

File descriptors 0 and 1 are taken for the protocol and replaced, so that no `print` and no
child process can ever read from or write to the wire.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import stat
import sys
import threading
from collections.abc import Callable
from time import monotonic

from toolcrib.core.errors import ToolcribError
from toolcrib.server import tracing
from toolcrib.server.mcp.engine import Engine
from toolcrib.server.reload import Reloader
from toolcrib.server.surface import Surface
from toolcrib.server.transports.shutdown import (
    force_exit_after,
    on_hang_up,
    on_signals,
    run,
    watch_the_loop,
)
from toolcrib.wire.framing import Detected

logger = logging.getLogger("toolcrib.server")

LARGEST_MESSAGE = 4 * 1024 * 1024
_GRACE = 0.5
"""Seconds for running calls after the client closed its end; answers to a script's last lines."""
_MOST_AT_ONCE = 512
_PATIENCE = 30.0
"""Seconds that a client may leave its answers unread before it counts as gone."""
_TOGETHER = 0.001
"""Seconds that an answer waits for others of the same turn, to be written with them. To wake a
client costs as much as several answers; meanwhile it reads, and asks on, what it got before."""
_BUFFER = 1024 * 1024
_CHUNK = 256 * 1024
_READ = 64 * 1024
"""Bytes that are read from a pipe at once, at most."""


class Wire:
    """The two ends of the pipe, moved to private descriptors so that nothing else can use them."""

    def __init__(self) -> None:
        # Python's own streams tell: the number of a closed one may be somebody else's by now.
        if sys.stdin is None or sys.stdout is None:
            raise ToolcribError(
                "Standard input or output is closed",
                next="Start `toolcrib serve` from an MCP client, or with pipes on both ends.",
            )
        self.source, self.sink = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)

    def restore(self) -> None:
        """Make the descriptors blocking again: the shell uses the same terminal afterwards."""
        for descriptor in (self.source, self.sink):
            with contextlib.suppress(OSError):
                os.set_blocking(descriptor, True)


class _Sender(asyncio.BaseProtocol):
    """Writes messages; reports when the client stops reading and when it disconnects."""

    def __init__(
        self,
        wrap: Callable[[list[str]], bytes],
        alone: Callable[[], bool],
        gone: Callable[[], None],
        unread: Callable[[bool], None],
    ) -> None:
        self._wrap = wrap
        self._alone = alone
        self._loop = asyncio.get_running_loop()
        self._gone = gone
        self._unread = unread
        self._transport: asyncio.WriteTransport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._file: int | None = None
        self._ready: list[str] = []
        self._since = 0.0

    async def connect(self, descriptor: int) -> None:
        """Begin to write to a pipe, a socket, a terminal, or a plain file."""
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            self._file = descriptor
            return
        pipe = os.fdopen(descriptor, "wb", buffering=0)
        self._transport, _ = await self._loop.connect_write_pipe(lambda: self, pipe)
        self._transport.set_write_buffer_limits(high=_BUFFER)

    def write(self, text: str) -> None:
        """Send now if no other message is on its way, else with a few that are ready soon."""
        self._ready.append(text)
        if len(self._ready) > 1:
            if monotonic() - self._since > _TOGETHER:
                self._send_ready()
        elif self._alone():
            self._send_ready()
        else:
            self._since = monotonic()
            self._loop.call_soon(self._send_ready)

    def _send_ready(self) -> None:
        """Write what is ready in one go; what cannot be sent at once waits in a bounded buffer."""
        if not self._ready:
            return
        data = self._wrap(self._ready)
        self._ready.clear()
        if self._file is not None:
            os.write(self._file, data)
        elif self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def pause_writing(self) -> None:
        """The client does not read: stop reading from it, and wait only so long."""
        self._unread(True)
        self._timer = self._loop.call_later(_PATIENCE, self._give_up)

    def resume_writing(self) -> None:
        """The client reads again."""
        if self._timer is not None:
            self._timer.cancel()
        self._unread(False)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client closed its end."""
        self._gone()

    async def flush(self) -> None:
        """Wait for a bounded time until everything has been written."""
        self._send_ready()
        # A transport offers no event for an empty buffer, only for one that has room again.
        while self._transport is not None and self._transport.get_write_buffer_size():  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    def _give_up(self) -> None:
        logger.warning("the client has not read for %.0f s: disconnecting", _PATIENCE)
        if self._transport is not None:
            self._transport.abort()
        self._gone()


class _Receiver(asyncio.Protocol):
    """Reads bytes and passes complete messages to the engine."""

    def __init__(self, take: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self._take = take
        self._ended = ended
        self._transport: asyncio.ReadTransport | None = None
        self._flowing = threading.Event()
        self._flowing.set()

    async def connect(self, descriptor: int) -> None:
        """Begin to read; what asyncio cannot watch (a file, /dev/null) is read by a thread."""
        loop = asyncio.get_running_loop()
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)):
            threading.Thread(
                target=self._read_file, args=(loop, descriptor), name="stdin", daemon=True
            ).start()
            return
        pipe = os.fdopen(descriptor, "rb", buffering=0)
        self._transport, _ = await loop.connect_read_pipe(lambda: self, pipe)
        # A buffer that large is mapped and unmapped for each read, which takes ten times as long.
        if hasattr(self._transport, "max_size"):
            self._transport.max_size = _READ

    def data_received(self, data: bytes) -> None:
        """Bytes from the client."""
        self._take(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client closed its end."""
        self._ended()

    def pace(self, flowing: bool) -> None:
        """Stop or go on reading."""
        if self._transport is None:
            (self._flowing.set if flowing else self._flowing.clear)()
        elif flowing:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def _read_file(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        taken = threading.Event()
        with contextlib.suppress(OSError):  # what cannot be read has ended
            while data := os.read(descriptor, _CHUNK):
                self._flowing.wait()
                # One piece at a time: a file is read faster than it is answered.
                taken.clear()
                loop.call_soon_threadsafe(self._hand_over, data, taken)
                taken.wait()
        loop.call_soon_threadsafe(self._ended)
        watch_the_loop(loop)

    def _hand_over(self, data: bytes, taken: threading.Event) -> None:
        self._take(data)
        taken.set()


class _Connection:
    """The session of one client, from its first byte until the last child process has ended."""

    def __init__(self, surface: Surface, cap: int) -> None:
        self._surface = surface
        self._frames = Detected(cap)
        self._over = asyncio.Event()
        self._client_closed = False
        self._reading = True
        self._unread = False
        self._sender = _Sender(self._frames.wrap, self._alone, self._over.set, self._on_unread)
        self._receiver = _Receiver(self._take, self._end_of_input)
        self._engine = Engine(surface, self._sender.write)
        self._reloader = Reloader(surface)

    async def serve(self, wire: Wire) -> None:
        """Serve until the client disconnects or a signal arrives."""
        on_signals(self._over.set)
        on_hang_up(wire.source, wire.sink)
        await self._sender.connect(wire.sink)
        await self._receiver.connect(wire.source)
        await self._over.wait()
        force_exit_after()
        await self._leave()

    def _take(self, data: bytes) -> None:
        self._engine.receive(self._frames.feed(data))
        self._pace()
        self._reloader.wake()

    def _alone(self) -> bool:
        return self._engine.in_flight <= 1

    def _on_unread(self, unread: bool) -> None:
        self._unread = unread
        self._pace()

    def _pace(self) -> None:
        """Pause reading while the client does not read, or too many requests are in flight."""
        flowing = not self._unread and self._engine.in_flight <= _MOST_AT_ONCE
        if flowing != self._reading:
            self._reading = flowing
            self._engine.on_answered = None if flowing else self._pace
            self._receiver.pace(flowing)

    def _end_of_input(self) -> None:
        self._engine.receive(self._frames.end())
        self._client_closed = True
        self._over.set()

    async def _leave(self) -> None:
        """Cancel running calls, end child processes, flush the output."""
        await self._engine.finish(_GRACE if self._client_closed else 0.0)
        await asyncio.gather(self._surface.close(), self._reloader.close())
        await self._sender.flush()


def serve_stdio(surface: Surface, *, cap: int = LARGEST_MESSAGE) -> int:
    """Serve one client over standard input and output; returns the exit code."""
    wire = Wire()

    async def main() -> None:
        await _Connection(surface, cap).serve(wire)

    try:
        run(main())
    finally:
        wire.restore()
    tracing.flush()
    return 0
