"""The deadline of one call from its arrival, including the start of its server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from toolcrib.core.alarms import Alarm, alarms
from toolcrib.packs.gateway.faults import DEADLINE, ServerFault

_MOST_CLOCKS: Final = 10
"""How many times its seconds a call may take in all, where progress starts its clock anew."""


class Clock(Alarm):
    """All of one call: ends it after some seconds without a word, as the fault `deadline`.

    Progress starts it anew, up to a bound.
    """

    __slots__ = ("_alarms", "_before", "_last", "_server", "_task", "expired", "seconds", "sent")

    def __init__(self, server: str, seconds: float) -> None:
        self.seconds = seconds
        self.sent = False
        """Whether the request has left: from then on it may have an effect."""
        self.expired = False
        """Whether its time is over."""
        self._server = server
        self._alarms = alarms()
        now = self._alarms.loop.time()
        self._last = now + seconds * _MOST_CLOCKS
        super().__init__(now + seconds)

    def __enter__(self) -> Clock:
        task = asyncio.current_task(self._alarms.loop)
        assert task is not None  # noqa: S101 - whatever is awaited belongs to one
        self._task = task
        self._before = task.cancelling()
        self._alarms.add(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._alarms.remove(self)
        if not self.expired:
            return
        # The cancellation was our own, unless somebody else wants this task to end as well.
        if self._task.uncancel() <= self._before and kind is asyncio.CancelledError:
            told = "; the call was cancelled and may have had an effect" if self.sent else ""
            spent = self.seconds * (_MOST_CLOCKS if self.when == self._last else 1)
            text = f"Server {self._server!r} did not answer within {spent:g} s{told}"
            raise ServerFault(self._server, DEADLINE, text, deadline_s=spent) from None

    def heard(self) -> None:
        """The server has told how far it is."""
        now = self._alarms.loop.time()
        self._alarms.move(self, min(now + self.seconds, self._last))

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Stop while somebody else has the word, who has a bound of his own; then begin anew."""
        begun = self._alarms.loop.time()
        self._alarms.move(self, None)
        try:
            yield
        finally:
            now = self._alarms.loop.time()
            self._last += now - begun
            self._alarms.move(self, now + self.seconds)

    def ring(self) -> None:
        """Its time is over: end the call."""
        self.expired = True
        self._task.cancel()
