"""The entries of the index: tools ready to be called, and summaries of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolcrib.core.tool import Tool
from toolcrib.discovery.argument_schemas import shown_items, shown_type, shown_values
from toolcrib.running.program import ArgDef, ResolvedTool


@dataclass(frozen=True, slots=True)
class ToolIndexEntry:
    """Everything needed to call a tool."""

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
    """The best entries for a search, how many there were in all, and on request why they match."""

    entries: list[ToolIndexEntry]
    total: int
    why: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def cli_entry(resolved: ResolvedTool) -> ToolIndexEntry:
    """The entry of a command-line tool."""
    tool, config = resolved.tool, resolved.config
    return ToolIndexEntry(
        tool.name,
        resolved.description,
        config.name,
        config.category,
        config.tags,
        tuple(map(_shown_arg, tool.args)),
        tool.input_schema(described=False),
    )


def native_entry(tool: Tool, cli_name: str) -> ToolIndexEntry:
    """The entry of a tool that is not a command line."""
    args = shown_args(tool.input_schema)
    return ToolIndexEntry(
        tool.name, tool.description, cli_name, cli_name, tool.tags, args, tool.input_schema
    )


def shown_args(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The arguments that a schema describes, each in a few words."""
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    properties = schema.get("properties")
    return tuple(
        _shown_property(name, about, schema, required=name in required)
        for name, about in (properties.items() if isinstance(properties, dict) else ())
    )


def _shown_property(
    name: str, given: Any, root: Mapping[str, Any], *, required: bool
) -> dict[str, Any]:
    """What an argument takes; of several values, `items` and `enum` tell what each may be."""
    about = given if isinstance(given, dict) else {}  # a schema may be just true
    shown: dict[str, Any] = {
        "name": name,
        "type": shown_type(about, root),
        "description": about.get("description", ""),
        "required": required,
    }
    items = shown_items(about, root)
    if items is not None:
        shown["items"] = shown_type(items, root)
    if about.get("default") is not None:
        shown["default"] = about["default"]
    values = shown_values(about, root) or shown_values(items, root)
    if values:
        shown["enum"] = values
    return shown


def _shown_arg(arg: ArgDef) -> dict[str, Any]:
    """The description of an argument, without empty parts."""
    shown: dict[str, Any] = {
        "name": arg.name,
        "type": arg.type,
        "description": arg.description,
        "required": arg.required,
    }
    if arg.type == "array":
        shown["items"] = arg.items
    if arg.default is not None:
        shown["default"] = arg.schema()["default"]
    if arg.enum:
        shown["enum"] = list(arg.enum)
    for role in ("positional", "cwd", "stdin"):
        if getattr(arg, role):
            shown[role] = True
    if arg.is_flag:
        shown["flag"] = arg.effective_flag
    return shown
