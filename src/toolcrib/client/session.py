"""A session with one server: its era, its capabilities and its complete lists.

`initialize` comes first. A server that does not know it is asked `server/discover`, and each of its
requests then carries the envelope of the stateless era.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from contextvars import ContextVar
from typing import Any, Final

from toolcrib import __version__
from toolcrib.client.connection import BrokenAnswer, Connection, Progress
from toolcrib.core.support.jsonable import dumps
from toolcrib.core.support.records import bare
from toolcrib.core.tool import JSON
from toolcrib.wire.eras import (
    CAPABILITIES_KEY,
    CLIENT_KEY,
    LEGACY,
    MODERN,
    SERVER_KEY,
    VERSION_KEY,
    Era,
)
from toolcrib.wire.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    RpcError,
)
from toolcrib.wire.versions import HANDSHAKE_VERSIONS, MODERN_VERSIONS

MOST_PAGES: Final = 100
MOST_ITEMS: Final = 20_000
MOST_CHARACTERS: Final = 32 * 1024 * 1024
_OTHER_ERA = (METHOD_NOT_FOUND, UNSUPPORTED_VERSION, INVALID_PARAMS, HEADER_MISMATCH)
_CLIENT = {"name": "toolcrib", "version": __version__}
ANNOUNCED: Final[ContextVar[JSON | None]] = ContextVar("announced", default=None)
"""What the client of the call that is under way can do, for the server that is called."""


@bare
class ListPage:
    """A whole list, and why it is not, where it is not."""

    items: list[JSON]
    warning: str | None = None


class ServerSession:
    """An initialised session with one server."""

    def __init__(self, connection: Connection, era: Era, about: JSON) -> None:
        self.connection = connection
        self.era = era
        self.info: JSON = _object(about.get("serverInfo"))
        self.capabilities: JSON = _object(about.get("capabilities"))
        given = about.get("instructions")
        self.instructions: str | None = given if isinstance(given, str) else None
        self.announced: JSON = {}
        """What the server was told that its client can do."""

    @classmethod
    async def open(
        cls, connection: Connection, *, era: Era | None = None, capabilities: JSON | None = None
    ) -> ServerSession:
        """Initialise a session, trying the known era first.

        `capabilities` are announced where no call is under way whose client could say its own.
        """
        told = ANNOUNCED.get()
        announced = told if told is not None else capabilities or {}
        session = await cls._opened(connection, announced, era)
        session.announced = announced
        return session

    @classmethod
    async def _opened(
        cls, connection: Connection, announced: JSON, era: Era | None
    ) -> ServerSession:
        if era == MODERN:
            try:
                return await cls._discovered(connection, announced)
            except RpcError as error:  # it has become one of an earlier era
                if error.code not in _OTHER_ERA:
                    raise
        return await cls._initialized(connection, announced)

    @classmethod
    async def _initialized(cls, connection: Connection, announced: JSON) -> ServerSession:
        params = {
            "protocolVersion": HANDSHAKE_VERSIONS[-1],
            "capabilities": announced,
            "clientInfo": _CLIENT,
        }
        try:
            about = await connection.request("initialize", params)
        except RpcError as error:
            if error.code not in _OTHER_ERA or connection.lost:
                raise
            return await cls._discovered(connection, announced)
        connection.notify("notifications/initialized", {})
        return cls(connection, LEGACY, about)

    @classmethod
    async def _discovered(cls, connection: Connection, announced: JSON) -> ServerSession:
        about = await connection.request("server/discover", {"_meta": _envelope(announced)})
        info = _object(about.get("_meta")).get(SERVER_KEY)
        return cls(connection, MODERN, {"serverInfo": info, **about})

    def request(
        self, method: str, params: Mapping[str, Any], progress: Progress | None = None
    ) -> Coroutine[Any, Any, JSON]:
        """Send a request in the way of the server's era."""
        if self.era == LEGACY:
            return self.connection.request(method, params, progress)
        return self.connection.request(method, self._enveloped(params), progress)

    async def listen(self, wanted: JSON) -> None:
        """Subscribe to changes of a server of the stateless era, until cancelled."""
        params = self._enveloped({"notifications": wanted})
        await self.connection.request("subscriptions/listen", params, listens=True)

    def _enveloped(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.era == LEGACY:
            return params
        announced = ANNOUNCED.get()
        envelope = _envelope(self.announced if announced is None else announced)
        return {**params, "_meta": {**params.get("_meta", {}), **envelope}}

    async def whole(self, method: str, name: str) -> ListPage:
        """All items of a list, page by page; stops if a cursor repeats."""
        items: list[JSON] = []
        seen: set[str] = set()
        cursor: str | None = None
        size = 0
        for _ in range(MOST_PAGES):
            result = await self.request(method, {"cursor": cursor} if cursor else {})
            page = result.get(name)
            if not isinstance(page, list):
                raise BrokenAnswer(f"{method} has no list {name!r}")
            items += [item for item in page if isinstance(item, dict)]
            following = result.get("nextCursor")
            if not isinstance(following, str) or not following:  # some write "" for the end
                return ListPage(items[:MOST_ITEMS], _over(items, method))
            if following in seen:
                return ListPage(items[:MOST_ITEMS], f"{method}: a cursor came twice")
            size += len(dumps(page))
            if len(items) > MOST_ITEMS or size > MOST_CHARACTERS:
                break
            seen.add(following)
            cursor = following
        return ListPage(items[:MOST_ITEMS], f"{method}: more pages, items or text than are read")


def _over(items: list[JSON], method: str) -> str | None:
    return f"{method}: more than {MOST_ITEMS} items" if len(items) > MOST_ITEMS else None


def _envelope(announced: JSON) -> JSON:
    return {
        VERSION_KEY: MODERN_VERSIONS[-1],
        CAPABILITIES_KEY: announced,
        CLIENT_KEY: _CLIENT,
    }


def _object(value: Any) -> JSON:
    return value if isinstance(value, dict) else {}
