"""A mark that the current configs and policy were loaded without any problem.

A server that finds it can answer at once and read the files when a tool is needed. What is served
always comes from the files; the mark only allows reading them later.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from toolcrib.files.content_cache import ContentCache, user_cache
from toolcrib.packs.climax.config.sources import Identities
from toolcrib.packs.climax.settings import ClimaxSettings

_KIND = "known good"
# A file that was written within the last tick of the clock could be written again unnoticed.
_TICK_NS = 50_000_000


def is_known_good(project: Path, settings: ClimaxSettings, files: Identities) -> bool:
    """Whether these files were found sound as they are."""
    cache = user_cache()
    return cache is not None and cache.get(_KIND, _key(project, settings, files)) is not None


def mark_known_good(project: Path, settings: ClimaxSettings, files: Identities) -> None:
    """Remember that these files are sound."""
    cache: ContentCache | None = user_cache()
    newest = max((max(identity[3:]) for identity in files.values() if identity), default=0)
    if cache is not None and time.time_ns() - newest > _TICK_NS:
        cache.put(_KIND, _key(project, settings, files), [True])


def _key(project: Path, settings: ClimaxSettings, files: Identities) -> bytes:
    meant = [str(project), settings.configs, settings.policy, settings.strict, files]
    return json.dumps(meant).encode()
