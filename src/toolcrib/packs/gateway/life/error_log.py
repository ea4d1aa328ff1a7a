"""What a server writes to its standard error: its end, kept for people and for other processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from toolcrib.client.pipes import KEPT_ERRORS, Pipes

_PAUSE: Final = 1.0
"""Seconds after which what was written is kept."""

KeepLog = Callable[[str], None]


class ErrorLog:
    """The end of the standard error of one server, its present process and the one before."""

    def __init__(self, keep: KeepLog, shown: Callable[[str], str]) -> None:
        """`shown`: makes a text of the server one that may be shown."""
        self._keep = keep
        self._shown = shown
        self._last = b""
        self._pipes: Pipes | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def text(self) -> str:
        """The end of it, without values that must not be shown."""
        raw = self._pipes.errors if self._pipes is not None else self._last
        # Masked before it is cut: half of a secret would not be recognised.
        return self._shown(raw.decode("utf-8", "replace"))[-KEPT_ERRORS:]

    def follow(self, pipes: Pipes) -> None:
        """The server is up, and writes here."""
        self._pipes = pipes

    def wrote(self) -> None:
        """Something was written: keep it, but not every line for itself."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_PAUSE, self._save_so_far)

    def save(self, pipes: Pipes) -> None:
        """The process is given up: keep what it has written."""
        self._pipes, self._last = None, pipes.errors
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._last:
            self._keep(self.text)

    def _save_so_far(self) -> None:
        self._timer = None
        if self._pipes is not None:
            self._keep(self.text)
