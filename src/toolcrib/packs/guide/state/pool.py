"""A few connections to one database, shared by the threads of one process.

A connection is opened by the call that needs it, within that call's own time, so that its caller
hears at once why there is none.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from time import monotonic

from toolcrib.packs.guide.state.connection import BoundedConnection, OutOfTime, connect, is_silent

_IDLE_SECONDS = 60.0


class NoConnection(OutOfTime):
    """All connections were in use for as long as the caller could wait."""


class ConnectionPool:
    """At most `most` connections; idle ones are closed after a minute."""

    def __init__(
        self,
        url: str,
        most: int,
        *,
        idle: float = _IDLE_SECONDS,
        waited: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._url = url
        self._most = most
        self._idle_seconds = idle
        self._waited = waited
        self._begin()

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._places = threading.BoundedSemaphore(self._most)
        self._lock = threading.Lock()
        self._idle: list[tuple[float, BoundedConnection]] = []
        self._sweeper: threading.Timer | None = None

    @contextlib.contextmanager
    def connection(self, until: float) -> Iterator[tuple[BoundedConnection, bool]]:
        """Lend a connection, and say whether it is a new one.

        It is kept only when it comes back outside of any transaction.
        """
        if self._owner != os.getpid():
            self._begin()  # a child neither uses nor closes what belongs to its parent
        self._take_place(until)
        try:
            known = self._pop()
            made = known or connect(self._url, until)
            made.until = until
            try:
                yield made, known is None
            finally:
                self._give_back(made)
        finally:
            self._places.release()

    def drop_idle(self) -> None:
        """Close what nobody uses: where one connection died, the others may be dead as well."""
        with self._lock:
            gone, self._idle = self._idle, []
        for _, connection in gone:
            connection.close()

    def close(self) -> None:
        """Close what nobody uses; the next use opens again."""
        if self._owner == os.getpid():
            self.drop_idle()

    def _take_place(self, until: float) -> None:
        started = monotonic()
        taken = self._places.acquire(timeout=max(0.0, min(until - started, threading.TIMEOUT_MAX)))
        self._waited(monotonic() - started)
        if not taken:
            raise NoConnection(f"all {self._most} connections were in use")

    def _pop(self) -> BoundedConnection | None:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                _, connection = self._idle.pop()
            if is_silent(connection):
                return connection
            connection.close()

    def _give_back(self, connection: BoundedConnection) -> None:
        if not connection.is_idle:
            connection.throw_away()
            return
        with self._lock:
            self._idle.append((monotonic(), connection))
            self._arm()

    def _arm(self) -> None:
        if self._sweeper is None and self._idle:
            left = self._idle[0][0] + self._idle_seconds - monotonic()
            self._sweeper = threading.Timer(max(left, 0.0) + 0.01, self._sweep)
            self._sweeper.name = "toolcrib-store-idle"
            self._sweeper.daemon = True
            self._sweeper.start()

    def _sweep(self) -> None:
        oldest = monotonic() - self._idle_seconds
        with self._lock:
            gone = [each for since, each in self._idle if since <= oldest]
            self._idle = [each for each in self._idle if each[0] > oldest]
            self._sweeper = None
            self._arm()
        for connection in gone:
            connection.close()
