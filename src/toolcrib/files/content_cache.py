"""What was made of a file, kept on disk for the next start.

An entry belongs to the exact bytes it was made from, which it carries along and which are compared:
it cannot be stale. One that is damaged, foreign or of another version counts as absent.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from toolcrib import __version__

_MOST_ENTRIES = 1000
_FORMAT = 2


class ContentCache:
    """A folder of entries; where it cannot be written, nothing is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, kind: str, source: bytes) -> list[bytes] | None:
        """The JSON texts kept for these bytes; None when there is nothing to rely on."""
        try:
            entry = _trusted_bytes(self._path(kind, source))
        except OSError:
            return None
        head, _, rest = entry.partition(b"\n")
        body = rest[len(source) :]
        if head != _head(kind, source, body) or not rest.startswith(source):
            return None
        return body.split(b"\n")

    def put(self, kind: str, source: bytes, values: Iterable[Any]) -> None:
        """Keep values for these bytes; a full or read-only disk is no reason to fail."""
        body = b"\n".join(json.dumps(value, separators=(",", ":")).encode() for value in values)
        path = self._path(kind, source)
        scratch = path.with_suffix(f".{os.getpid()}")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room()
            scratch.write_bytes(_head(kind, source, body) + b"\n" + source + body)
            scratch.chmod(0o600)
            scratch.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                scratch.unlink()

    def _path(self, kind: str, source: bytes) -> Path:
        return self._folder / f"{kind}-{len(source):x}-{zlib.crc32(source):08x}"

    def _make_room(self) -> None:
        entries = list(self._folder.iterdir())
        if len(entries) >= _MOST_ENTRIES:
            entries.sort(key=lambda entry: entry.stat().st_mtime_ns)
            for entry in entries[: _MOST_ENTRIES // 2]:
                entry.unlink(missing_ok=True)


def user_cache() -> ContentCache | None:
    """The cache of this user; None where there is no home to keep it in."""
    folder = os.environ.get("XDG_CACHE_HOME") or ""
    if not os.path.isabs(folder):  # noqa: PTH117 - a relative one is to be ignored
        home = os.environ.get("HOME", "")
        if home in ("", "/") or not os.path.isdir(home):  # noqa: PTH112 - nothing but a home is made
            return None
        folder = f"{home}/.cache"
    return ContentCache(Path(folder, "toolcrib", "climax"))


def _head(kind: str, source: bytes, body: bytes) -> bytes:
    return f"toolcrib {_FORMAT} {__version__} {kind} {len(source)} {zlib.crc32(body):08x}".encode()


def _trusted_bytes(path: Path) -> bytes:
    """The bytes of a file that nobody else can have written."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
            raise PermissionError(path)
        if not stat.S_ISREG(found.st_mode):
            raise IsADirectoryError(path)
        return file.read()
