"""Which of the servers that the record names still run."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from typing import Final

from toolcrib.server.record import process_start
from toolcrib.web.calls import Line

HOST: Final = socket.gethostname()
SILENCE: Final = 15 * 60.0
"""Seconds after which a server of another host that says nothing counts as ended."""


def running(
    starts: Mapping[int, Line], heard: Mapping[int, float], now: float | None = None
) -> dict[int, Line]:
    """The starts of those that run, by process; `heard` tells when each last wrote a line."""
    silent = (time.time() if now is None else now) - SILENCE
    return {
        pid: start
        for pid, start in list(starts.items())
        if _runs(pid, start, heard.get(pid, 0.0) >= silent)
    }


def _runs(pid: int, start: Line, heard_lately: bool) -> bool:
    if start.get("host") not in (None, HOST):
        return heard_lately
    began = process_start(pid)
    return began is not None and start.get("started") in (None, began)
