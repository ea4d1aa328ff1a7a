"""Whether the database answers: the store's own circuit breaker.

After a call without an answer from the database, no other call waits for it: the next caller first
sends a short test query, and others wait for that result. So one caller at a time tests the
connection, and the first call after the database is back succeeds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

_BETWEEN = 1.0
"""Seconds between two questions that were not answered."""


class DatabaseLink:
    """The state of the connection to one database."""

    def __init__(
        self, ask: Callable[[float], None], *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._ask = ask
        self._clock = clock
        self._changed = threading.Condition()
        self._asking = False
        self._asked = 0
        self._next = 0.0
        self.why: Exception | None = None
        """Why the last call or question failed; None while the database answers."""

        self.up = True
        """Whether the last that was heard of the database was an answer."""

    def answered(self) -> None:
        """Note a call that was answered."""
        self.up = True

    def refused(self) -> None:
        """Note a call that failed at once: callers need no protection from that."""
        self.up = False

    def failed(self, why: Exception) -> None:
        """Note a call that was left hanging; the next caller asks at once."""
        with self._changed:
            if self.why is None:
                self._next = 0.0
            self.why = why
            self.up = False

    def check(self, until: float) -> None:
        """Return when the database answers; raise why it does not.

        At most one caller asks at a time; the others wait for what it hears.
        """
        if self.why is None:
            return
        with self._changed:
            seen = self._asked
            if self._asking:
                self._changed.wait_for(
                    lambda: self._asked != seen, timeout=max(0.0, until - self._clock())
                )
                if self.why is not None:
                    raise self.why
                return
            if self.why is None:
                return
            self._asking = True
            self._changed.wait_for(lambda: False, timeout=self._pause(until))
        self._find_out(until)

    def _pause(self, until: float) -> float:
        now = self._clock()
        return max(0.0, min(self._next, until) - now)

    def _find_out(self, until: float) -> None:
        why: Exception | None = None
        try:
            self._ask(until)
        except Exception as error:  # noqa: BLE001 - told to everybody who waits, and raised below
            why = error
        with self._changed:
            self.why = why
            self.up = why is None
            self._asking = False
            self._asked += 1
            self._next = self._clock() + _BETWEEN
            self._changed.notify_all()
        if why is not None:
            raise why
