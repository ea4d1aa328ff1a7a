"""The store of several machines: the same entries in PostgreSQL, by `psycopg`."""

from __future__ import annotations

import contextlib
import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from toolcrib.packs.guide.errors import StoreError, StoreNewer
from toolcrib.packs.guide.state.store import SCHEMA, Kind, Store

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")
Connection = Any  # psycopg.Connection; the package is optional and loaded on first use

# Any number will do as long as it is ours: it serialises the writers, and the makers of tables.
_LOCK = 0x54435242
_CONNECT_TIMEOUT = 5
_STATEMENT_TIMEOUT = 8000  # ms; below the deadline of a call, so that the caller hears why

_TABLES = """
CREATE TABLE IF NOT EXISTS toolcrib_meta (schema_version integer NOT NULL);
CREATE TABLE IF NOT EXISTS toolcrib_entries (
    project text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (project, kind, name)
);
INSERT INTO toolcrib_meta SELECT {schema} WHERE NOT EXISTS (SELECT FROM toolcrib_meta);
"""
_READ = """
SELECT name, value FROM toolcrib_entries WHERE project = %s AND kind = %s ORDER BY name
"""


class PostgresStore(Store):
    """Entries in two tables of one database. Safe to use from several threads."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._owner = os.getpid()

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind."""
        with self._lock, self._told():
            return self._retried(lambda connection: _entries(connection, project, kind))

    def change(self, work: Callable[[_Edit], T]) -> T:
        """Run `work` in a transaction, alone among all writers of all machines."""
        with self._lock, self._told():
            return self._retried(lambda connection: _transaction(connection, work))

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._release()

    def _release(self) -> None:
        if self._connection is not None and self._owner == os.getpid():
            self._connection.close()
        self._connection = None

    def _retried(self, use: Callable[[Connection], T]) -> T:
        """A server that was restarted since the last call deserves a second try."""
        import psycopg

        kept = self._connection is not None and self._owner == os.getpid()
        try:
            return use(self._opened())
        except psycopg.OperationalError:
            broken = self._connection is not None and self._connection.broken
            if not (kept and broken):
                raise
            self._release()
        return use(self._opened())

    def _opened(self) -> Connection:
        if self._owner != os.getpid():
            # The parent's connection must not be used, nor closed, by its child.
            self._connection, self._owner = None, os.getpid()
        if self._connection is None or self._connection.closed:
            self._connection = _connected(self._url)
        return self._connection

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            import psycopg
        except ImportError as error:
            raise StoreError(
                "A PostgreSQL store needs the package psycopg",
                next="Install it with: pip install 'toolcrib[postgres]'",
            ) from error
        try:
            yield
        except psycopg.Error as error:
            self._release()
            raise _explained(error) from error


class _Edit:
    """One transaction on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind, as this transaction sees them."""
        return _entries(self._connection, project, kind)

    def put(self, project: str, kind: Kind, name: str, value: Any) -> None:
        """Set an entry."""
        self._connection.execute(
            "INSERT INTO toolcrib_entries VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (project, kind, name) DO UPDATE SET value = EXCLUDED.value",
            (project, kind, name, json.dumps(value)),
        )

    def drop(self, project: str, kind: Kind, name: str) -> None:
        """Remove an entry."""
        self._connection.execute(
            "DELETE FROM toolcrib_entries WHERE project = %s AND kind = %s AND name = %s",
            (project, kind, name),
        )


def _entries(connection: Connection, project: str, kind: Kind) -> dict[str, Any]:
    rows = connection.execute(_READ, (project, kind)).fetchall()
    return {name: json.loads(value) for name, value in rows}


def _transaction(connection: Connection, work: Callable[[_Edit], T]) -> T:
    import psycopg

    connection.execute("BEGIN")
    try:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        value = work(_Edit(connection))
    except BaseException:
        with contextlib.suppress(psycopg.Error):
            connection.execute("ROLLBACK")
        raise
    try:
        connection.execute("COMMIT")
    except psycopg.OperationalError as error:
        # Whether it was saved nobody knows; doing it again could do it twice.
        raise StoreError(
            "The connection to PostgreSQL broke while a change was being saved",
            why="it may or may not have been saved",
            next="Read it back before you try again.",
        ) from error
    return value


def _connected(url: str) -> Connection:
    import psycopg

    connection: psycopg.Connection[Any] = psycopg.connect(
        url, autocommit=True, connect_timeout=_CONNECT_TIMEOUT, application_name="toolcrib"
    )
    try:
        connection.execute(
            "SELECT set_config('statement_timeout', %s, false)", (str(_STATEMENT_TIMEOUT),)
        )
        connection.execute("SET synchronous_commit = on")
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: Connection) -> None:
    """Make the tables where they are missing; refuse those of a newer version."""
    import psycopg

    try:
        (version,) = connection.execute("SELECT schema_version FROM toolcrib_meta").fetchone()
    except psycopg.errors.UndefinedTable:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            connection.execute(_TABLES.format(schema=SCHEMA))
        return
    if version > SCHEMA:
        raise StoreNewer(
            f"The state was written by a newer toolcrib (schema {version}; known: {SCHEMA})",
            why="it is left as it is",
            next="Upgrade toolcrib, or use another database.",
        )


def _explained(error: psycopg.Error) -> StoreError:
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    reason = _without_secrets(lines[0] if lines else type(error).__name__)
    return StoreError(
        "PostgreSQL cannot be read or written now; nothing was changed",
        why=reason,
        next="Check `[guide] store` and that the server can be reached.",
    )


def _without_secrets(text: str) -> str:
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@|(password=)\S+", r"\1\2…@", text)
