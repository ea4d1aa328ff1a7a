"""What a supervisor puts on itself, for its children to inherit: namespaces, rights, filters.

The rules come ready-made from the server; here they are only handed to the kernel.
"""

# ruff: noqa: PTH123, SIM105

from __future__ import annotations

import ctypes
import os
import resource
import stat
import struct
import sys

TYPE_CHECKING = False  # every new sandbox imports this, and would pay for `typing`
if TYPE_CHECKING:
    from typing import Any

LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_CAPBSET_DROP = 1, 4, 22, 24
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 36, 38, 47
_CLEAR_ALL, _FILTER = 4, 2
_LAST_CAPABILITY = 63
_CAPABILITY_VERSION = 0x2008_0522
_NEW_MOUNTS, _NEW_IPC, _NEW_PIDS = 0x0002_0000, 0x0800_0000, 0x2000_0000
_READ_ONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
_RECURSIVE, _PRIVATE = 1 << 14, 1 << 18
_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_PATH_RULE, _PORT_RULE = 1, 2
# Execute, write, read, truncate, ioctl: what a rule for a single file may speak of.
_FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
_SELF, _SELF_GROUP = 0x7E5E_1F01, 0x7E5E_1F02
_LIMITS = {
    "cpu": resource.RLIMIT_CPU,
    "memory": resource.RLIMIT_DATA,
    "file": resource.RLIMIT_FSIZE,
    "core": resource.RLIMIT_CORE,
}


def hide_from_others() -> None:
    """Let no process of the same user read or trace this one."""
    if LINUX:
        _prctl(_PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant that loses its own."""
    if LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Be killed when the process that started this one ends."""
    if LINUX:
        _prctl(_PR_SET_PDEATHSIG, 9)


def keep_mounts_private() -> None:
    """Let no mount that is made outside appear in here."""
    _mount("none", "/", None, _RECURSIVE | _PRIVATE)


def leave_namespaces() -> None:
    """Have new processes, mounts and shared memory of one's own from the next fork on."""
    if _LIBC.unshare(_NEW_PIDS | _NEW_MOUNTS | _NEW_IPC) != 0:
        raise OSError(ctypes.get_errno(), "unshare")


def furnish(shared_memory: int) -> None:
    """Mount what belongs to the new namespaces: /proc, and an empty /dev/shm."""
    keep_mounts_private()
    _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    try:
        with open("/proc/sys/kernel/shm_rmid_forced", "w") as file:
            file.write("1")  # shared memory that nobody uses any more goes away
    except OSError:
        pass  # only root may
    for path in settings_of_the_kernel():
        _mount(path, path, None, _BIND | _RECURSIVE)
        _mount("none", path, None, _REMOUNT | _BIND | _READ_ONLY | _NOSUID | _NODEV | _NOEXEC)
    size = f"mode=1777,size={shared_memory}" if shared_memory else "mode=1777"
    _mount("tmpfs", "/dev/shm", "tmpfs", _NOSUID | _NODEV, size)  # noqa: S108


def settings_of_the_kernel() -> list[str]:
    """What in /proc belongs to the machine and not to a process, and has something to write in it.

    The kernel lets root write most of it without any capability, and `core_pattern` is a program
    that it runs outside of every sandbox. A folder there never looks writable: do not ask.
    """
    found = []
    with os.scandir("/proc") as entries:
        for entry in entries:
            if not entry.name.isdigit() and not entry.is_symlink():
                mode = entry.stat(follow_symlinks=False).st_mode
                if stat.S_ISDIR(mode) or mode & 0o222:
                    found.append(entry.path)
    return sorted(found)


def limit(limits: dict[str, int]) -> None:
    """Put limits on this process and all that it starts."""
    for name, kind in _LIMITS.items():
        if name in limits:
            wanted = limits[name]
            _, most = resource.getrlimit(kind)
            if most != resource.RLIM_INFINITY:
                wanted = min(wanted, most)
            # At the soft limit of CPU time comes a signal that has a name, at the hard one SIGKILL.
            resource.setrlimit(kind, (wanted, wanted + 1 if name == "cpu" else wanted))


def limit_processes(wanted: int) -> None:
    """The kernel counts all processes of the user, so those of others have to be allowed for."""
    _, most = resource.getrlimit(resource.RLIMIT_NPROC)
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_NPROC, (wanted, most))


def take_precedence() -> None:
    """Never stand in line behind the children: there may be thousands of them.

    Root can be limited in its number of processes by nothing but a supervisor that is quicker, and
    root is allowed this; for everybody else the kernel keeps the limit. In a user namespace not
    even root may take it, but may keep what the server has started it with.
    """
    policy = os.SCHED_RR | os.SCHED_RESET_ON_FORK
    try:
        os.sched_setscheduler(0, policy, os.sched_param(1))
    except OSError:
        pass


def keep_capabilities(kept: int) -> None:
    """Give up, for good, every capability whose bit is not in `kept`."""
    for number in range(_LAST_CAPABILITY + 1):
        if not kept >> number & 1:
            # A number that this kernel does not know is refused, and so is a process that has none.
            _LIBC.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    _LIBC.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    had = ctypes.create_string_buffer(24)
    if _LIBC.capget(header, had) != 0:
        raise OSError(ctypes.get_errno(), "capget")
    low, high = (word & part for word, part in zip(
        struct.unpack("=6I", had.raw)[1::3], (kept & 0xFFFF_FFFF, kept >> 32), strict=True
    ))  # fmt: skip
    if _LIBC.capset(header, struct.pack("=6I", low, low, 0, high, high, 0)) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def gain_nothing() -> None:
    """No program that is started from here gains rights by its owner or its file (setuid)."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def restrict(rules: dict[str, Any]) -> None:
    """Put this process, and all it starts, under a Landlock rule set."""
    attributes = struct.pack("=QQQ", rules["files"], rules["ports"], rules["scoped"])
    attributes = attributes[: rules["size"]]
    ruleset = _syscall(_LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    for access, paths in rules["allowed"]:
        for path in paths:
            _allow_path(ruleset, path, access)
    for access, port in rules["connect"]:
        rule = struct.pack("=QQ", access, port)
        _syscall(_LANDLOCK_ADD_RULE, ruleset, _PORT_RULE, rule, 0)
    _syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow_path(ruleset: int, path: str, access: int) -> None:
    try:
        # A link would allow what it leads to, which has a rule of its own, or none.
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return  # what is not there needs no rule
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            access &= _FILE_RIGHTS
        rule = struct.pack("=Qi", access, descriptor)
        _syscall(_LANDLOCK_ADD_RULE, ruleset, _PATH_RULE, rule, 0)
    finally:
        os.close(descriptor)


def filter_calls(program: bytes) -> None:
    """Put this process, and all it starts, under a seccomp filter."""
    own = {_SELF: os.getpid(), _SELF_GROUP: -os.getpid() & 0xFFFF_FFFF}
    instructions = [
        (code, true, false, own.get(value, value))
        for code, true, false, value in struct.iter_unpack("=HBBI", program)
    ]
    patched = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
    buffer = ctypes.create_string_buffer(patched, len(patched))
    pointed = struct.pack("@HP", len(instructions), ctypes.addressof(buffer))
    if _LIBC.prctl(_PR_SET_SECCOMP, _FILTER, pointed, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def _mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    words = [source.encode(), target.encode(), kind.encode() if kind else None]
    if _LIBC.mount(*words, ctypes.c_ulong(flags), options.encode() or None) != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}")


def _prctl(option: int, value: int) -> None:
    if _LIBC.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _syscall(number: int, *arguments: Any) -> int:
    result: int = _LIBC.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "syscall")
    return result


_LIBC = ctypes.CDLL(None, use_errno=True)
