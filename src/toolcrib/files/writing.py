"""Write a file below a root: whole or not at all, and never through a link that leads out.

Serving never writes; this is for commands that a person runs, such as scaffolds.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.beneath import FOLDER
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


def check_way(root: Root, relative: str, *, new: bool) -> None:
    """Raise, before anything is written, where something stands in the way of a file.

    That is a file where a folder must be, or a link that leads out or nowhere; for a `new` file
    also whatever has its name already.
    """
    parts = relative.split("/")
    for count, name in enumerate(parts):
        path, is_folder = "/".join(parts[: count + 1]), count + 1 < len(parts)
        found = _seen(root, "/".join(parts[:count]), name)
        if found is None:
            return
        if root.has_folder(path) if is_folder else not new:
            continue
        raise FileUnreadable(
            f"{path} is in the way: {found}",
            why=f"a {'folder' if is_folder else 'new file'} has to be there",
            next=f"Move or remove {path}, then try again; nothing was written.",
        )


def _seen(root: Root, folder: str, name: str) -> str | None:
    """What has that name, in words, without following it; None where nothing has."""
    above = root.open(folder, FOLDER)
    try:
        mode = os.stat(name, dir_fd=above, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            return f"it is a link to {os.readlink(name, dir_fd=above)}"
        return "it is a folder" if stat.S_ISDIR(mode) else "it is a file"
    except FileNotFoundError:
        return None
    finally:
        os.close(above)


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
