"""The bounds that the settings ask for."""

from __future__ import annotations

from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.running.limits import Limits

_MIB = 2**20


def limits_of(settings: ClimaxSettings) -> Limits:
    """The bounds that the settings ask for."""
    return Limits(
        output=settings.max_output,
        memory=settings.max_memory * _MIB,
        file=settings.max_file * _MIB,
        disk=settings.max_disk * _MIB,
        processes=settings.max_processes,
        cpu=settings.max_cpu,
        concurrency=settings.concurrency,
        per_tool=settings.concurrency_per_tool,
    )
