"""`Root`: a folder of the repository; all files below it are opened here and nowhere else."""

from __future__ import annotations

import errno
import logging
import os
import re
import stat
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.records import record
from toolcrib.files.beneath import FILE, FOLDER, NAME, Opener, open_beneath

logger = logging.getLogger(__name__)

DEFAULT_CAP = 4 * 1024 * 1024
# Time stamps may stand still for a clock tick: a write within it would leave them as they were.
TICK_NS = 20_000_000

_TRIES = 4
# What nearly all paths look like: nothing in them could mean something else.
_PLAIN = re.compile(r"[A-Za-z0-9_-][\w.-]*(?:/[A-Za-z0-9_-][\w.-]*)*", re.ASCII)
_LONGEST_SHOWN = 200
_ABSENT = frozenset((errno.ENOENT, errno.ENOTDIR, errno.EXDEV, errno.ELOOP, errno.ENAMETOOLONG))
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@record
class FileEntry:
    """One regular file: its path below the root, with `/`, and a stamp of its version."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    device: int
    ctime_ns: int = 0


@record
class Blob:
    """The complete content of one version of a file."""

    entry: FileEntry
    data: bytes


class RootUnavailable(FileUnreadable):
    """The folder itself is missing or cannot be entered; it may come back."""


class _NotDeliverable(Exception):
    """A problem with an opened file, without its name."""


class Root:
    """A folder whose files can be listed and read, but nothing outside it.

    Links are followed if they stay inside. `within` confines the folder itself: it must be reached
    from there without leaving. Errors prefix paths with `label`. The folder may disappear and
    reappear at any time; meanwhile `read`, `open` and `walk` raise `RootUnavailable`. Safe to use
    from several threads.
    """

    _descriptor: int | None = None
    _identity: tuple[int, int] | None = None

    def __init__(
        self,
        path: Path | str,
        *,
        cap: int = DEFAULT_CAP,
        within: Path | str | None = None,
        label: str = "",
        opener: Opener = open_beneath,
    ) -> None:
        self.path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
        self._name = str(self.path)
        self.cap = cap
        self._label = f"{label}/" if label else ""
        self._outer = Root(within, opener=opener) if within is not None else None
        self._open = opener
        self._lock = threading.Lock()
        self._warned: set[str] = set()

    def read(self, relative: str, *, cap: int | None = None) -> Blob:
        """Return one consistent version of a file.

        Raises `FileRefused` when it is missing or outside (the same words for both), and
        `FileUnreadable` when it is too large, not a regular file, or does not hold still.
        """
        path = self._clean(relative)
        for _ in range(_TRIES):
            descriptor = self._opened(path, FILE, relative)
            try:
                blob = _consistent(descriptor, path, self.cap if cap is None else cap)
            except _NotDeliverable as error:
                raise FileUnreadable(f"{self._shown(path)} {error}") from None
            except OSError as error:
                raise FileUnreadable(
                    f"{self._shown(path)} cannot be read", why=_why(error)
                ) from error
            finally:
                os.close(descriptor)
            if blob is not None:
                return blob
        raise FileUnreadable(f"{self._shown(path)} changed while it was read, try again")

    def read_beginning(self, relative: str, length: int) -> bytes:
        """Like `read`, but return at most `length` bytes from the start of a file of any size."""
        path = self._clean(relative)
        descriptor = self._opened(path, FILE, relative)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FileUnreadable(f"{self._shown(path)} is not a regular file")
            return os.read(descriptor, length)
        except OSError as error:
            raise FileUnreadable(f"{self._shown(path)} cannot be read", why=_why(error)) from error
        finally:
            os.close(descriptor)

    def stat(self, relative: str) -> FileEntry | None:
        """Return the entry of a file without reading it; None if `read` would refuse it."""
        try:
            descriptor = self.open(relative, NAME)
        except (FileRefused, FileUnreadable):
            return None
        try:
            found = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        return _entry(self._clean(relative), found)

    def has_folder(self, relative: str) -> bool:
        """Whether there is a folder that may be entered."""
        try:
            os.close(self.open(relative, FOLDER))
        except (FileRefused, FileUnreadable):
            return False
        return True

    def open(self, relative: str, flags: int) -> int:
        """Return a descriptor of a file or a folder, for the caller to close; "" is the root."""
        return self._opened(self._clean(relative) if relative else ".", flags, relative)

    def _opened(self, path: str, flags: int, relative: str) -> int:
        """A descriptor for a cleaned path; errors show the path as given."""
        try:
            # The lock keeps another thread from closing the root's descriptor under this call.
            with self._lock:
                return self._open(self._current(), path, flags)
        except OSError as error:
            shown = self._shown(relative)
            if error.errno in _ABSENT:
                raise FileRefused(shown) from None
            if error.errno in (errno.ENXIO, errno.ENODEV):
                raise FileUnreadable(f"{shown} is not a regular file, but a socket") from None
            raise FileUnreadable(f"{shown} cannot be opened", why=_why(error)) from error

    def walk(
        self,
        folder: str = "",
        *,
        suffixes: Sequence[str] = (),
        hidden: bool = False,
        skip: Collection[str] = (),
        limit: int | None = None,
        deep: bool = True,
    ) -> list[FileEntry]:
        """Return the regular files below `folder`, sorted by path; none when it does not exist.

        Links to files are followed when they stay inside, links to folders are not. Names that
        begin with a dot are left out unless `hidden`, `.git` and the folders named in `skip`
        always; `suffixes` are compared without regard to case. `limit` ends the walk early;
        without `deep`, only what lies directly in the folder is found.
        What cannot be served (a named pipe, a name that is not UTF-8, a locked folder) is left out
        with one warning in the log.
        """
        wanted = tuple(suffix.lower() for suffix in suffixes)
        start = self._clean(folder) if folder else ""
        return list(islice(self._entries(start, wanted, hidden, skip, deep), limit))

    def available(self) -> bool:
        """Whether the folder exists and can be entered."""
        try:
            with self._lock:
                self._current()
        except RootUnavailable:
            return False
        return True

    def close(self) -> None:
        """Close the folder's descriptor; the next use opens it again."""
        with self._lock:
            self._drop()
        if self._outer is not None:
            self._outer.close()

    def __del__(self) -> None:
        # A root made for one read must not leave its descriptor behind.
        self._drop()

    def _current(self) -> int:
        """The root's descriptor, reopened when its path leads to another folder by now."""
        try:
            now = os.stat(self._name)  # noqa: PTH116 - before every file: a string is enough
            if self._descriptor is None or self._identity != (now.st_dev, now.st_ino):
                self._drop()
                self._descriptor = self._reopened()
                now = os.fstat(self._descriptor)
                self._identity = (now.st_dev, now.st_ino)
        except (OSError, FileRefused, FileUnreadable) as error:
            self._drop()
            raise RootUnavailable(
                f"The folder {self.path.name} is unavailable", why=_why(error)
            ) from None
        return self._descriptor

    def _reopened(self) -> int:
        if self._outer is None:
            return os.open(self.path, FOLDER)
        inner = os.path.relpath(self.path, self._outer.path)
        return self._outer.open(inner, FOLDER)

    def _drop(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = self._identity = None

    def _entries(
        self,
        start: str,
        suffixes: tuple[str, ...],
        hidden: bool,
        skip: Collection[str],
        deep: bool,
    ) -> Iterator[FileEntry]:
        """Depth first, a folder's name compared as if `/` followed it: that is the paths' order."""
        pending: list[FileEntry | str] = [start]
        visited: set[tuple[int, int]] = set()
        while pending:
            item = pending.pop()
            if isinstance(item, FileEntry):
                yield item
            elif deep or item == start:
                pending += self._listed(item, suffixes, hidden, skip, visited)

    def _listed(
        self,
        folder: str,
        suffixes: tuple[str, ...],
        hidden: bool,
        skip: Collection[str],
        visited: set[tuple[int, int]],
    ) -> list[FileEntry | str]:
        """One folder's files and folders, the last one first."""
        try:
            descriptor = self.open(folder, FOLDER)
        except FileRefused:
            return []
        except RootUnavailable:
            raise
        except FileUnreadable as error:
            self._warn(f"Folder left out: {error}")
            return []
        try:
            here = os.fstat(descriptor)
            if (here.st_dev, here.st_ino) in visited:
                return []
            visited.add((here.st_dev, here.st_ino))
            return self._scanned(descriptor, folder, suffixes, hidden, skip)
        except OSError as error:
            self._warn(f"Folder left out: {folder!r} ({_why(error)})")
            return []
        finally:
            os.close(descriptor)

    def _scanned(
        self,
        descriptor: int,
        folder: str,
        suffixes: tuple[str, ...],
        hidden: bool,
        skip: Collection[str],
    ) -> list[FileEntry | str]:
        prefix = f"{folder}/" if folder else ""
        keyed: list[tuple[str, FileEntry | str]] = []
        with os.scandir(descriptor) as items:
            for item in items:
                name = item.name
                if name[0] == "." and not hidden:
                    continue
                if not name.isascii() and not _is_text(name):
                    self._warn(f"Left out, its name is not UTF-8: {prefix + name!r}")
                elif item.is_dir(follow_symlinks=False):
                    if name != ".git" and name not in skip:
                        keyed.append((f"{name}/", prefix + name))
                elif not suffixes or name.lower().endswith(suffixes):
                    entry = self._file(item, prefix + name)
                    if entry is not None:
                        keyed.append((name, entry))
        keyed.sort(key=itemgetter(0), reverse=True)
        return [item for _, item in keyed]

    def _file(self, item: os.DirEntry[str], path: str) -> FileEntry | None:
        if item.is_symlink():
            return self.stat(path)
        try:
            found = item.stat(follow_symlinks=False)
        except OSError:
            return None  # gone since the listing
        if stat.S_ISREG(found.st_mode):
            return _entry(path, found)
        self._warn(f"Left out, it is {_kind(found.st_mode)}: {path!r}")
        return None

    def _clean(self, relative: str) -> str:
        """The path to pass to the kernel; ambiguous paths are refused."""
        if _PLAIN.fullmatch(relative):
            return relative
        parts = relative.split("/")
        if (
            relative[:1] == "/"
            or parts[-1] in ("", ".")
            or ".." in parts
            or "\0" in relative
            or not _is_text(relative)
        ):
            raise FileRefused(self._shown(relative))
        return "/".join(part for part in parts if part not in ("", "."))

    def _shown(self, path: str) -> str:
        """The path as shown in a message."""
        text = (self._label + path).encode("utf-8", "backslashreplace").decode()
        return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"

    def _warn(self, text: str) -> None:
        """Log a warning once: a walk is repeated at every change."""
        if text not in self._warned and len(self._warned) < 1000:
            self._warned.add(text)
            logger.warning("%s", text)


def _consistent(descriptor: int, path: str, cap: int) -> Blob | None:
    """The file's bytes, if they did not change during the read."""
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        raise _NotDeliverable(f"is not a regular file, but {_kind(before.st_mode)}")
    if before.st_size > cap:
        raise _NotDeliverable(f"is too large: {before.st_size:,} bytes, at most {cap:,} are read")
    data = _bytes(descriptor, before.st_size)
    if time.time_ns() - before.st_mtime_ns < TICK_NS:
        os.lseek(descriptor, 0, os.SEEK_SET)
        if data != _bytes(descriptor, before.st_size):
            return None
    if len(data) != before.st_size or not _same(before, os.fstat(descriptor)):
        return None
    return Blob(_entry(path, before), data)


def _bytes(descriptor: int, size: int) -> bytes:
    """The rest of the file; one byte more than expected shows that it grew."""
    data = os.read(descriptor, size + 1)
    if len(data) == size:
        return data
    pieces = [data]
    wanted = size + 1 - len(data)
    while wanted > 0 and pieces[-1]:
        pieces.append(os.read(descriptor, wanted))
        wanted -= len(pieces[-1])
    return b"".join(pieces)


def _same(before: os.stat_result, after: os.stat_result) -> bool:
    """Whether an open file is unchanged between two calls of stat."""
    return (
        before.st_mtime_ns == after.st_mtime_ns
        and before.st_ctime_ns == after.st_ctime_ns
        and before.st_size == after.st_size
    )


def _entry(path: str, found: os.stat_result) -> FileEntry:
    return FileEntry(
        path, found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev, found.st_ctime_ns
    )


def _kind(mode: int) -> str:
    return next((name for test, name in _KINDS if test(mode)), "something else")


def _is_text(name: str) -> bool:
    """Whether a name is UTF-8 on the disk."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _why(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno).lower()
    return "it is missing or outside"
