"""Reused sandboxes: one for each set of grants.

A reused sandbox is a first process, started inside bubblewrap if available, that forks a
supervisor for each line. At most eight are kept, and each is closed after a minute without a call.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from toolcrib.running.sandbox.profile import Spec
from toolcrib.running.sandbox.seatbelt import PORT
from toolcrib.running.supervisor import walls
from toolcrib.running.supervisor.words import supervisor_words

if TYPE_CHECKING:
    from toolcrib.running.network.proxy import Proxy

MOST_KEPT = 8
REST = 60.0
"""Seconds without a command after which a sandbox is closed."""
_MOST_IDLE = 4
_LAST_WAIT = 1.0
_START_TIME = 10.0
_FIRST_LOOK = 0.02
_LAST_LOOK = 1.0
"""Seconds between two looks at a process that is ending, at first and in the end."""
_CHUNK = 65536


class KeptSandbox:
    """The way to the supervisors of one sandbox."""

    def __init__(self, spec: Spec, limits: Mapping[str, int]) -> None:
        self.spec = spec
        self.busy = 0
        self.closed = False
        self.used = time.monotonic()
        self._profile = {**spec.profile, "limits": dict(limits)}
        self._idle: list[socket.socket] = []
        self._socket: socket.socket | None = None
        self._processes: list[subprocess.Popen[bytes]] = []
        self._proxy: Proxy | None = None
        self._starting = asyncio.Lock()

    @property
    def pids(self) -> list[int]:
        """The host's process ids of the first processes: one, unless each has a single line."""
        return [process.pid for process in self._processes if process.poll() is None]

    def commands(self) -> set[int]:
        """The processes of commands, without our supervisors."""
        from toolcrib.running.supervisor.processes import children, descendants

        ours = self.pids
        generations = 2 if self.spec.mode == "nested" else 1
        for _ in range(generations):
            ours = [child for pid in ours for child in children(pid)]
        return {pid for supervisor in ours for pid in descendants(supervisor)}

    async def proxy(self) -> Proxy | None:
        """The proxy of its commands, started on first use; None if they need none."""
        if not self.spec.proxied:
            return None
        async with self._starting:
            if self._proxy is None:
                from toolcrib.running.network.proxy import Proxy

                inside = self.spec.own_network
                listener = await self._listener_inside() if inside else _listener_here()
                proxy = Proxy(self.spec.network, listener, open_to_all=inside)
                if not inside and self._profile["landlock"]:
                    from toolcrib.running.sandbox.landlock import connect_to

                    self._profile["landlock"] = connect_to(self._profile["landlock"], proxy.port)
                proxy.start()
                self._proxy = proxy
        return self._proxy

    async def _listener_inside(self) -> socket.socket:
        """A socket that listens in the sandbox's own network namespace."""
        control = self._opened()
        control.sendall(b"P")
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        loop.add_reader(control, ready.set)
        try:
            async with asyncio.timeout(_START_TIME):
                await ready.wait()
        finally:
            loop.remove_reader(control)
        _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not descriptors:
            raise OSError(errno.ENETUNREACH, "the sandbox has no network of its own")
        return socket.socket(fileno=descriptors[0])

    def line(self) -> socket.socket:
        """A line to an idle supervisor; `OSError` if there is none."""
        while self._idle:
            line = self._idle.pop()
            if _is_open(line):
                return line
            line.close()
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._ask(theirs)
            except (BrokenPipeError, ConnectionResetError):
                self.hang_up()  # somebody killed it: start another one
                self._ask(theirs)
        ours.sendall(framed(self._profile))
        ours.setblocking(False)
        return ours

    def give_back(self, line: socket.socket) -> None:
        """Keep a line for the next command."""
        if len(self._idle) < _MOST_IDLE and not self.closed:
            self._idle.append(line)
        else:
            line.close()

    async def prepare(self) -> None:
        """Start it, and a supervisor in it, before the first command."""
        if not self.busy and not self._idle:
            await self.proxy()  # first: a supervisor may be told its port
            self.give_back(self.line())

    def hang_up(self) -> None:
        """Close every line; the supervisors end by themselves."""
        self.closed = True
        for line in self._idle:
            line.close()
        self._idle.clear()
        if self._proxy is not None:
            self._proxy.close()
            self._proxy = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def leave(self) -> None:
        """Hang up without waiting, and collect the processes as they end.

        A zombie stays until somebody asks for it, and nobody else does.
        """
        self.hang_up()
        self._collect(_FIRST_LOOK)

    def _collect(self, pause: float) -> None:
        if self.closed and not self.ended():
            loop = asyncio.get_running_loop()
            loop.call_later(pause, self._collect, min(2 * pause, _LAST_LOOK))

    def close(self) -> None:
        """Hang up and wait; processes that do not end are killed."""
        self.hang_up()
        give_up_at = time.monotonic() + _LAST_WAIT
        for process in self._processes:
            try:
                process.wait(max(0.01, give_up_at - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.kill()
        self._processes.clear()

    def kill(self) -> None:
        """Kill all of it at once, from outside, if a supervisor does not respond."""
        from toolcrib.running.supervisor.processes import descendants

        # Its sockets stay open until the kernel has taken it down: nothing may be asked of it.
        self.hang_up()
        for first in self.pids:
            for pid in (*descendants(first), first):
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        for process in self._processes:
            process.wait()

    def distrust(self) -> None:
        """Stop using the first process after a supervisor was killed: it may be stopped, too."""
        if self.busy > 1:
            self.hang_up()  # commands beside it go on
        else:
            self.kill()

    def ended(self) -> bool:
        """Whether no process of it is left."""
        self._processes = [process for process in self._processes if process.poll() is None]
        return not self._processes

    def _separated(self) -> bool:
        """Whether the sandbox's own words end with `--`; sandbox-exec knows no such word."""
        return self.spec.report.level == "bubblewrap"

    def _ask(self, theirs: socket.socket) -> None:
        socket.send_fds(self._opened(), [b"!"], [theirs.fileno()])
        if self.spec.mode == "single" and self._socket is not None:
            # Its one supervisor is taken: the next line needs a process of its own.
            self._socket.close()
            self._socket = None

    def _opened(self) -> socket.socket:
        if self._socket is None:
            self.closed = False
            self.ended()
            if self.spec.report.level != "off":
                walls.hide_from_others()  # this process too has what no command may read
            ours, theirs = socket.socketpair()
            with theirs:
                words = supervisor_words(theirs.fileno(), self.spec.mode)
                port = str(self._proxy.port) if self._proxy is not None else ""
                command = [word.replace(PORT, port) for word in self.spec.command]
                with _precedence():
                    process = subprocess.Popen(
                        [*command, *(["--"] if self._separated() else []), *words],
                        pass_fds=[theirs.fileno()],
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        env={},
                        cwd="/",
                        start_new_session=True,
                    )
            self._processes.append(process)
            self._socket = ours
        return self._socket


@contextlib.contextmanager
def _precedence() -> Iterator[None]:
    """Start processes with real-time scheduling, ahead of their children, if permitted.

    A supervisor sets that for itself, but in a user namespace it can only keep it.
    """
    try:
        policy, place = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except (OSError, AttributeError):
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, place)


class SandboxPool:
    """All sandboxes that are kept."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        self._limits = limits
        self._kept: dict[str, KeptSandbox] = {}
        self._leaving: list[KeptSandbox] = []
        self._null: int | None = None
        self._sweep: asyncio.TimerHandle | None = None

    @property
    def null(self) -> int:
        """An empty standard input."""
        if self._null is None:
            self._null = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        return self._null

    def __len__(self) -> int:
        return len(self._kept)

    def first_processes(self) -> list[int]:
        """The processes that fork supervisors, in all sandboxes."""
        return [pid for kept in self._kept.values() for pid in kept.pids]

    def sandbox(self, spec: Spec) -> KeptSandbox:
        """The sandbox for commands of this kind, started when a line is requested."""
        kept = self._kept.get(spec.key)
        if kept is None:
            self._make_room()
            bounded = spec.report.level not in ("off", "docker")
            kept = self._kept[spec.key] = KeptSandbox(spec, self._limits if bounded else {})
        kept.used = time.monotonic()
        self._schedule()
        return kept

    def close(self) -> None:
        """Close every one of them."""
        if self._sweep is not None:
            self._sweep.cancel()
            self._sweep = None
        every = [*self._kept.values(), *self._leaving]
        for kept in every:
            kept.hang_up()
        for kept in every:
            kept.close()
        self._kept.clear()
        self._leaving.clear()
        if self._null is not None:
            os.close(self._null)
            self._null = None

    def _make_room(self) -> None:
        idle = sorted((kept for kept in self._kept.values() if not kept.busy), key=_last_use)
        while len(self._kept) >= MOST_KEPT and idle:
            self._drop(idle.pop(0))

    def _drop(self, kept: KeptSandbox) -> None:
        """Close one without waiting for its end."""
        self._kept.pop(kept.spec.key, None)
        kept.leave()
        self._leaving = [each for each in (*self._leaving, kept) if not each.ended()]

    def _schedule(self) -> None:
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(REST, self._close_rested)

    def _close_rested(self) -> None:
        self._sweep = None
        too_old = time.monotonic() - REST
        for kept in list(self._kept.values()):
            if not kept.busy and kept.used <= too_old:
                self._drop(kept)
        if self._kept:
            self._schedule()


def _last_use(kept: KeptSandbox) -> float:
    return kept.used


def _listener_here() -> socket.socket:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


def framed(message: Mapping[str, Any]) -> bytes:
    """A message as a supervisor reads it."""
    body = json.dumps(message).encode()
    return len(body).to_bytes(4, "big") + body


def _is_open(line: socket.socket) -> bool:
    try:
        return line.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def answered(line: socket.socket, received: bytearray) -> dict[str, Any] | None:
    """Read what has come. The supervisor's answer once it is whole, None while more has to come;
    an empty one where the line has ended without any."""
    try:
        data = line.recv(_CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        data = b""
    received += data
    size = int.from_bytes(received[:4], "big") + 4
    if len(received) >= max(size, 5):
        answer: dict[str, Any] = json.loads(received[4:size])
        return answer
    return None if data else {}
