"""Entries that live for a while, in PostgreSQL: any replica finds what another one wrote.

Their age is told by the database's own clock, which all replicas share.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from toolcrib.packs.guide.state.database import Database, Transaction
    from toolcrib.packs.guide.state.postgres import PostgresStore

T = TypeVar("T")

_GET = """
SELECT value FROM toolcrib_expiring WHERE project = %s AND kind = %s AND name = %s AND owner = %s
    AND expires_at > clock_timestamp()
"""
_ALL = """
SELECT name, value FROM toolcrib_expiring WHERE project = %s AND kind = %s
    AND (%s::text IS NULL OR owner = %s) AND expires_at > clock_timestamp()
ORDER BY created_at, name
"""
_FORGET = """
DELETE FROM toolcrib_expiring WHERE project = %s AND kind = %s AND expires_at <= clock_timestamp()
"""
_ADD = """
INSERT INTO toolcrib_expiring (project, kind, name, owner, value, expires_at)
VALUES (%s, %s, %s, %s, %s, clock_timestamp() + %s * interval '1 second')
"""
_REPLACE = """
ON CONFLICT (project, kind, name) DO UPDATE SET owner = EXCLUDED.owner, value = EXCLUDED.value,
    created_at = clock_timestamp(), expires_at = EXCLUDED.expires_at
"""
_ONCE = "ON CONFLICT (project, kind, name) DO NOTHING RETURNING name"
_TOO_MANY = """
DELETE FROM toolcrib_expiring WHERE project = %s AND kind = %s AND name IN (
    SELECT name FROM toolcrib_expiring WHERE project = %s AND kind = %s
    ORDER BY created_at DESC, name OFFSET %s)
"""
_SET = "UPDATE toolcrib_expiring SET value = %s WHERE project = %s AND kind = %s AND name = %s"
_DROP = (
    "DELETE FROM toolcrib_expiring WHERE project = %s AND kind = %s AND name = %s RETURNING name"
)


class PostgresEntries:
    """The entries of one project in the store."""

    shared: bool = True

    def __init__(self, store: PostgresStore, project: str) -> None:
        self._store = store
        self._project = project

    def add(
        self, kind: str, name: str, value: Any, *, owner: str, seconds: float, most: int
    ) -> None:
        """Keep an entry; of more than `most` the oldest go."""
        place = (self._project, kind)
        given = (*place, name, owner, json.dumps(value), seconds)

        def work(transaction: Transaction) -> None:
            transaction.rows(self._project, _FORGET, *place)
            transaction.rows(self._project, _ADD + _REPLACE, *given)
            transaction.rows(self._project, _TOO_MANY, *place, *place, most)

        self._transact(work)

    def get(self, kind: str, name: str, owner: str) -> Any:
        """The value, or None."""
        rows = self._use(lambda found: found.read(_GET, self._project, kind, name, owner))
        return json.loads(rows[0][0]) if rows else None

    def all(self, kind: str, owner: str | None = None) -> dict[str, Any]:
        """All entries of a kind, oldest first."""
        rows = self._use(lambda found: found.read(_ALL, self._project, kind, owner, owner))
        return {name: json.loads(value) for name, value in rows}

    def change(self, kind: str, name: str, owner: str, work: Callable[[Any], Any]) -> bool:
        """Replace a value by what `work` makes of it."""

        def inside(transaction: Transaction) -> bool:
            rows = transaction.rows(self._project, _GET, self._project, kind, name, owner)
            if not rows:
                return False
            value = json.dumps(work(json.loads(rows[0][0])))
            transaction.rows(self._project, _SET, value, self._project, kind, name)
            return True

        return self._transact(inside)

    def drop(self, kind: str, name: str) -> bool:
        """Remove an entry."""
        return self._transact(
            lambda transaction: bool(
                transaction.rows(self._project, _DROP, self._project, kind, name)
            )
        )

    def spend(self, kind: str, name: str, seconds: float) -> bool:
        """Use up a name."""
        given = (self._project, kind, name, "", "null", seconds)

        def work(transaction: Transaction) -> bool:
            transaction.rows(self._project, _FORGET, self._project, kind)
            return bool(transaction.rows(self._project, _ADD + _ONCE, *given))

        return self._transact(work)

    def _transact(self, work: Callable[[Transaction], T]) -> T:
        return self._use(lambda found: found.transact(work))

    def _use(self, work: Callable[[Database], T]) -> T:
        return self._store.use(work)
