"""The interface of the stores for flags, categories and collections.

An entry belongs to a project (or to all, under no project), is of a kind, and has a name and a
JSON value. What a call has acknowledged survives kill -9 and power loss.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from toolcrib.core.deadline import ending_in, remaining
from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.pack import StoreStatus
from toolcrib.files.identity import state_identity
from toolcrib.packs.guide.errors import StoreError

T = TypeVar("T")
Kind = Literal["flag", "category", "collection"]

MISSED = "missed"
"""What a listener is told instead of a kind when news may have been missed."""
EVERYWHERE = ""
"""The project under which global flags are kept."""
POOL = 4
"""Connections of a process to a database unless `[guide] pool` says otherwise."""
SCHEMA = 1
STATE_VARIABLE = "TOOLCRIB_STATE"
_ASKED_SECONDS = 4.0


class StoreEdit(Protocol):
    """One write transaction: all of it happens, or nothing."""

    def get(self, project: str, kind: Kind, name: str) -> Any:
        """One entry, or None."""

    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind, by name, sorted."""

    def put(self, project: str, kind: Kind, name: str, value: Any) -> None:
        """Set an entry."""

    def drop(self, project: str, kind: Kind, name: str) -> None:
        """Remove an entry, if it is there."""


class Store(ABC):
    """Entries that any number of processes share."""

    remote: bool = False
    """Whether it is reached over a network, which may hang while this machine is well."""

    @abstractmethod
    def get(self, project: str, kind: Kind, name: str) -> Any:
        """One entry, or None; one row is read, however many there are."""

    @abstractmethod
    def all(self, project: str, kind: Kind) -> dict[str, Any]:
        """The entries of one kind, by name, sorted; as they are at this moment."""

    @abstractmethod
    def change(self, work: Callable[[StoreEdit], T]) -> T:
        """Run `work` alone among all writers of a project, and save before returning.

        `work` may run again when its first attempt could not be saved, so it must do nothing
        but read and write entries. When it raises, nothing is changed.
        """

    def files(self) -> list[Path]:
        """Files whose change means that another process has written."""
        return []

    def status(self, *, ask: bool = False) -> StoreStatus:
        """Whether it answers, as far as is known; with `ask` it is asked now."""
        known = self._last_status()
        if not ask:
            return known
        try:
            with ending_in(min(_ASKED_SECONDS, remaining(_ASKED_SECONDS))):
                self.get(EVERYWHERE, "flag", "-")
        except StoreError as error:
            return replace(self._last_status(), up=False, why=str(error))
        return self._last_status()

    def _last_status(self) -> StoreStatus:
        return StoreStatus()

    def listen(self, project: str, tell: Callable[[str], None]) -> Callable[[], None]:
        """Have `tell` called, from any thread, with the kind of entry that another process changed.

        "" means that anything may have changed, `MISSED` that it was not told. Returns the way
        to stop it. A store in a file tells by its `files` instead.
        """
        return lambda: None

    def expiring(self, project: str) -> ExpiringEntries | None:
        """Entries of a project that live for a while, where other machines share them."""
        return None

    def quarantined(self) -> list[Path]:
        """Damaged state that was put aside and that a person should look at."""
        return []

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections; the next use takes hold of them again."""


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
    return _written(os.path.realpath(project))


def state_key(project: Path, name: str = "") -> str:
    """What the project that a person named is called; one named by a link goes by the link."""
    return project_key(project, name) if name else _written(state_identity(project))


def _written(path: str) -> str:
    # A path that is not UTF-8 must be written down all the same.
    return os.fsencode(path).decode("utf-8", "backslashreplace")
