"""How the process of a server ended, as text."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import Final

from toolcrib.running.service import Service

_FAREWELL: Final = 0.4
"""Seconds that are waited for the exit of a process whose output has ended."""


async def how_it_ended(service: Service) -> str:
    """How a process ended, as far as that is known soon."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(service.ended), _FAREWELL)
    if not service.ended.done():
        return "it closed its output"
    answer = service.ended.result()
    if "failed" in answer:
        return os.strerror(answer.get("errno") or 0)
    if answer.get("limit"):
        return f"it exceeded its limit of {answer['limit']}"
    status = answer.get("status")
    if status is None:
        return "it closed its output"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-status).name}"
        return f"signal {-status}"
    return f"exit code {status}"
