"""The published keys of a JWT issuer, fetched rarely and without delaying tools."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from toolcrib.core.support.workers import Workers

if TYPE_CHECKING:
    from jwt import PyJWK

logger = logging.getLogger("toolcrib.server")

FRESH = 300.0
"""Seconds for which fetched keys are used without a further look."""
PAUSE = 15.0
"""Seconds between two attempts, whoever asks: tokens can name keys that do not exist."""
KEPT = 3600.0
"""Seconds for which the last keys are believed while the issuer cannot be reached."""
_TIMEOUT = 5.0
# What comes of an issuer that is away, or that publishes something else than keys.
_STRANGE = (OSError, ValueError, TypeError, AttributeError, RecursionError)


class PublishedKeys:
    """Finds a key by its id; the issuer is queried rarely, even for unknown ids."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        from jwt import PyJWKClient

        self._source = PyJWKClient(url, cache_jwk_set=False, timeout=_TIMEOUT)
        self._clock = clock
        # A thread of its own: an issuer that does not answer must not hold up any tool.
        self._workers = Workers(1)
        self._keys: Mapping[str, PyJWK] = {}
        self._fetched = self._tried = -KEPT
        self._fetching: asyncio.Task[None] | None = None

    async def find(self, id: object) -> PyJWK | None:
        """The key of that id; None where the issuer publishes none."""
        if not isinstance(id, str):
            return None
        if id not in self._keys or self._age >= FRESH:
            await self._look_again()
        return self._keys.get(id) if self._age < KEPT else None

    @property
    def _age(self) -> float:
        return self._clock() - self._fetched

    async def _look_again(self) -> None:
        """Fetch, or wait for the fetch that somebody else has begun, unless one was just tried."""
        if self._fetching is None:
            if self._clock() - self._tried < PAUSE:
                return
            self._tried = self._clock()
            self._fetching = asyncio.get_running_loop().create_task(self._fetch())
        # A caller that goes away must not end the fetch for all others.
        await asyncio.shield(self._fetching)

    async def _fetch(self) -> None:
        from jwt import PyJWTError

        try:
            self._keys = await self._workers.run(self._published)
            self._fetched = self._clock()
        except (PyJWTError, *_STRANGE) as error:
            logger.warning("the keys of %s cannot be fetched: %s", self._source.uri, error)
        finally:
            self._fetching = None

    def _published(self) -> dict[str, PyJWK]:
        return {key.key_id: key for key in self._source.get_signing_keys() if key.key_id}
