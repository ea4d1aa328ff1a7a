"""Files of our own, outside of every repository: only their owner can have written them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


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
    """Write a file that only its owner can read, whole or not at all; raises `OSError`.

    What is not `durable` may be lost when the machine fails.
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
    """Make a folder that nobody else can enter, unless it is there; raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)
