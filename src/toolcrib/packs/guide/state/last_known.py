"""Categories and collections of the store, available even if it does not answer.

Documents need their categories, and must be served even if the database is down: its last answer
is used until it responds again; meanwhile it is queried briefly and rarely.
"""

from __future__ import annotations

import threading
from time import monotonic
from typing import Any

from toolcrib.core.deadline import ending_in, remaining
from toolcrib.packs.guide.errors import StoreError
from toolcrib.packs.guide.state.store import Store

Named = dict[str, Any]

_PATIENCE = 4.0  # a new connection alone may take three of them
_FIRST_PATIENCE = 8.0  # nothing is known yet that could be used instead
_AGAIN = 2.0


class LastKnown:
    """What a project's definitions are, or were when the store last answered."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project
        self._asking = threading.Lock()
        self._known: tuple[Named, Named] | None = None
        self._why: StoreError | None = None
        self._next = 0.0

    def read(self, problems: list[str]) -> tuple[Named, Named]:
        """Categories and collections by name; says in `problems` when they may be old.

        Raises `StoreError` where the store has never answered.
        """
        away = self._why
        if away is None or not self._store.remote:
            return self._ask(problems)
        if monotonic() < self._next or not self._asking.acquire(blocking=False):
            return self._old(away, problems)
        try:
            return self._ask(problems)
        finally:
            self._asking.release()

    def _ask(self, problems: list[str]) -> tuple[Named, Named]:
        try:
            patience = _FIRST_PATIENCE if self._known is None else _PATIENCE
            with ending_in(min(patience, remaining(patience))):
                known = (
                    self._store.all(self._project, "category"),
                    self._store.all(self._project, "collection"),
                )
        except StoreError as error:
            self._why, self._next = error, monotonic() + _AGAIN
            return self._old(error, problems)
        self._known, self._why = known, None
        return known

    def _old(self, why: StoreError, problems: list[str]) -> tuple[Named, Named]:
        if self._known is None or not self._store.remote:
            raise why
        problems.append(f"{why} What it said last is used.")
        return self._known
