"""`Lookout`: notices rule files and skills that come or go in any folder of a repository."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolcrib.packs.guide.rules.skills import MANUAL

if TYPE_CHECKING:
    from toolcrib.files.survey.folders import Survey

_REST: Final = 12.0
"""Seconds between two looks, so that a new file is found within thirty."""
_SHARE: Final = 20
"""A look that took a while is followed by a pause of so many times as long."""
_NAMES: Final = ("AGENTS.md", "CLAUDE.md", MANUAL)


class Lookout:
    """Compares the names that a repository has now with those of the last look.

    No watch is wide enough for what may appear anywhere; only changed folders are listed again.
    """

    def __init__(self, project: Path, *, rest: float = _REST, share: float = _SHARE) -> None:
        self._project = project
        self._rest = rest
        self._share = share
        self._survey: Survey | None = None
        self._known: Mapping[str, tuple[str, ...]] | None = None
        self._looked = time.monotonic()
        self._cost = 0.0
        self._lock = threading.Lock()

    def has_news(self) -> bool:
        """Whether any may have come or gone since the last look; False if that was a moment ago.

        There always may before the first look.
        """
        with self._lock:
            began = time.monotonic()
            if began - self._looked < max(self._rest, self._share * self._cost):
                return False
            before, self._known = self._known, self._look()
            self._looked = time.monotonic()
            self._cost = self._looked - began
            return before != self._known

    def _look(self) -> Mapping[str, tuple[str, ...]]:
        from toolcrib.files.survey.folders import Survey  # a start needs none of it

        if self._survey is None:
            self._survey = Survey(self._project, _may_be_rule)
        return self._survey.look()


def _may_be_rule(_folder: str, name: str) -> bool:
    return name in _NAMES or name.endswith(".mdc")
