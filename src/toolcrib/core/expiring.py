"""Entries that live for a while: workflows, approvals that wait, nonces that were spent.

They are kept in the memory of this process, or, where a pack brings a store that several machines
share, in that store: then any replica finds what another one wrote.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from toolcrib.core.support.records import bare

_MOST_SPENT = 10_000


class ExpiringEntries(Protocol):
    """The entries of one project. Values are JSON; each belongs to the caller `owner`.

    An entry of another owner, or an expired one, counts as missing. If `shared`, a call may wait
    for a database and fail with a `ToolcribError`: make it in a thread.
    """

    shared: bool
    """Whether other processes see the same entries."""

    def add(
        self, kind: str, name: str, value: Any, *, owner: str, seconds: float, most: int
    ) -> None:
        """Store an entry under a new name; above `most` of its kind, the oldest are dropped."""

    def get(self, kind: str, name: str, owner: str) -> Any:
        """The value, or None."""

    def all(self, kind: str, owner: str | None = None) -> dict[str, Any]:
        """All entries of a kind by name, oldest first; those of one owner, or of all."""

    def change(self, kind: str, name: str, owner: str, work: Callable[[Any], Any]) -> bool:
        """Replace a value by `work(value)`, without interference from other writers.

        Return False if there is no such entry. `work` may run twice.
        """

    def drop(self, kind: str, name: str) -> bool:
        """Remove an entry; whether it was there."""

    def spend(self, kind: str, name: str, seconds: float) -> bool:
        """Use up a name: True for the first caller, False for all others until it expires."""


@bare
class _Entry:
    value: Any
    owner: str
    expires: float


class MemoryEntries:
    """Entries of this process alone."""

    shared: bool = False

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kinds: dict[str, dict[str, _Entry]] = {}

    def add(
        self, kind: str, name: str, value: Any, *, owner: str, seconds: float, most: int
    ) -> None:
        """Store an entry; above `most`, the oldest are dropped."""
        with self._lock:
            known = self._living(kind)
            known[name] = _Entry(value, owner, self._clock() + seconds)
            while len(known) > most:
                del known[next(iter(known))]

    def get(self, kind: str, name: str, owner: str) -> Any:
        """The value, or None."""
        with self._lock:
            found = self._living(kind).get(name)
            return found.value if found is not None and found.owner == owner else None

    def all(self, kind: str, owner: str | None = None) -> dict[str, Any]:
        """All entries of a kind, oldest first."""
        with self._lock:
            return {
                name: entry.value
                for name, entry in self._living(kind).items()
                if owner in (None, entry.owner)
            }

    def change(self, kind: str, name: str, owner: str, work: Callable[[Any], Any]) -> bool:
        """Replace a value by `work(value)`."""
        with self._lock:
            found = self._living(kind).get(name)
            if found is None or found.owner != owner:
                return False
            found.value = work(found.value)
            return True

    def drop(self, kind: str, name: str) -> bool:
        """Remove an entry."""
        with self._lock:
            return self._living(kind).pop(name, None) is not None

    def spend(self, kind: str, name: str, seconds: float) -> bool:
        """Use up a name; always False if too many were used recently."""
        with self._lock:
            known = self._living(kind)
            if name in known or len(known) >= _MOST_SPENT:
                return False
            known[name] = _Entry(None, "", self._clock() + seconds)
            return True

    def _living(self, kind: str) -> dict[str, _Entry]:
        now = self._clock()
        known = self._kinds.setdefault(kind, {})
        for name in [name for name, entry in known.items() if entry.expires < now]:
            del known[name]
        return known
