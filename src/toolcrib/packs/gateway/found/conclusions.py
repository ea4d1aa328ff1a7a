"""What was concluded from all definitions of a long catalogue, kept for the next start.

To hash and to measure every tool of a thousand takes longer than to search them. A conclusion
belongs to the exact bytes of the catalogue, and to whatever else it was drawn from; it is sealed
(`files/content_cache`), so who can write a cache cannot have a changed tool pass for a known one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from toolcrib.core.support.digests import swift_digest
from toolcrib.files.content_cache import user_cache
from toolcrib.packs.gateway.catalogue import Catalogue

_WORTH_KEEPING: Final = 100
"""Tools from which on a file more is worth what it saves."""


def concluded(
    kind: str, catalogue: Catalogue, told: Iterable[bytes], work: Callable[[], list[Any]]
) -> list[Any]:
    """A list that `work` draws from a catalogue and from what else it was `told`.

    It is drawn anew where nothing was kept of exactly these.
    """
    if not catalogue.written or len(catalogue.tools) < _WORTH_KEEPING:
        return work()
    cache = user_cache("conclusions")
    if cache is None:
        return work()
    source = " ".join([catalogue.written, *map(swift_digest, told)]).encode()
    kept = cache.get(kind, source)
    if kept is not None:
        found: list[Any] = json.loads(kept[0])
        return found
    drawn = work()
    cache.put(kind, source, [drawn])
    return drawn
