"""The three pipes of a server: standard input, output and error."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Final

from toolcrib.client.connection import Connection, ConnectionLost
from toolcrib.running.service import Service

LARGEST_MESSAGE: Final = 16 * 1024 * 1024
MOST_UNSENT: Final = 4 * 1024 * 1024
"""Bytes that a server may leave unread before further requests are refused."""
KEPT_ERRORS: Final = 64 * 1024
MARGIN: Final = 4096
"""Bytes that are kept beyond that, so that a value at the cut can be recognised whole."""
_ENOUGH = KEPT_ERRORS + MARGIN
_CHUNK = 64 * 1024
"""Bytes that are read at once: a larger buffer would be mapped and unmapped for each read."""
_HEAD = 4096
_PIECES = 256
"""Messages that are written at once, at most: systems have a bound of their own."""
_NOT_READING = 5.0
"""Seconds after which a server that does not read is stopped."""


_DEAF = "the server does not read what it is sent"


class Unread(ConnectionLost):
    """The server does not read what it is sent."""


class Pipes:
    """Reads lines for a connection and writes its messages; bounded in both directions.

    A request to a server that has nothing else to answer is sent at once. All messages of an
    iteration of the loop are sent together while the server is busy with other calls: waking it
    costs more than creating a request, and each separate write would wake it.
    """

    def __init__(
        self,
        service: Service,
        largest: int = LARGEST_MESSAGE,
        wrote_errors: Callable[[], None] = lambda: None,
    ) -> None:
        """`wrote_errors` is told whenever the server has written to its standard error."""
        self._wrote_errors = wrote_errors
        self.connection: Connection | None = None
        self.closed = False
        self.lost: Callable[[], None] = lambda: None
        """Told when the server has closed its output, or is given up."""
        self._service = service
        self._largest = largest
        self._loop = asyncio.get_running_loop()
        self._unsent: deque[tuple[memoryview, int | None]] = deque()
        self._size = 0
        self._gathering = False
        self._blocked = False
        """Whether the server has left something unread, so that no more can be written."""
        self._begun = bytearray()
        self._skipping = False
        self._tail: bytes | None = None
        """The end so far of a line that is read past, where its beginning does not say whose."""
        self._errors: deque[bytes] = deque()
        self._errors_size = 0
        self._full: asyncio.TimerHandle | None = None

    def open(self, connection: Connection) -> None:
        """Begin to read."""
        self.connection = connection
        service = self._service
        for descriptor in (service.stdin, service.stdout, service.stderr):
            os.set_blocking(descriptor, False)
        self._loop.add_reader(service.stdout, self._read)
        self._loop.add_reader(service.stderr, self._read_errors)

    @property
    def errors(self) -> bytes:
        """The end of what the server has written to its standard error."""
        return b"".join(self._errors)[-KEPT_ERRORS - MARGIN :]

    @property
    def unread(self) -> int:
        """How many bytes wait for the server to read."""
        return self._size if self._blocked else 0

    def write(self, text: str, number: int | None = None) -> None:
        """Send one message now, or as soon as the server reads; a request has a number."""
        if self.closed:
            raise ConnectionLost("the connection is closed", written=False)
        data = text.encode() + b"\n"
        if self._gathering or self._blocked:
            self._behind_others(data, number)
            return
        if self._busy():
            self._gathering = True
            self._loop.call_soon(self._send_gathered)
            self._keep(memoryview(data), number)
            return
        try:
            sent = os.write(self._service.stdin, data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            raise ConnectionLost("the server has closed its input", written=False) from error
        if sent < len(data):
            self._keep(memoryview(data)[sent:], number)
            self._block()

    def close(self) -> None:
        """Close the server's input and stop reading."""
        if self.closed:
            return
        if self._unsent and not self._blocked:
            with contextlib.suppress(OSError):
                self._write_some()
        self.closed = True
        if self._full is not None:
            self._full.cancel()
        service = self._service
        if service.stdin >= 0:
            self._loop.remove_writer(service.stdin)
            os.close(service.stdin)
            for descriptor in (service.stdout, service.stderr):
                self._loop.remove_reader(descriptor)
                os.close(descriptor)

    def _busy(self) -> bool:
        """Whether the server has something else to answer meanwhile."""
        return self.connection is not None and self.connection.busy > 1

    def _keep(self, data: memoryview, number: int | None) -> None:
        self._unsent.append((data, number))
        self._size += len(data)

    def _behind_others(self, data: bytes, number: int | None) -> None:
        """Send a message after those that wait already, if there is room for it."""
        if self._unsent and self._size + len(data) > MOST_UNSENT:
            if not self._blocked:
                self._send_more()
            if self._unsent and self._size + len(data) > MOST_UNSENT:
                self._notice_full()
                raise Unread(_DEAF, written=False)
        if self.closed:
            raise ConnectionLost("the server has closed its input", written=False)
        self._keep(memoryview(data), number)

    def _send_gathered(self) -> None:
        """The turn is over: send what came in it."""
        self._gathering = False
        if self._unsent and not self._blocked and not self.closed:
            self._send_more()

    def _block(self) -> None:
        """Write on as soon as the server reads."""
        if not self._blocked:
            self._blocked = True
            self._loop.add_writer(self._service.stdin, self._send_more)

    def _send_more(self) -> None:
        try:
            self._write_some()
        except OSError:
            self._lose("the server has closed its input")
            return
        if self._unsent:
            self._block()
        elif self._blocked:
            self._blocked = False
            self._loop.remove_writer(self._service.stdin)

    def _write_some(self) -> None:
        """Write what waits until nothing does, or the server reads no more; raises `OSError`."""
        while self._unsent:
            pieces = [data for data, _ in islice(self._unsent, _PIECES)]
            try:
                sent = os.writev(self._service.stdin, pieces)
            except BlockingIOError:
                return
            self._size -= sent
            if self._full is not None:
                self._full.cancel()
                self._full = None
            for piece in pieces:
                if sent < len(piece):
                    self._unsent[0] = (piece[sent:], self._unsent[0][1])
                    return
                sent -= len(piece)
                self._unsent.popleft()

    def _notice_full(self) -> None:
        if self._full is None:
            self._full = self._loop.call_later(_NOT_READING, self._lose, _DEAF, Unread(_DEAF))

    def _read(self) -> None:
        data = _chunk(self._service.stdout)
        if data is None:
            return
        if not data:
            self._lose("the server has closed its output")
            return
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self._line(piece, alone=len(whole) == 1)
        if self._skipping:
            self._skip(rest)
            return
        if rest:
            self._begun += rest
            if len(self._begun) > self._largest:
                self._begin_to_skip(bytes(self._begun))

    def _line(self, piece: bytes, *, alone: bool) -> None:
        if self._skipping:
            self._skip(piece)
            self._end_skipping()
            return
        line = piece
        if self._begun:
            line = bytes(self._begun) + piece
            self._begun.clear()
        if len(line) > self._largest:
            self._begin_to_skip(line)
            self._end_skipping()
        elif line and not line.isspace() and self.connection is not None:
            self.connection.take(line, alone=alone)

    def _begin_to_skip(self, begun: bytes) -> None:
        """Read past the rest of a line; its call ends now, if its beginning says which one it is.

        Some servers write the id last.
        """
        self._begun.clear()
        self._skipping = True
        connection = self.connection
        known = connection is not None and connection.too_large(head=begun[:_HEAD])
        self._tail = None if known else begun[-_HEAD:]

    def _skip(self, piece: bytes) -> None:
        if self._tail is not None:
            self._tail = (self._tail + piece[-_HEAD:])[-_HEAD:]

    def _end_skipping(self) -> None:
        tail, self._tail, self._skipping = self._tail, None, False
        connection = self.connection
        if tail is not None and connection is not None and not connection.too_large(tail=tail):
            connection.skip()

    def _read_errors(self) -> None:
        data = _chunk(self._service.stderr)
        if data is None:
            return
        if not data:
            with contextlib.suppress(ValueError, OSError):
                self._loop.remove_reader(self._service.stderr)
            return
        self._errors.append(data)
        self._errors_size += len(data)
        while len(self._errors) > 1 and self._errors_size - len(self._errors[0]) >= _ENOUGH:
            self._errors_size -= len(self._errors.popleft())
        self._wrote_errors()

    def _lose(self, why: str, error: Exception | None = None) -> None:
        """When its output ends, a server counts as gone, whatever its process does."""
        self.drain_errors()
        unsent = {number for _, number in self._unsent if number is not None}
        self._unsent.clear()
        self.close()
        if self.connection is not None:
            self.connection.lose(why, error, unsent)
        self.lost()

    def drain_errors(self) -> None:
        """Read what is left of the standard error: it says why a server went."""
        while not self.closed:
            before = self._errors_size
            self._read_errors()
            if self._errors_size == before:
                return


def _chunk(descriptor: int) -> bytes | None:
    """What can be read now; nothing at the end, None where there is nothing yet."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
