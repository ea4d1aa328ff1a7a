"""The first process beside the server: it forks a supervisor for each line."""

# ruff: noqa: PTH208, SIM105

from __future__ import annotations

import gc
import os
import signal
import socket
import time

from toolcrib.running.supervisor import processes, walls
from toolcrib.running.supervisor.call import Call
from toolcrib.running.supervisor.line import (
    Message,
    receive_descriptors,
    receive_message,
    tell,
)

LINE, LISTENER = b"!", b"P"
"""What the server may ask for: a supervisor at a line it sends along; a socket to listen at."""
_BACKLOG = 128


def main(control: socket.socket, mode: str) -> None:
    """Answer requests on the control socket until the server closes it.

    `nested`: each supervisor gets a process namespace of its own. `single`: this process is the one
    supervisor, and the first of its process namespace. `plain`: no namespaces.
    """
    supervisors: set[int] = set()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: _bury(supervisors, mode))
    gc.disable()
    walls.hide_from_others()
    if mode == "plain":
        walls.adopt_orphans()
    elif mode == "nested":
        try:
            walls.keep_mounts_private()
        except OSError:
            pass  # of another user's namespace; each supervisor has mounts of its own
    while True:
        wanted, descriptors = receive_descriptors(control, 1)
        if wanted == LISTENER:
            _hand_out_listener(control)
        elif not descriptors:
            _leave(mode)
            return
        else:
            with socket.socket(fileno=descriptors[0]) as line:
                if mode == "single":
                    control.close()
                    supervise(line)
                    return
                _fork(line, control, supervisors, mode)


def _hand_out_listener(control: socket.socket) -> None:
    """Make a socket that listens in this network namespace; the server answers what it gets."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(_BACKLOG)
        socket.send_fds(control, [LISTENER], [listener.fileno()])


def _fork(line: socket.socket, control: socket.socket, supervisors: set[int], mode: str) -> None:
    # A supervisor must be known as one before anybody looks for orphans.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    try:
        child = os.fork()
    except OSError as error:
        tell(line, {"failed": "fork", "errno": error.errno})
        child = 0
    else:
        if child == 0:
            control.close()
            try:
                _begin(line, mode)
            finally:
                os._exit(0)
    supervisors.add(child)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])


def _begin(line: socket.socket, mode: str) -> None:
    """Become a supervisor, in the nested case by way of another fork: namespaces begin with one."""
    if mode == "nested":
        try:
            walls.leave_namespaces()
        except OSError as error:
            tell(line, {"failed": "sandbox", "errno": error.errno})
            return
        if os.fork():
            return
    else:
        walls.die_with_parent()
        os.setsid()
    supervise(line)


def _bury(supervisors: set[int], mode: str) -> None:
    """A supervisor ended. If somebody killed or stopped it, its command has to go as well."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
        except ChildProcessError:
            return
        if pid == 0:
            break
        if os.WIFSTOPPED(status):
            _kill([pid])
        else:
            supervisors.discard(pid)
    if mode == "plain":
        for orphan in processes.children(os.getpid()):
            if orphan not in supervisors:
                _kill([orphan, *processes.descendants(orphan)])


def _leave(mode: str) -> None:
    """The server is gone: supervisors clean up by themselves; whoever does not is killed."""
    if mode != "plain":
        return  # the end of the first process is the end of its namespace
    give_up_at = time.monotonic() + 2.0
    while processes.children(os.getpid()):
        if time.monotonic() > give_up_at:
            _kill(processes.descendants())
        time.sleep(0.01)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return


def _kill(pids: list[int] | set[int]) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass  # it is gone already


def supervise(line: socket.socket) -> None:
    """Carry out one order after the other, as long as the line is open."""
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    wake_reader, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    profile, _ = receive_message(line)
    if profile is None:
        return
    try:
        _take_on(profile)
    except OSError as error:
        tell(line, {"failed": "sandbox", "errno": error.errno, "step": str(error.strerror)})
        return
    leftovers = Leftovers(profile)
    while True:
        order, streams = receive_message(line)
        if order is None:
            return
        if not streams:
            continue  # to stop a command that has just ended by itself
        call = Call(order, profile, line, wake_reader)
        answer = call.run(streams)
        answer["last"] = not call.clean or _tired(profile["limits"]) or leftovers.found()
        tell(line, answer)
        if answer["last"]:
            return


def _take_on(profile: Message) -> None:
    """Become a process that always gets its turn, and whose children are shut in."""
    if profile["nested"]:
        walls.furnish(profile["limits"].get("memory", 0))
    elif walls.LINUX:
        walls.adopt_orphans()
    if walls.LINUX:
        walls.take_precedence()
    walls.limit(profile["limits"])
    if profile["capabilities"] is not None:
        walls.keep_capabilities(profile["capabilities"])
    if profile["landlock"] or profile["seccomp"] or profile["capabilities"] is not None:
        walls.gain_nothing()
    if profile["landlock"]:
        walls.restrict(profile["landlock"])
    walls.hide_from_others()  # a change of rights makes it readable again
    if profile["seccomp"]:
        walls.filter_calls(bytes.fromhex(profile["seccomp"]))


def _tired(limits: dict[str, int]) -> bool:
    """Whether the limit of CPU time, which we have as well, comes near."""
    return "cpu" in limits and time.process_time() > limits["cpu"] / 2


class Leftovers:
    """What a command can leave in kept namespaces, beside processes: shared memory and queues."""

    def __init__(self, profile: Message) -> None:
        self._tables: list[int] = []
        self._sizes: list[int] = []
        self._nested = bool(profile["nested"])
        if self._nested:
            for name in ("shm", "sem", "msg"):
                try:
                    self._tables.append(os.open(f"/proc/sysvipc/{name}", os.O_RDONLY))
                except OSError:
                    continue  # a kernel without it
            self._sizes = [len(os.pread(table, 4096, 0)) for table in self._tables]

    def found(self) -> bool:
        """Whether there is any, so that the next command needs new namespaces."""
        if not self._nested:
            return False
        if os.listdir("/dev/shm"):  # noqa: S108
            return True
        return [len(os.pread(table, 4096, 0)) for table in self._tables] != self._sizes


def start(descriptor: int, mode: str) -> None:
    """Begin: at a socket, or (-1) only to find out whether the namespaces can be had."""
    if descriptor >= 0:
        main(socket.socket(fileno=descriptor), mode)
    elif mode == "nested":
        walls.leave_namespaces()
        child = os.fork()
        if child == 0:
            walls.furnish(0)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise SystemExit(1)
