"""The processes that start commands and see to it that nothing of them is left.

They run beside the server, in a small interpreter of their own: `python -I -S supervisor.py FD`.
Over the socket FD comes one line after the other; each gets a fork of this process, a supervisor,
which takes orders on its line, one at a time. It starts the command, adopts whatever the command
leaves behind (it is a "subreaper"), and answers when the last descendant is gone. The line is its
life: when it closes, because the server crashed or was killed, everything is killed at once.

A message on the line is a JSON object, with its length in 4 bytes before it. The first one is the
profile: limits and Landlock rules, which the supervisor puts on itself, so that its children have
them from their first instruction on. Each order comes with three descriptors; while it is carried
out, `{"stop": seconds}` may follow: SIGTERM, and SIGKILL after so many seconds.

Nothing but the lightest of the standard library is imported: this has to start quickly and to stay
small. Commands are started by `posix_spawn`, which costs half of what a fork does.
"""

# ruff: noqa: PTH123, PTH208, SIM105

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
from typing import Any

_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_ADD_RULE = 445
_LANDLOCK_RESTRICT_SELF = 446
_LANDLOCK_RULE_PATH_BENEATH = 1
_LIMITS = {
    "cpu": resource.RLIMIT_CPU,
    "memory": resource.RLIMIT_DATA,
    "file": resource.RLIMIT_FSIZE,
    "core": resource.RLIMIT_CORE,
}
# An ignored signal stays ignored in a new program; Python ignores some.
_RESTORED = (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)
_LINUX = sys.platform == "linux"
_CLOSE_ON_EXEC = socket.MSG_CMSG_CLOEXEC if _LINUX else 0
_TICK = 0.05
_TICKS_PER_WEIGHING = 5
_LAST_WAIT = 5.0

Message = dict[str, Any]


def main(door: socket.socket) -> None:
    """Fork a supervisor for each line until the server hangs up."""
    supervisors: set[int] = set()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: _bury(supervisors))
    gc.disable()
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    while True:
        _, descriptors = _receive_descriptors(door, 1)
        if not descriptors:
            _bury(supervisors)
            return
        with socket.socket(fileno=descriptors[0]) as line:
            _fork(line, door, supervisors)


def _fork(line: socket.socket, door: socket.socket, supervisors: set[int]) -> None:
    # A supervisor must be known as one before anybody looks for orphans.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    try:
        child = os.fork()
    except OSError as error:
        _tell(line, {"failed": "fork", "errno": error.errno})
        child = 0
    else:
        if child == 0:
            door.close()
            try:
                supervise(line)
            finally:
                os._exit(0)
    supervisors.add(child)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])


def _bury(supervisors: set[int]) -> None:
    """A supervisor ended. If somebody killed it, its command came to us, and has to go."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            break
        supervisors.discard(pid)
    for orphan in _children(os.getpid()):
        if orphan not in supervisors:
            for pid in (orphan, *_descendants(orphan)):
                _signal(pid, signal.SIGKILL)


def supervise(line: socket.socket) -> None:
    """Carry out one order after the other, as long as the line is open."""
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    wake_reader, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    profile, _ = _receive_message(line)
    if profile is None:
        return
    try:
        _take_on(profile)
    except OSError as error:
        _tell(line, {"failed": "sandbox", "errno": error.errno})
        return
    while True:
        order, streams = _receive_message(line)
        if order is None:
            return
        if not streams:
            continue  # to stop a command that has just ended by itself
        call = Call(order, profile["limits"], line, wake_reader)
        answer = call.run(streams)
        answer["last"] = not call.clean or _tired(profile["limits"])
        _tell(line, answer)
        if answer["last"]:
            return


def _tired(limits: dict[str, int]) -> bool:
    """Whether the limit of CPU time, which we have as well, comes near."""
    return "cpu" in limits and time.process_time() > limits["cpu"] / 2


class Call:
    """One command, from its start until nothing of it is left."""

    def __init__(
        self, order: Message, limits: dict[str, int], line: socket.socket, wake: int
    ) -> None:
        self.clean = True
        self._order = order
        self._limits = limits
        self._line = line
        self._wake = wake
        self._leader = 0
        self._status: int | None = None
        self._answer: Message = {}
        self._kill_at: float | None = None
        self._asked: set[int] = set()
        self._tasks_before = _tasks() if limits else 0
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
        return self._answer

    def _start(self, streams: list[int]) -> None:
        order = self._order
        step = "cwd"
        try:
            os.chdir(order["cwd"])
            step = "exec"
            if self._limits:
                _limit_processes(self._limits["processes"] + self._tasks_before)
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
                self._answer["left"] = sorted(set(map(_name, _descendants())))[:5]
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

    def _reap(self) -> bool:
        """Bury the dead; return whether anybody is left."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self._leader:
                    self._status = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            return False

    def _obey(self) -> None:
        message, _ = _receive_message(self._line)
        now = time.monotonic()
        if message is None:
            self._kill_at = now
            return
        grace = float(message["stop"])
        self._kill_at = min(now + grace, self._kill_at or now + grace)

    def _ask_to_end(self) -> None:
        """SIGTERM, once, to everybody that is there, and to whoever comes later."""
        if self._order["wrapped"]:
            # What holds a sandbox together would take everything with it at once.
            self._asked.add(self._leader)
        for pid in _descendants() or {-self._leader}:
            if pid not in self._asked:
                self._asked.add(pid)
                _signal(pid, signal.SIGTERM)

    def _weigh(self) -> None:
        """Stop a command that has become too many or too heavy."""
        if self._kill_at is not None or not self._limits:
            return
        self._ticks += 1
        most = self._limits["processes"]
        if _tasks() - self._tasks_before <= most and self._ticks % _TICKS_PER_WEIGHING:
            return
        family = _descendants()
        if len(family) > most:
            self._answer["limit"] = "processes"
        elif sum(map(_memory, family)) > self._limits["memory"]:
            self._answer["limit"] = "memory"
        if "limit" in self._answer:
            self._exterminate()

    def _exterminate(self) -> None:
        """Kill all descendants until there are none, also while they multiply."""
        self._answer["killed"] = True
        give_up_at = time.monotonic() + _LAST_WAIT
        while time.monotonic() < give_up_at:
            # A signal to a group reaches all of it at once: nobody in it can fork away from it.
            if self._status is None:
                _signal(-self._leader, signal.SIGKILL)
            for pid in _descendants():
                _signal_group(pid, signal.SIGKILL)
                _signal(pid, signal.SIGKILL)
            if not self._reap():
                break
            time.sleep(0.001)
        self.clean = not self._reap()

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


def _take_on(profile: Message) -> None:
    """Become a process that always gets its turn, and whose children are limited."""
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        _take_precedence()
    for name, kind in _LIMITS.items():
        if name in profile["limits"]:
            wanted = profile["limits"][name]
            _, most = resource.getrlimit(kind)
            if most != resource.RLIM_INFINITY:
                wanted = min(wanted, most)
            # At the soft limit of CPU time comes a signal that has a name, at the hard one SIGKILL.
            resource.setrlimit(kind, (wanted, wanted + 1 if name == "cpu" else wanted))
    if profile["landlock"]:
        _restrict(profile["landlock"])


def _take_precedence() -> None:
    """Never stand in line behind the children: there may be thousands of them.

    Root can be limited in its number of processes by nothing but a supervisor that is quicker, and
    root is allowed this; for everybody else the kernel keeps the limit.
    """
    try:
        policy = os.SCHED_RR | os.SCHED_RESET_ON_FORK
        os.sched_setscheduler(0, policy, os.sched_param(1))
    except OSError:
        pass


def _limit_processes(wanted: int) -> None:
    """The kernel counts all processes of the user, so those of others have to be allowed for."""
    _, most = resource.getrlimit(resource.RLIMIT_NPROC)
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_NPROC, (wanted, most))


def _restrict(rules: Message) -> None:
    """Put this process, and all it starts, under a Landlock rule set."""
    attributes = struct.pack("=QQQ", rules["handled"], 0, rules["scoped"])[: rules["size"]]
    ruleset = _syscall(_LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    for access, paths in rules["allowed"]:
        for path in paths:
            try:
                descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            rule = struct.pack("=Qi", access, descriptor)
            _syscall(_LANDLOCK_ADD_RULE, ruleset, _LANDLOCK_RULE_PATH_BENEATH, rule, 0)
            os.close(descriptor)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _descendants(ancestor: int = 0) -> set[int]:
    """All processes below one, or below this one; none where the system cannot tell."""
    found: set[int] = set()
    pending = _children(ancestor or os.getpid())
    while pending:
        pid = pending.pop()
        if pid not in found:
            found.add(pid)
            pending += _children(pid)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    except OSError:
        pass  # it ended just now, or this system cannot tell
    return found


def _name(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return "?"


def _memory(pid: int) -> int:
    """Bytes that a process has for itself in memory."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            _, resident, shared, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return 0
    return (resident - shared) * resource.getpagesize()


def _tasks() -> int:
    """How many threads the whole system has: a number that is cheap to get."""
    try:
        with open("/proc/loadavg", "rb") as file:
            return int(file.read().split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return 0


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


def _receive_message(line: socket.socket) -> tuple[Message | None, list[int]]:
    """The next message and its descriptors; nothing when the line is closed."""
    try:
        size, streams = _receive_descriptors(line, 4)
        while size and len(size) < 4:
            size += line.recv(4 - len(size))
    except OSError:
        return None, []
    body = _receive(line, int.from_bytes(size, "big")) if size else None
    return (json.loads(body) if body else None), streams


def _receive_descriptors(line: socket.socket, size: int) -> tuple[bytes, list[int]]:
    """Some bytes and the descriptors that came with them, which no child shall inherit."""
    room = socket.CMSG_SPACE(3 * struct.calcsize("i"))
    data, attached, _, _ = line.recvmsg(size, room, _CLOSE_ON_EXEC)
    found: list[int] = []
    for level, kind, body in attached:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            found += struct.unpack(f"{len(body) // struct.calcsize('i')}i", body)
    for descriptor in found:
        os.set_inheritable(descriptor, False)  # again, for systems without the flag
    return data, found


def _receive(line: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        try:
            piece = line.recv(min(size - len(data), 1 << 20))
        except OSError:
            return None
        if not piece:
            return None
        data += piece
    return bytes(data)


def _tell(line: socket.socket, answer: Message) -> None:
    body = json.dumps(answer).encode()
    try:
        line.sendall(len(body).to_bytes(4, "big") + body)
    except OSError:
        pass  # nobody is there to listen


def _prctl(option: int, value: int) -> None:
    if _LIBC.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _syscall(number: int, *arguments: Any) -> int:
    result: int = _LIBC.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "syscall")
    return result


_LIBC = ctypes.CDLL(None, use_errno=True)

if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
