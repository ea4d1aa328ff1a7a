"""What a client's file was before the first install, so that the last uninstall brings it back.

There is one record for each file, in toolcrib's state folder and for its owner alone. It goes when
nothing of ours is left in the file.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolcrib.cli.clients.machine import Machine
from toolcrib.core.errors import ConfigError

_FORMAT = 1


@dataclass(slots=True)
class FileRecord:
    """A file as it was, and what was put into it since."""

    file: Path
    original: bytes | None
    """None where there was no file."""
    mode: int | None = None
    folders: list[str] = field(default_factory=list)
    """The folders that were made for it, the outermost first."""
    written: str | None = None
    """The digest of what we wrote last; None once somebody else has changed the file."""
    entries: dict[str, Any] = field(default_factory=dict)
    """What stood there before, by the way to each entry of ours; None for nothing."""

    def untouched(self, data: bytes | None) -> bool:
        """Whether the file is just as we left it."""
        return self.written is not None and data is not None and self.written == digest(data)


def digest(data: bytes) -> str:
    """A name for exactly these bytes."""
    return hashlib.sha256(data).hexdigest()


def way(keys: tuple[str, ...], name: str) -> str:
    """The way to an entry, as a record names it."""
    return json.dumps([*keys, name])


def find(machine: Machine, file: Path) -> FileRecord | None:
    """The record of a file; None where there is none that can be read."""
    try:
        plain = json.loads(_place(machine, file).read_bytes())
        if plain["format"] != _FORMAT:
            return None
        original = plain["original"]
        return FileRecord(
            Path(plain["file"]),
            None if original is None else base64.b64decode(original),
            plain["mode"],
            list(plain["folders"]),
            plain["written"],
            dict(plain["entries"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def begin(file: Path, data: bytes | None) -> FileRecord:
    """A new record of a file as it is now."""
    mode = None if data is None else file.stat().st_mode & 0o7777
    missing: list[str] = []
    folder = file.parent
    while not folder.exists():
        missing.insert(0, str(folder))
        folder = folder.parent
    return FileRecord(file, data, mode, missing)


def keep(machine: Machine, record: FileRecord) -> None:
    """Write a record, in one step."""
    original = record.original
    plain = {
        "format": _FORMAT,
        "file": str(record.file),
        "original": None if original is None else base64.b64encode(original).decode(),
        "mode": record.mode,
        "folders": record.folders,
        "written": record.written,
        "entries": record.entries,
    }
    place = _place(machine, record.file)
    with _telling(place.parent):
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = place.with_suffix(f".{os.getpid()}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(plain, stream)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(place)


def forget(machine: Machine, file: Path) -> None:
    """Drop the record of a file."""
    with contextlib.suppress(OSError):
        _place(machine, file).unlink()


@contextlib.contextmanager
def alone(machine: Machine) -> Iterator[None]:
    """Hold off every other install and uninstall of this person, as long as the block lasts."""
    folder = machine.state()
    with _telling(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(folder / "clients.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _take(lock)
        yield
    finally:
        os.close(lock)


def _take(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextlib.contextmanager
def _telling(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ConfigError(
            f"Nothing can be kept in {folder}",
            why=error.strerror,
            next="Set TOOLCRIB_STATE to a folder that can be written; nothing was changed.",
        ) from error


def _place(machine: Machine, file: Path) -> Path:
    return machine.state() / "clients" / f"{digest(os.fsencode(file))[:32]}.json"
