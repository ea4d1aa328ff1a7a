"""The bounds that the settings ask for."""

from __future__ import annotations

from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.running.runner import Limits

_MIB = 2**20


def limits_of(settings: ClimaxSettings) -> Limits:
    """The bounds that the settings ask for."""
    return Limits(
        output=max(1024, settings.max_output),
        memory=max(16, settings.max_memory) * _MIB,
        file=max(0, settings.max_file) * _MIB,
        processes=max(1, settings.max_processes),
        cpu=settings.max_cpu,
        concurrency=max(1, settings.concurrency),
        per_tool=max(1, settings.concurrency_per_tool),
    )
