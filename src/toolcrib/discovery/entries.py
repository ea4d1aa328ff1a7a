"""The entries of the index: tools ready to be called, and summaries of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolcrib.core.tool import Tool
from toolcrib.running.program import ArgDef, ResolvedTool

_DEEPEST = 8
_JSON_TYPES = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
}


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
    args = []
    for name, given in properties.items() if isinstance(properties, dict) else ():
        about = given if isinstance(given, dict) else {}  # a schema may be just true
        shown = {
            "name": name,
            "type": shown_type(about, schema),
            "description": about.get("description", ""),
            "required": name in required,
        }
        shown |= {key: about[key] for key in ("default", "enum") if about.get(key) is not None}
        args.append(shown)
    return tuple(args)


def shown_type(schema: Any, root: Mapping[str, Any] | None = None) -> str:
    """The type of an argument in a word or two, from any form of schema.

    Null is not mentioned: such an argument is optional. `root` resolves references.
    """
    plain = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(plain, str) and plain:  # as nearly all are
        return plain
    kinds = dict.fromkeys(_types(schema, root or {}, _DEEPEST, set()))
    named = [kind for kind in kinds if kind != "null"]
    return " or ".join(named) or ("null" if kinds else "any")


def _types(schema: Any, root: Mapping[str, Any], depth: int, seen: set[int]) -> Iterator[str]:
    """The types that a schema allows; a stranger's may have anything in its places.

    What is `seen` is not looked at again: definitions may name each other any number of times.
    """
    if not isinstance(schema, Mapping) or not depth or id(schema) in seen:
        return
    seen.add(id(schema))
    kinds = schema.get("type")
    if kinds:
        yield from (each for each in [kinds, *_listed(kinds)] if isinstance(each, str))
        return
    for way in ("anyOf", "oneOf", "allOf"):
        for each in _listed(schema.get(way)):
            yield from _types(each, root, depth - 1, seen)
    told = [schema[key] for key in ("const", "default") if schema.get(key) is not None]
    for value in _listed(schema.get("enum")) or told:
        yield _JSON_TYPES.get(type(value), "null")
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        defined = root.get("$defs")
        if isinstance(defined, Mapping):
            target = defined.get(reference.removeprefix("#/$defs/"))
            yield from _types(target, root, depth - 1, seen)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


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
