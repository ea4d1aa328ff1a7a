"""What a command inside of the sandbox tries: run there by the siege, prints what came of it.

    python3 siege_inside.py PORT SOCKET ABSTRACT OUTSIDE SERVER_PID

Prints one JSON object, way → "through" or "refused: …". The numbers of system calls are those of
x86_64; on another machine those ways are left out.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import platform
import socket
import sys
from collections.abc import Callable

LIBC = ctypes.CDLL(None, use_errno=True)
TIOCSTI = 0x5412
X86_64 = platform.machine() == "x86_64"
CALLS = {
    "ptrace of the server": (101, 16, int(sys.argv[5]), 0, 0),
    "process_vm_readv": (310, int(sys.argv[5]), 0, 0, 0, 0, 0),
    "io_uring_setup": (425, 8, 0),
    "bpf": (321, 0, 0, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "keyctl": (250, 0, -3, 1),
    "add_key": (248, b"user", b"name", b"data", 4, -3),
    "userfaultfd": (323, 1),
    "mount over /etc": (165, b"tmpfs", b"/etc", b"tmpfs", 0, 0),
    "remount / writable": (165, b"none", b"/", None, 32 | 4096, None),
    "umount of a mask": (166, b"/proc", 2),
    "pivot_root": (155, b"/", b"/tmp"),
    "open_by_handle_at": (304, -100, 0, 0),
    "kexec_load": (246, 0, 0, 0, 0),
    "init_module": (175, 0, 0, b""),
    "setns to the server": (308, -1, 0),
    "swapon": (167, b"/tmp/x", 0),
    "settimeofday": (164, ctypes.byref((ctypes.c_long * 2)(1, 0)), 0),
    "sethostname": (170, b"owned", 5),
}
HARMLESS = {errno.EBADF, errno.EINVAL, errno.EFAULT, errno.ENOENT, errno.ESRCH}
"""What the kernel answers after it has let the call in: the filter did not stop it."""


def called(number: int, *arguments: object) -> None:
    """Make a system call; `OSError` where it is refused."""
    if LIBC.syscall(number, *arguments) == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def sent(family: int, kind: int, address: object) -> None:
    """Send something somewhere."""
    with socket.socket(family, kind) as line:
        line.settimeout(2)
        line.connect(address)  # type: ignore[arg-type]
        line.send(b"x")


def typed() -> None:
    """Type into the terminal that the server was started from."""
    with open("/dev/tty", "rb+", buffering=0) as terminal:
        fcntl.ioctl(terminal, TIOCSTI, b"x")


def through_a_namespace() -> None:
    """Become root of a namespace of one's own, and write past what is read-only."""
    child = os.fork()
    if child == 0:
        try:
            called(272, 0x10000000 | 0x00020000)  # unshare: user and mount namespaces
            called(165, b"none", b"/", None, 32 | 4096, None)
            written(sys.argv[4])
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise PermissionError(errno.EPERM, "refused")


def written(path: str) -> None:
    """Write to a file outside."""
    with open(path, "a") as file:
        file.write("evil\n")


def opened(path: str) -> None:
    """Open something of the machine for writing; nothing is written, it is a real machine."""
    os.close(os.open(path, os.O_WRONLY))


def linked(path: str) -> None:
    """Give a file outside a second name inside, and write to that."""
    os.link(path, "second-name")
    written("second-name")


def attributed(path: str) -> None:
    """Leave an extended attribute on a file outside."""
    os.setxattr(path, "user.evil", b"1")


def descriptors() -> None:
    """Find something that was left open: a socket of the server, a file outside."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            target = os.readlink(f"/proc/self/fd/{name}")
            if target.startswith("socket:") or sys.argv[4] in target:
                return
    raise PermissionError(errno.EPERM, "nothing was left open")


def around_root() -> None:
    """Reach files by the root or the working folder of another process."""
    for pid in (1, os.getppid(), int(sys.argv[5])):
        for way in ("root", "cwd"):
            try:
                written(f"/proc/{pid}/{way}{sys.argv[4]}")
                return
            except OSError:
                continue
    raise PermissionError(errno.EPERM, "refused")


def ways() -> dict[str, Callable[[], object]]:
    """Everything that is tried, by name."""
    port, path, abstract, outside = int(sys.argv[1]), *sys.argv[2:5]
    found: dict[str, Callable[[], object]] = {
        "TCP to a port of this machine": lambda: sent(2, 1, ("127.0.0.1", port)),
        "a Unix socket (ssh-agent, D-Bus)": lambda: sent(1, 1, path),
        "a datagram to a Unix socket": lambda: sent(1, 2, path + ".datagram"),
        "an abstract Unix socket": lambda: sent(1, 1, "\0" + abstract),
        "a raw socket": lambda: socket.socket(2, 3, 1),
        "vsock to the host": lambda: sent(40, 1, (2, 1)),
        "TIOCSTI into the server's terminal": typed,
        "a user namespace to write from": through_a_namespace,
        "a hard link to a file outside": lambda: linked(outside),
        "a file outside by /proc/PID/root": around_root,
        "an attribute on a file outside": lambda: attributed(outside),
        "a descriptor that was left open": descriptors,
        "core_pattern, which the kernel runs": lambda: opened("/proc/sys/kernel/core_pattern"),
        "modprobe, which the kernel runs": lambda: opened("/proc/sys/kernel/modprobe"),
        "sysrq": lambda: opened("/proc/sysrq-trigger"),
        "limits of the whole machine": lambda: opened("/proc/sys/fs/file-max"),
        "registers of the processor": lambda: opened("/proc/mtrr"),
        "programs for file formats": lambda: opened("/proc/sys/fs/binfmt_misc/register"),
        "control groups": lambda: opened("/sys/fs/cgroup/cgroup.procs"),
        "a disk": lambda: opened("/dev/vda"),
        "memory of the machine": lambda: opened("/dev/mem"),
        "the server's memory": lambda: opened(f"/proc/{sys.argv[5]}/mem"),
        "a device of its own": lambda: os.mknod("device", 0o060600, os.makedev(254, 0)),
    }
    for name, (number, *rest) in CALLS.items() if X86_64 else ():
        found[name] = lambda number=number, rest=rest: called(number, *rest)  # type: ignore[misc]
    return found


def main() -> None:
    """Try them all."""
    outcome = {}
    for name, way in ways().items():
        try:
            way()
            outcome[name] = "through"
        except OSError as error:
            let_in = name in CALLS and error.errno in HARMLESS
            outcome[name] = "through" if let_in else f"refused: {error.strerror}"
    print(json.dumps(outcome))


main()
