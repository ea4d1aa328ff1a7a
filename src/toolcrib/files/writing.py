"""Write a file below a root: whole or not at all, and never through a link that leads out.

Serving never writes; this is for commands that a person runs, such as scaffolds.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.opening import FOLDER
from toolcrib.files.root import Root

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_file(root: Root, relative: str, data: bytes) -> None:
    """Write `data` to a file, in place of what is there; folders on the way are made.

    Whoever reads it meanwhile sees the old version or the new one. The mode of an existing file
    is kept.
    """
    folder, _, name = relative.rpartition("/")
    mode = _mode(root, relative)
    descriptor = _folder(root, folder)
    temporary = f".{name[:200]}.{secrets.token_hex(4)}"
    try:
        _fill(os.open(temporary, _CREATE, 0o666, dir_fd=descriptor), data, mode)
        os.rename(temporary, name, src_dir_fd=descriptor, dst_dir_fd=descriptor)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=descriptor)
        raise FileUnreadable(
            f"{relative} cannot be written", why=os.strerror(error.errno or 0).lower()
        ) from error
    finally:
        os.close(descriptor)


def _mode(root: Root, relative: str) -> int | None:
    try:
        descriptor = root.open(relative, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileRefused, FileUnreadable):
        return None
    try:
        return os.fstat(descriptor).st_mode & 0o777
    finally:
        os.close(descriptor)


def _fill(descriptor: int, data: bytes, mode: int | None) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.flush()
        os.fsync(file.fileno())


def _folder(root: Root, folder: str) -> int:
    """A descriptor of the folder, which is made where it is missing."""
    try:
        return root.open(folder, FOLDER)
    except FileRefused:
        parent, _, name = folder.rpartition("/")
    above = _folder(root, parent)
    try:
        os.mkdir(name, dir_fd=above)
    except FileExistsError:
        # A file or a link that leads out is in the way: opening it again says so.
        pass
    except OSError as error:
        raise FileUnreadable(
            f"{folder} cannot be made", why=os.strerror(error.errno or 0).lower()
        ) from error
    finally:
        os.close(above)
    return root.open(folder, FOLDER)
