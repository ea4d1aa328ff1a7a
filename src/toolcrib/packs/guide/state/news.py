"""Change notifications of a PostgreSQL store, received by every listening process.

One connection of its own, in one thread, for all projects of this process. Where notifications do
not come through (a pooler in transaction mode stands between), a counter is read every second.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
from collections.abc import Callable
from time import monotonic

import psycopg

from toolcrib.core.support.logs import get_logger
from toolcrib.packs.guide.state.connection import BoundedConnection, connect, reason_of
from toolcrib.packs.guide.state.store import EVERYWHERE, MISSED
from toolcrib.packs.guide.state.tables import CHANNEL, prepare

Tell = Callable[[str], None]

_log = get_logger("guide.store")
_ECHO_SECONDS = 2.0
_POLL_SECONDS = 1.0
_HEARTBEAT_SECONDS = 5.0
_ANSWER_SECONDS = 4.0
_COUNTERS = "SELECT project, counter FROM toolcrib_changes WHERE project = ANY(%s)"


class News:
    """Calls those who listen when an entry of their project, or of all projects, has changed."""

    def __init__(self, url: str, listen_url: str) -> None:
        self._url = url
        self._listen_url = listen_url
        self._lock = threading.Lock()
        self._listeners: dict[object, tuple[str, Tell]] = {}
        self._thread: _Listener | None = None

    def listen(self, project: str, tell: Tell) -> Callable[[], None]:
        """Have `tell` called with the kind of entry that changed ("": anything may have)."""
        token = object()
        with self._lock:
            self._listeners[token] = (project, tell)
            if self._thread is None or not self._thread.belongs_here():
                self._thread = _Listener(self._url, self._listen_url, self)
                self._thread.start()
        return lambda: self._forget(token)

    def projects(self) -> list[str]:
        """The projects that somebody listens to, and the one of global entries."""
        return sorted({EVERYWHERE, *(project for project, _ in list(self._listeners.values()))})

    def changed(self, project: str, kind: str) -> None:
        """Tell those whom a change of this project concerns."""
        for known, tell in list(self._listeners.values()):
            if project in (known, EVERYWHERE):
                tell(kind)

    def tell_all(self, kind: str) -> None:
        """Tell everybody that anything may have changed, or that news may have been missed."""
        for _, tell in list(self._listeners.values()):
            tell(kind)

    def _forget(self, token: object) -> None:
        with self._lock:
            self._listeners.pop(token, None)
            if not self._listeners and self._thread is not None:
                self._thread.stop()
                self._thread = None


class _Listener(threading.Thread):
    """The thread that holds the connection, and makes it again when it is lost."""

    def __init__(self, url: str, listen_url: str, news: News) -> None:
        super().__init__(name="toolcrib-store-news", daemon=True)
        self._url = url
        self._listen_url = listen_url
        self._news = news
        self._owner = os.getpid()
        self._stopped = threading.Event()
        self._polls = False

    def belongs_here(self) -> bool:
        """Whether it runs in this process: a forked child has no thread of its parent."""
        return self._owner == os.getpid()

    def stop(self) -> None:
        """End within a second."""
        self._stopped.set()

    def run(self) -> None:
        """Follow the news until told to stop; after a gap, say that there was one."""
        first = True
        told = False
        while not self._stopped.is_set():
            try:
                connection = connect(self._listen_url, monotonic() + _ANSWER_SECONDS)
                try:
                    self._follow(connection, first)
                finally:
                    connection.throw_away()
            except psycopg.Error as error:
                if not told:
                    _log.warning("PostgreSQL store: no news for now (%s)", reason_of(error))
                told = True
            else:
                told = False
            first = False
            self._stopped.wait(_POLL_SECONDS)

    def _follow(self, connection: BoundedConnection, first: bool) -> None:
        connection.rows(f"LISTEN {CHANNEL}")
        prepare(connection)
        known = self._counters(connection)
        self._news.tell_all("" if first else MISSED)
        self._polls = not self._hears_itself(connection)
        pause = _POLL_SECONDS if self._polls else _HEARTBEAT_SECONDS
        asked = monotonic()
        while not self._stopped.is_set():
            self._hear(connection, _POLL_SECONDS)
            if monotonic() - asked < pause - 0.1:
                continue
            # Also a sign of life: a connection that only listens never notices that it is dead.
            now = self._counters(connection)
            asked = monotonic()
            for project, counter in now.items():
                if self._polls and known.get(project) != counter:
                    self._news.changed(project, "")
            known = now

    def _counters(self, connection: BoundedConnection) -> dict[str, int]:
        connection.until = monotonic() + _ANSWER_SECONDS
        try:
            return dict(connection.rows(_COUNTERS, (self._news.projects(),)))
        except psycopg.errors.UndefinedTable:  # this role may not make it; notifications may work
            return {}

    def _hear(self, connection: BoundedConnection, seconds: float, echo: str = "") -> bool:
        """Pass on what arrives; whether `echo` was among it."""
        connection.until = math.inf
        heard = False
        # To the last one: what arrived together with the echo would be lost otherwise.
        for notify in connection.notifies(timeout=seconds, stop_after=1):
            kind, _, project = notify.payload.partition(" ")
            if kind == "echo":
                heard = heard or project == echo
            elif notify.payload:
                self._news.changed(project, kind)
            else:
                self._news.tell_all("")
        return heard

    def _hears_itself(self, connection: BoundedConnection) -> bool:
        """Whether a notification from another connection arrives here."""
        sign = os.urandom(8).hex()
        with contextlib.closing(connect(self._url, monotonic() + _ANSWER_SECONDS)) as other:
            other.rows("SELECT pg_notify(%s, %s)", (CHANNEL, f"echo {sign}"))
        end = monotonic() + _ECHO_SECONDS
        while monotonic() < end and not self._stopped.is_set():
            if self._hear(connection, end - monotonic(), sign):
                return True
        if not self._polls and not self._stopped.is_set():
            _log.warning(
                "PostgreSQL store: notifications do not arrive (a pooler in transaction mode?); "
                "changes are looked for every second. [guide] listen_store may name a direct way."
            )
        return False
