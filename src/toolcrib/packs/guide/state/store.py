"""Where flags, categories and collections are kept, whatever keeps them.

An entry belongs to a project (or to all, under no project), is of a kind, and has a name and a
JSON value. What a call has acknowledged survives kill -9 and power loss.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from toolcrib.packs.guide.errors import StoreError

T = TypeVar("T")
Kind = Literal["flag", "category", "collection"]

EVERYWHERE = ""
"""The project under which global flags are kept."""
SCHEMA = 1
STATE_VARIABLE = "TOOLCRIB_STATE"


class Edit(Protocol):
    """One write transaction: all of it happens, or nothing."""

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind, by name, sorted."""

    def put(self, project: str, kind: Kind, name: str, value: Any) -> None:
        """Set an entry."""

    def drop(self, project: str, kind: Kind, name: str) -> None:
        """Remove an entry, if it is there."""


class Store(ABC):
    """Entries that any number of processes share."""

    @abstractmethod
    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind, by name, sorted; as they are at this moment."""

    @abstractmethod
    def change(self, work: Callable[[Edit], T]) -> T:
        """Run `work` alone among all writers, and save what it did before returning.

        `work` may run again when its first attempt could not be saved, so it must do nothing
        but read and write entries. When it raises, nothing is changed.
        """

    def files(self) -> list[Path]:
        """Files whose change means that another process has written."""
        return []

    def quarantined(self) -> list[Path]:
        """Damaged state that was put aside and that a person should look at."""
        return []

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections; the next use takes hold of them again."""


def open_store(where: str = "", base: Path | None = None) -> Store:
    """The store that `where` names: a PostgreSQL URL, a file, or the user's state folder.

    A relative file is taken from `base`. Nothing is opened or created before the first use.
    """
    if where.startswith(("postgresql://", "postgres://")):
        from toolcrib.packs.guide.state.postgres import PostgresStore

        return PostgresStore(where)
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


def state_folder() -> Path:
    """The folder of this user's state: TOOLCRIB_STATE, else the XDG state folder."""
    given = os.environ.get(STATE_VARIABLE)
    if given:
        return Path(given).expanduser()
    shared = os.environ.get("XDG_STATE_HOME", "")
    if Path(shared).is_absolute():
        return Path(shared) / "toolcrib"
    try:
        return Path.home() / ".local" / "state" / "toolcrib"
    except RuntimeError as error:
        raise StoreError(
            "There is no place to keep flags: this user has no home folder",
            next=f"Set {STATE_VARIABLE} to a folder that can be written.",
        ) from error


def project_key(project: Path, name: str = "") -> str:
    """What a project is called in the store: its name where one is set, else its real path.

    Names and paths cannot be confused: a real path begins with a slash, a name never does.
    """
    if name:
        return name.lstrip("/")
    # A path that is not UTF-8 must be written down all the same.
    return os.path.realpath(project).encode("utf-8", "backslashreplace").decode()
