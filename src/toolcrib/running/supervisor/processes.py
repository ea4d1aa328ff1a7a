"""What /proc tells of the processes of a command: who they are, and what they use."""

# ruff: noqa: PTH115, PTH116, PTH123, PTH208

from __future__ import annotations

import os
import resource
import stat
from collections.abc import Iterable

# The descriptor of /proc/loadavg, which is read before every command.
_load: list[int] = []
_PAGE = resource.getpagesize()
_BLOCK = 512
_KIB = 1024


def descendants(ancestor: int = 0) -> set[int]:
    """All processes below one, or below this one; none where the system cannot tell."""
    found: set[int] = set()
    pending = children(ancestor or os.getpid())
    while pending:
        pid = pending.pop()
        if pid not in found:
            found.add(pid)
            pending += children(pid)
    return found


def all_others() -> set[int]:
    """All processes of this process namespace but this one."""
    try:
        every = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    except OSError:
        return set()
    return every - {os.getpid()}


def children(pid: int) -> list[int]:
    """The processes that one has started, or adopted, and that have not been waited for."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    except OSError:
        pass  # it ended just now, or this system cannot tell
    return found


def turns_of(pids: Iterable[int]) -> frozenset[tuple[int, bytes]] | None:
    """How often each thread of some processes has had its turn; None where that cannot be told.

    Equal to what was told before only if none of them has run meanwhile.
    """
    found: set[tuple[int, bytes]] = set()
    try:
        for pid in pids:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/schedstat", "rb") as file:
                    turns = file.read().split()[-1]
                if turns == b"0":
                    return None  # a kernel that does not count
                found.add((int(task), turns))
    except (OSError, IndexError):
        return None  # one ended just now, or this system cannot tell
    return frozenset(found)


def name_of(pid: int) -> str:
    """The short name of a process."""
    try:
        with open(f"/proc/{pid}/comm", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return "?"


def count_tasks() -> int:
    """How many threads the whole system has: a number that is cheap to get."""
    try:
        if not _load:
            _load.append(os.open("/proc/loadavg", os.O_RDONLY | os.O_CLOEXEC))
        return int(os.pread(_load[0], 100, 0).split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return 0


class Usage:
    """Bytes that some processes use together.

    `private`: memory that belongs to one process alone. `files`: files in memory that a process
    holds open (memfd). `mapped`: shared memory that is mapped, counted once for each process that
    maps it. `deleted`: files on disks that have no name any more and are held open.
    """

    def __init__(self) -> None:
        self.private = self.files = self.mapped = self.deleted = 0


def usage_of(family: Iterable[int]) -> Usage:
    """What these processes use."""
    usage = Usage()
    seen: set[tuple[int, int]] = set()
    for pid in family:
        private, mapped = _resident(pid)
        usage.private += private
        usage.mapped += mapped
        _weigh_descriptors(pid, usage, seen)
    return usage


def shared_memory_of(family: Iterable[int]) -> int:
    """Shared memory that is mapped, each page counted once: exact, and slow."""
    total = 0
    for pid in family:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
                for line in file:
                    if line.startswith(b"Pss_Shmem:"):
                        total += int(line.split()[1]) * _KIB
        except (OSError, ValueError):
            continue
    return total


def _resident(pid: int) -> tuple[int, int]:
    """Memory of a process: what is its own, and what it shares by mappings without a file."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            _, resident, shared, *_ = map(int, file.read().split())
        if not shared:
            return resident * _PAGE, 0
        with open(f"/proc/{pid}/status", "rb") as file:
            line = next((line for line in file if line.startswith(b"RssShmem:")), b"x 0")
        return (resident - shared) * _PAGE, int(line.split()[1]) * _KIB
    except (OSError, ValueError):
        return 0, 0


def _weigh_descriptors(pid: int, usage: Usage, seen: set[tuple[int, int]]) -> None:
    try:
        names = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return
    for name in names:
        path = f"/proc/{pid}/fd/{name}"
        try:
            found = os.stat(path)
            if found.st_nlink or not stat.S_ISREG(found.st_mode):
                continue
            in_memory = os.readlink(path).startswith("/memfd:")
        except OSError:
            continue
        if (found.st_dev, found.st_ino) not in seen:
            seen.add((found.st_dev, found.st_ino))
            if in_memory:
                usage.files += found.st_blocks * _BLOCK
            else:
                usage.deleted += found.st_blocks * _BLOCK
