"""toolcrib's own files: only their owner can have written them, and links are not followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from toolcrib.files.beneath import FOLDER, open_beneath

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC

Opener = Callable[[str, int], int]
"""As `open` takes it: a path and flags."""
_APPENDED = 0o600
KEPT: dict[str, None] = {}
"""Files that this process writes for itself, and that no command may write."""


def read_private(path: Path, cap: int = 64 * 1024 * 1024) -> bytes:
    """The bytes of a regular file that nobody else can have written; raises `OSError`."""
    with open_private(path) as file:
        return file.read(cap)


def open_private(path: Path) -> BinaryIO:
    """Open a regular file that nobody else can have written; raises `OSError`."""
    file = os.fdopen(os.open(path, _READ), "rb")
    found = os.fstat(file.fileno())
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
        file.close()
        raise PermissionError(path)
    if not stat.S_ISREG(found.st_mode):
        file.close()
        raise IsADirectoryError(path)
    return file


def write_private(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Atomically write a file that only its owner can read; raises `OSError`.

    A file that is not `durable` may be lost if the machine crashes.
    """
    scratch = path.with_name(f".{path.name[:32]}.{os.urandom(4).hex()}")
    try:
        with os.fdopen(os.open(scratch, _CREATE, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        scratch.replace(path)
    except OSError:
        scratch.unlink(missing_ok=True)
        raise


def private_folder(folder: Path) -> None:
    """Create a folder that only the owner can enter, unless it exists; raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)


def keep_from_commands(file: Path) -> None:
    """Protect this file from commands: it records what they did."""
    KEPT[os.path.abspath(file)] = None  # noqa: PTH100


def opener_for(project: Path) -> Opener:
    """An opener for files named in a project's settings, such as its log.

    Whoever can write to the repository could replace such a file, or a folder above it, with a
    link to another file, so links inside the repository are not followed.
    """
    root = os.path.abspath(project)  # noqa: PTH100 - as the settings name it

    def opened(path: str, flags: int) -> int:
        whole = os.path.abspath(path)  # noqa: PTH100
        for start in (root, os.path.realpath(root)):
            if whole.startswith(start.rstrip(os.sep) + os.sep):
                return _opened_below(start, os.path.relpath(whole, start), flags)
        return os.open(whole, flags, _APPENDED)

    return opened


def _opened_below(root: str, relative: str, flags: int) -> int:
    folder, name = os.path.split(relative)
    top = os.open(root, FOLDER)
    try:
        parent = open_beneath(top, folder or ".", FOLDER)
    finally:
        os.close(top)
    try:
        return os.open(name, flags | os.O_NOFOLLOW, _APPENDED, dir_fd=parent)
    finally:
        os.close(parent)
