"""The tools of servers, loaded lazily to keep start-up fast."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from toolcrib.core.errors import Refusal
from toolcrib.core.support.workers import beside_the_loop
from toolcrib.core.tool import JSON, Tool, ToolOutput

if TYPE_CHECKING:
    from toolcrib.packs.gateway.found.definitions import UsableTools
    from toolcrib.packs.gateway.found.group import ServerGroup
    from toolcrib.packs.gateway.tools import ServerTools


def imported(modules: Sequence[str]) -> None:
    """Import some modules, one after the other."""
    with beside_the_loop():
        for module in modules:
            import_module(module)


class LaterTools:
    """A lazy proxy of `ServerTools`."""

    def __init__(
        self, make: Callable[[], ServerTools], place: str, ready: Callable[[], Awaitable[None]]
    ) -> None:
        """`ready`: loads what the first search or call takes, beside the loop."""
        self.place = place
        self._make = make
        self._ready = ready
        self._made: ServerTools | None = None

    @property
    def _tools(self) -> ServerTools:
        if self._made is None:
            self._made = self._make()
        return self._made

    @property
    def groups(self) -> Sequence[ServerGroup]:
        """One group for each server that is known."""
        return self._tools.groups

    def each_group(self) -> Sequence[ServerGroup]:
        """The groups as they are now."""
        return self._tools.groups

    @property
    def definitions(self) -> UsableTools:
        """Which tools may be used."""
        return self._tools.definitions

    def get(self, name: str) -> Tool | None:
        """The tool of that exact name."""
        return self._tools.get(name) if "__" in name else None

    def refusal(self, name: str) -> Refusal | None:
        """Why the tool of that name may not be called."""
        return self._tools.refusal(name) if "__" in name else None

    def missing(self, name: str, near: Sequence[str]) -> ToolOutput | None:
        """What a caller of a tool that nobody has is told."""
        return self._tools.missing(name, near) if "__" in name else None

    def prepare(self, name: str) -> Awaitable[None] | None:
        """Load what a call takes; None where that has been done."""
        return self._ready() if self._made is None and "__" in name else None

    async def remarks(self) -> JSON:
        """What is being asked, what could not be, what is held, and what waits for trust."""
        if self._made is None:
            await self._ready()
        return await self._tools.remarks()

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)
