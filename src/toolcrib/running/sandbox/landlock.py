"""Landlock rules: which paths may be written and read, which ports may be reached.

Landlock can only allow; it cannot exclude paths below an allowed folder. To hide `~/.ssh`,
everything beside it, and beside the folders above it, is allowed by name. Entries created there
later need new rules, which the modification times of these folders show.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

_CREATE_RULESET = 444
OLDEST_ABI = 2
"""Files can be moved between folders from here on."""
ABI_WITH_PORTS, ABI_WITH_SCOPES = 4, 6
_WRITE_FILE, _READ_FILE, _REFER, _TRUNCATE, _DEVICE_CONTROL = (
    1 << 1,
    1 << 2,
    1 << 13,
    1 << 14,
    1 << 15,
)
_MAKE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
_BIND, _CONNECT = 1 << 0, 1 << 1
_SCOPE_ABSTRACT, _SCOPE_SIGNAL = 1 << 0, 1 << 1
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
"""What programs need of /dev; all but shared memory."""


def abi() -> int:
    """The version of Landlock in this kernel; 0 for none."""
    if sys.platform != "linux":
        return 0
    import ctypes  # 5 ms that only the first command of a session pays

    libc = ctypes.CDLL(None)
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def rules(
    abi: int,
    writable: Sequence[str],
    hidden: Sequence[str],
    opened: Sequence[str] = (),
    ports: bool = False,
    abstract: bool = False,
) -> dict[str, Any]:
    """Return the rule set as the supervisor takes it.

    `ports`: whether TCP is held to ports that are added later (`connect_to`). `abstract`: whether
    abstract sockets of others may be reached.
    """
    truncate = _TRUNCATE if abi >= 3 else 0
    writes = _WRITE_FILE | _MAKE_AND_REMOVE | _REFER | truncate
    scoped = (_SCOPE_SIGNAL | (0 if abstract else _SCOPE_ABSTRACT)) if abi >= ABI_WITH_SCOPES else 0
    handled = _BIND | _CONNECT if ports and abi >= ABI_WITH_PORTS else 0
    control = _DEVICE_CONTROL if abi >= 5 else 0
    return {
        "files": writes | _READ_FILE | control,
        "ports": handled,
        "scoped": scoped,
        "size": 24 if scoped else 16 if handled else 8,
        "allowed": [
            [writes, list(writable)],
            [_READ_FILE, [place for place in writable if not _holds(place, hidden)]],
            [_READ_FILE, [*beside([*hidden, "/dev"]), *opened]],
            [_WRITE_FILE | _READ_FILE | truncate | control, list(DEVICES)],
        ],
        "connect": [],
    }


def connect_to(rules: dict[str, Any], port: int) -> dict[str, Any]:
    """The same rules with one port that TCP may connect to."""
    return {**rules, "connect": [[_CONNECT, port]]}


def only_scopes(*, ports: bool = False) -> dict[str, Any]:
    """Rules that keep a command from abstract sockets and processes of others, and from ports."""
    scoped = _SCOPE_ABSTRACT | _SCOPE_SIGNAL
    handled = _BIND | _CONNECT if ports else 0
    size = {"size": 24, "allowed": [], "connect": []}
    return {"files": 0, "ports": handled, "scoped": scoped, **size}


def beside(hidden: Iterable[str]) -> list[str]:
    """All that has to be allowed so that everything can be read but what is hidden."""
    taken: set[str] = set(hidden)
    folders = {parent for path in taken for parent in _parents(path)}
    allowed: list[str] = []
    for folder in sorted(folders):
        if any(parent in taken for parent in (folder, *_parents(folder))):
            continue
        try:
            names = os.listdir(folder)  # noqa: PTH208
        except OSError:
            continue
        paths = (os.path.join(folder, name) for name in names)  # noqa: PTH118
        allowed += [path for path in paths if path not in taken and path not in folders]
    return allowed or ["/"]


def _holds(place: str, hidden: Iterable[str]) -> bool:
    return any(path == place or path.startswith(place.rstrip("/") + "/") for path in hidden)


def _parents(path: str) -> list[str]:
    found: list[str] = []
    while path != "/":
        path = os.path.dirname(path)  # noqa: PTH120
        found.append(path)
    return found
