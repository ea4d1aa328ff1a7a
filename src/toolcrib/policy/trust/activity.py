"""Tells other processes whether calls of a project are running.

`toolcrib trust --follow` makes a file in the state folder; a server that finds it there holds a
shared lock on it while calls run, and touches it when one begins and when one ends.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.files.private import private_folder

_OFTEN = 0.01
_RECENT = 2.0
"""Seconds after a call in which a change may still be its doing."""


class Activity:
    """The calls of one project, as far as somebody follows its changes."""

    def __init__(self, identity: str) -> None:
        self._folder: Path | None = None
        with contextlib.suppress(ConfigError):
            self._folder = state_folder() / "following"
        self._path = f"{self._folder}/{sha256(os.fsencode(identity))}"
        self._running = 0
        self._held: int | None = None
        self._looked = 0.0

    def begin_to_watch(self) -> None:
        """Ask servers to tell of calls from now on."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                private_folder(self._folder)
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
                os.utime(self._path, (0, 0))

    def end_watch(self) -> None:
        """Stop watching."""
        with contextlib.suppress(OSError):
            os.unlink(self._path)  # noqa: PTH108

    def recent(self) -> bool:
        """Whether a call runs, or ran within the last two seconds."""
        import fcntl

        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return True  # nobody can tell
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            touched = os.fstat(descriptor).st_mtime
        except OSError:
            return True
        finally:
            os.close(descriptor)
        return time.time() - touched < _RECENT

    def began(self) -> None:
        """A call begins; costs one failing system call if nobody is watching.

        While others run, it is made a hundred times a second: whoever began to watch in between
        began in the midst of those calls.
        """
        self._running += 1
        if self._held is not None:
            return
        now = time.monotonic()
        if self._running > 1 and now - self._looked < _OFTEN:
            return
        self._looked = now
        # To be told by a number that a file is not there takes a third of being told by an error.
        if not os.access(self._path, os.F_OK):
            return
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            os.utime(descriptor)
        self._held = descriptor

    def ended(self) -> None:
        """A call is over."""
        self._running -= 1
        if self._held is not None and not self._running:
            with contextlib.suppress(OSError):
                os.utime(self._held)
            os.close(self._held)
            self._held = None
