"""From a YAML document to a config: every key checked, every mistake with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolcrib.files.yaml_document import Step, YamlDocument, keys
from toolcrib.running.arguments import coerce, presented, text_of
from toolcrib.running.command import unsafe
from toolcrib.running.program import (
    DEFAULT_TIMEOUT,
    ITEM_TYPES,
    MOST_ITEMS,
    TYPES,
    ArgDef,
    CLIConfig,
    Scalar,
    ToolDef,
    ToolTable,
    Value,
    each_of,
)
from toolcrib.running.words import split_words

RESERVED = ("climax_search", "climax_call")

_CONFIG_KEYS = keys(
    "name", "description", "command", "env", "working_dir", "category", "tags", "global_args",
    "tools",
)  # fmt: skip
_TOOL_KEYS = keys("name", "description", "command", "args", "timeout")
_ARG_KEYS = keys(
    "name", "description", "type", "required", "default", "flag", "positional", "cwd", "stdin",
    "enum", "items",
)  # fmt: skip
_TOOL_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./:-]{0,127}")
_ARG_NAME = re.compile(r"[^\W-][\w.:@+-]{0,127}")
_LONGEST_TIMEOUT = 86_400


class ConfigReader:
    """Turns a document into a config, or says where and why it cannot."""

    def __init__(self, document: YamlDocument) -> None:
        self._document = document
        self._base: tuple[str, ...] = ()
        self._ended = False
        """Whether a `--` stands before the positionals of the tool that is being read."""

    def config(self) -> CLIConfig:
        """The whole config."""
        doc = self._document
        top = doc.mapping(doc.value, "A config")
        doc.known_keys(top, _CONFIG_KEYS)
        for key in ("command", "tools"):
            if top.get(key) is None:
                raise doc.error(f"A config needs the key {key!r}")
        command = self._command(top["command"])
        self._base = self._words(command, "command")
        tools = self._tools(doc.sequence(top["tools"], "'tools'", "tools"))
        working_dir = top.get("working_dir")
        category = top.get("category")
        return CLIConfig(
            command=command,
            tools=ToolTable.of(tools),
            name=self._text(top, "name", default="climax"),
            description=self._text(top, "description"),
            env=self._env(top.get("env")),
            working_dir=None if working_dir is None else self._text(top, "working_dir"),
            category=None if category is None else self._text(top, "category"),
            tags=self._texts(top.get("tags"), "tags"),
            global_args=self._args(top.get("global_args"), "global_args"),
            file=doc.file,
        )

    def _command(self, value: Any) -> str:
        text = self._document.text(value, "'command'", "command")
        if not self._words(text, "command"):
            raise self._document.error("'command' is empty", "command")
        return text

    def _env(self, value: Any) -> dict[str, str]:
        doc = self._document
        env = {}
        for key, item in doc.mapping(value, "'env'", "env").items():
            if not key or "=" in key or "\0" in key:
                raise doc.error(f"{key!r} is no name for an environment variable", "env", key)
            env[key] = doc.text(item, f"Environment variable {key!r}", "env", key)
        return env

    def _tools(self, items: list[Any]) -> tuple[ToolDef, ...]:
        tools = [self._tool(item, "tools", number) for number, item in enumerate(items)]
        first: dict[str, int | None] = {}
        for number, tool in enumerate(tools):
            if tool.name in first:
                raise self._document.error(
                    f"Tool {tool.name!r} is already defined in line {first[tool.name]}",
                    "tools", number,
                )  # fmt: skip
            first[tool.name] = tool.line
        return tuple(tools)

    def _tool(self, item: Any, *path: Step) -> ToolDef:
        doc = self._document
        entry = doc.mapping(item, "A tool", *path)
        doc.known_keys(entry, _TOOL_KEYS, *path)
        name = self._name(entry, "A tool", _TOOL_NAME, *path)
        if name in RESERVED:
            raise doc.error(f"The name {name!r} is taken by toolcrib itself", *path, "name")
        words = self._words(self._text(entry, "command", *path), *path, "command")
        self._ended = "--" in words or "--" in self._base
        args = self._args(entry.get("args"), *path, "args")
        timeout = self._timeout(entry.get("timeout"), *path, "timeout")
        line = doc.line(*path)
        return ToolDef(name, self._text(entry, "description", *path), words, args, timeout, line)

    def _timeout(self, value: Any, *path: Step) -> float:
        if value is None:
            return DEFAULT_TIMEOUT
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._document.error("'timeout' must be a number of seconds", *path)
        if not 0 < value <= _LONGEST_TIMEOUT:
            raise self._document.error(
                f"'timeout' must be above 0 and at most {_LONGEST_TIMEOUT} seconds", *path
            )
        return float(value)

    def _args(self, value: Any, *path: Step) -> tuple[ArgDef, ...]:
        doc = self._document
        args: list[ArgDef] = []
        for number, item in enumerate(doc.sequence(value, f"'{path[-1]}'", *path)):
            arg = self._arg(item, *path, number)
            if any(other.name == arg.name for other in args):
                raise doc.error(f"Argument {arg.name!r} is given twice", *path, number)
            for role in ("cwd", "stdin"):
                if getattr(arg, role) and any(getattr(other, role) for other in args):
                    raise doc.error(f"Only one argument can be {role!r}", *path, number)
            args.append(arg)
        return tuple(args)

    def _arg(self, item: Any, *path: Step) -> ArgDef:
        doc = self._document
        entry = doc.mapping(item, "An argument", *path)
        doc.known_keys(entry, _ARG_KEYS, *path)
        name = self._name(entry, "An argument", _ARG_NAME, *path)
        kind: Any = entry.get("type", "string")
        if kind not in TYPES:
            doc.choice(kind, TYPES, f"The type of argument {name!r}", *path, "type")
        arg = ArgDef(
            name,
            self._text(entry, "description", *path),
            kind,
            self._flag_of(entry, "required", *path),
            None,
            self._flag(entry, *path),
            self._flag_of(entry, "positional", *path),
            self._flag_of(entry, "cwd", *path),
            self._flag_of(entry, "stdin", *path),
        )
        arg = self._with_items(arg, entry, *path)
        self._check_role(arg, *path)
        if entry.get("enum") is None and entry.get("default") is None:
            return arg
        return self._with_values(arg, entry, *path)

    def _with_items(self, arg: ArgDef, entry: dict[str, Any], *path: Step) -> ArgDef:
        """The argument with the type of its single values, where it takes several."""
        doc = self._document
        items: Any = entry.get("items")
        if arg.type != "array":
            if items is not None:
                what = f"'items' means nothing for a {arg.type}: it is for the type array"
                doc.warnings.append(doc.error(what, *path, "items"))
            return arg
        role = "cwd" if arg.cwd else "stdin" if arg.stdin else None
        if role:
            raise doc.error(f"Argument {arg.name!r}: an array cannot be {role!r}", *path, "type")
        if items is None:
            return arg
        if items not in ITEM_TYPES:
            doc.choice(items, ITEM_TYPES, f"'items' of argument {arg.name!r}", *path, "items")
        return replace(arg, items=items)

    def _with_values(self, arg: ArgDef, entry: dict[str, Any], *path: Step) -> ArgDef:
        doc = self._document
        enum: tuple[Scalar, ...] = ()
        default: Value | None = None
        if entry.get("enum") is not None:
            items = doc.sequence(entry["enum"], "'enum'", *path, "enum")
            if not items:
                raise doc.error("'enum' is empty: no value could ever fit", *path, "enum")
            enum = tuple(self._value(arg, item, *path, "enum", at) for at, item in enumerate(items))
        if entry.get("default") is not None:
            default = self._default(arg, entry["default"], *path, "default")
            fixed = (e for e in each_of(default) if not _is_left_open(e, *path, "default"))
            if enum and any(each not in enum for each in fixed):
                raise doc.error(
                    f"The default of argument {arg.name!r} must be one of: "
                    + ", ".join(map(text_of, enum)),
                    *path, "default",
                )  # fmt: skip
        return replace(arg, enum=enum, default=default)

    def _default(self, arg: ArgDef, value: Any, *path: Step) -> Value:
        if arg.type != "array":
            return self._value(arg, value, *path)
        if not isinstance(value, list):
            return (self._value(arg, value, *path),)
        if len(value) > MOST_ITEMS:
            raise self._document.error(f"'default' has more than {MOST_ITEMS} values", *path)
        return tuple(self._value(arg, item, *path, at) for at, item in enumerate(value))

    def _value(self, arg: ArgDef, value: Any, *path: Step) -> Scalar:
        """A default, or a value of an enum, in the argument's type and safe to be passed."""
        doc = self._document
        what = f"This value of argument {arg.name!r}"
        if arg.value_type == "string" or _is_left_open(value, *path):
            return self._checked(arg, doc.text(value, what, *path), *path)
        try:
            return self._checked(arg, coerce(value, arg.value_type), *path)
        except ValueError:
            raise doc.error(f"{what} is no {arg.value_type}: {presented(value)}", *path) from None

    def _checked(self, arg: ArgDef, value: Scalar, *path: Step) -> Scalar:
        problem = None if _is_left_open(value, *path) else unsafe(arg, value, ended=self._ended)
        if problem:
            raise self._document.error(problem, *path)
        return value

    def _check_role(self, arg: ArgDef, *path: Step) -> None:
        doc = self._document
        roles = [role for role in ("positional", "cwd", "stdin") if getattr(arg, role)]
        if len(roles) > 1:
            raise doc.error(f"Argument {arg.name!r} cannot be {' and '.join(roles)} at once", *path)
        if roles and arg.flag is not None and not arg.behind_flags:
            doc.warnings.append(
                doc.error(f"'flag' means nothing for a {roles[0]} argument", *path, "flag")
            )

    def _flag(self, entry: dict[str, Any], *path: Step) -> str | None:
        if entry.get("flag") is None:
            return None
        flag = self._text(entry, "flag", *path)
        if not flag and entry.get("positional") is True:
            return flag  # it comes behind the flags
        if not flag or "\0" in flag or any(character.isspace() for character in flag):
            raise self._document.error("'flag' must be one word", *path, "flag")
        return flag

    def _flag_of(self, entry: dict[str, Any], key: str, *path: Step) -> bool:
        value = entry.get(key)
        if value is None or value is False or value is True:
            return bool(value)
        return self._document.boolean(value, f"'{key}'", *path, key)

    def _name(self, entry: dict[str, Any], what: str, form: re.Pattern[str], *path: Step) -> str:
        if entry.get("name") is None:
            raise self._document.error(f"{what} needs the key 'name'", *path)
        name = self._text(entry, "name", *path)
        if not form.fullmatch(name):
            allowed = "letters, digits and _ . : - inside, without spaces"
            raise self._document.error(
                f"{name!r} cannot be a name: at most 128 {allowed}", *path, "name"
            )
        return name

    def _words(self, text: str, *path: Step) -> tuple[str, ...]:
        try:
            words = tuple(split_words(text))
        except ValueError as error:
            raise self._document.error(f"'command' cannot be read: {error}", *path) from None
        if "\0" in text:
            raise self._document.error("'command' contains a NUL character", *path)
        return words

    def _texts(self, value: Any, *path: Step) -> tuple[str, ...]:
        doc = self._document
        items = doc.sequence(value, f"'{path[-1]}'", *path)
        return tuple(doc.text(item, "A tag", *path, at) for at, item in enumerate(items))

    def _text(self, entry: Mapping[str, Any], key: str, *path: Step, default: str = "") -> str:
        value = entry.get(key)
        if value is None:
            return default
        if isinstance(value, str):
            return value
        return self._document.text(value, f"'{key}'", *path, key)


def _is_left_open(value: Any, *path: Step) -> bool:
    """Whether a default of all tools is only known with the environment: `$PORT`, `~/pots`."""
    everywhere = path[0] == "global_args" and "default" in path
    return everywhere and isinstance(value, str) and value[:1] in ("$", "~")
