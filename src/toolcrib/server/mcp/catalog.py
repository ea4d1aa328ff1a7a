"""Which tools are listed, which are behind the meta-tools, and their names."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from toolcrib.core.errors import ToolcribError, ToolNotFound, ToolNotListed
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import Contributions, UnlistedTools
from toolcrib.core.registry import ToolManager
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import Tool, withheld_tool

if TYPE_CHECKING:
    from toolcrib.discovery.index import ToolIndex

logger = logging.getLogger("toolcrib.server")

Mode = Literal["default", "classic", "progressive"]
Naming = Literal["exact", "safe"]


class Offer(NamedTuple):
    """What a pack contributes, which pack that is, and whether its definitions are our own."""

    pack: str
    about: str
    given: Contributions
    trusted: bool


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
        self._index: ToolIndex | None = None
        """What stands behind the two meta-tools, where these are listed."""
        self._unlisted: list[UnlistedTools] = []
        self._spread: list[UnlistedTools] = []
        """The same tools where each of them is listed."""
        self._withheld: dict[str, str] = {}
        self._waiting = 0
        self._hidden = 0
        self._safe: dict[str, str] = {}
        self._exact: dict[str, str] = {}

    def load(self, offers: Sequence[Offer]) -> None:
        """Take what the packs contribute now, in one step."""
        self.refused = []
        given = [offer.given for offer in offers]
        self._withheld = {name: text for each in given for name, text in each.withheld.items()}
        self._waiting = sum(each.waiting for each in given)
        self._hidden = sum(len(each.withheld) for each in given if each.unlisted is not None)
        refused = self.manager.replace(self._chosen(offers))
        self.refused += refused
        for error in self.refused:
            logger.error("refused: %s", error)
        if self._naming == "safe":
            from toolcrib.server.mcp.safe_names import safe_names

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

    @property
    def foreign(self) -> bool:
        """Whether there are tools of other servers, or may be."""
        return any(hasattr(tools, "each_group") for tools in (*self._unlisted, *self._spread))

    def spelled(self, tool: Tool) -> str:
        """The tool's name as this server writes it."""
        return self._safe.get(tool.name, tool.name)

    def resolve(self, name: str) -> Tool:
        """The tool that a caller means, by either spelling."""
        tool = self.manager.find(name) or self.manager.find(self._exact.get(name, name))
        if tool is not None:
            return tool
        native = next((tool for tool in self._behind if tool.name == name), None)
        if native is not None:
            return native
        if name in self._withheld:
            return withheld_tool(name, self._withheld[name])
        if any(tools.get(name) is not None for tools in self._unlisted):
            raise ToolNotListed(name)
        # Where all are listed, one that is held or closed is not: its call says why.
        for tools in self._spread:
            if (closed := tools.get(name)) is not None:
                return closed
        raise self._unknown(name)

    async def explained(self, unknown: ToolNotFound) -> ToolNotFound:
        """The same, with the nearest names of the tools behind the two meta-tools as well.

        Their names may have to be read first.
        """
        if self._index is None or isinstance(unknown, ToolNotListed):
            return unknown
        return self._unknown(unknown.name, await in_thread(self._index.nearest, unknown.name))

    def _unknown(self, name: str, behind: Sequence[str] = ()) -> ToolNotFound:
        from toolcrib.discovery.catalog import refusal_of

        listed = [tool.name for tool in self.listed()]
        unknown = ToolNotFound(name, listed, behind=behind, waiting=self._waiting)
        unknown.refuse(refusal_of(self._unlisted, name))
        return unknown

    def find(self, name: str) -> tuple[Tool, bool] | None:
        """The tool that is served under a name, and whether it is listed."""
        listed = self.manager.find(name)
        if listed is not None:
            return listed, True
        behind = (tool for tool in self._behind if tool.name == name)
        unlisted = (tool for tools in self._unlisted if (tool := tools.get(name)) is not None)
        found = next(behind, None) or next(unlisted, None)
        return None if found is None else (found, False)

    def _chosen(self, offers: Sequence[Offer]) -> Iterable[tuple[Tool, bool]]:
        unlisted = [offer.given.unlisted for offer in offers if offer.given.unlisted is not None]
        self._unlisted = [] if self._mode == "classic" else unlisted
        self._spread = unlisted if self._mode == "classic" else []
        self._behind = []
        self._index = None
        if self._mode == "classic" or (self._mode == "default" and not unlisted):
            return [*_native(offers), *_spread(offers)]
        listed = [] if self._mode == "progressive" else _native(offers, secondary=False)
        return [*listed, *((tool, True) for tool in self._meta_tools(offers, unlisted))]

    def _meta_tools(
        self, offers: Sequence[Offer], unlisted: Sequence[UnlistedTools]
    ) -> Sequence[Tool]:
        """The two meta-tools over everything that is not listed itself."""
        from toolcrib.discovery.catalog import discovery_tools, tool_index
        from toolcrib.discovery.groups import PackTools
        from toolcrib.discovery.meta_tools import Withheld

        every = self._mode == "progressive"
        behind = {
            offer.pack: [
                tool for tool in offer.given.tools if every or tool.name in offer.given.secondary
            ]
            for offer in offers
        }
        checked = ToolManager(self.manager.executor)
        self.refused += checked.replace(
            (tool, offer.trusted) for offer in offers for tool in behind[offer.pack]
        )
        self._behind = checked.list_tools()
        served = set(map(id, self._behind))
        groups = [
            PackTools(
                offer.pack,
                offer.about,
                [tool for tool in behind[offer.pack] if id(tool) in served],
            )
            for offer in offers
        ]
        executor, count = self.manager.executor, Withheld(self._hidden, self._waiting)
        self._index = tool_index(unlisted, groups)
        return discovery_tools(
            unlisted, groups, executor, self._withheld, count, self._is_listed, self._index
        )

    def _is_listed(self, name: str) -> bool:
        """Whether a tool is listed itself, by either spelling."""
        return self.manager.find(self._exact.get(name, name)) is not None


def _native(offers: Iterable[Offer], *, secondary: bool = True) -> list[tuple[Tool, bool]]:
    """The packs' own tools; the secondary ones are listed where the two meta-tools are not."""
    return [
        (tool, offer.trusted)
        for offer in offers
        for tool in offer.given.tools
        if secondary or tool.name not in offer.given.secondary
    ]


def _spread(offers: Iterable[Offer]) -> list[tuple[Tool, bool]]:
    """All tools that would stand behind the meta-tools, one by one."""
    return [(tool, offer.trusted) for offer in offers for tool in offer.given.unlisted or ()]
