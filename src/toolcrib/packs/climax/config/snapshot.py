"""A config as plain lists, for fast storage in the cache."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.running.program import ArgDef, CLIConfig, ToolDef, ToolTable

Plain = tuple[Any, ...]
_DEFAULT = 4
_ENUM = 9


def to_plain(config: CLIConfig, warnings: list[ConfigError]) -> Plain:
    """What comes from a config's file alone: the config without its tools, then each tool."""
    head = [
        config.command, config.name, config.description, dict(config.env), config.working_dir,
        config.category, config.tags, [_plain_arg(arg) for arg in config.global_args],
        dict(config.tools.lines), [_plain_warning(warning) for warning in warnings],
    ]  # fmt: skip
    return head, *(
        [tool.name, tool.description, tool.words, tool.timeout, list(map(_plain_arg, tool.args))]
        for tool in config.tools
    )


def from_plain(
    head: bytes, tools: Sequence[bytes], file: str
) -> tuple[CLIConfig, list[ConfigError]]:
    """The config and its warnings as they were; a tool's JSON is read when it is needed."""
    (
        command, name, description, env, working_dir, category, tags, everywhere, lines, warnings,
    ) = json.loads(head)  # fmt: skip
    places = dict(zip(lines, tools, strict=True))
    config = CLIConfig(
        command=command,
        tools=ToolTable(lines, lambda name: _tool(places[name], lines)),
        name=name,
        description=description,
        env=env,
        working_dir=working_dir,
        category=category,
        tags=tuple(tags),
        global_args=tuple(map(_arg, everywhere)),
        file=file,
    )
    return config, [
        ConfigError(what, where=Place(file, line, column, source), next=cure)
        for what, line, column, source, cure in warnings
    ]


def _tool(plain: bytes, lines: dict[str, int | None]) -> ToolDef:
    name, description, words, timeout, args = json.loads(plain)
    return ToolDef(name, description, tuple(words), tuple(map(_arg, args)), timeout, lines[name])


def _plain_arg(arg: ArgDef) -> Any:
    return [
        arg.name, arg.description, arg.type, arg.required, arg.default, arg.flag, arg.positional,
        arg.cwd, arg.stdin, arg.enum, arg.items,
    ]  # fmt: skip


def _arg(plain: Any) -> ArgDef:
    plain[_ENUM] = tuple(plain[_ENUM])
    if isinstance(plain[_DEFAULT], list):
        plain[_DEFAULT] = tuple(plain[_DEFAULT])
    return ArgDef(*plain)


def _plain_warning(warning: ConfigError) -> Any:
    where = warning.where or Place("")
    return [warning.what, where.line, where.column, where.source, warning.next]
