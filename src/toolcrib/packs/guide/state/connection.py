"""A connection to PostgreSQL on which no wait lasts past a given moment.

Imported on the first use of a PostgreSQL store only: `psycopg` is optional.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import socket
import struct
from collections.abc import Generator, Sequence
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

T = TypeVar("T")
Row = tuple[Any, ...]

_CONNECT_SECONDS = 3
_LEAST_CONNECT_SECONDS = 2  # what psycopg allows at the least
_CANCEL_SECONDS = 0.3
# A peer that no longer acknowledges is given up in the kernel well before the deadline of a call.
_LIVENESS: dict[str, Any] = {
    "tcp_user_timeout": 4000,
    "keepalives": 1,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}


class Overdue(psycopg.OperationalError):
    """The server did not answer in time; the connection must not be used again."""


class OutOfTime(psycopg.OperationalError):
    """The time of a call was over before anything was sent."""


class BoundedConnection(psycopg.Connection[Row]):
    """Waits for the server until the moment `until` (of the monotonic clock), then `Overdue`."""

    until: float = math.inf

    def wait(
        self, gen: Generator[Any, Any, T], interval: float = 0.1, timeout: float | None = None
    ) -> T:
        """Let psycopg wait, and look at the clock each time it wakes."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        return super().wait(_bounded(gen, self.until), interval)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Send statements in one message; the rows of the last one that has any."""
        if monotonic() >= self.until:
            raise OutOfTime("no time was left")
        # The text is a constant of this package: values are quoted by psycopg.
        cursor = self.execute(sql, values)
        found: list[Row] = []
        while True:
            if cursor.description is not None:
                found = cursor.fetchall()
            if not cursor.nextset():
                return found

    @property
    def is_idle(self) -> bool:
        """Whether it is outside of any transaction, and fit for the next one."""
        return self.pgconn.transaction_status == psycopg.pq.TransactionStatus.IDLE

    def throw_away(self) -> None:
        """End what runs on it, and close it so that nothing still unsent can arrive later."""
        with contextlib.suppress(psycopg.Error, OSError):
            self.cancel_safe(timeout=_CANCEL_SECONDS)
        with contextlib.suppress(psycopg.Error, OSError):
            _drop_unsent(self.fileno())
        self.close()


def connect(url: str, until: float = math.inf) -> BoundedConnection:
    """A new connection without session state, so that it may pass through a pooler."""
    hosts = str(conninfo_to_dict(url).get("host") or "").count(",") + 1
    left = (until - monotonic()) / hosts
    if left < _LEAST_CONNECT_SECONDS:
        raise OutOfTime("no time was left to connect")
    seconds = min(_CONNECT_SECONDS, int(min(left, 60)))
    made = BoundedConnection.connect(
        url,
        autocommit=True,
        prepare_threshold=None,
        cursor_factory=psycopg.ClientCursor,
        connect_timeout=seconds,
        application_name="toolcrib",
        **_LIVENESS,
    )
    made.until = until
    return made


def is_silent(connection: BoundedConnection) -> bool:
    """Whether an idle connection looks alive: a server that closed it has written something."""
    import select

    poller = select.poll()
    poller.register(connection.fileno(), select.POLLIN | select.POLLERR | select.POLLHUP)
    return not poller.poll(0)


def reason_of(error: psycopg.Error) -> str:
    """The first line of what the database or libpq says, without passwords."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return re.sub(r"(://[^:/@\s]*):[^@\s]*@|(password=)\S+", r"\1\2…@", text)


def _bounded(gen: Generator[Any, Any, T], until: float) -> Generator[Any, Any, T]:
    try:
        pending = next(gen)
        while True:
            ready = yield pending
            pending = gen.send(ready)
            if monotonic() >= until:
                gen.close()
                raise Overdue("the server did not answer in time")
    except StopIteration as done:
        value: T = done.value
        return value


def _drop_unsent(descriptor: int) -> None:
    """Have the kernel reset the connection at close instead of delivering what is buffered."""
    with socket.socket(fileno=os.dup(descriptor)) as twin:
        if twin.family != socket.AF_UNIX:
            twin.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
