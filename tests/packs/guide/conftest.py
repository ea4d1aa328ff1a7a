from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.database_fixtures import (  # noqa: F401 - fixtures
    clean,
    link,
    pgbouncer,
    postgres,
    postgres_url,
)
from toolcrib.packs.guide.content.content import ContentLibrary
from toolcrib.packs.guide.session import GuideSession
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


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(lambda: tmp_path / "state" / "guide.db")
    yield store
    store.close()


@pytest.fixture
def postgres_store(clean: str) -> Iterator[PostgresStore]:  # noqa: F811
    store = PostgresStore(clean)
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
def session(project: Path) -> Iterator[GuideSession]:
    """The project as the tools see it."""
    made = GuideSession(project)
    with made.active():
        yield made
    made.close()


@pytest.fixture
def library(session: GuideSession) -> ContentLibrary:
    return session.library


@pytest.fixture
def bare(tmp_path_factory, state):
    """Makes a session on a project with these files and nothing else."""
    made = []

    def session(files):
        root = tmp_path_factory.mktemp("bare")
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        made.append(GuideSession(root))
        return made[-1]

    yield session
    for each in made:
        each.close()
