"""A server for one command: the same surface in this process, without a transport."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from toolcrib.cli.terminal import console
from toolcrib.core.errors import InvalidArguments, InvalidParams, ToolcribError, ToolNotFound
from toolcrib.core.tool import JSON
from toolcrib.server.assembly import assemble
from toolcrib.server.loop_threads import use_counted_threads
from toolcrib.server.mcp.protocol import Request, Session, plain_result
from toolcrib.server.surface import Surface
from toolcrib.settings import load
from toolcrib.wire.eras import MODERN
from toolcrib.wire.messages import RpcError

T = TypeVar("T")


class LocalPeer:
    """A caller at the terminal: nothing is sent to it, and nothing can be asked of it."""

    def __init__(self) -> None:
        self.session = Session()
        self.caller = "local"

    async def notify(self, method: str, params: JSON) -> None:
        """Progress and log lines have no reader here."""

    async def request(self, method: str, params: JSON) -> JSON:
        """Refuse: there is no client to ask."""
        raise ToolcribError(f"{method}: a terminal cannot be asked")


class LocalServer:
    """A surface that answers one method after the other."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self._peer = LocalPeer()

    async def ask(self, method: str, **params: Any) -> JSON:
        """Answer one MCP method, or raise an error that a person can read."""
        request = Request(method, params, MODERN, self._peer, id=1)
        try:
            answer = plain_result(await self.surface.answer(request))
        except RpcError as error:
            data = error.data if isinstance(error.data, dict) else {}
            if data.get("reason") == "tool_not_found":
                raise ToolNotFound(data["name"], data["nearest"]) from error
            if "errors" in data:
                raise InvalidArguments(data["errors"], data.get("fields", ())) from error
            raise InvalidParams(error.message, data=error.data) from error
        return {key: item for key, item in answer.items() if key not in ("ttlMs", "cacheScope")}

    def tell_unseen(self) -> None:
        """Say beside the output which servers were never asked what they have."""
        for pack in self.surface.packs:
            if unseen := pack.unseen():
                console.aside(f"{', '.join(unseen)}: not seen yet: toolcrib servers refresh")

    async def everything(self, method: str, key: str) -> list[JSON]:
        """All pages of a list."""
        items: list[JSON] = []
        params: JSON = {}
        while True:
            page = await self.ask(method, **params)
            items += page[key]
            if "nextCursor" not in page:
                return items
            params = {"cursor": page["nextCursor"]}


def with_local_server(
    args: argparse.Namespace,
    work: Callable[[LocalServer], Coroutine[Any, Any, T]],
    *,
    packs: Sequence[str] = (),
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    at_rest: bool = False,
) -> T:
    """Assemble what would be served, do the work, and close everything.

    `at_rest`: no server is started to find out what it has.
    """

    async def session() -> T:
        use_counted_threads()
        async with _server(args, packs, overrides) as server:
            for pack in server.surface.packs:
                pack.at_rest = at_rest
            return await work(server)

    return asyncio.run(session())


@asynccontextmanager
async def _server(
    args: argparse.Namespace,
    packs: Sequence[str],
    overrides: Mapping[str, Mapping[str, Any]] | None,
) -> AsyncIterator[LocalServer]:
    settings = load(args.project, overrides)
    console.tell_trust(settings, args)
    surface = assemble(settings, packs, search=True)
    try:
        yield LocalServer(surface)
    finally:
        await surface.close()
