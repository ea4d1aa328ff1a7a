"""`ToolIndex`: search over all command-line tools, and over other tools on request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol

# What a start does not need is imported where it is used: a session begins with every start.
if TYPE_CHECKING:
    from toolcrib.discovery.entries import CLISummary, Found, ToolIndexEntry
    from toolcrib.discovery.groups import ToolGroup
    from toolcrib.policy.layers import Layers
    from toolcrib.policy.model import Policy
    from toolcrib.running.program import CLIConfig, ResolvedTool
    from toolcrib.search.index import Index, IndexItem
    from toolcrib.search.names import NameTable


class Stock(Protocol):
    """The source of an index's command-line tools."""

    @property
    def configs(self) -> Iterable[CLIConfig]:
        """The programs."""

    @property
    def policy(self) -> Layers | Policy | None:
        """Which of their tools may be called; None for all."""


class _Fixed(NamedTuple):
    """A stock that never changes."""

    configs: tuple[CLIConfig, ...]
    policy: Layers | Policy | None


class ToolIndex:
    """The tools that may be called, by name and by meaning.

    The stock is read when a tool is first requested, and the search index is built by the first
    search (or by `prepare`). Safe to use from several threads.
    """

    def __init__(
        self,
        stock: Callable[[], Stock] | None = None,
        groups: Iterable[ToolGroup] | Callable[[], Iterable[ToolGroup]] = (),
        *,
        place: str = "",
    ) -> None:
        """`place` names what is indexed; with it, the search index is kept on disk.

        Groups that may change are given as a function, called when needed.
        """
        self.stock = stock
        self.place = place
        fixed = None if callable(groups) else list(groups)
        self._find_groups = groups if callable(groups) else lambda: fixed or []
        self._stamps: object = None
        self._policy: Layers | Policy | None = None
        self._by_name: Mapping[str, CLIConfig] | None = None
        self._names: NameTable | None = None
        self._keys: list[str] = []
        self._index: Index | None = None
        self._lock = threading.RLock()
        self._done = 0

    @property
    def _every(self) -> list[ToolGroup]:
        return list(self._find_groups())

    @property
    def _groups(self) -> list[ToolGroup]:
        return [group for group in self._every if len(group)]

    def _look_again(self) -> None:
        """Drop what was built from groups that have changed since."""
        stamps = [group.stamp for group in self._every if group.changes]
        if stamps != self._stamps:
            self._stamps = stamps
            self._index = self._names = None

    @classmethod
    def from_configs(
        cls, configs: Iterable[CLIConfig], policy: Layers | Policy | None = None
    ) -> ToolIndex:
        """An index of the tools of configs, without those that the policy disables."""
        stock = _Fixed(tuple(configs), policy)
        return cls(lambda: stock)

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
        return len(self._configs) + sum(map(len, self._groups))

    def __contains__(self, name: object) -> bool:
        return name in self._configs or any(name in group for group in self._groups)

    def __iter__(self) -> Iterator[str]:
        """All names, sorted."""
        return iter(sorted([*self._configs, *chain.from_iterable(self._groups)]))

    def get(self, name: str) -> ResolvedTool | None:
        """The command-line tool of that exact name."""
        from toolcrib.policy.model import ALLOW_ALL, ToolPolicy
        from toolcrib.running.program import ResolvedTool

        config = self._configs.get(name)
        if config is None:
            return None
        policy = self._policy or ALLOW_ALL
        rules = policy.decide(name) or ToolPolicy()
        place = str(policy.place(name)) if policy.names(name) else None
        layers = tuple(policy.places(name))
        tool = config.tools.named(name)
        return ResolvedTool(tool, config, rules, policy.executor, place, layers)

    def refused_at(self, name: str) -> str | None:
        """Where the policy disables a configured tool, as `file:line:column`."""
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
        groups = self._every
        entries = [self._entry(hit.key, groups) for hit in hits.hits]
        return Found(entries, hits.total, {hit.key: hit.why for hit in hits.hits if hit.why})

    def summary(self, limit: int = 10) -> list[CLISummary]:
        """The programs and packs with their numbers of tools, sorted by name; needs no index."""
        return self._summaries()[:limit]

    def _summaries(self) -> list[CLISummary]:
        from toolcrib.discovery.entries import CLISummary

        counts: dict[int, tuple[CLIConfig, int]] = {}
        for config in self._configs.values():
            counts[id(config)] = (config, counts.get(id(config), (config, 0))[1] + 1)
        found = [
            CLISummary(config.name, config.description, count, config.category, config.tags)
            for config, count in counts.values()
        ]
        found += [
            CLISummary(group.name, group.description, len(group), group.category, ())
            for group in self._groups
        ]
        return sorted(found, key=lambda each: each.name)

    def nearest(self, name: str, limit: int = 3) -> list[str]:
        """The names most similar to an unknown one; needs no index."""
        from toolcrib.search.names import NameTable, plain_name

        with self._lock:
            self._look_again()
            if self._names is None:
                self._keys = list(self)
                self._names = NameTable()
                self._names.put(enumerate(map(plain_name, self._keys)))
            # A bare name is no tool; first come the servers that have one of that name.
            bare = [key for key in self._keys if key.endswith(f"__{name}")]
            near = [self._keys[number] for number in self._names.nearest(name, limit)]
            return list(dict.fromkeys([*bare, *near]))[:limit]

    def programs(self) -> set[str]:
        """The names of the programs and packs: what `cli` can filter by."""
        return {each.name for each in self._summaries()}

    def categories(self) -> set[str]:
        """What `category` can filter by."""
        known = {each.category for each in self._summaries() if each.category}
        return known | {text.category for group in self._groups for text in group.texts()} - {""}

    @property
    def ready(self) -> bool:
        """Whether a search can be answered without building the index first."""
        with self._lock:
            self._look_again()
            return self._index is not None

    @property
    def progress(self) -> int:
        """How much of the index is built, in percent."""
        return 100 if self.ready else min(99, 100 * self._done // max(1, len(self)))

    def prepare(self) -> Index:
        """Build the search index, unless it exists."""
        with self._lock:
            self._look_again()
            if self._index is None:
                self._index = self._built()
            return self._index

    def _built(self) -> Index:
        from toolcrib.discovery.tool_fields import tool_index
        from toolcrib.search.kept.keeping import kept_index

        if self.place:
            return kept_index(tool_index, "tools", self.place, self._wanted(), lambda make: make())
        index = tool_index()
        for make in self._wanted().values():
            index.add_all(make())
        return index

    def _wanted(self) -> dict[str, Callable[[], Iterator[IndexItem]]]:
        """The items of all tools, by what they are made from."""
        from toolcrib.search.kept.keeping import digest

        by_config: dict[int, tuple[CLIConfig, list[str]]] = {}
        for name, config in self._configs.items():
            by_config.setdefault(id(config), (config, []))[1].append(name)
        wanted: dict[str, Callable[[], Iterator[IndexItem]]] = {}
        for config, names in by_config.values():
            told: list[object] = list(names)
            if self._policy is not None:
                told = [(name, self._described(name)) for name in names]
            stamp = digest(config.digest or id(config), config.name, *told)
            wanted[stamp] = partial(self._config_items, config, names)
        for group in self._groups:
            wanted[group.stamp] = partial(self._group_items, group)
        return wanted

    def _described(self, name: str) -> str | None:
        """The description that the policy gives a tool."""
        rules = self._policy.decide(name) if self._policy is not None else None
        return rules.description if rules is not None else None

    def _config_items(self, config: CLIConfig, names: Iterable[str]) -> Iterator[IndexItem]:
        from toolcrib.discovery.tool_fields import tool_item

        for name in names:
            tool = config.tools.named(name)
            self._done += 1
            yield tool_item(
                name,
                self._described(name) or tool.description,
                cli=config.name,
                about=config.description,
                categories=[config.category] if config.category else [],
                tags=config.tags,
                arguments=[f"{arg.name} {arg.description}" for arg in tool.args],
            )

    def _group_items(self, group: ToolGroup) -> Iterator[IndexItem]:
        from toolcrib.discovery.tool_fields import tool_item

        cli, about, category = group.name, group.description, group.category
        for text in group.texts():
            self._done += 1
            own = text.category
            yield tool_item(
                text.name,
                text.description,
                cli=cli,
                about=about,
                categories=[each for each in (category, own if own != category else "") if each],
                tags=text.tags,
                arguments=text.arguments,
            )

    def entry(self, name: str) -> ToolIndexEntry:
        """The entry of a tool in the index."""
        return self._entry(name, self._every)

    def _entry(self, name: str, groups: Iterable[ToolGroup]) -> ToolIndexEntry:
        resolved = self.get(name) if name in self._configs else None
        if resolved is None:
            return next(group for group in groups if name in group).entry(name)
        from toolcrib.discovery.entries import cli_entry

        return cli_entry(resolved)
