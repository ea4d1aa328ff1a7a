"""The store for one machine: a SQLite file in WAL mode, shared by any number of processes.

The file is created atomically under another name and linked into place, so an empty or broken file
is damaged, and never mistaken for a new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from toolcrib.core.support.logs import get_logger
from toolcrib.packs.guide.errors import StoreDamaged, StoreError, StoreNewer
from toolcrib.packs.guide.state.store import SCHEMA, STATE_VARIABLE, Kind, Store

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")
Identity = tuple[int, int]

APPLICATION = 0x54435242  # "TCRB": tells our file from any other SQLite file
_PATIENCE = 8.0  # below the deadline of a call, so that the caller hears why
_log = get_logger("guide.store")

_TABLE = """
CREATE TABLE entries (
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (project, kind, name)
) WITHOUT ROWID
"""
_READ_ONE = "SELECT value FROM entries WHERE project = ? AND kind = ? AND name = ?"
_READ = "SELECT name, value FROM entries WHERE project = ? AND kind = ? ORDER BY name"


class SqliteStore(Store):
    """Entries in one file. Safe to use from several threads; a fork opens its own."""

    def __init__(self, locate: Callable[[], Path]) -> None:
        self._locate = locate
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._identity: Identity | None = None
        self._owner = os.getpid()

    def get(self, project: str, kind: Kind, name: str) -> Any:
        """One entry; None where no file was written yet."""
        return self._read(lambda connection: _entry(connection, project, kind, name), None)

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind; none where no file was written yet."""
        return self._read(lambda connection: _entries(connection, project, kind), {})

    def _read(self, work: Callable[[sqlite3.Connection], T], missing: T) -> T:
        with self._lock, self._told(writing=False):
            path = self._path()
            if self._current(path) is None and not path.exists():
                return missing
            return work(self._opened(path))

    def change(self, work: Callable[[_Edit], T]) -> T:
        """Run `work` in a transaction of its own; it is on the disk when this returns."""
        with self._lock, self._told(writing=True):
            path = self._path()
            while True:
                connection = self._opened(path, create=True)
                value = _transaction(connection, work)
                # A file that was moved away meanwhile has taken the change with it.
                if _identity(path) == self._identity:
                    return value

    def files(self) -> list[Path]:
        """The file and its log; a change of either means that somebody wrote."""
        with contextlib.suppress(StoreError):
            path = self._locate()
            return [path, _beside(path, "-wal")]
        return []

    def close(self) -> None:
        """Close the file; what is in its log goes into it."""
        with self._lock:
            self._release()

    def _path(self) -> Path:
        path = self._locate()
        if self._owner != os.getpid():
            # SQLite connections do not survive a fork: the parent's is left alone, unclosed.
            self._connection, self._owner = None, os.getpid()
        return path

    def _current(self, path: Path) -> sqlite3.Connection | None:
        if self._connection is not None and _identity(path) != self._identity:
            self._release()
        return self._connection

    def _release(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _opened(self, path: Path, *, create: bool = False) -> sqlite3.Connection:
        connection = self._current(path)
        if connection is not None:
            return connection
        if create and not path.exists():
            _make(path)
        self._identity = _identity(path)
        self._connection = _open(path, writing=create)
        return self._connection

    def quarantined(self) -> list[Path]:
        """Copies of damaged files that lie beside the one in use."""
        with contextlib.suppress(StoreError, OSError):
            path = self._locate()
            return sorted(
                each
                for each in path.parent.glob(f"{path.name}.damaged-*")
                if not each.name.endswith(("-wal", "-shm"))
            )
        return []

    @contextlib.contextmanager
    def _told(self, *, writing: bool) -> Iterator[None]:
        """Raise SQLite's errors as store errors with a message that helps."""
        import sqlite3

        try:
            yield
        except sqlite3.DatabaseError as error:
            self._release()
            reason = str(error)
            if getattr(error, "sqlite_errorname", "") in _DAMAGE or "malformed" in reason:
                raise self._damaged(reason, writing=writing) from error
            raise _explained(reason) from error
        except OSError as error:
            self._release()
            raise _explained(error.strerror or "no access") from error

    def _damaged(self, reason: str, *, writing: bool) -> StoreError:
        """Copy a damaged file aside; only a writer, who gets the error, moves it away.

        A reader may be one that has no use for the error, and must not use it up.
        """
        path = self._locate()
        with _exclusive(path):
            if _identity(path) != self._identity:  # somebody else was faster
                return StoreError("The state file was replaced meanwhile", next="Try again.")
            kept = _kept_name(path)
            if writing:
                _put_aside(path, kept)
            else:
                _copy(path, kept)
        _log.error("State file %s is damaged (%s); kept as %s", path.name, reason, kept.name)
        restore = f"put a good copy in the place of {path.name}"
        if writing:
            return StoreDamaged(
                f"The state file was damaged and is now kept as {kept.name}; nothing was saved",
                why=reason,
                next=f"Try again to begin with an empty one, or {restore} first.",
            )
        return StoreDamaged(
            f"The state file is damaged; a copy is kept as {kept.name}",
            why=reason,
            next=f"To keep what it held, {restore}; to begin with an empty one, set a flag.",
        )


class _Edit:
    """One transaction on one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, project: str, kind: Kind, name: str) -> Any:
        """One entry, as this transaction sees it."""
        return _entry(self._connection, project, kind, name)

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind, as this transaction sees them."""
        return _entries(self._connection, project, kind)

    def put(self, project: str, kind: Kind, name: str, value: Any) -> None:
        """Set an entry."""
        self._connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?) "
            "ON CONFLICT (project, kind, name) DO UPDATE SET value = excluded.value",
            (project, kind, name, json.dumps(value, ensure_ascii=False)),
        )

    def drop(self, project: str, kind: Kind, name: str) -> None:
        """Remove an entry."""
        self._connection.execute(
            "DELETE FROM entries WHERE project = ? AND kind = ? AND name = ?",
            (project, kind, name),
        )


_DAMAGE = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CORRUPT_INDEX"})


def _entry(connection: sqlite3.Connection, project: str, kind: Kind, name: str) -> Any:
    row = connection.execute(_READ_ONE, (project, kind, name)).fetchone()
    return None if row is None else json.loads(row[0])


def _entries(connection: sqlite3.Connection, project: str, kind: Kind) -> dict[str, Any]:
    return {name: json.loads(value) for name, value in connection.execute(_READ, (project, kind))}


def _transaction(connection: sqlite3.Connection, work: Callable[[_Edit], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        value = work(_Edit(connection))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return value


def _make(path: Path) -> None:
    """Create the database atomically; no-op if it exists."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _exclusive(path):
        if path.exists():
            return
        draft = _beside(path, ".new")
        # Left by a maker that was killed, or the log of a file that somebody has deleted:
        # taken for the new file's log, it would break it.
        for stale in (path, draft):
            for suffix in ("-wal", "-shm"):
                _beside(stale, suffix).unlink(missing_ok=True)
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = _connected(draft, "rw")
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        finally:
            connection.close()
        draft.rename(path)
        _sync_folder(path.parent)


def _open(path: Path, *, writing: bool) -> sqlite3.Connection:
    """A connection to a file that was checked to be ours and whole."""
    import sqlite3

    if path.stat().st_size == 0:
        raise sqlite3.DatabaseError("malformed: the file is empty")
    modes = ["rw"]
    if not writing:
        modes.append("ro")
        # Without its log, a file on a read-only disk can be read as one that never changes;
        # with a log, that would leave out the last changes.
        if not _beside(path, "-wal").exists():
            modes.append("ro&immutable=1")
    while True:
        connection = _connected(path, modes.pop(0))
        try:
            _check(connection, path)
            # In WAL mode, NORMAL may lose the last commits at power loss; FULL never does.
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.OperationalError as error:
            connection.close()
            if not modes or getattr(error, "sqlite_errorname", "") not in _NOT_WRITABLE:
                raise
        except BaseException:
            connection.close()
            raise
        else:
            return connection


_NOT_WRITABLE = frozenset({"SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_READONLY_DIRECTORY"})


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    import sqlite3  # loaded when the first flag is asked for, and not before

    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )


def _check(connection: sqlite3.Connection, path: Path) -> None:
    import sqlite3

    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise StoreError(
            f"{path.name} is a SQLite file of another program",
            next=f"Set {STATE_VARIABLE} or [guide] store to another place.",
        )
    if version > SCHEMA:
        kept = _beside(path, f".schema-{version}")
        _copy(path, kept)
        raise StoreNewer(
            f"The state was written by a newer toolcrib (schema {version}; known: {SCHEMA})",
            why=f"it is left as it is, with a copy in {kept.name}",
            next=f"Upgrade toolcrib, or set {STATE_VARIABLE} to another folder.",
        )
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"malformed: {found}")


def _explained(reason: str) -> StoreError:
    if "locked" in reason:
        return StoreError(
            f"Another process has been writing flags for {_PATIENCE:.0f} seconds",
            next="Try again.",
        )
    return StoreError(
        "Flags cannot be read or written now; nothing was changed",
        why=reason,
        next=f"Make room, or set {STATE_VARIABLE} to a folder that can be written.",
    )


@contextlib.contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """One process at a time may put a damaged file aside."""
    import fcntl

    descriptor = os.open(_beside(path, ".lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _put_aside(path: Path, kept: Path) -> None:
    # The log belongs to the file: left behind, it would be taken for the new one's.
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            _beside(path, suffix).replace(_beside(kept, suffix))
    _sync_folder(path.parent)


def _copy(path: Path, kept: Path) -> None:
    """A copy where there is room for one; the file itself stays as it is."""
    import shutil

    if not kept.exists():
        for suffix in ("-wal", ""):
            with contextlib.suppress(OSError):
                shutil.copy2(_beside(path, suffix), _beside(kept, suffix))


def _kept_name(path: Path) -> Path:
    """One name for one version of the file, however often it is looked at."""
    changed = path.stat().st_mtime_ns
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(changed // 10**9))
    return _beside(path, f".damaged-{stamp}-{changed % 10**9:09}")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
