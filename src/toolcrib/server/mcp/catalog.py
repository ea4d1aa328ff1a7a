"""Which tools are listed, which stand behind the meta-tools, and what each is called."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Literal

from toolcrib.core.errors import ToolcribError, ToolNotFound, ToolNotListed
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import Contributions, UnlistedTools
from toolcrib.core.registry import ToolManager
from toolcrib.core.tool import Tool
from toolcrib.server.mcp.safe_names import safe_names

logger = logging.getLogger("toolcrib.server")

Mode = Literal["default", "classic", "progressive"]
Naming = Literal["exact", "safe"]
Offer = tuple[Contributions, bool]
"""What a pack contributes, and whether its definitions are our own."""


class Catalog:
    """The tools of all packs, seen through one mode of discovery.

    `default` lists the native packs' tools and puts the command-line tools behind `climax_search`
    and `climax_call`; `classic` lists everything; `progressive` lists only the two, which then
    reach everything.
    """

    def __init__(
        self, executor: ToolExecutor, *, mode: Mode = "default", naming: Naming = "exact"
    ) -> None:
        self.manager = ToolManager(executor)
        self.refused: list[ToolcribError] = []
        self._mode = mode
        self._naming = naming
        self._behind: list[Tool] = []
        self._unlisted: list[UnlistedTools] = []
        self._safe: dict[str, str] = {}
        self._exact: dict[str, str] = {}

    def load(self, offers: Sequence[Offer]) -> None:
        """Take what the packs contribute now, in one step."""
        self.refused = []
        self.refused += self.manager.replace(self._chosen(offers))
        for error in self.refused:
            logger.error("refused: %s", error)
        if self._naming == "safe":
            self._safe = safe_names(tool.name for tool in self.manager.list_tools())
            self._exact = {safe: exact for exact, safe in self._safe.items()}

    def listed(self) -> list[Tool]:
        """The tools of `tools/list`, sorted by name."""
        return self.manager.list_tools()

    def every(self) -> Iterable[Tool]:
        """All tools, listed or not."""
        yield from self.manager.list_tools()
        yield from self._behind
        if self._mode != "classic":
            for tools in self._unlisted:
                yield from tools

    def documented(self) -> list[Tool]:
        """The tools that have a full text, whether or not they are listed."""
        tools = [*self.manager.list_tools(), *self._behind]
        return sorted((tool for tool in tools if tool.full_description), key=lambda each: each.name)

    def spelled(self, tool: Tool) -> str:
        """The tool's name as this server writes it."""
        return self._safe.get(tool.name, tool.name)

    def resolve(self, name: str) -> Tool:
        """The tool that a caller means, by either spelling."""
        if name not in self.manager and name in self._exact:
            return self.manager.get_tool(self._exact[name])
        if name in self.manager:
            return self.manager.get_tool(name)
        native = next((tool for tool in self._behind if tool.name == name), None)
        if native is not None:
            return native
        if any(tools.get(name) is not None for tools in self._unlisted):
            raise ToolNotListed(name)
        try:
            return self.manager.get_tool(name)
        except ToolNotFound as unknown:
            from toolcrib.discovery.catalog import refusal_of

            unknown.refuse(refusal_of(self._unlisted, name))
            raise

    def _chosen(self, offers: Sequence[Offer]) -> Iterable[tuple[Tool, bool]]:
        native = [(tool, trusted) for offer, trusted in offers for tool in offer.tools]
        self._unlisted = [offer.unlisted for offer, _ in offers if offer.unlisted is not None]
        unlisted = [
            (offer.unlisted, trusted) for offer, trusted in offers if offer.unlisted is not None
        ]
        self._unlisted = [tools for tools, _ in unlisted]
        if self._mode == "classic":
            self._unlisted = []
            return native + [(tool, trusted) for tools, trusted in unlisted for tool in tools]
        if self._mode == "progressive":
            behind = ToolManager(self.manager.executor)
            self.refused = behind.replace(native)
            self._behind = behind.list_tools()
            return self._meta_tools([tools for tools, _ in unlisted], self._behind)
        return native + (self._meta_tools([tools for tools, _ in unlisted], []) if unlisted else [])

    def _meta_tools(
        self, unlisted: Sequence[UnlistedTools], native: Sequence[Tool]
    ) -> list[tuple[Tool, bool]]:
        """The two meta-tools over everything that is not listed itself."""
        from toolcrib.discovery.catalog import discovery_tools

        return [(tool, True) for tool in discovery_tools(unlisted, native, self.manager.executor)]
