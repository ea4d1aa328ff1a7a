"""The audit log: who called what, how it ended and how long it took, one JSON line each."""

from __future__ import annotations

import datetime
import logging
import os
from pathlib import Path

from toolcrib.core.support.jsonable import dumps
from toolcrib.core.tool import JSON

logger = logging.getLogger("toolcrib.audit")


class AuditLog:
    """Appends to a file that only its owner can read; arguments come in sanitised."""

    def __init__(self, file: Path) -> None:
        self._descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def __call__(
        self, caller: str, tool: str, arguments: JSON, outcome: str, milliseconds: float
    ) -> None:
        """Write one line; a single append, so that lines of several processes never mix."""
        line = {
            "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"),
            "caller": caller,
            "tool": tool,
            "arguments": arguments,
            "outcome": outcome,
            "duration_ms": round(milliseconds, 1),
        }
        try:
            os.write(self._descriptor, dumps(line).encode() + b"\n")
        except OSError as error:  # a full disk is no reason to lose the answer, too
            logger.error("not audited: %s %s (%s)", tool, outcome, error.strerror)
