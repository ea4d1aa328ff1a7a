"""Reads and transactions on a PostgreSQL database, each within the time of its call."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

import psycopg

from toolcrib.core.deadline import remaining
from toolcrib.core.pack import StoreStatus
from toolcrib.packs.guide.errors import OutcomeUnknown
from toolcrib.packs.guide.state.connection import (
    BoundedConnection,
    OutOfTime,
    Overdue,
    Row,
    connect,
)
from toolcrib.packs.guide.state.link import DatabaseLink
from toolcrib.packs.guide.state.news import News
from toolcrib.packs.guide.state.pool import ConnectionPool
from toolcrib.packs.guide.state.store import Kind, StoreEdit
from toolcrib.packs.guide.state.tables import LOCK, prepare

T = TypeVar("T")

_LONGEST = 7.0
_ANSWERING = 0.7
"""Seconds before a call's own deadline, left for telling its caller why."""
_QUESTION = 2.5
_LONGEST_LOCK = 3.0
_LONGEST_IDLE = 2.0

_READ = """
BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
SELECT set_config('statement_timeout', %s, true);
{query};
COMMIT
"""
# `off` would acknowledge what a crash loses; a stronger setting than `on` is left as it is.
_WRITE = """
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SELECT set_config('statement_timeout', %s, true), set_config('lock_timeout', %s, true),
    set_config('idle_in_transaction_session_timeout', %s, true),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true);
"""
_HOLD = f"SELECT pg_advisory_xact_lock_shared({LOCK}); SELECT pg_advisory_xact_lock(%s);"
_GET = "SELECT value FROM toolcrib_entries WHERE project = %s AND kind = %s AND name = %s"
_ALL = "SELECT name, value FROM toolcrib_entries WHERE project = %s AND kind = %s ORDER BY name"
_PUT = """
INSERT INTO toolcrib_entries VALUES (%s, %s, %s, %s)
ON CONFLICT (project, kind, name) DO UPDATE SET value = EXCLUDED.value
"""
_DROP = "DELETE FROM toolcrib_entries WHERE project = %s AND kind = %s AND name = %s"


class Database:
    """One database, its connections, and whether it answers."""

    def __init__(self, url: str, listen_url: str, most: int) -> None:
        self._url = url
        self._link = DatabaseLink(self._ask)
        self._lock = threading.Lock()
        self._waits = (0, 0.0)
        self.prepared = False
        self._pool = ConnectionPool(url, most, waited=self._note_wait)
        self.news = News(url, listen_url)

    def get(self, project: str, kind: Kind, name: str) -> Any:
        """One entry, or None."""
        rows = self.read(_GET, project, kind, name)
        return json.loads(rows[0][0]) if rows else None

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind, by name, sorted."""
        return {name: json.loads(value) for name, value in self.read(_ALL, project, kind)}

    def read(self, query: str, *values: Any) -> list[Row]:
        """The rows of one query, which waits for no writer."""

        def work(connection: BoundedConnection) -> list[Row]:
            limit = _milliseconds(connection.until - monotonic())
            return connection.rows(_READ.format(query=query), (limit, *values))

        return self._within(work)

    def change(self, work: Callable[[StoreEdit], T]) -> T:
        """Run `work` in one transaction and commit it."""
        return self.transact(lambda transaction: work(_Edit(transaction)))

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction and commit it, or raise and leave everything as it was."""

        def whole(connection: BoundedConnection) -> T:
            transaction = Transaction(connection)
            try:
                value = work(transaction)
            except BaseException:
                transaction.abandon()
                raise
            transaction.commit()
            return value

        return self._within(whole)

    def status(self) -> StoreStatus:
        """Whether it answers, and how long calls have waited for a connection."""
        return StoreStatus(self._link.up, *self._waits)

    def close(self) -> None:
        """Close idle connections."""
        self._pool.close()

    def _within(self, work: Callable[[BoundedConnection], T]) -> T:
        until = monotonic() + min(_LONGEST, remaining(_LONGEST + _ANSWERING) - _ANSWERING)
        self._link.check(until)
        try:
            value = self._attempt(work, until)
        except OutcomeUnknown as error:
            self._left_hanging(error.__cause__)
            raise
        except psycopg.OperationalError as error:
            self._left_hanging(error)
            raise
        except (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.FeatureNotSupported):
            # A standby, or a primary that is none any more: new connections may find the new one.
            self._pool.drop_idle()
            raise
        self._link.answered()
        return value

    def _left_hanging(self, error: BaseException | None) -> None:
        """Note why a call failed; a refusal is quick and needs no breaker, a silence does."""
        if isinstance(error, (Overdue, psycopg.errors.ConnectionTimeout)):
            self._link.failed(error)
            self._pool.drop_idle()
        elif isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
            self._link.refused()

    def _attempt(self, work: Callable[[BoundedConnection], T], until: float) -> T:
        """Try again, once, where a kept connection or a table turns out to be gone."""
        for last in (False, True):
            fresh = True
            try:
                with self._pool.connection(until) as (connection, fresh):
                    if not self.prepared:
                        prepare(connection)
                        self.prepared = True
                    return work(connection)
            except (Overdue, OutOfTime):
                raise
            except psycopg.errors.UndefinedTable:
                self.prepared = False
                if last:
                    raise
            except psycopg.OperationalError:
                if fresh or last or not connection.broken:
                    raise
                self._pool.drop_idle()
        raise AssertionError  # the second round has returned or raised

    def _ask(self, until: float) -> None:
        """Whether a new connection answers a small question."""
        until = min(until, monotonic() + _QUESTION)
        connection = connect(self._url, until)
        try:
            connection.rows("SELECT 1")
        finally:
            connection.throw_away()

    def _note_wait(self, seconds: float) -> None:
        with self._lock:
            count, total = self._waits
            self._waits = (count + 1, total + seconds)


class Transaction:
    """One write transaction; it begins with its first statement.

    Its limits lie on the server: a transaction whose client fell silent is rolled back there in
    time, and frees what it holds. A commit is sent only while that is still to come before the
    deadline, so that a late one finds nothing left to commit.
    """

    def __init__(self, connection: BoundedConnection) -> None:
        self._connection = connection
        self._held: set[str] = set()
        left = connection.until - monotonic()
        self._idle = min(_LONGEST_IDLE, left / 4)
        limits = (left, min(_LONGEST_LOCK, left / 2), self._idle)
        self._unsent: tuple[str, tuple[Any, ...]] = (_WRITE, tuple(map(_milliseconds, limits)))

    def rows(self, project: str, query: str, *values: Any) -> list[Row]:
        """Run one statement, alone among all writers of `project`."""
        if project not in self._held:
            self._held.add(project)
            before, given = self._unsent
            self._unsent = (before + _HOLD, (*given, lock_of(project)))
        before, given = self._unsent
        self._unsent = ("", ())
        return self._connection.rows(before + query, (*given, *values))

    def commit(self) -> None:
        """Save, or raise: `OutcomeUnknown` where nobody can know whether it was saved."""
        if not self._held:
            return
        if self._connection.until - monotonic() < self._idle:
            self.abandon()
            raise OutOfTime("no time was left to save")
        try:
            self._connection.rows("COMMIT")
        except psycopg.Error as error:
            if _was_refused(self._connection, error):
                raise
            raise OutcomeUnknown(
                "The connection to PostgreSQL broke while a change was being saved",
                why="it may or may not have been saved",
                next="Read it back before you try again.",
            ) from error

    def abandon(self) -> None:
        """Undo, where the connection still allows it; where not, the server will."""
        with contextlib.suppress(psycopg.Error):
            if self._held and not self._connection.is_idle:
                self._connection.rows("ROLLBACK")


class _Edit:
    """Entries as one transaction sees and changes them."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def get(self, project: str, kind: Kind, name: str) -> Any:
        """One entry, or None."""
        rows = self._transaction.rows(project, _GET, project, kind, name)
        return json.loads(rows[0][0]) if rows else None

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind."""
        rows = self._transaction.rows(project, _ALL, project, kind)
        return {name: json.loads(value) for name, value in rows}

    def put(self, project: str, kind: Kind, name: str, value: Any) -> None:
        """Set an entry."""
        self._transaction.rows(project, _PUT, project, kind, name, json.dumps(value))

    def drop(self, project: str, kind: Kind, name: str) -> None:
        """Remove an entry."""
        self._transaction.rows(project, _DROP, project, kind, name)


def lock_of(project: str) -> int:
    """The number of the advisory lock that the writers of one project share."""
    return int.from_bytes(hashlib.sha256(project.encode()).digest()[:8], signed=True)


def _was_refused(connection: BoundedConnection, error: psycopg.Error) -> bool:
    """Whether the server said no to a commit: then it is certain that nothing was saved.

    A server that ends a session says so also after it has committed, but for the one whose
    transaction had been idle for too long.
    """
    if isinstance(error, psycopg.errors.IdleInTransactionSessionTimeout):
        return True
    return error.sqlstate is not None and not connection.broken


def _milliseconds(seconds: float) -> str:
    return str(max(1, int(seconds * 1000)))
