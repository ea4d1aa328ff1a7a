"""The store for several machines: the same entries in PostgreSQL, through `psycopg`.

Every call ends before the deadline of whoever wants it. A change is committed only while there is
time for the server to give up on a commit that does not arrive: when a call is answered, its
outcome is final, and a write that was reported as failed never appears later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.pack import StoreStatus
from toolcrib.packs.guide.errors import StoreError
from toolcrib.packs.guide.state.expiring import PostgresEntries
from toolcrib.packs.guide.state.store import POOL, Kind, Store, StoreEdit

if TYPE_CHECKING:
    import psycopg

    from toolcrib.packs.guide.state.database import Database

T = TypeVar("T")

_databases: WeakValueDictionary[tuple[str, str, int], Database] = WeakValueDictionary()


class PostgresStore(Store):
    """Entries in one table of one database. Safe to use from several threads.

    All stores of one process that name the same database share its connections.
    """

    remote = True

    def __init__(self, url: str, *, pool: int = POOL, listen_url: str = "") -> None:
        self._key = (url, listen_url or url, pool)
        self._database: Database | None = None

    def get(self, project: str, kind: Kind, name: str) -> Any:
        """One entry, or None; one row is read."""
        return self.use(lambda database: database.get(project, kind, name))

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind."""
        return self.use(lambda database: database.all(project, kind))

    def change(self, work: Callable[[StoreEdit], T]) -> T:
        """Run `work` in a transaction, alone among the writers of the projects that it touches."""
        return self.use(lambda database: database.change(work))

    def expiring(self, project: str) -> ExpiringEntries:
        """Entries that live for a while, which all replicas see."""
        return PostgresEntries(self, project)

    def _last_status(self) -> StoreStatus:
        return StoreStatus() if self._database is None else self._database.status()

    def listen(self, project: str, tell: Callable[[str], None]) -> Callable[[], None]:
        """Have `tell` called with the kind of entry (or "") after each change, from a thread."""
        return self.use(lambda database: database.news.listen(project, tell))

    def close(self) -> None:
        """Close the connections that are idle; the next use opens new ones."""
        if self._database is not None:
            self._database.close()

    def _opened(self) -> Database:
        if self._database is None:
            from toolcrib.packs.guide.state.database import Database

            found = _databases.get(self._key)
            if found is None:
                found = _databases[self._key] = Database(*self._key)
            found.prepared = False  # whoever comes anew looks at the tables anew
            self._database = found
        return self._database

    def use(self, work: Callable[[Database], T]) -> T:
        """Do something on the database, and tell what it says in words that help."""
        try:
            import psycopg
        except ImportError as error:
            raise StoreError(
                "A PostgreSQL store needs the package psycopg",
                next="Install toolcrib with its extra: postgres",
            ) from error
        try:
            return work(self._opened())
        except psycopg.Error as error:
            raise _explained(error) from error


def _explained(error: psycopg.Error) -> StoreError:
    from toolcrib.packs.guide.state.connection import reason_of

    return StoreError(
        "PostgreSQL cannot be read or written now; nothing was changed",
        why=reason_of(error),
        next="Check `[guide] store` and that the server can be reached.",
    )
