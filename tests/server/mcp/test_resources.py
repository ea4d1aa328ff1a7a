"""The resources of all packs: listed, read, completed, followed."""

from __future__ import annotations

import asyncio

import pytest

from support.asking import Listener, over_pages, request
from toolcrib.core.errors import ResourceNotFound
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import Contents, Contributions, Resource, ResourceTemplate
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.server.mcp.catalog import Catalog, Offer
from toolcrib.server.mcp.resources import ResourceCatalog


class Source:
    """Resources below one uri."""

    def __init__(self, beginning: str, *names: str) -> None:
        self.beginning = beginning
        self.names = names
        self.followed: list[str] = []

    def resources(self) -> list[Resource]:
        return [Resource(self.beginning + name, name) for name in self.names]

    def templates(self) -> list[ResourceTemplate]:
        return [ResourceTemplate(self.beginning + "{name}", "all")]

    async def read(self, uri: str) -> list[Contents]:
        return [Contents(uri, text=self.beginning)]

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        return [name for name in self.names if name.startswith(value)]

    async def subscribe(self, uri: str) -> None:
        self.followed.append(uri)

    async def unsubscribe(self, uri: str) -> None:
        self.followed.remove(uri)


def tools() -> Catalog:
    async def run(arguments: JSON, context: CallContext) -> str:
        return "ran"

    made = Catalog(ToolExecutor())
    one = Tool("x/y", "short", {"type": "object"}, run, full_description="the full text")
    made.load([Offer("p", "about", Contributions(tools=[one]), False)])
    return made


def text(resources: ResourceCatalog, uri: str) -> str:
    return str(asyncio.run(resources.read(uri))["contents"][0]["text"])


def test_a_uri_is_read_by_the_pack_whose_template_fits_best() -> None:
    """S-8: two packs may share a scheme; the longer beginning wins."""
    resources = ResourceCatalog([Source("a://", "x"), None, Source("a://deep/", "y")], tools())
    assert text(resources, "a://x") == "a://"
    assert text(resources, "a://deep/y") == "a://deep/"
    with pytest.raises(ResourceNotFound):
        text(resources, "b://x")


def test_resources_are_listed_over_pages_in_order_of_their_uris() -> None:
    """S-8: of all packs together."""
    resources = ResourceCatalog([Source("b://", "1", "2"), Source("a://", "3")], tools())
    uris = over_pages(
        lambda params: resources.page(request("resources/list", params), 2), "resources", "uri"
    )
    assert uris == ["a://3", "b://1", "b://2"]


def test_the_full_text_of_a_tool_is_a_template_and_not_listed() -> None:
    """G-8: whoever wants it knows the tool's name."""
    resources = ResourceCatalog([], tools())
    assert resources.every() == []
    assert text(resources, "toolcrib://tools/x/y") == "the full text"
    completed = resources.complete("toolcrib://tools/{name}", "name", "x", {})
    assert asyncio.run(completed) == ["x/y"]
    with pytest.raises(ResourceNotFound):
        text(resources, "toolcrib://tools/none")


def test_a_subscription_is_followed_once_and_ended_once() -> None:
    """X-16: however often a client says the same."""
    source = Source("a://", "x")
    resources = ResourceCatalog([source], tools())
    peer = Listener()

    async def story() -> list[list[str]]:
        found = []
        for method in ("subscribe", "subscribe", "unsubscribe", "unsubscribe"):
            await getattr(resources, method)(request("any", {"uri": "a://x"}, peer))
            found.append(list(source.followed))
        async with resources.followed(["a://x"]):
            found.append(list(source.followed))
        return [*found, source.followed]

    assert asyncio.run(story()) == [["a://x"], ["a://x"], [], [], ["a://x"], []]
