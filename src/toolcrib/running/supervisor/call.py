"""One command, from its start until nothing of it is left."""

# ruff: noqa: SIM105

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator

from toolcrib.running.supervisor import processes, walls
from toolcrib.running.supervisor.line import Message, receive_message

# An ignored signal stays ignored in a new program; Python ignores some.
_RESTORED = (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)
_TICK = 0.05
_TICKS_PER_WEIGHING = 5
_LAST_WAIT = 5.0
_LONGEST_LOOK = 2.0
_BLOCK = 512
_COARSE = 0.05
"""Seconds by which a file system's clock may be behind."""


class Call:
    """One command and its descendants."""

    def __init__(self, order: Message, profile: Message, line: socket.socket, wake: int) -> None:
        self.clean = True
        self._order = order
        self._limits: dict[str, int] = profile["limits"]
        self._alone = bool(profile["nested"])
        self._places: list[str] = profile["places"]
        self._line = line
        self._wake = wake
        self._leader = 0
        self._status: int | None = None
        self._answer: Message = {}
        self._kill_at: float | None = None
        self._asked: set[int] = set()
        self._tasks_before = processes.count_tasks() if self._limits else 0
        self._disk_before = _disk(self._places) if self._limits else 0
        self._shared_before = _used(_SHARED)
        self._written_before = _written()
        self._began = time.time()
        self._ticks = 0

    def run(self, streams: list[int]) -> Message:
        """Start, watch and clean up; return what there is to tell."""
        try:
            self._start(streams)
        finally:
            for descriptor in streams:
                os.close(descriptor)
        if not self._answer:
            self._watch()
            if self._order["cleanup"] and (self._kill_at is not None or "killed" in self._answer):
                self._clean_up(self._order["cleanup"])
            self._answer["status"] = self._status
            self._look_at_files()
        return self._answer

    def _start(self, streams: list[int]) -> None:
        order = self._order
        step = "cwd"
        try:
            os.chdir(order["cwd"])
            step = "exec"
            if self._limits:
                walls.limit_processes(self._limits["processes"] + self._tasks_before)
            self._leader = os.posix_spawn(
                order["program"],
                order["argv"],
                order["env"],
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)
                ],
                setsid=True,
                setsigmask=(),
                setsigdef=_RESTORED,
            )
        except OSError as error:
            self._answer = {"failed": step, "errno": error.errno}
        finally:
            os.chdir("/")

    def _watch(self) -> None:
        """Wait for the end of the command and of what it leaves behind, or make an end of it."""
        poll = select.poll()
        poll.register(self._line, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        left_at: float | None = None
        while self._reap():
            now = time.monotonic()
            if self._status is not None and left_at is None:
                left_at = now + self._order["patience"]
            if left_at is not None and now >= left_at and self._kill_at is None:
                self._answer["left"] = sorted(set(map(processes.name_of, self._family())))[:5]
                self._kill_at = now
            if self._kill_at is not None:
                if now >= self._kill_at:
                    self._exterminate()
                    return
                self._ask_to_end()
            for descriptor, _ in poll.poll(_TICK * 1000):
                if descriptor == self._wake:
                    os.read(self._wake, 4096)
                else:
                    self._obey()
            self._weigh()

    def _family(self) -> set[int]:
        """All processes of this call."""
        return processes.all_others() if self._alone else processes.descendants()

    def _reap(self) -> bool:
        """Wait for the dead; return whether anybody is left."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                code = os.waitstatus_to_exitcode(status)
                if pid == self._leader:
                    self._status = code
                elif code == -signal.SIGXFSZ:
                    self._answer["oversize"] = True
        except ChildProcessError:
            return False

    def _obey(self) -> None:
        message, _ = receive_message(self._line)
        now = time.monotonic()
        if message is None:
            self._kill_at = now
            return
        grace = float(message["stop"])
        self._kill_at = min(now + grace, self._kill_at or now + grace)

    def _ask_to_end(self) -> None:
        """SIGTERM, once, to everybody that is there, and to whoever comes later."""
        for pid in self._family() or {-self._leader}:
            if pid not in self._asked:
                self._asked.add(pid)
                _signal(pid, signal.SIGTERM)

    def _weigh(self) -> None:
        """Stop a command that has become too many or too heavy."""
        if self._kill_at is not None or not self._limits:
            return
        self._ticks += 1
        most = self._limits["processes"]
        many = processes.count_tasks() - self._tasks_before > most
        if not many and self._ticks % _TICKS_PER_WEIGHING:
            return
        family = self._family()
        over: dict[str, Callable[[], bool]] = {
            "processes": lambda: len(family) > most,
            "memory": lambda: self._memory_over(family),
            "disk": lambda: self._disk_over(family),
        }
        for name, is_over in over.items():
            if is_over():
                self._answer["limit"] = name
                self._exterminate()
                return

    def _memory_over(self, family: Iterable[int]) -> bool:
        """Memory of its own, files in memory, and shared memory, of all processes together."""
        most = self._limits["memory"]
        usage = processes.usage_of(family)
        held = usage.files + max(0, _used(_SHARED) - self._shared_before)
        if usage.private + max(held, usage.mapped) <= most:
            return False
        if usage.private + held > most:
            return True
        return usage.private + processes.shared_memory_of(family) > most

    def _disk_over(self, family: Iterable[int]) -> bool:
        """Whether it has added more to the places where it may write than it is allowed to.

        How full the file systems are says that at once, but not who has filled them; only when they
        are so much fuller, the files are looked at.
        """
        most = self._limits["disk"]
        now = _disk(self._places)
        if now - self._disk_before <= most:
            return False
        deleted = processes.usage_of(family).deleted
        if deleted + _new_files(self._places, self._began) > most:
            return True
        self._disk_before = now  # others have done that
        return False

    def _look_at_files(self) -> None:
        """Tell how large the largest new file is, if so much was written that it may be too large.

        Whoever was stopped for it may be a child of a child, and nobody may have said so.
        """
        if not self._limits or self._status == -signal.SIGXFSZ:
            return
        most = self._limits["file"]
        grown = _disk(self._places) - self._disk_before
        if max(_written() - self._written_before, grown) >= most // 2:
            since = self._began - _COARSE
            sizes = (found.st_size for found in _changed(self._places, since))
            self._answer["largest"] = max(sizes, default=0)

    def _exterminate(self) -> None:
        """Kill all processes of this call until there are none, also while they multiply."""
        self._answer["killed"] = True
        give_up_at = time.monotonic() + _LAST_WAIT
        while time.monotonic() < give_up_at:
            if self._alone:
                _signal(-1, signal.SIGKILL)
            else:
                self._kill_family()
            if not self._reap():
                break
            time.sleep(0.001)
        self.clean = not self._reap()

    def _kill_family(self) -> None:
        # A signal to a group reaches all of it at once: nobody in it can fork away from it.
        if self._status is None:
            _signal(-self._leader, signal.SIGKILL)
        for pid in processes.descendants():
            _signal_group(pid, signal.SIGKILL)
            _signal(pid, signal.SIGKILL)

    def _clean_up(self, words: list[str]) -> None:
        """Stop what runs elsewhere in the command's name: a container."""
        actions = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        try:
            pid = os.posix_spawn(words[0], words, self._order["env"], file_actions=actions)
        except OSError:
            return
        give_up_at = time.monotonic() + _LAST_WAIT
        while time.monotonic() < give_up_at:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
            time.sleep(0.01)
        _signal(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


_SHARED = "/dev/shm"  # noqa: S108 - what lies there counts as memory


def _used(place: str) -> int:
    """Bytes in use on the file system of a place."""
    try:
        found = os.statvfs(place)
    except OSError:
        return 0
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def _disk(places: Iterable[str]) -> int:
    return sum(map(_used, places))


def _written() -> int:
    """Bytes that the children of this process, and theirs, have written to file systems so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock * _BLOCK


def _new_files(places: Iterable[str], since: float) -> int:
    """Bytes of files below some places that were changed since then."""
    return sum(found.st_blocks * _BLOCK for found in _changed(places, since))


def _changed(places: Iterable[str], since: float) -> Iterator[os.stat_result]:
    """What there is to know of files below some places that were changed since then."""
    give_up_at = time.monotonic() + _LONGEST_LOOK
    pending = list(places)
    while pending and time.monotonic() < give_up_at:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            continue
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                    continue
                found = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if found.st_ctime >= since:
                yield found


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        pass  # it is gone already, or not ours to signal


def _signal_group(pid: int, number: int) -> None:
    """Signal the group that a descendant has moved to; never our own."""
    try:
        group = os.getpgid(pid)
    except OSError:
        return
    if group not in (os.getpgrp(), 0, 1):
        _signal(-group, number)
