"""The seccomp filter of commands, as raw BPF: which system calls fail inside, and with what.

The filter is a list of 8-byte instructions that the kernel runs for each system call. It is
generated here, in Python, for x86_64 and aarch64; the supervisor applies it to itself, and every
command inherits it. System calls that are not named are allowed, because unknown programs have to
work.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SELF = 0x7E5E_1F01
"""Stands for the supervisor's own process id, which it fills in itself."""
SELF_GROUP = 0x7E5E_1F02
"""Stands for the negative of that number: the supervisor's process group."""

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x54, 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT = 0x4000_0000
_NAMESPACES = 0x7E02_0080
_FAST_OPEN = 0x2000_0000
_SOCKET_TYPES, _STREAM, _PACKETS, _TCP = 0xF, 1, 5, 6
_TERMINAL_INJECTION = (0x5412, 0x541C)


@dataclass(frozen=True, slots=True)
class Architecture:
    """One architecture: its audit number and the numbers of its system calls."""

    audit: int
    calls: dict[str, int]


_COMMON = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426,
    "io_uring_register": 427, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431,
    "fsmount": 432, "fspick": 433, "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438,
    "process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "open_tree_attr": 467,
}  # fmt: skip
_X86_64 = {
    "ioctl": 16, "socket": 41, "connect": 42, "accept": 43, "sendto": 44, "sendmsg": 46,
    "socketpair": 53, "clone": 56, "kill": 62, "ptrace": 101, "syslog": 103,
    "rt_sigqueueinfo": 129, "setpriority": 141, "sched_setparam": 142, "sched_setscheduler": 144,
    "vhangup": 153, "pivot_root": 155, "acct": 163, "settimeofday": 164, "mount": 165,
    "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "sethostname": 170,
    "setdomainname": 171, "iopl": 172, "ioperm": 173, "init_module": 175, "delete_module": 176,
    "quotactl": 179, "tkill": 200, "sched_setaffinity": 203, "clock_settime": 227, "tgkill": 234,
    "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "ioprio_set": 251,
    "migrate_pages": 256, "unshare": 272, "move_pages": 279, "accept4": 288,
    "rt_tgsigqueueinfo": 297, "perf_event_open": 298, "prlimit64": 302, "open_by_handle_at": 304,
    "sendmmsg": 307, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
    "finit_module": 313, "sched_setattr": 314, "kexec_file_load": 320, "bpf": 321,
    "userfaultfd": 323,
}  # fmt: skip
_AARCH64 = {
    "ioctl": 29, "ioprio_set": 30, "umount2": 39, "mount": 40, "pivot_root": 41, "vhangup": 58,
    "quotactl": 60, "acct": 89, "unshare": 97, "kexec_load": 104, "init_module": 105,
    "delete_module": 106, "clock_settime": 112, "syslog": 116, "ptrace": 117,
    "sched_setparam": 118, "sched_setscheduler": 119, "sched_setaffinity": 122, "kill": 129,
    "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138, "setpriority": 140, "reboot": 142,
    "sethostname": 161, "setdomainname": 162, "settimeofday": 170, "socket": 198,
    "socketpair": 199, "accept": 202, "connect": 203, "sendto": 206, "sendmsg": 211,
    "add_key": 217, "request_key": 218, "keyctl": 219, "clone": 220, "swapon": 224, "swapoff": 225,
    "migrate_pages": 238, "move_pages": 239, "rt_tgsigqueueinfo": 240, "perf_event_open": 241,
    "accept4": 242, "prlimit64": 261, "open_by_handle_at": 265, "setns": 268, "sendmmsg": 269,
    "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "finit_module": 273,
    "sched_setattr": 274, "bpf": 280, "userfaultfd": 282, "kexec_file_load": 294,
}  # fmt: skip
MACHINES = {
    "x86_64": Architecture(0xC000_003E, {**_COMMON, **_X86_64}),
    "aarch64": Architecture(0xC000_00B7, {**_COMMON, **_AARCH64}),
}
"""The architectures that filters can be made for."""

_REFUSED = (
    # Into other processes.
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "pidfd_send_signal", "kcmp",
    "process_madvise", "move_pages", "migrate_pages",
    # Past this filter, or into the kernel.
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
    "userfaultfd", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module",
    "iopl", "ioperm", "reboot", "syslog",
    # Keys of the person who runs the server.
    "keyctl", "add_key", "request_key",
    # What holds a sandbox together.
    "mount", "umount2", "pivot_root", "fsopen", "fsconfig", "fsmount", "fspick", "move_mount",
    "open_tree", "open_tree_attr", "mount_setattr", "setns", "open_by_handle_at",
    # The machine.
    "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime",
    "sethostname", "setdomainname", "vhangup",
)  # fmt: skip
# The place of the process id among the arguments of calls that act on another process.
_ON_PROCESS = {
    "kill": 0, "tkill": 0, "tgkill": 0, "rt_sigqueueinfo": 0, "rt_tgsigqueueinfo": 0,
    "pidfd_open": 0, "prlimit64": 0, "sched_setaffinity": 0, "sched_setscheduler": 0,
    "sched_setparam": 0, "sched_setattr": 0, "setpriority": 1, "ioprio_set": 1,
}  # fmt: skip
_CONVERSATION = ("connect", "accept", "accept4")
_FLAGS_OF_SENDING = {"sendto": 3, "sendmsg": 2, "sendmmsg": 3}


@dataclass(frozen=True, slots=True)
class FilterRules:
    """What a filter allows beyond the ordinary."""

    families: tuple[int, ...] = ()
    """Address families that `socket` may be called with."""
    deaf: bool = False
    """Whether streams of AF_UNIX may be made that are bound and listened on, and nothing else.

    Nobody connects, and nobody accepts who has connected: nothing comes in or goes out by them.
    """
    only_tcp: bool = False
    """Whether internet sockets are held to plain TCP, so that Landlock sees each connection."""
    protected: tuple[int, ...] = (SELF,)
    """Process ids, and negative ones for groups, that no signal and no limit may be sent to."""


def machine() -> Architecture | None:
    """The architecture of this process; None where filters cannot be made."""
    import platform

    return MACHINES.get(platform.machine())


def assemble(machine: Architecture, rules: FilterRules) -> bytes:
    """Return the filter as the kernel takes it: an array of `struct sock_filter`."""
    calls = machine.calls
    program = [
        _load(_ARCH_AT),
        (_EQUAL, 1, 0, machine.audit),
        _refuse(errno.EPERM),
        _load(_NUMBER_AT),
    ]
    if machine is MACHINES["x86_64"]:
        program += [(_AT_LEAST, 0, 1, _X32_BIT), _refuse(errno.EPERM)]
    for name in _REFUSED:
        if name in calls:
            program += _on(calls[name], [_refuse(errno.EPERM)])
    # Its flags lie in memory, where a filter cannot look; programs then use `clone`.
    program += _on(calls["clone3"], [_refuse(errno.ENOSYS)])
    for name in ("clone", "unshare"):
        program += _on(calls[name], _refuse_bits(0, _NAMESPACES))
    program += _on(calls["ioctl"], _refuse_values(1, _TERMINAL_INJECTION))
    program += _on(calls["socket"], _socket(rules))
    program += _on(calls["socketpair"], _pair(rules))
    for name in _CONVERSATION if rules.deaf else ():
        program += _on(calls[name], [_refuse(errno.EPERM)])
    for name, place in _ON_PROCESS.items():
        program += _on(calls[name], _refuse_values(place, rules.protected))
    if rules.only_tcp:
        for name, place in _FLAGS_OF_SENDING.items():
            program += _on(calls[name], _refuse_bits(place, _FAST_OPEN))
    program.append(_allow())
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


_Instruction = tuple[int, int, int, int]


def _load(offset: int) -> _Instruction:
    return _LOAD, 0, 0, offset


def _allow() -> _Instruction:
    return _RETURN, 0, 0, _ALLOW


def _refuse(error: int) -> _Instruction:
    return _RETURN, 0, 0, _ERRNO | error


def _argument(place: int) -> _Instruction:
    return _load(_ARGUMENTS_AT + 8 * place)  # its lower half, on little-endian machines


def _on(number: int, block: Sequence[_Instruction]) -> list[_Instruction]:
    """The block for one system call; it ends in a return, whatever the arguments are."""
    return [(_EQUAL, 0, len(block), number), *block]


def _refuse_bits(place: int, bits: int) -> list[_Instruction]:
    return [_argument(place), (_ANY_BIT, 0, 1, bits), _refuse(errno.EPERM), _allow()]


def _refuse_values(place: int, values: Iterable[int]) -> list[_Instruction]:
    tests: list[_Instruction] = []
    for value in values:
        tests += [(_EQUAL, 0, 1, value & 0xFFFF_FFFF), _refuse(errno.EPERM)]
    return [_argument(place), *tests, _allow()]


def _socket(rules: FilterRules) -> list[_Instruction]:
    """Families that are not named are refused, and of the internet's, on demand, all but TCP."""
    block: list[_Instruction] = [_argument(0)]
    for family in rules.families:
        tcp = rules.only_tcp and family in (AF_INET, AF_INET6)
        allowed = _only_tcp() if tcp else [_allow()]
        block += [(_EQUAL, 0, len(allowed), family), *allowed]
    if rules.deaf and AF_UNIX not in rules.families:
        allowed = _only_types(_STREAM)
        block += [(_EQUAL, 0, len(allowed), AF_UNIX), *allowed]
    return [*block, _refuse(errno.EPERM)]


def _pair(rules: FilterRules) -> list[_Instruction]:
    """Pairs of AF_UNIX that lead to each other and nowhere else.

    One end of a pair of datagram sockets sends to any address it likes. The address lies in memory,
    where a filter cannot look.
    """
    allowed = [_allow()] if AF_UNIX in rules.families else _only_types(_STREAM, _PACKETS)
    return [_argument(0), (_EQUAL, 0, len(allowed), AF_UNIX), *allowed, _refuse(errno.EPERM)]


def _only_types(*types: int) -> list[_Instruction]:
    """Sockets of these types, whatever flags stand beside the type."""
    tests: list[_Instruction] = []
    for each in types:
        tests += [(_EQUAL, 0, 1, each), _allow()]
    return [_argument(1), (_AND, 0, 0, _SOCKET_TYPES), *tests, _refuse(errno.EPERM)]


def _only_tcp() -> list[_Instruction]:
    return [
        _argument(1),
        (_AND, 0, 0, _SOCKET_TYPES),
        (_EQUAL, 1, 0, _STREAM),
        _refuse(errno.EPERM),
        _argument(2),
        (_EQUAL, 1, 0, 0),
        (_EQUAL, 0, 1, _TCP),
        _allow(),
        _refuse(errno.EPERM),
    ]
