"""Reads the decisions in a background thread, before the first comparison needs them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library

# A few are read in no time; for very many the memory is spent only when somebody asks.
FEW, TOO_MANY = 30, 2_000


class Warming(threading.Thread):
    """Reads the decisions in advance, if that takes noticeably long."""

    def __init__(self, library: Library) -> None:
        super().__init__(name="decisions", daemon=True)
        self._library = library
        self._stop_now = threading.Event()

    def run(self) -> None:
        """Work until they are read, or until somebody says stop."""
        if FEW <= len(self._library.records("adr")) <= TOO_MANY:
            self._library.decisions.warm(self._stop_now)

    def stop(self) -> None:
        """Give up; what was read is kept."""
        self._stop_now.set()
        if self.ident is not None:  # else it is about to begin, and ends at once
            self.join(timeout=1)
