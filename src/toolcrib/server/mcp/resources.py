"""The resources of all packs: listed, read, completed."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence

from toolcrib.core.errors import ResourceNotFound, ToolcribError
from toolcrib.core.pack import (
    READER,
    Completing,
    Contents,
    Followed,
    Resource,
    ResourceSource,
    ResourceTemplate,
)
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.server.mcp.catalog import Catalog
from toolcrib.server.mcp.paging import page_as_wire, page_of
from toolcrib.server.mcp.protocol import Request, text_param
from toolcrib.wire.messages import RpcError

_TOOL_URI = "toolcrib://tools/"


class ToolManual:
    """The full text of a tool, as `toolcrib://tools/{name}`.

    Some of our own have one beside their description; of a tool of another server it is the whole
    description, which a search may cut.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def __bool__(self) -> bool:
        return self._catalog.foreign or bool(self._catalog.documented())

    def resources(self) -> Sequence[Resource]:
        """None: the full text of a tool is read by its name, through the template."""
        return ()

    def templates(self) -> Sequence[ResourceTemplate]:
        """The one template."""
        return [ResourceTemplate(_TOOL_URI + "{name}", "tool", title="Full text of a tool")]

    async def read(self, uri: str) -> Sequence[Contents]:
        """The manual page of one tool."""
        for tool in self._catalog.documented():
            if uri in (_TOOL_URI + tool.name, _TOOL_URI + self._catalog.spelled(tool)):
                return [Contents(uri, text=tool.full_description)]
        found = self._catalog.find(uri.removeprefix(_TOOL_URI))
        if found is not None and found[0].description:
            return [Contents(uri, text=found[0].description)]
        raise ResourceNotFound(uri, [_TOOL_URI + tool.name for tool in self._catalog.documented()])

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        """Names of tools that have a manual page."""
        names = (tool.name for tool in self._catalog.documented())
        return [name for name in names if name.startswith(value)]


class ResourceCatalog:
    """Lists, reads and completes the resources of all packs, each by its uri scheme."""

    def __init__(self, sources: Sequence[ResourceSource | None], catalog: Catalog) -> None:
        self._sources: list[ResourceSource] = [each for each in sources if each is not None]
        manual = ToolManual(catalog)
        if manual:
            self._sources.append(manual)

    def __bool__(self) -> bool:
        return bool(self._sources)

    async def page(self, request: Request, size: int) -> JSON:
        """One page of all resources."""
        found = [item for each in self._sources for item in await in_thread(each.resources)]
        found.sort(key=lambda item: item.uri)
        page, following = page_of(found, request.params.get("cursor"), size, lambda item: item.uri)
        return page_as_wire("resources", [item.to_wire() for item in page], following)

    def every(self) -> list[Resource]:
        """All resources."""
        return [item for each in self._sources for item in each.resources()]

    async def template_page(self, request: Request, size: int) -> JSON:
        """One page of all templates."""
        found = [item for each in self._sources for item in each.templates()]
        found.sort(key=lambda item: item.uri_template)
        page, following = page_of(
            found, request.params.get("cursor"), size, lambda item: item.uri_template
        )
        return page_as_wire("resourceTemplates", [item.to_wire() for item in page], following)

    async def read(self, uri: str) -> JSON:
        """What one resource holds."""
        contents = await self._source(uri).read(uri)
        return {"contents": [piece.to_wire() for piece in contents]}

    async def complete(self, uri: str, argument: str, value: str, given: JSON) -> list[str]:
        """Values for the variable of a template."""
        source = self._source(uri)
        if isinstance(source, Completing):
            return await source.completed(uri, argument, value, given)
        return await in_thread(source.complete, uri, argument, value, given)

    async def subscribe(self, request: Request) -> JSON:
        """Note that a client of an earlier era follows a resource."""
        uri, session = text_param(request.params, "uri"), request.peer.session
        if uri not in session.subscriptions:
            READER.set(session.id or request.peer.caller)
            await self._follow(uri)
            session.subscriptions.add(uri)
        return {}

    async def unsubscribe(self, request: Request) -> JSON:
        """Note that it does not any more."""
        uri, session = text_param(request.params, "uri"), request.peer.session
        if uri in session.subscriptions:
            READER.set(session.id or request.peer.caller)
            session.subscriptions.remove(uri)
            await self._unfollow(uri)
        return {}

    async def _follow(self, uri: str) -> None:
        for source in self._sources:
            if isinstance(source, Followed):
                await source.subscribe(uri)

    async def _unfollow(self, uri: str) -> None:
        for source in self._sources:
            if isinstance(source, Followed):
                await source.unsubscribe(uri)

    @contextlib.asynccontextmanager
    async def followed(self, uris: Iterable[str]) -> AsyncIterator[None]:
        """Follow some resources for a while; what cannot be followed is not."""
        found = []
        try:
            for uri in uris:
                with contextlib.suppress(ToolcribError, RpcError):
                    await self._follow(uri)
                    found.append(uri)
            yield
        finally:
            for uri in found:
                with contextlib.suppress(ToolcribError, RpcError):
                    await self._unfollow(uri)

    def _source(self, uri: str) -> ResourceSource:
        scheme = uri.partition("://")[0]
        templates = [item.uri_template for each in self._sources for item in each.templates()]
        owners = [(item, each) for each in self._sources for item in each.templates()]
        fitting = [pair for pair in owners if uri.startswith(_beginning(pair[0]))]
        if fitting:
            return max(fitting, key=lambda pair: len(_beginning(pair[0])))[1]
        for template, source in owners:
            if uri == template.uri_template or _scheme(template) == scheme:
                return source
        for source in self._sources:
            if any(item.uri.partition("://")[0] == scheme for item in source.resources()):
                return source
        raise ResourceNotFound(uri, templates)


def _beginning(template: ResourceTemplate) -> str:
    return template.uri_template.partition("{")[0]


def _scheme(template: ResourceTemplate) -> str:
    return template.uri_template.partition("://")[0]
