"""Many deadlines on one event loop timer.

Most calls end long before their deadline. Creating, sorting and discarding a timer for each would
take longer than much of the rest of a call. Here a deadline is a dictionary entry, and the one
timer is set for the earliest deadline.
"""

from __future__ import annotations

import asyncio
from threading import get_ident


class Alarm:
    """A callback at a time of the loop's clock, unless it is removed before."""

    __slots__ = ("when",)

    def __init__(self, when: float | None) -> None:
        self.when = when
        """When it rings, by the loop's clock; None while it is not to ring."""

    def ring(self) -> None:
        """Called when its time has come."""
        raise NotImplementedError


class Alarms:
    """The alarms of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.thread = get_ident()
        self._set: dict[Alarm, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._awake_at = float("inf")

    def add(self, alarm: Alarm) -> None:
        """Schedule an alarm."""
        self._set[alarm] = None
        if alarm.when is not None and alarm.when < self._awake_at:
            self._wake_by(alarm.when)

    def move(self, alarm: Alarm, when: float | None) -> None:
        """Reschedule an alarm; no-op if it was removed or has fired."""
        alarm.when = when
        if when is not None and when < self._awake_at and alarm in self._set:
            self._wake_by(when)

    def remove(self, alarm: Alarm) -> None:
        """Cancel an alarm."""
        self._set.pop(alarm, None)

    def _wake_by(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._awake_at = when
        self._timer = self.loop.call_at(when, self._wake)

    def _wake(self) -> None:
        self._timer, self._awake_at = None, float("inf")
        now = self.loop.time()
        for alarm in [each for each in self._set if each.when is not None and each.when <= now]:
            self.remove(alarm)
            alarm.ring()
        left = [each.when for each in self._set if each.when is not None]
        if left:
            self._wake_by(min(left))


_last: Alarms | None = None


def alarms() -> Alarms:
    """The alarms of the running loop.

    To ask for the loop is a system call, and a part of each call of a server: a thread runs one
    loop at a time, so that a loop of this thread that runs is the one.
    """
    global _last
    known = _last
    if known is None or known.thread != get_ident() or not known.loop.is_running():
        known = _last = Alarms(asyncio.get_running_loop())
    return known
