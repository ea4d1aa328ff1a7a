"""The meta-tools climax_search and climax_call over all tools that are not listed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from toolcrib.core.errors import Refusal
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import UnlistedTools
from toolcrib.core.tool import JSON, Tool, ToolOutput, withheld_tool
from toolcrib.discovery.groups import PackTools, ToolGroup
from toolcrib.discovery.index import ToolIndex
from toolcrib.discovery.meta_tools import NOTHING_WITHHELD, Listed, Withheld, meta_tools


@runtime_checkable
class IndexedTools(Protocol):
    """Unlisted tools with their own index."""

    index: ToolIndex


@runtime_checkable
class GroupedTools(Protocol):
    """Unlisted tools that come in groups."""

    place: str
    """Names what they belong to: for a place, the search index is kept on disk."""

    def each_group(self) -> Sequence[ToolGroup]:
        """The groups as they are now."""


@runtime_checkable
class RemarkingTools(Protocol):
    """Unlisted tools that add remarks to a search's answer."""

    async def remarks(self) -> JSON:
        """Further keys of a search's answer."""


@runtime_checkable
class PreparedTools(Protocol):
    """Unlisted tools that need preparation before a call."""

    def prepare(self, name: str) -> Awaitable[None] | None:
        """Prepare the tool with that name, if it is one of these and not prepared yet."""


@runtime_checkable
class AnsweringTools(Protocol):
    """Unlisted tools that answer calls of unknown names themselves."""

    def missing(self, name: str, near: Sequence[str]) -> ToolOutput | None:
        """The answer to a call of an unknown tool; `near` are the nearest names."""


def discovery_tools(
    unlisted: Sequence[UnlistedTools],
    packs: Sequence[PackTools],
    executor: ToolExecutor,
    withheld: Mapping[str, str] | None = None,
    count: Withheld = NOTHING_WITHHELD,
    listed: Listed = lambda name: False,
    index: ToolIndex | None = None,
) -> list[Tool]:
    """The two meta-tools over all `unlisted` tools, and over those of `packs` as well.

    `withheld` are tools that are not trusted yet, with the answer to a call of each; one that is
    `listed` beside the two is called directly. `index` is over the same tools, if there is one.
    """
    places: list[PackTools | UnlistedTools] = [*packs, *unlisted]

    def lookup(name: str) -> Tool | None:
        for place in places:
            if (tool := place.get(name)) is not None:
                return tool
        return withheld_tool(name, withheld[name]) if withheld and name in withheld else None

    def refusal(name: str) -> Refusal | None:
        return refusal_of(unlisted, name)

    speaking = [tools for tools in unlisted if isinstance(tools, RemarkingTools)]

    async def remarks() -> JSON:
        found: JSON = {}
        for tools in speaking:
            found |= await tools.remarks()
        return found

    prepared = [tools for tools in unlisted if isinstance(tools, PreparedTools)]

    def prepare(name: str) -> Awaitable[None] | None:
        due: list[Awaitable[None]] = []
        for tools in prepared:
            if (each := tools.prepare(name)) is not None:
                due.append(each)
        return _all(due) if due else None

    answering = [tools for tools in unlisted if isinstance(tools, AnsweringTools)]

    def missing(name: str, near: Sequence[str]) -> ToolOutput | None:
        return next((found for tools in answering if (found := tools.missing(name, near))), None)

    if index is None:  # its length, which `or` would ask for, reads all tools
        index = tool_index(unlisted, packs)
    told = remarks if speaking else None
    first = prepare if prepared else None
    return meta_tools(index, lookup, refusal, executor, count, told, missing, first, listed)


async def _all(due: Sequence[Awaitable[None]]) -> None:
    await asyncio.gather(*due)


def refusal_of(unlisted: Sequence[UnlistedTools], name: str) -> Refusal | None:
    """Why the tool with that name may not be called, if one of them knows it."""
    return next((found for tools in unlisted if (found := tools.refusal(name)) is not None), None)


def tool_index(unlisted: Sequence[UnlistedTools], packs: Sequence[PackTools]) -> ToolIndex:
    """One index for everything: that of the command-line tools, with the others added."""
    own = next((tools.index for tools in unlisted if isinstance(tools, IndexedTools)), None)
    fixed: list[ToolGroup] = [group for group in packs if len(group)]
    later = [tools for tools in unlisted if isinstance(tools, GroupedTools)]
    for tools in unlisted:
        if not isinstance(tools, IndexedTools | GroupedTools):
            fixed.append(PackTools("toolcrib", "", tools))
    if own is not None and not fixed and not later:
        return own
    place = next((tools.place for tools in later), "")

    def groups() -> list[ToolGroup]:
        return [*fixed, *(group for tools in later for group in tools.each_group())]

    if own is None:
        return ToolIndex(None, groups, place=place)
    return ToolIndex(own.stock, groups, place=own.place)
