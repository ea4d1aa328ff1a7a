"""A circuit breaker: after several failures in a row it refuses calls, then allows one trial."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

from toolcrib.core.errors import BreakerOpen

State = Literal["closed", "open", "half-open"]


class CircuitBreaker:
    """The circuit breaker of one tool.

    Closed, it lets every call through. After `failures` crashes or missed deadlines in a row it
    opens and refuses at once; after `rest` seconds it lets a single trial through, whose outcome
    closes it again or lets it rest once more.
    """

    def __init__(
        self,
        name: str,
        *,
        failures: int = 5,
        rest: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[State], None] | None = None,
    ) -> None:
        self.name = name
        self._limit = failures
        self._rest = rest
        self._clock = clock
        self._on_change = on_change
        self._lock = threading.Lock()
        self._row = 0
        self._opened: float | None = None
        self._trial = False

    @property
    def state(self) -> State:
        """Closed, open, or half-open when the next call may try."""
        if self._opened is None:
            return "closed"
        return "half-open" if self._clock() - self._opened >= self._rest else "open"

    def admit(self) -> bool:
        """Let one call through and say whether it is the trial, or raise `BreakerOpen`."""
        if self._opened is None:
            return False
        with self._lock:
            if self._opened is None:
                return False
            left = self._rest - (self._clock() - self._opened)
            if left <= 0 and not self._trial:
                self._trial = True
                self._tell("half-open")
                return True
        when = f"in {left:.0f} s" if left > 0 else "when the running trial is over"
        raise BreakerOpen(
            f"Circuit breaker {self.name} is open after {self._row} failure{'s' * (self._row > 1)}"
            f"{' in a row' * (self._row > 1)}; "
            f"it will try again {when}",
            data={"breaker": self.name, "retry_after_s": max(0.0, round(left, 1))},
        )

    def succeeded(self) -> None:
        """Record a success: reset the count and close the breaker."""
        if self._row or self._opened is not None:
            with self._lock:
                was_open = self._opened is not None
                self._row, self._opened, self._trial = 0, None, False
                if was_open:
                    self._tell("closed")

    def failed(self, *, at_once: bool = False) -> None:
        """Record a crash or a missed deadline; with `at_once`, open the breaker immediately."""
        with self._lock:
            self._row += 1
            if at_once or self._trial or self._row >= self._limit:
                changes = self._opened is None or self._trial
                self._opened, self._trial = self._clock(), False
                if changes:
                    self._tell("open")

    def _tell(self, state: State) -> None:
        if self._on_change is not None:
            self._on_change(state)

    def abandoned(self) -> None:
        """The trial was cancelled: the next call may be the trial."""
        with self._lock:
            self._trial = False
