"""`toolcrib.toml`: what a repository wants, over defaults that work without any file.

Options beat the environment (`TOOLCRIB_HTTP_PORT=8080`), the environment beats the file, and
the file beats the defaults. Each section is a dataclass; the sections of the packs are theirs.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Literal, TypeVar

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean

S = TypeVar("S")

FILE = "toolcrib.toml"
PACKS = ("directive", "architecture", "guide", "climax", "custom")
_LARGEST = 1024 * 1024


class FromEnvironment(str):
    """A value from a variable: text, whatever it means, where a file has types."""

    __slots__ = ()


def option(default: Any, doc: str, *, least: float | None = None, most: float | None = None) -> Any:
    """A field of a settings dataclass: the sentence that documentation shows, and its limits."""
    return field(default=default, metadata={"doc": doc, "least": least, "most": most})


@record
class ServerSettings:
    """How the server presents itself and what it writes down: `[server]`."""

    packs: tuple[str, ...] = option((), "Packs to serve; none named: those the repo has files for")
    discovery: Literal["default", "classic", "progressive"] = option(
        "default", "Which tools are listed and which stand behind climax_search and climax_call"
    )
    names: Literal["exact", "safe"] = option(
        "exact", "safe: every tool name fits ^[a-zA-Z0-9_-]{1,64}$"
    )
    page_size: int = option(1000, "Items per page of a list", least=1)
    max_message_bytes: int = option(4 * 1024 * 1024, "Largest message that is read", least=1024)
    log_level: Literal["TRACE", "DEBUG", "INFO", "WARNING", "ERROR"] = option(
        "WARNING", "Lowest level that is logged"
    )
    log_json: bool = option(False, "Log one JSON object per line")
    log_file: str | None = option(None, "Log to this file instead of standard error")
    audit: str | None = option(None, "Append one JSON line per tool call to this file")


@record
class HttpSettings:
    """Serving over HTTP: `[http]`."""

    host: str = option("127.0.0.1", "Address to bind")
    port: int = option(8321, "Port to bind; 0 picks a free one", least=0, most=65535)
    path: str = option("/mcp", "Path of the MCP endpoint")
    tokens: tuple[str, ...] = option((), "SHA-256 (hex) of each accepted bearer token")
    token_file: str | None = option(None, "File with accepted bearer tokens, one per line")
    jwks_url: str | None = option(None, "Where the keys for JWT bearer tokens are published")
    issuer: str | None = option(None, "Required issuer of a JWT")
    audience: str | None = option(None, "Required audience of a JWT")
    allowed_hosts: tuple[str, ...] = option((), "Further values of the Host header")
    allowed_origins: tuple[str, ...] = option((), "Values of the Origin header beyond loopback")
    body_timeout: float = option(30.0, "Seconds for a request body to arrive", least=0.1, most=3600)


@record
class Settings:
    """All sections; those of the packs are made when a pack is chosen."""

    project: Path
    server: ServerSettings
    http: HttpSettings
    tables: Mapping[str, Mapping[str, Any]]
    file: Path | None = None
    text: str = ""

    def section(self, name: str) -> Any:
        """The settings of one pack."""
        return self._built(name, pack_settings(name))

    def _built(self, name: str, kind: type[S]) -> S:
        return build(kind, name, self.tables.get(name, {}), self.file, self.text)


def pack_settings(name: str) -> type[Any]:
    """The settings dataclass of a pack."""
    module = importlib.import_module(f"toolcrib.packs.{name}.settings")
    found: type[Any] = getattr(module, f"{name.capitalize()}Settings")
    return found


def find_project(start: Path | None = None) -> Path:
    """The root of the repository around `start`: where its settings or its `.git` are."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file() or (folder / ".git").exists():
            return folder
    return here


def load(project: Path, overrides: Mapping[str, Mapping[str, Any]] | None = None) -> Settings:
    """Read the settings of a repository; no file at all is fine.

    `overrides` are what options on the command line say, by section and key.
    """
    file, text, tables = _read(project)
    merged = {name: dict(table) for name, table in tables.items()}
    for name, table in _from_environment(os.environ).items():
        merged.setdefault(name, {}).update(table)
    for name, given in (overrides or {}).items():
        known = {key: value for key, value in given.items() if value is not None}
        merged.setdefault(name, {}).update(known)
    return Settings(
        project,
        build(ServerSettings, "server", merged.get("server", {}), file, text),
        build(HttpSettings, "http", merged.get("http", {}), file, text),
        merged,
        file,
        text,
    )


def build(
    kind: type[S], section: str, table: Mapping[str, Any], file: Path | None, text: str = ""
) -> S:
    """Make a settings dataclass out of a table, or say exactly what does not fit."""
    hints = typing.get_type_hints(kind)
    known = {each.name: each for each in dataclasses.fields(kind)}  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for key, value in table.items():
        where = _place(file, text, section, key)
        if key not in known:
            raise ConfigError(
                f"Unknown key {key!r} in [{section}]{did_you_mean(key, known)}",
                where=where,
                why=f"[{section}] has: {', '.join(known)}",
            )
        name = f"[{section}] {key}"
        given[key] = _converted(value, hints[key], name, where)
        _check_limits(given[key], known[key].metadata, name, where)
    return kind(**given)


def json_schema() -> dict[str, Any]:
    """A JSON Schema for `toolcrib.toml`, so that editors help."""
    kinds = {"server": ServerSettings, "http": HttpSettings}
    kinds |= {name: pack_settings(name) for name in PACKS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FILE,
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _section_schema(kind) for name, kind in kinds.items()},
    }


def _read(project: Path) -> tuple[Path | None, str, dict[str, dict[str, Any]]]:
    own = project / FILE
    if own.is_file():
        text = _text(own)
        return own, text, _sections(_parsed(own, text), own, text)
    shared = project / "pyproject.toml"
    if shared.is_file():
        text = _text(shared)
        tools = _parsed(shared, text).get("tool") if "toolcrib" in text else None
        if isinstance(tools, dict) and "toolcrib" in tools:
            if not isinstance(tools["toolcrib"], dict):
                raise ConfigError("[tool.toolcrib] must be a table", where=Place(shared.name))
            return shared, text, _sections(tools["toolcrib"], shared, text)
    return None, "", {}


def _text(file: Path) -> str:
    from toolcrib.files.beneath import open_by_steps
    from toolcrib.files.root import Root

    # One file, read once at every start: as safe by steps, without loading the way to the kernel.
    data = Root(file.parent, opener=open_by_steps).read(file.name, cap=_LARGEST).data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError("Not UTF-8", where=Place(file.name)) from error


def _parsed(file: Path, text: str) -> dict[str, Any]:
    import tomllib  # only where there is a file

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).partition(" (at ")
        numbers = [int(number) for number in re.findall(r"\d+", place)]
        line, column = numbers if len(numbers) == 2 else (text.count("\n") + 1, 1)
        lines = text.splitlines()
        source = lines[line - 1] if line <= len(lines) else None
        raise ConfigError(what, where=Place(file.name, line, column, source)) from error
    except (RecursionError, ValueError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
        raise ConfigError("This is not usable TOML", where=Place(file.name), why=why) from error


def _sections(document: Mapping[str, Any], file: Path, text: str) -> dict[str, dict[str, Any]]:
    known = ("server", "http", *PACKS)
    for name, table in document.items():
        if name not in known:
            raise ConfigError(
                f"Unknown section [{name}]{did_you_mean(name, known)}",
                where=_place(file, text, "", name),
                why=f"sections are: {', '.join(known)}",
            )
        if not isinstance(table, dict):
            raise ConfigError(f"[{name}] must be a table", where=_place(file, text, "", name))
    return {name: dict(table) for name, table in document.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for variable, value in environment.items():
        parts = variable.lower().split("_", 2)
        if len(parts) == 3 and parts[0] == "toolcrib" and parts[1] in ("server", "http", *PACKS):
            found.setdefault(parts[1], {})[parts[2]] = FromEnvironment(value)
    return found


def _converted(value: Any, hint: Any, name: str, where: Place | None) -> Any:
    """`value` as the type that the field wants; strings come from the environment too."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        wanted = [each for each in inner if each is not type(None)]
        return _converted(value, wanted[0], name, where)
    if origin is Literal:
        if value in inner:
            return value
        hint_text = did_you_mean(str(value), [str(each) for each in inner])
        options = ", ".join(str(each) for each in inner)
        raise ConfigError(f"{name} must be one of: {options}{hint_text}", where=where)
    if origin is tuple:
        items = value
        if isinstance(value, FromEnvironment):
            items = [item.strip() for item in value.split(",") if item.strip()]
        if not isinstance(items, (list, tuple)):
            raise ConfigError(f"{name} must be a list, got {value!r}", where=where)
        return tuple(_converted(item, inner[0], name, where) for item in items)
    return _scalar(value, hint, name, where)


def _scalar(value: Any, hint: Any, name: str, where: Place | None) -> Any:
    if isinstance(value, FromEnvironment) and hint is not str:
        value = _meant(value, hint)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, hint) and (hint is bool or not isinstance(value, bool)):
        return value
    kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}
    raise ConfigError(f"{name} must be {kind.get(hint, hint)}, got {value!r}", where=where)


def _meant(text: str, hint: Any) -> Any:
    """What a variable means where the field is no text; the text itself where it means nothing."""
    if hint is bool:
        return _BOOLEANS.get(text.lower(), text)
    try:
        return hint(text)
    except ValueError:
        return text


_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _check_limits(value: Any, metadata: Mapping[str, Any], name: str, where: Place | None) -> None:
    least, most = metadata.get("least"), metadata.get("most")
    # Asked so that NaN, which is neither above nor below, does not pass.
    if (least is not None and not value >= least) or (most is not None and not value <= most):
        limits = [f"at least {least}"] * (least is not None) + [f"at most {most}"] * bool(most)
        raise ConfigError(f"{name} must be {' and '.join(limits)}, got {value}", where=where)


def _place(file: Path | None, text: str, section: str, key: str) -> Place | None:
    """Where the key stands in the file; nowhere if it came from the environment."""
    if file is None:
        return None
    heading = ""
    for number, line in enumerate(text.splitlines(), 1):
        opened = re.match(r"\s*\[([^\[\]]+)\]", line)
        if opened:
            heading = opened.group(1).removeprefix("tool.toolcrib").lstrip(".")
            if not section and heading.split(".")[0] == key:
                return Place(file.name, number, line.index("[") + 2, line)
        elif heading == section and re.match(rf"\s*\"?{re.escape(key)}\"?\s*[=.]", line):
            return Place(file.name, number, len(line) - len(line.lstrip()) + 1, line)
    return Place(file.name)


def _section_schema(kind: type[Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    properties = {}
    for each in dataclasses.fields(kind):
        schema = _type_schema(hints[each.name])
        schema["description"] = each.metadata.get("doc", "")
        if each.default is not dataclasses.MISSING and each.default is not None:
            default = each.default
            schema["default"] = list(default) if isinstance(default, tuple) else default
        for keyword, limit in (("minimum", "least"), ("maximum", "most")):
            if each.metadata.get(limit) is not None:
                schema[keyword] = each.metadata[limit]
        properties[each.name] = schema
    summary = (kind.__doc__ or "").splitlines()[0]
    return {
        "type": "object",
        "description": summary,
        "additionalProperties": False,
        "properties": properties,
    }


def _type_schema(hint: Any) -> dict[str, Any]:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _type_schema(next(each for each in inner if each is not type(None)))
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        return {"type": "array", "items": _type_schema(inner[0])}
    names = {str: "string", int: "integer", float: "number", bool: "boolean"}
    return {"type": names[hint]}
