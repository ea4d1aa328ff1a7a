"""Protected files created by a server are moved to the state folder before the next answer.

A server runs for long and may write whenever it likes, not only while it is called. So what is
there is compared after each call, a moment after the last one, before the next one, and at the end.
What appears while nothing is asked of a server can be a person's as well: it stays if no process
of the server has run meanwhile. Acting files that appear then stay anyway: they wait for trust.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from toolcrib.core.tool import JSON
from toolcrib.running.sandbox.guard import Before, ProtectedFiles
from toolcrib.running.sandbox.profile import Access
from toolcrib.running.supervisor.processes import turns_of

logger = logging.getLogger("toolcrib.gateway")

_SETTLING: Final = 0.1
"""Seconds after the last answer in which a server is taken to be still at work."""

Turns = frozenset[tuple[int, bytes]]


def noted(result: JSON, notes: Sequence[str]) -> JSON:
    """A result with notes behind its content; one without content cannot say them."""
    content = result.get("content")
    if not notes or not isinstance(content, list):
        return result
    return {
        **result,
        "content": [*content, *({"type": "text", "text": f"[note: {note}]"} for note in notes)],
    }


class PlantedFiles:
    """Takes away what one process of a server makes; see the module."""

    def __init__(
        self,
        server: str,
        files: ProtectedFiles,
        access: Access,
        processes: Callable[[], Iterable[int]],
    ) -> None:
        """Take down what is there, before the server is started."""
        self.busy: Callable[[], bool] = lambda: False
        """Whether something is asked of the server."""
        self._server = server
        self._files = files
        self._processes = processes
        self._before: Before = files.before(access)
        self._at_rest: Turns | None = None
        self._resting = False
        self._timer: asyncio.TimerHandle | None = None
        self._notes: list[str] = []

    def asked(self) -> None:
        """Something is about to be asked, if only to end: look at what has happened meanwhile."""
        self._cancel()
        if self._resting:
            self._resting = False
            self._look_back()

    def answered(self) -> None:
        """A call is over, or the greeting: take away what has appeared."""
        self._look()
        self._cancel()
        self._timer = asyncio.get_running_loop().call_later(_SETTLING, self._settle)

    def notes(self) -> list[str]:
        """What is to be said of what was taken away, once."""
        notes, self._notes = self._notes, []
        return notes

    def ended(self) -> None:
        """The process is gone."""
        self.asked()
        self._look()

    def _settle(self) -> None:
        """Nothing was asked for a moment: from now on somebody else may have made a file."""
        self._timer = None
        if self.busy():
            self._timer = asyncio.get_running_loop().call_later(_SETTLING, self._settle)
            return
        self._look()
        self._at_rest = turns_of(self._processes())
        self._resting = True

    def _look(self) -> None:
        if not self._files.unchanged(self._before):
            again = self._files.again(self._before)
            self._take(self._files.appeared(self._before))
            self._before = again

    def _look_back(self) -> None:
        if not self._files.unchanged(self._before):
            again = self._files.again(self._before)
            appeared = self._files.appeared(self._before)
            if appeared:
                left = self._files.acting(appeared) if self._has_run() else appeared
                self._take(path for path in appeared if path not in left)
                again = replace(again, present=again.present | set(left))
            self._before = again

    def _has_run(self) -> bool:
        return self._at_rest is None or turns_of(self._processes()) != self._at_rest

    def _take(self, paths: Iterable[str]) -> None:
        notes = self._files.take(paths)
        for note in notes:
            logger.warning("server %s: %s", self._server, note)
        self._notes += notes

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
