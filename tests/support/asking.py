"""A surface that is asked without a transport, by a client that remembers what it was told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from support.pipe import ENVELOPE
from toolcrib.core.tool import JSON
from toolcrib.server.mcp.protocol import Request, Session
from toolcrib.server.surface import Surface
from toolcrib.wire.eras import LEGACY, MODERN, Era


class Listener:
    """The other end of a request."""

    def __init__(self, caller: str = "tester") -> None:
        self.session = Session(initialized=True)
        self.caller = caller
        self.told: list[tuple[str, JSON]] = []
        self.answers: dict[str, JSON] = {}

    async def notify(self, method: str, params: JSON) -> None:
        self.told.append((method, params))

    async def request(self, method: str, params: JSON) -> JSON:
        self.told.append((method, params))
        return self.answers[method]


def request(
    method: str, params: JSON | None = None, peer: Listener | None = None, era: Era = LEGACY
) -> Request:
    """A request as a transport would make it."""
    given = dict(params or {})
    if era == MODERN:
        given["_meta"] = {**ENVELOPE, **given.get("_meta", {})}
    return Request(method, given, era, peer or Listener(), 1)


def asked(surface: Surface, method: str, params: JSON | None = None, **more: Any) -> Any:
    """What the surface answers."""
    return asyncio.run(surface.answer(request(method, params, **more)))


def over_pages(page: Callable[[JSON], Awaitable[JSON]], items: str, key: str) -> list[str]:
    """What names each item of a list, page after page until there is no further one."""

    async def every() -> list[str]:
        found, cursor = [], None
        while True:
            answer = await page({"cursor": cursor} if cursor else {})
            found += [each[key] for each in answer[items]]
            cursor = answer.get("nextCursor")
            if cursor is None:
                return found

    return asyncio.run(every())
