"""Resources of servers: listed from what is known, read and completed by the server itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from toolcrib.core.errors import InvalidParams
from toolcrib.core.pack import READER, Contents, Resource, ResourceTemplate
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.packs.gateway.offers.uris import SCHEME, our_uri, their_uri, with_meta, with_uri
from toolcrib.packs.gateway.results import SCHEME as RESULTS
from toolcrib.packs.gateway.results import ResultResources
from toolcrib.packs.gateway.servers import Servers
from toolcrib.packs.gateway.texts import clean

_FAMILY = ResourceTemplate(
    SCHEME + "{server}/{+uri}", "server", title="A resource of another server", mime_type=None
)


class ServerResources:
    """The resources of all servers that may be used, and whole results that were cut."""

    def __init__(self, servers: Callable[[], Servers], results: ResultResources) -> None:
        self._servers = servers
        self._results = results

    def resources(self) -> Sequence[Resource]:
        """What the servers have listed, sorted."""
        found = [
            Resource(uri, _text(given.get("name")), given=_cleaned(with_uri(server, given)))
            for server, given in self._listed("resources")
            if isinstance(given.get("uri"), str)
            for uri in [our_uri(server, given["uri"])]
        ]
        return sorted(found, key=lambda item: item.uri)

    def templates(self) -> Sequence[ResourceTemplate]:
        """The servers' templates, one for whatever else they have, and that of long results."""
        found = list(self._results.templates())
        if self._servers().entries:
            found.append(_FAMILY)
        for server, given in self._listed("templates"):
            own = given.get("uriTemplate")
            if isinstance(own, str):
                wire = {**_cleaned(with_meta(server, given)), "uriTemplate": our_uri(server, own)}
                name = _text(given.get("name"))
                found.append(ResourceTemplate(wire["uriTemplate"], name, given=wire))
        return sorted(found, key=lambda item: item.uri_template)

    async def read(self, uri: str) -> Sequence[Contents]:
        """What a resource holds, as its server says it."""
        if uri.startswith(RESULTS):
            return await self._results.read(uri)
        server, own = self._known(uri)
        result = await self._asked(server, "resources/read", {"uri": own})
        contents = result.get("contents")
        if not isinstance(contents, list):
            raise ServerFault(server, "protocol", f"Server {server!r} gave no contents")
        pieces = [with_uri(server, piece) for piece in contents if isinstance(piece, dict)]
        return [Contents(_text(piece.get("uri")), given=piece) for piece in pieces]

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        """Nothing by ourselves: see `completed`."""
        return []

    async def completed(
        self, uri_template: str, argument: str, value: str, given: JSON
    ) -> list[str]:
        """Values for a template's variable, as its server proposes them."""
        if not uri_template.startswith(SCHEME) or uri_template == _FAMILY.uri_template:
            return []
        server, own = self._known(uri_template)
        ref = {"type": "ref/resource", "uri": own}
        return await completion(self._servers(), server, ref, argument, value, given)

    async def subscribe(self, uri: str) -> None:
        """Have a server tell when a resource changes; it is started for that, and stays up."""
        if uri.startswith(SCHEME):
            server, own = self._known(uri)
            running = await self._servers().server_of(server, READER.get())
            running.following.add(own)
            await running.session()

    async def unsubscribe(self, uri: str) -> None:
        """One subscriber less."""
        if uri.startswith(SCHEME):
            server, own = self._known(uri)
            running = await self._servers().server_of(server, READER.get())
            running.following.remove(own)

    async def _asked(self, server: str, method: str, params: JSON) -> JSON:
        servers = self._servers()
        with Clock(server, servers.entries[server].timeout) as clock:
            running = await servers.server_of(server, READER.get())
            return await running.request(method, params, clock, repeatable=True)

    def _known(self, uri: str) -> tuple[str, str]:
        try:
            server, own = their_uri(uri)
        except ValueError:
            raise InvalidParams(f"{uri} is no uri of a server's resource") from None
        if server not in self._servers().entries:
            raise InvalidParams(f"There is no server {server!r}", data={"uri": uri})
        return server, own

    def _listed(self, kind: str) -> Iterator[tuple[str, JSON]]:
        servers = self._servers()
        for server in servers.entries:
            catalogue = servers.state(server).catalogue
            for given in getattr(catalogue, kind, ()):
                yield server, given


async def completion(
    servers: Servers, server: str, ref: JSON, argument: str, value: str, given: JSON
) -> list[str]:
    """What a server proposes for an argument; nothing from one that completes nothing."""
    catalogue = servers.state(server).catalogue
    if catalogue is None or "completions" not in catalogue.capabilities:
        return []
    params: JSON = {"ref": ref, "argument": {"name": argument, "value": value}}
    if given:
        params["context"] = {"arguments": given}
    with Clock(server, servers.entries[server].timeout) as clock:
        running = await servers.server_of(server, READER.get())
        result = await running.request("completion/complete", params, clock, repeatable=True)
    found = result.get("completion")
    values = found.get("values") if isinstance(found, dict) else None
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else []


def _cleaned(given: JSON) -> JSON:
    """A definition without characters that hide or turn around."""
    texts = {key: clean(given[key]) for key in ("name", "title", "description")
             if isinstance(given.get(key), str)}  # fmt: skip
    return {**given, **texts}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
