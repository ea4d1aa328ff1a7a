"""Open a path below a folder, and nowhere else, even if symlinks change meanwhile.

`open_beneath` uses `openat2` with RESOLVE_BENEATH: the kernel resolves the whole path in one call,
so that nothing can change between a check and its use. If the kernel lacks the call, or a sandbox
forbids it, `open_by_steps` walks the path itself: each step is opened without following links, and
links are read and resolved by our own code, so that `..` can never climb above the root.

Both refuse links to absolute paths, even to paths inside the root.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

Opener = Callable[[int, str, int], int]
"""Takes the root's descriptor, a relative path and flags; returns a descriptor, or OSError."""

# Never wait for the writer of a FIFO, never make a terminal ours, never leak into a child.
SAFE = os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
FOLDER = os.O_RDONLY | os.O_DIRECTORY | SAFE
FILE = os.O_RDONLY | SAFE
# A descriptor that only names the thing: enough for fstat, and opens neither FIFO nor device.
NAME = os.O_PATH | os.O_CLOEXEC if hasattr(os, "O_PATH") else FILE

_OPENAT2 = 437
_NO_MAGICLINKS = 0x02
_BENEATH = 0x08
# Steps and links of one path; the kernel allows 40 links, a path has far fewer steps than this.
_MOST_LOOKS = 400
_MOST_TRIES = 64


def open_beneath(root: int, path: str, flags: int) -> int:
    """Open `path` below the folder `root`; OSError when it is missing, outside or forbidden."""
    return _kernel_or_steps()(root, path, flags)


def open_by_kernel(root: int, path: str, flags: int) -> int:
    """Open by one `openat2` call."""
    name = path.encode()
    for _ in range(_MOST_TRIES):
        number, descriptor = _openat2(root, name, flags)
        # EAGAIN: something on the way was renamed at this very moment, so nothing can be promised.
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    if number:
        raise _error(number)
    return descriptor


def open_by_steps(root: int, path: str, flags: int) -> int:
    """Open step by step, for systems without `openat2`."""
    pending = _steps(path)
    trail = [os.open(".", FOLDER, dir_fd=root)]
    looks = 0
    try:
        while pending:
            step = pending.pop()
            if step == "..":
                os.close(_climbed(trail))
                continue
            looks += 1
            if looks > _MOST_LOOKS:
                raise _error(errno.ELOOP)
            target = _link_target(step, trail[-1])
            if target is not None:
                pending += _steps(target)
                continue
            descriptor = _open_step(step, trail[-1], FOLDER if pending else flags)
            if descriptor is None:
                pending.append(step)
            else:
                trail.append(descriptor)
        if len(trail) == 1:
            return os.open(".", flags, dir_fd=root)
        return trail.pop()
    finally:
        for descriptor in trail:
            os.close(descriptor)


def _climbed(trail: list[int]) -> int:
    """Go up one folder by our own descriptors: `..` on disk may lead anywhere by now."""
    if len(trail) == 1:
        raise _error(errno.EXDEV)
    return trail.pop()


def _open_step(step: str, folder: int, flags: int) -> int | None:
    """Open one name that was not a link a moment ago; None if it has become one."""
    try:
        descriptor = os.open(step.encode(), flags | os.O_NOFOLLOW, dir_fd=folder)
    except OSError as error:
        # With O_DIRECTORY a link is "not a directory", and so is a plain file.
        if error.errno == errno.ELOOP:
            return None
        if error.errno == errno.ENOTDIR and _link_target(step, folder) is not None:
            return None
        raise
    # O_PATH with O_NOFOLLOW succeeds on a link and returns the link itself.
    if stat.S_ISLNK(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return descriptor


def _steps(path: str) -> list[str]:
    """The steps of a relative path, the last one first, ready to be popped."""
    if path.startswith("/"):
        raise _error(errno.EXDEV)
    return [part for part in reversed(path.split("/")) if part not in ("", ".")]


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _link_target(step: str, folder: int) -> str | None:
    try:
        return os.readlink(step.encode(), dir_fd=folder).decode()
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


@cache
def _kernel_or_steps() -> Opener:
    """Which of the two works on this system; tested once, on a folder that exists."""
    if not sys.platform.startswith("linux"):
        return open_by_steps
    root = os.open("/", FOLDER)
    try:
        os.close(open_by_kernel(root, ".", FOLDER))
    except OSError:
        return open_by_steps
    finally:
        os.close(root)
    return open_by_kernel


@cache
def _syscall() -> Callable[[int, bytes, int], tuple[int, int]]:
    import ctypes  # only where a file is really opened: `--version` needs none of it

    class OpenHow(ctypes.Structure):
        _fields_ = (
            ("flags", ctypes.c_uint64),
            ("mode", ctypes.c_uint64),
            ("resolve", ctypes.c_uint64),
        )

    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    call.argtypes = (
        ctypes.c_long,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.POINTER(OpenHow),
        ctypes.c_size_t,
    )
    size = ctypes.sizeof(OpenHow)

    @cache  # the flags are one of three, and the kernel only reads them
    def how(flags: int) -> Any:
        return ctypes.pointer(OpenHow(flags, 0, _BENEATH | _NO_MAGICLINKS))

    def openat2(root: int, name: bytes, flags: int) -> tuple[int, int]:
        descriptor = call(_OPENAT2, root, name, how(flags), size)
        return (ctypes.get_errno(), -1) if descriptor < 0 else (0, descriptor)

    return openat2


def _openat2(root: int, name: bytes, flags: int) -> tuple[int, int]:
    return _syscall()(root, name, flags)
