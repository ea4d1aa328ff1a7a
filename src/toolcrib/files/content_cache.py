"""Parsed files, kept on disk for the next start.

An entry contains the exact bytes it was made from, which are compared, so it cannot be stale. It
is sealed with a key in the state folder, so that whoever can write the cache cannot change what
trusted bytes mean. An entry that is damaged, not sealed by this user or of another version counts
as absent.
"""

from __future__ import annotations

import binascii
import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any

from toolcrib import __version__
from toolcrib.core.errors import ConfigError
from toolcrib.core.support.digests import keyed
from toolcrib.core.support.folders import cache_folder, state_folder
from toolcrib.files.private import read_private, write_private

_MOST_ENTRIES = 1000
_FORMAT = 3
_KEY_LENGTH = 32
_LARGEST = 1 << 30


class ContentCache:
    """A folder of entries; if it cannot be written, nothing is kept."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._key = key

    def get(self, kind: str, source: bytes) -> list[bytes] | None:
        """The JSON texts stored for these bytes; None if there is no valid entry."""
        try:
            entry = read_private(self._path(kind, source), _LARGEST)
        except OSError:
            return None
        head, _, rest = entry.partition(b"\n")
        body = rest[len(source) :]
        if head != self._head(kind, source, body) or not rest.startswith(source):
            return None
        return body.split(b"\n")

    def put(self, kind: str, source: bytes, values: Iterable[Any]) -> None:
        """Store values for these bytes; errors such as a full disk are ignored."""
        texts = (json.dumps(value, separators=(",", ":")).encode() for value in values)
        self._write(kind, source, b"\n".join(texts))

    def get_all(self, kind: str, digests: Sequence[str]) -> list[list[bytes]] | None:
        """The texts stored for each of many sources, with one read instead of hundreds.

        None if they were never stored together.
        """
        found = self.get(f"{kind}-all", "\n".join(digests).encode())
        if found is None:
            return None
        ends = list(accumulate(json.loads(found[0]), initial=1))
        return [found[start:end] for start, end in pairwise(ends)]

    def put_all(self, kind: str, digests: Sequence[str], texts: Sequence[Sequence[bytes]]) -> None:
        """Store the texts of many sources together."""
        sizes = json.dumps([len(each) for each in texts]).encode()
        body = b"\n".join([sizes, *chain.from_iterable(texts)])
        self._write(f"{kind}-all", "\n".join(digests).encode(), body)

    def _write(self, kind: str, source: bytes, body: bytes) -> None:
        path = self._path(kind, source)
        scratch = path.with_suffix(f".{os.getpid()}")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room()
            scratch.write_bytes(self._head(kind, source, body) + b"\n" + source + body)
            scratch.chmod(0o600)
            scratch.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                scratch.unlink()

    def _path(self, kind: str, source: bytes) -> Path:
        return self._folder / f"{kind}-{len(source):x}-{binascii.crc32(source):08x}"

    def _head(self, kind: str, source: bytes, body: bytes) -> bytes:
        start = f"toolcrib {_FORMAT} {__version__} {kind} {len(source)}"
        return f"{start} {keyed(self._key, start.encode(), source, body)}".encode()

    def _make_room(self) -> None:
        entries = list(self._folder.iterdir())
        if len(entries) >= _MOST_ENTRIES:
            entries.sort(key=lambda entry: entry.stat().st_mtime_ns)
            for entry in entries[: _MOST_ENTRIES // 2]:
                entry.unlink(missing_ok=True)


def user_cache(name: str = "climax") -> ContentCache | None:
    """The content cache of this user; None if there is no home folder."""
    folder, key = cache_folder(), cache_key()
    return ContentCache(folder / name, key) if folder is not None and key is not None else None


def cache_key() -> bytes | None:
    """The key of this user's seals, created on first use; None if it cannot be stored."""
    try:
        path = state_folder() / "cache.key"
        with contextlib.suppress(FileNotFoundError):
            return _whole(read_private(path))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(path, os.urandom(_KEY_LENGTH))
        return _whole(read_private(path))
    except (OSError, ConfigError):
        return None


def _whole(key: bytes) -> bytes | None:
    return key if len(key) == _KEY_LENGTH else None
