"""`ToolIndex`: which tool does that?  Over all command-line tools, and over others on request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from toolcrib.core.tool import Tool

# What a start does not need is imported where it is used: a session begins with every start.
if TYPE_CHECKING:
    from toolcrib.discovery.entries import CLISummary, Found, ToolIndexEntry
    from toolcrib.policy.model import Policy
    from toolcrib.running.program import CLIConfig, ResolvedTool
    from toolcrib.search.index import Index, Item


class Stock(Protocol):
    """Where an index has its command-line tools from."""

    @property
    def configs(self) -> Iterable[CLIConfig]:
        """The programs."""

    @property
    def policy(self) -> Policy | None:
        """Which of their tools may be called; None for all."""


class _Fixed(NamedTuple):
    """A stock that never changes."""

    configs: tuple[CLIConfig, ...]
    policy: Policy | None


class ToolIndex:
    """The tools that may be called, by name and by meaning.

    The stock is looked at when a tool is first asked for, and the search index is built by the
    first search (or by `prepare`). Safe to use from several threads.
    """

    def __init__(self, stock: Callable[[], Stock] | None = None) -> None:
        self.stock = stock
        self._policy: Policy | None = None
        self._by_name: Mapping[str, CLIConfig] | None = None
        self._tools: dict[str, tuple[Tool, str]] = {}
        self._index: Index | None = None
        self._lock = threading.RLock()

    @classmethod
    def from_configs(cls, configs: Iterable[CLIConfig], policy: Policy | None = None) -> ToolIndex:
        """An index of the tools of configs, without those that the policy disables."""
        stock = _Fixed(tuple(configs), policy)
        return cls(lambda: stock)

    def add_tool(self, tool: Tool, cli_name: str) -> None:
        """Let a tool that is no command line be found as well."""
        self._tools[tool.name] = (tool, cli_name)
        self._index = None

    @property
    def _configs(self) -> Mapping[str, CLIConfig]:
        """The config of each command-line tool that may be called."""
        with self._lock:
            if self._by_name is None:
                stock = self.stock() if self.stock is not None else None
                self._policy = policy = stock.policy if stock is not None else None
                self._by_name = {
                    name: config
                    for config in (stock.configs if stock is not None else ())
                    for name in config.tools.lines
                    if policy is None or policy.decide(name) is not None
                }
            return self._by_name

    def __len__(self) -> int:
        return len(self._configs) + len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._configs or name in self._tools

    def __iter__(self) -> Iterator[str]:
        """All names, sorted."""
        return iter(sorted([*self._configs, *self._tools]))

    def get(self, name: str) -> ResolvedTool | None:
        """The command-line tool of that exact name."""
        from toolcrib.policy.model import ALLOW_ALL, ToolPolicy
        from toolcrib.running.program import ResolvedTool

        config = self._configs.get(name)
        if config is None:
            return None
        policy = self._policy or ALLOW_ALL
        rules = policy.tools.get(name, ToolPolicy())
        place = str(policy.place(name)) if name in policy.tools else None
        return ResolvedTool(config.tools.named(name), config, rules, policy.executor, place)

    def refused_at(self, name: str) -> str | None:
        """Where the policy turns off a tool that some config has, as `file:line:column`."""
        if name in self._configs or self.stock is None:
            return None
        stock = self.stock()
        if stock.policy is None or all(name not in each.tools.lines for each in stock.configs):
            return None
        return str(stock.policy.refused_at(name))

    def search(
        self,
        query: str | None = None,
        category: str | None = None,
        cli: str | None = None,
        limit: int = 10,
    ) -> list[ToolIndexEntry]:
        """The tools that match every given filter, best first."""
        return self.find(query, category, cli, limit).entries

    def find(
        self,
        query: str | None = None,
        category: str | None = None,
        cli: str | None = None,
        limit: int = 10,
        explain: bool = False,
    ) -> Found:
        """The same as `search`, with the number of matches before the cut, and why they match."""
        from toolcrib.discovery.entries import Found

        where = {}
        if category:
            where["category"] = category
        if cli:
            where["cli"] = cli
        hits = self.prepare().search(query or "", limit=limit, where=where, explain=explain)
        entries = [self.entry(hit.key) for hit in hits.hits]
        return Found(entries, hits.total, {hit.key: hit.why for hit in hits.hits if hit.why})

    def summary(self, limit: int = 10) -> list[CLISummary]:
        """The programs with their numbers of tools, sorted by name."""
        from toolcrib.discovery.entries import CLISummary

        counts: dict[int, tuple[CLIConfig, int]] = {}
        for config in self._configs.values():
            counts[id(config)] = (config, counts.get(id(config), (config, 0))[1] + 1)
        found = [
            CLISummary(config.name, config.description, count, config.category, config.tags)
            for config, count in counts.values()
        ]
        others: dict[str, int] = {}
        for _, cli_name in self._tools.values():
            others[cli_name] = others.get(cli_name, 0) + 1
        found += [CLISummary(name, "", count, name, ()) for name, count in others.items()]
        return sorted(found, key=lambda each: each.name)[:limit]

    def nearest(self, name: str, limit: int = 3) -> list[str]:
        """The names that most resemble one that is not there."""
        return self.prepare().nearest(name, limit)

    @property
    def ready(self) -> bool:
        """Whether a search can be answered without building the index first."""
        return self._index is not None

    def prepare(self) -> Index:
        """Build the search index, unless it is there."""
        with self._lock:
            if self._index is None:
                self._index = self._built()
            return self._index

    def _built(self) -> Index:
        from toolcrib.discovery.tool_fields import tool_index

        index = tool_index()
        index.add_all(self._items())
        return index

    def _items(self) -> Iterator[Item]:
        from toolcrib.discovery.tool_fields import tool_item

        for name, config in self._configs.items():
            tool = config.tools.named(name)
            rules = self._policy.decide(name) if self._policy is not None else None
            yield tool_item(
                name,
                (rules.description if rules else None) or tool.description,
                cli=config.name,
                about=config.description,
                category=config.category or "",
                tags=config.tags,
                arguments=[f"{arg.name} {arg.description}" for arg in tool.args],
            )
        for name, (native, cli_name) in self._tools.items():
            properties = native.input_schema.get("properties", {})
            yield tool_item(
                name,
                native.description,
                cli=cli_name,
                category=native.category or cli_name,
                tags=native.tags,
                arguments=[
                    f"{arg} {each.get('description', '')}" for arg, each in properties.items()
                ],
            )

    def entry(self, name: str) -> ToolIndexEntry:
        """What there is to say of a tool that is in the index."""
        from toolcrib.discovery.entries import cli_entry, native_entry

        resolved = self.get(name)
        return cli_entry(resolved) if resolved is not None else native_entry(*self._tools[name])
