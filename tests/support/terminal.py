"""A command at a terminal of its own, and somebody who reads and types there."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

PATIENCE = 30.0


class Terminal:
    """A process whose standard streams are a terminal; a context manager that leaves nothing."""

    def __init__(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None = None
    ) -> None:
        self._ours, theirs = pty.openpty()
        self.shown = ""
        try:
            self.process = subprocess.Popen(
                list(command),
                cwd=cwd,
                env={**os.environ, "NO_COLOR": "1", **(env or {})},
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
        finally:
            os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def until(self, text: str) -> str:
        """Read until the text has appeared; return all that was shown so far."""
        give_up_at = time.monotonic() + PATIENCE
        while text not in self.shown:
            if not self._read(give_up_at):
                raise AssertionError(f"{text!r} never appeared in {self.shown!r}")
        return self.shown

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """Read to the end; return the exit code."""
        give_up_at = time.monotonic() + PATIENCE
        while self._read(give_up_at):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, give_up_at: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0.0, give_up_at - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)
