"""`ToolIndex`: which tool does that?  Over all command-line tools, and over others on request."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolcrib.core.tool import Tool
from toolcrib.packs.climax.definitions import ArgDef, CLIConfig, ToolDef
from toolcrib.packs.climax.policy import ALLOW_ALL, Executor, Policy, ToolPolicy

if TYPE_CHECKING:
    from toolcrib.search.index import Index

_WEIGHTS = {"name": 4.0, "description": 2.0, "cli": 1.5, "tags": 1.0, "args": 0.5}


@dataclass(frozen=True, slots=True)
class ResolvedTool:
    """A tool together with the config that it belongs to and what the policy says of it."""

    tool: ToolDef
    config: CLIConfig
    policy: ToolPolicy
    executor: Executor

    @property
    def description(self) -> str:
        """What the tool does, in the policy's words if it has some."""
        return self.policy.description or self.tool.description


@dataclass(frozen=True, slots=True)
class ToolIndexEntry:
    """All that a caller needs to know in order to call a tool."""

    tool_name: str
    description: str
    cli_name: str
    category: str | None
    tags: tuple[str, ...]
    args: tuple[Mapping[str, Any], ...]
    input_schema: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The entry as `climax_search` shows it."""
        return {
            "tool_name": self.tool_name,
            "description": self.description,
            "cli_name": self.cli_name,
            "category": self.category,
            "tags": list(self.tags),
            "args": [dict(arg) for arg in self.args],
            "input_schema": dict(self.input_schema),
        }


@dataclass(frozen=True, slots=True)
class CLISummary:
    """A program and how many tools it has."""

    name: str
    description: str
    tool_count: int
    category: str | None
    tags: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The summary as `climax_search` shows it."""
        return {
            "name": self.name,
            "description": self.description,
            "tool_count": self.tool_count,
            "category": self.category,
            "tags": list(self.tags),
        }


@dataclass(frozen=True, slots=True)
class Found:
    """The best entries for a search, and how many there were in all."""

    entries: list[ToolIndexEntry]
    total: int


class ToolIndex:
    """The tools that may be called, by name and by meaning.

    Names are known at once; what else a tool is made of is read when it is asked for, and the
    search index is built by the first search (or by `prepare`). Safe to use from several threads.
    """

    def __init__(self, policy: Policy = ALLOW_ALL) -> None:
        self._configs: dict[str, CLIConfig] = {}
        self._policy = policy
        self._tools: dict[str, tuple[Tool, str]] = {}
        self._index: Index | None = None
        self._lock = threading.Lock()

    @classmethod
    def from_configs(cls, configs: Iterable[CLIConfig], policy: Policy | None = None) -> ToolIndex:
        """An index of the tools of configs, without those that the policy disables."""
        index = cls(policy or ALLOW_ALL)
        for config in configs:
            for name in config.tools.lines:
                if index._policy.decide(name) is not None:
                    index._configs[name] = config
        return index

    def add_tool(self, tool: Tool, cli_name: str) -> None:
        """Let a tool that is no command line be found as well."""
        self._tools[tool.name] = (tool, cli_name)
        self._index = None

    def include(self, other: ToolIndex) -> None:
        """Take over the command-line tools of another index, and its policy."""
        self._configs.update(other._configs)
        self._policy = other._policy
        self._index = None

    def __len__(self) -> int:
        return len(self._configs) + len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._configs or name in self._tools

    def __iter__(self) -> Iterator[str]:
        """All names, sorted."""
        return iter(sorted([*self._configs, *self._tools]))

    def get(self, name: str) -> ResolvedTool | None:
        """The command-line tool of that exact name."""
        config = self._configs.get(name)
        rules = self._policy.decide(name)
        if config is None or rules is None:
            return None
        return ResolvedTool(config.tools.named(name), config, rules, self._policy.executor)

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
    ) -> Found:
        """The same as `search`, with the number of matches before the cut."""
        where = {}
        if category:
            where["category"] = category
        if cli:
            where["cli"] = cli
        hits = self.prepare().search(query or "", limit=limit, where=where)
        return Found([self.entry(hit.key) for hit in hits.hits], hits.total)

    def summary(self, limit: int = 10) -> list[CLISummary]:
        """The programs with their numbers of tools, sorted by name."""
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
        from toolcrib.search.index import Index

        index = Index(_WEIGHTS)
        for name, config in self._configs.items():
            tool = config.tools.named(name)
            rules = self._policy.decide(name) or ToolPolicy()
            _add(
                index,
                name,
                rules.description or tool.description,
                config.name,
                config.category,
                [config.description, *config.tags],
                [f"{arg.name} {arg.description}" for arg in tool.args],
            )
        for name, (native, cli_name) in self._tools.items():
            properties = native.input_schema.get("properties", {})
            args = [f"{arg} {about.get('description', '')}" for arg, about in properties.items()]
            category = native.category or cli_name
            _add(index, name, native.description, cli_name, category, native.tags, args)
        return index

    def entry(self, name: str) -> ToolIndexEntry:
        """What there is to say of a tool that is in the index."""
        resolved = self.get(name)
        if resolved is None:
            return _native_entry(*self._tools[name])
        tool, config = resolved.tool, resolved.config
        return ToolIndexEntry(
            name,
            resolved.description,
            config.name,
            config.category,
            config.tags,
            tuple(map(_shown_arg, tool.args)),
            tool.input_schema(described=False),
        )


def _add(
    index: Index,
    name: str,
    description: str,
    cli: str,
    category: str | None,
    tags: Iterable[str],
    args: Iterable[str],
) -> None:
    fields = {
        "name": name,
        "description": description,
        "cli": cli,
        "tags": [*tags, category or ""],
        "args": list(args),
    }
    index.add(name, fields, {"cli": cli, "category": category or ""})


def _shown_arg(arg: ArgDef) -> dict[str, Any]:
    """What there is to say of an argument; what would say nothing is left out."""
    shown: dict[str, Any] = {
        "name": arg.name,
        "type": arg.type,
        "description": arg.description,
        "required": arg.required,
    }
    if arg.default is not None:
        shown["default"] = arg.default
    if arg.enum:
        shown["enum"] = list(arg.enum)
    for role in ("positional", "cwd", "stdin"):
        if getattr(arg, role):
            shown[role] = True
    if arg.is_flag:
        shown["flag"] = arg.effective_flag
    return shown


def _native_entry(tool: Tool, cli_name: str) -> ToolIndexEntry:
    required = tool.input_schema.get("required", [])
    args = []
    for name, about in tool.input_schema.get("properties", {}).items():
        shown = {
            "name": name,
            "type": about.get("type", "any"),
            "description": about.get("description", ""),
            "required": name in required,
        }
        shown |= {key: about[key] for key in ("default", "enum") if key in about}
        args.append(shown)
    return ToolIndexEntry(
        tool.name,
        tool.description,
        cli_name,
        tool.category or cli_name,
        tool.tags,
        tuple(args),
        tool.input_schema,
    )
