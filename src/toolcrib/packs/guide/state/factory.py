"""Which store a setting names."""

from __future__ import annotations

from pathlib import Path

from toolcrib.packs.guide.errors import StoreError
from toolcrib.packs.guide.state.store import POOL, Store, state_folder


def open_store(
    where: str = "", base: Path | None = None, *, pool: int = POOL, listen: str = ""
) -> Store:
    """The store that `where` names: a PostgreSQL URL, a file, or the user's state folder.

    A relative file is taken from `base`. Nothing is opened or created before the first use.
    `pool` and `listen` (the address for news) count for PostgreSQL alone.
    """
    if where.startswith(("postgresql://", "postgres://")):
        from toolcrib.packs.guide.state.postgres import PostgresStore

        return PostgresStore(where, pool=pool, listen_url=listen)
    if "://" in where:
        scheme = where.partition("://")[0]
        raise StoreError(
            f"[guide] store: no store of the kind {scheme}:// is known",
            next="Use postgresql://user@host/database, a file, or nothing.",
        )
    from toolcrib.packs.guide.state.sqlite import SqliteStore

    if where:
        return SqliteStore(lambda: (base or Path.cwd()) / Path(where).expanduser())
    return SqliteStore(lambda: state_folder() / "guide.db")
