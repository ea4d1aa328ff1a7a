"""Fixtures of a real PostgreSQL: a `conftest.py` imports those that its tests use."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.databases import FaultyLink, PgBouncer, Postgres, postgres_binaries


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL server of our own."""
    binaries = postgres_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server binaries on this machine")
    server = Postgres(binaries)
    yield server
    server.close()


@pytest.fixture(scope="session")
def postgres_url(postgres: Postgres) -> str:
    return postgres.url


@pytest.fixture
def clean(postgres_url: str) -> str:
    """The address of a database without any table of ours."""
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "DROP TABLE IF EXISTS toolcrib_entries, toolcrib_meta, toolcrib_changes, "
            "toolcrib_expiring"
        )
    return postgres_url


@pytest.fixture
def link(postgres: Postgres, clean: str) -> Iterator[FaultyLink]:
    """A way to that server that can be disturbed."""
    made = FaultyLink(postgres.socket)
    yield made
    made.close()


@pytest.fixture
def pgbouncer(postgres: Postgres, clean: str) -> Iterator[PgBouncer]:
    """A pooler in transaction mode before that server."""
    if shutil.which("pgbouncer") is None and not Path("/usr/sbin/pgbouncer").exists():
        pytest.skip("no PgBouncer on this machine")
    made = PgBouncer(postgres)
    yield made
    made.close()
