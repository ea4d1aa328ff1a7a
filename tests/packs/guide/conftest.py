from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toolcrib.packs.guide.content.content import Library
from toolcrib.packs.guide.session import Session
from toolcrib.packs.guide.state.postgres import PostgresStore
from toolcrib.packs.guide.state.sqlite import SqliteStore
from toolcrib.packs.guide.state.store import Store


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the state of whoever runs it."""
    folder = tmp_path / "state"
    monkeypatch.setenv("TOOLCRIB_STATE", str(folder))
    monkeypatch.delenv("MCP_TOOL_PREFIX", raising=False)
    monkeypatch.delenv("MCP_INCLUDE_EXAMPLE_TOOLS", raising=False)
    return folder


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A real PostgreSQL server of our own, on a socket that nobody else knows."""
    binaries = _postgres_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server binaries on this machine")
    folder = Path(tempfile.mkdtemp(prefix="tcpg", dir="/tmp"))
    user = _server_user()
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    who = {"user": user.pw_uid, "group": user.pw_gid} if user else {}

    def run(*argv: str) -> None:
        subprocess.run(argv, check=True, cwd=folder, stdout=subprocess.DEVNULL, **who)

    data = str(folder / "data")
    options = f"-k {folder} -h '' -F -c full_page_writes=off -c max_connections=30"
    control = [str(binaries / "pg_ctl"), "-D", data, "-w", "-s"]
    try:
        run(str(binaries / "initdb"), "-D", data, "-U", "toolcrib", "-A", "trust", "--no-sync")
        run(*control, "-o", options, "-l", str(folder / "log"), "start")
        yield f"postgresql://toolcrib@/postgres?host={folder}"
    finally:
        if Path(data, "postmaster.pid").exists():
            run(*control, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _postgres_binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return Path(named).resolve().parent if named else None


def _server_user() -> pwd.struct_passwd | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    pytest.skip("running as root, and no other user to start PostgreSQL as")


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(lambda: tmp_path / "state" / "guide.db")
    yield store
    store.close()


@pytest.fixture
def postgres_store(postgres_url: str) -> Iterator[PostgresStore]:
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS toolcrib_entries, toolcrib_meta")
    store = PostgresStore(postgres_url)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    """Each store behaves like the other."""
    found: Store = request.getfixturevalue(f"{request.param}_store")
    return found


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., None]:
    """Write files of the project: `write({"guide/lang/python.md": "# Python"})`."""

    def into(files: dict[str, str | bytes]) -> None:
        for name, content in files.items():
            place = tmp_path / "project" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, bytes) else content.encode()
            place.write_bytes(data)

    into({"README.md": "# Project"})
    return into


@pytest.fixture
def project(write: Callable[..., None], tmp_path: Path) -> Path:
    """A project with some content and nothing else."""
    write(
        {
            "guide/lang/python.md": "# Python\n\nUse types.\n",
            "guide/lang/java.md": "# Java\n\nUse records.\n",
            "guide/lang/rust.md": "---\ntitle: Rust here\n---\nUse enums.\n",
            "guide/lang/c++.md": "# C++\n",
            "guide/docs/api.md": "# The API\n",
            "guide/docs/v1/api.md": "# Old API\n",
            "guide/docs/v1/deep/er.md": "# Deeper\n",
            "guide/guidelines/style.md": "# Style\n",
        }
    )
    return tmp_path / "project"


@pytest.fixture
def session(project: Path) -> Iterator[Session]:
    """The project as the tools see it."""
    made = Session(project)
    with made.active():
        yield made
    made.close()


@pytest.fixture
def library(session: Session) -> Library:
    return session.library
