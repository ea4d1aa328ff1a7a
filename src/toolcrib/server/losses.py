"""Threads lost in calls that never return, reported to `toolcrib doctor`.

Only a server with such threads leaves a note, one small file per process in the state folder.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.folders import state_folder
from toolcrib.core.support.records import record
from toolcrib.core.support.workers import WORKERS
from toolcrib.files.identity import project_identity

_FOLDER = "lost-threads"
_SOON = 0.2
_LARGEST = 65_536


@record
class Losses:
    """The threads that one process has lost, by tool."""

    pid: int
    tools: dict[str, int]


class LossNote:
    """The note of this process, for all projects that it serves."""

    def __init__(self) -> None:
        self._projects: set[str] = set()
        self._lock = threading.Lock()
        self._pending = False
        self._written = False

    def cover(self, project: Path) -> None:
        """Have losses noted for a project, too."""
        if not self._projects:
            WORKERS.on_loss = self._soon
            atexit.register(self._remove)
        self._projects.add(project_identity(project))

    def _soon(self) -> None:
        """Many are lost at once: one note is enough."""
        with self._lock:
            if self._pending:
                return
            self._pending = True
        timer = threading.Timer(_SOON, self._write)
        timer.daemon = True
        timer.start()

    def _write(self) -> None:
        with self._lock:
            self._pending = False
        lost = WORKERS.lost()
        if not lost:
            self._remove()
            return
        note = {"pid": os.getpid(), "projects": sorted(self._projects), "tools": lost}
        # A note that cannot be written is no reason to trouble anybody: /metrics has the numbers.
        with contextlib.suppress(OSError, ToolcribError):
            file = _file()
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = file.with_suffix(".new")
            draft.write_text(json.dumps(note))
            draft.replace(file)
            self._written = True

    def _remove(self) -> None:
        if self._written:
            with contextlib.suppress(OSError, ToolcribError):
                _file().unlink(missing_ok=True)


NOTE = LossNote()
"""The note of this process."""


def losses_of(project: Path) -> Iterator[Losses]:
    """What servers of this project that still run have lost."""
    identity = project_identity(project)
    try:
        files = sorted((state_folder() / _FOLDER).glob("*.json"))
    except (OSError, ToolcribError):
        return
    for file in files:
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            note = json.loads(file.read_bytes()[:_LARGEST])
            if _lives(int(note["pid"])) and identity in note["projects"]:
                tools = {str(name): int(count) for name, count in note["tools"].items()}
                yield Losses(int(note["pid"]), tools)


def _file() -> Path:
    return state_folder() / _FOLDER / f"{os.getpid()}.json"


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
