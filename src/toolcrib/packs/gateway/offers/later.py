"""Resources and prompts of servers, loaded lazily to keep start-up fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from toolcrib.core.pack import Contents, Prompt, RenderedPrompt, Resource, ResourceTemplate
from toolcrib.core.tool import JSON, CallContext

if TYPE_CHECKING:
    from toolcrib.packs.gateway.offers.prompts import ServerPrompts
    from toolcrib.packs.gateway.offers.resources import ServerResources
    from toolcrib.packs.gateway.offers.skills import ServerSkills


class LaterResources:
    """The resources of all servers; see `ServerResources`."""

    def __init__(self, make: Callable[[], ServerResources]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> ServerResources:
        return self._make()

    def resources(self) -> Sequence[Resource]:
        """What the servers have listed."""
        return self._made.resources()

    def templates(self) -> Sequence[ResourceTemplate]:
        """Their templates."""
        return self._made.templates()

    async def read(self, uri: str) -> Sequence[Contents]:
        """What a resource holds."""
        return await self._made.read(uri)

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        """Nothing by ourselves: see `completed`."""
        return []

    async def completed(self, name: str, argument: str, value: str, given: JSON, /) -> list[str]:
        """What the server proposes."""
        return await self._made.completed(name, argument, value, given)

    async def subscribe(self, uri: str) -> None:
        """Have a server tell when a resource changes."""
        await self._made.subscribe(uri)

    async def unsubscribe(self, uri: str) -> None:
        """One subscriber less."""
        await self._made.unsubscribe(uri)


class LaterSkills:
    """The skills of all servers; see `ServerSkills`."""

    def __init__(self, make: Callable[[], ServerSkills]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> ServerSkills:
        return self._make()

    async def skills(self) -> Sequence[JSON]:
        """What the servers have listed."""
        return await self._made.skills()

    async def skill(self, uri: str) -> JSON | None:
        """The entry of one."""
        return await self._made.skill(uri)


class LaterPrompts:
    """The prompts of all servers; see `ServerPrompts`."""

    def __init__(self, make: Callable[[], ServerPrompts]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> ServerPrompts:
        return self._make()

    def prompts(self) -> Sequence[Prompt]:
        """All of them."""
        return self._made.prompts()

    async def render(
        self, name: str, arguments: Mapping[str, str], context: CallContext
    ) -> RenderedPrompt:
        """Have a server fill one in."""
        return await self._made.render(name, arguments, context)

    def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        """Nothing by ourselves: see `completed`."""
        return []

    async def completed(self, name: str, argument: str, value: str, given: JSON, /) -> list[str]:
        """What the server proposes."""
        return await self._made.completed(name, argument, value, given)
