"""The clock of one call: from its arrival, the start of its server included."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

from toolcrib.packs.gateway.faults import DEADLINE, ServerFault

_MOST_CLOCKS: Final = 10
"""How many times its seconds a call may take in all, where progress starts its clock anew."""


class Clock:
    """Ends a call after some seconds without a word; progress starts it anew, up to a bound."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.sent = False
        """Whether the request has left: from then on it may have an effect."""
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._last = now + seconds * _MOST_CLOCKS
        self.timeout = asyncio.timeout_at(now + seconds)

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.timeout.expired()

    def heard(self) -> None:
        """The server has told how far it is."""
        self.timeout.reschedule(min(self._loop.time() + self.seconds, self._last))

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Stop while somebody else has the word, who has a bound of his own; then begin anew."""
        self._until(None)
        try:
            yield
        finally:
            self._until(self._loop.time() + self.seconds)

    def _until(self, when: float | None) -> None:
        with contextlib.suppress(RuntimeError):  # the call is over
            self.timeout.reschedule(when)


@contextlib.asynccontextmanager
async def deadline(server: str, seconds: float) -> AsyncIterator[Clock]:
    """All of one call: what is not done in time ends as the fault `deadline`."""
    clock = Clock(seconds)
    try:
        async with clock.timeout:
            yield clock
    except TimeoutError:
        told = "; the call was cancelled and may have had an effect" if clock.sent else ""
        text = f"Server {server!r} did not answer within {seconds:g} s{told}"
        raise ServerFault(server, DEADLINE, text, deadline_s=seconds) from None
