"""The tools of one server, as search sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from toolcrib.discovery.groups import ToolText
from toolcrib.packs.gateway.found.definitions import Usable, UsableTools
from toolcrib.packs.gateway.schemas import input_schema
from toolcrib.packs.gateway.servers import Servers
from toolcrib.packs.gateway.texts import LONGEST_DESCRIPTION, clean, clean_schema, first_sentence
from toolcrib.policy.servers import BETWEEN

if TYPE_CHECKING:
    from toolcrib.discovery.entries import ToolIndexEntry

CATEGORY: Final = "mcp"


class ServerGroup:
    """A group for search: its stamp says when it has become another one."""

    changes = True
    category = CATEGORY

    def __init__(
        self,
        name: str,
        servers: Callable[[], Servers],
        definitions: UsableTools,
    ) -> None:
        self.name = name
        self._prefix = f"{name}{BETWEEN}"
        self._servers = servers
        self._definitions = definitions

    @property
    def stamp(self) -> str:
        """What its texts were made from: with the same stamp they are the same."""
        servers = self._servers()
        if self.name not in servers.entries:
            return ""
        state = servers.state(self.name)
        digest = state.catalogue.digest if state.catalogue is not None else ""
        usable = self._definitions.stamp(state)
        return f"{servers.catalogues.key(state.entry)} {digest} {usable}"

    @property
    def description(self) -> str:
        """What the entry says, else what the server says of itself."""
        state = self._servers().state(self.name)
        if state.entry.description:
            return state.entry.description
        catalogue = state.catalogue
        if catalogue is None:
            return ""
        if catalogue.instructions and "instructions" not in state.held.names:
            return first_sentence(catalogue.instructions)
        said = catalogue.info.get("title") or catalogue.info.get("name")
        return clean(said) if isinstance(said, str) else ""

    def __len__(self) -> int:
        return len(self._usable())

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or not name.startswith(self._prefix):
            return False
        return name.removeprefix(self._prefix) in self._usable()

    def __iter__(self) -> Iterator[str]:
        return (f"{self._prefix}{name}" for name in self._usable())

    def texts(self) -> Iterable[ToolText]:
        """What each tool is found by."""
        labels = self._servers().entries[self.name].labels
        for name, tool in self._usable().items():
            properties = input_schema(tool.given.get("inputSchema")).get("properties")
            arguments = properties if isinstance(properties, dict) else {}
            yield ToolText(
                f"{self._prefix}{name}",
                _told(tool),
                CATEGORY,
                labels,
                [f"{each} {_described(about)}" for each, about in arguments.items()],
            )

    def entry(self, name: str) -> ToolIndexEntry:
        """What there is to say of one tool."""
        from toolcrib.discovery.entries import ToolIndexEntry, shown_args

        tool = self._usable()[name.removeprefix(self._prefix)]
        schema = clean_schema(input_schema(tool.given.get("inputSchema")))
        return ToolIndexEntry(
            name,
            _told(tool)[:LONGEST_DESCRIPTION],
            self.name,
            CATEGORY,
            self._servers().entries[self.name].labels,
            shown_args(schema),
            schema,
        )

    def _usable(self) -> Mapping[str, Usable]:
        return self._definitions.of(self.name) if self.name in self._servers().entries else {}


def _told(tool: Usable) -> str:
    """The description of a tool: the policy's, else the server's own."""
    text = tool.description or tool.given.get("description")
    return clean(text) if isinstance(text, str) else ""


def _described(about: Any) -> str:
    text = about.get("description") if isinstance(about, dict) else None
    return clean(text) if isinstance(text, str) else ""
