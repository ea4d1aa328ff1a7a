"""Tools that are not command lines, grouped by pack or server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from toolcrib.core.tool import JSON, Tool

if TYPE_CHECKING:
    from toolcrib.discovery.entries import ToolIndexEntry


class ToolText(NamedTuple):
    """The texts by which a tool is found."""

    name: str
    description: str
    category: str = ""
    tags: Sequence[str] = ()
    arguments: Sequence[str] = ()


class ToolGroup(Protocol):
    """The tools of one pack or one server; entries are created on demand."""

    @property
    def changes(self) -> bool:
        """Whether its tools can change while it is served."""

    @property
    def name(self) -> str:
        """The name of the group, in summaries and as a filter."""

    @property
    def category(self) -> str:
        """The category of the group, in summaries and as a filter."""

    @property
    def description(self) -> str:
        """What its tools are for."""

    @property
    def stamp(self) -> str:
        """What its texts were made from: with the same stamp they are the same."""

    def __len__(self) -> int: ...

    def __contains__(self, name: object) -> bool: ...

    def __iter__(self) -> Iterator[str]:
        """The names of its tools."""

    def texts(self) -> Iterable[ToolText]:
        """What each tool is found by."""

    def entry(self, name: str) -> ToolIndexEntry:
        """What there is to say of one tool."""


class PackTools:
    """The tools of a pack as a group."""

    changes = False

    def __init__(self, name: str, description: str, tools: Iterable[Tool]) -> None:
        self.name = self.category = name
        self.description = description
        self._tools = {tool.name: tool for tool in tools}

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    @property
    def stamp(self) -> str:
        """What its texts were made from."""
        from toolcrib.search.kept.keeping import digest

        return digest(self.name, self.description, *self.texts())

    def get(self, name: str) -> Tool | None:
        """The tool of that exact name."""
        return self._tools.get(name)

    def texts(self) -> Iterable[ToolText]:
        """What each tool is found by."""
        for tool in self._tools.values():
            properties: Mapping[str, JSON] = tool.input_schema.get("properties", {})
            arguments = [
                f"{name} {about.get('description', '')}" for name, about in properties.items()
            ]
            yield ToolText(tool.name, tool.description, tool.category or "", tool.tags, arguments)

    def entry(self, name: str) -> ToolIndexEntry:
        """What there is to say of one tool."""
        from toolcrib.discovery.entries import native_entry

        return native_entry(self._tools[name], self.name)
