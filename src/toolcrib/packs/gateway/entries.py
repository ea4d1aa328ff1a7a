"""Files of servers: each entry as a record, or an error with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final, Literal

from toolcrib.core.errors import ConfigError, Place, ToolcribError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.jsonable import dumps
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.files import jsonc
from toolcrib.files.root import Root
from toolcrib.policy.flow import LABELS
from toolcrib.policy.model import name_matches

Kind = Literal["stdio", "http", "sse"]
Source = Literal["repo", "user"]

LARGEST_FILE: Final = 1024 * 1024
_ALL: Final = ("*",)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_UNSAYABLE = re.compile("[\0\ud800-\udfff]")
_KINDS: Mapping[str, Kind] = {
    "stdio": "stdio", "http": "http", "streamable-http": "http", "streamableHttp": "http",
    "sse": "sse",
}  # fmt: skip
# What other clients write, and we do not need: no reason for a warning.
_FOREIGN = frozenset((
    "autoApprove", "alwaysAllow", "envFile", "trust", "gallery", "dev", "icon", "icons", "version",
    "title", "name", "timeoutMs", "enabled", "required", "authorization", "oauth_scopes",
    "scopes", "initTimeout", "restart", "priority", "metadata", "_meta", "notes", "comment",
))  # fmt: skip


@record
class ConfiguredServer:
    """One server, as it is written; references are not resolved."""

    name: str
    source: Source
    kind: Kind
    file: str
    line: int
    home: Path
    """What relative paths are meant from."""
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    description: str | None = None
    disabled: bool = False
    tools: tuple[str, ...] = _ALL
    deny: tuple[str, ...] = ()
    timeout: float = 60.0
    startup_timeout: float | None = None
    idle: float = 300.0
    session: Literal["shared", "client"] = "shared"
    sandbox: Literal["off", "auto", "required"] = "auto"
    network: Any = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    sockets: tuple[str, ...] = ()
    root: str | None = None
    labels: tuple[str, ...] = ()
    changes: Literal["hold", "new", "allow"] = "hold"
    approve: tuple[str, ...] = ()
    oauth: Mapping[str, Any] = field(default_factory=dict)
    written: Mapping[str, Any] = field(default_factory=dict)
    """All of it, as it stands in the file."""

    @property
    def place(self) -> Place:
        """Where it is written."""
        return Place(self.file, self.line)

    @property
    def digest(self) -> str:
        """The hash of the entry as it is written."""
        return sha256(dumps([self.name, _sorted(self.written)]).encode())

    @property
    def reach(self) -> str:
        """What it may reach over the network, in a word or as hosts; without a sandbox all."""
        if self.sandbox == "off":
            return "full"
        given = self.network or ("none" if self.source == "repo" else "full")
        return given if isinstance(given, str) else ", ".join(given)

    def offers(self, tool: str) -> bool:
        """Whether a tool of that name is wanted: `deny` wins."""
        return _matches(tool, self.tools) and not _matches(tool, self.deny)

    def asks_for(self, tool: str) -> bool:
        """Whether a person is to be asked before that tool is called."""
        return _matches(tool, self.approve)


@record
class ServerEntries:
    """The entries of a file, and what is to be said of the others."""

    entries: tuple[ConfiguredServer, ...] = ()
    warnings: tuple[ConfigError, ...] = ()
    problems: tuple[ToolcribError, ...] = ()
    unusable: bool = False
    """Whether nothing of the file could be read."""


def read_servers(path: Path, shown: str, source: Source, home: Path) -> ServerEntries:
    """Read one file; an entry that cannot be used is a problem, the others are served."""
    try:
        text = _data(path, source, home).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{shown} is not UTF-8 text: {error.reason}"
        return ServerEntries(problems=(ConfigError(what),), unusable=True)
    except ToolcribError as error:
        return ServerEntries(problems=(error,), unusable=True)
    return parse_servers(text, shown, source, home)


def _data(path: Path, source: Source, home: Path) -> bytes:
    """The bytes of a file: one's own may be a link to anywhere, the repository's to within it."""
    if source == "repo" and path.is_relative_to(home) and ".." not in path.parts:
        return Root(home, cap=LARGEST_FILE).read(str(path.relative_to(home))).data
    real = path.resolve() if source == "user" else path
    return Root(real.parent, cap=LARGEST_FILE, label=str(real.parent)).read(real.name).data


def parse_servers(text: str, shown: str, source: Source, home: Path) -> ServerEntries:
    """The entries of a text as a file of servers has it."""
    try:
        return _Reader(text, shown, source, home).servers()
    except ConfigError as error:
        error.next = None
        return ServerEntries(problems=(error,), unusable=True)


def check_name(name: str) -> str | None:
    """Why a server cannot have that name, with one that it could have; None if it can."""
    if _NAME.fullmatch(name) and "__" not in name:
        return None
    return f"{name!r} is no name for a server; {proposed_name(name)!r} would be one"


def proposed_name(name: str) -> str:
    """A name that a server can have, as near as possible to one that it may not have."""
    plain = re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_.-]+", "-", name)).strip("-_.")
    return plain[:64] or "server"


class _Reader:
    def __init__(self, text: str, file: str, source: Source, home: Path) -> None:
        self._text = text
        self._file = file
        self._source: Source = source
        self._home = home
        self._warnings: list[ConfigError] = []
        self._problems: list[ToolcribError] = []

    def servers(self) -> ServerEntries:
        node = jsonc.parse(self._text, self._file)
        if not isinstance(node.value, dict):
            raise ConfigError("The file must be an object", where=self._place(node.start))
        self._check_doubles(node, "The key")
        group = node.member("mcpServers") or node.member("servers")
        if group is None:
            raise ConfigError(
                "There is no key 'mcpServers'", where=self._place(node.start),
                next='It looks like {"mcpServers": {"name": {"command": "program"}}}.',
            )  # fmt: skip
        if not isinstance(group.value.value, dict):
            raise ConfigError(f"{group.key!r} must be an object", where=self._place(group.start))
        self._check_doubles(group.value, "The server")
        entries = [entry for each in group.value.members if (entry := self._entry(each))]
        return ServerEntries(tuple(entries), tuple(self._warnings), tuple(self._problems))

    def _check_doubles(self, node: jsonc.Node, what: str) -> None:
        seen: dict[str, int] = {}
        for each in node.members:
            if each.key in seen:
                first = self._place(seen[each.key])
                raise ConfigError(
                    f"{what} {each.key!r} is there twice",
                    where=self._place(each.start), why=f"first at {first}",
                )  # fmt: skip
            seen[each.key] = each.start

    def _check_keys(self, node: jsonc.Node, name: str) -> None:
        """Raise if any object of an entry has a key twice: whoever reads it sees the first."""
        self._check_doubles(node, f"In the server {name!r}, the key")
        for each in node.members:
            self._check_keys(each.value, name)

    def _entry(self, member: jsonc.Member) -> ConfiguredServer | None:
        try:
            return self._read(member)
        except ConfigError as error:
            error.where = error.where or self._place(member.start)
            self._problems.append(error)
            return None

    def _read(self, member: jsonc.Member) -> ConfiguredServer:
        name = member.key
        problem = check_name(name)
        if problem is not None:
            raise ConfigError(problem, where=self._place(member.start))
        if not isinstance(member.value.value, dict):
            raise ConfigError(f"The server {name!r} must be an object")
        self._check_keys(member.value, name)
        if not _sayable(member.value.value):
            what = f"The server {name!r} has a text with NUL or half of a surrogate pair"
            raise ConfigError(what, why="no program can be given such a text")
        given = translated(member.value.value)
        values = {key: self._value(name, key, given[key]) for key in given if key in _FIELDS}
        for key in given:
            if key not in _FIELDS and key != "type" and key not in _FOREIGN:
                hint = did_you_mean(key, [*_FIELDS, "type"])
                found = member.value.member(key)
                where = self._place(found.start if found else member.start)
                self._warnings.append(
                    ConfigError(f"Unknown key {key!r} in server {name!r}{hint}", where=where)
                )
        for label in values.get("labels", ()):
            if label not in LABELS:
                hint = did_you_mean(label, LABELS)
                found = member.value.member("labels")
                where = self._place(found.start if found else member.start)
                text = f"Unknown label {label!r} in server {name!r}{hint}"
                self._warnings.append(ConfigError(text, where=where))
        kind = _kind(name, given)
        sandbox = values.pop("sandbox", "auto" if self._source == "repo" else "off")
        return ConfiguredServer(
            name=name, source=self._source, kind=kind, file=self._file,
            line=self._line(member.start), home=self._home, sandbox=sandbox,
            written=member.value.value, **values,
        )  # fmt: skip

    def _value(self, server: str, key: str, value: Any) -> Any:
        try:
            return _FIELDS[key](value)
        except ValueError as error:
            raise ConfigError(f"{key!r} of server {server!r} {error}") from None

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _place(self, at: int) -> Place:
        start = self._text.rfind("\n", 0, at) + 1
        end = self._text.find("\n", at)
        source = self._text[start : end if end >= 0 else None].rstrip("\r")
        return Place(self._file, self._line(at), at - start + 1, source)


def _kind(name: str, given: Mapping[str, Any]) -> Kind:
    stdio, remote = "command" in given, "url" in given
    if stdio == remote:
        both = "both 'command' and 'url'" if stdio else "neither 'command' nor 'url'"
        raise ConfigError(f"The server {name!r} has {both}: it needs one of them")
    written = given.get("type")
    if written is None:
        return "stdio" if stdio else "http"
    kind = _KINDS.get(written) if isinstance(written, str) else None
    if kind is None or (kind == "stdio") != stdio:
        raise ConfigError(
            f"'type' of server {name!r} is {written!r}",
            why=f"with {'command' if stdio else 'url'} it is one of: "
            + ("stdio" if stdio else "http, streamable-http, sse"),
        )
    return kind


def translated(written: Mapping[str, Any]) -> dict[str, Any]:
    """What other clients write in their own way and means the same."""
    given = dict(written)
    for theirs, ours in (
        ("startup_timeout_sec", "startup_timeout"), ("tool_timeout_sec", "timeout"),
        ("includeTools", "tools"), ("enabled_tools", "tools"),
        ("excludeTools", "deny"), ("disabled_tools", "deny"),
        ("http_headers", "headers"), ("serverUrl", "url"), ("httpUrl", "url"),
    ):  # fmt: skip
        if theirs in given:
            value = given.pop(theirs)
            given.setdefault(ours, value)
    if isinstance(given.get("enabled"), bool):
        given.setdefault("disabled", not given["enabled"])
    bearer = given.pop("bearer_token_env_var", None)
    named = given.pop("env_http_headers", None)
    headers = dict(given["headers"]) if isinstance(given.get("headers"), dict) else {}
    if isinstance(bearer, str):
        headers.setdefault("Authorization", f"Bearer ${{{bearer}}}")
    if isinstance(named, dict):
        for header, variable in named.items():
            headers.setdefault(header, f"${{{variable}}}")
    if headers:
        given["headers"] = headers
    return given


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("must be text")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError("must be a list of texts")
    return tuple(value)


def _words(value: Any) -> tuple[str, ...]:
    allowed = str | int | float
    if not isinstance(value, list) or not all(
        isinstance(each, allowed) and not isinstance(each, bool) for each in value
    ):
        raise ValueError("must be a list of texts")
    return tuple(map(str, value))


def _mapping(value: Any) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise ValueError("must be an object of texts")
    for key, item in value.items():
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            raise ValueError(f"must be an object of texts; {key!r} is none")
    return {key: str(item) for key, item in value.items()}


def _environment(value: Any) -> Mapping[str, str]:
    found = _mapping(value)
    for name in found:
        if not name or "=" in name:
            raise ValueError(f"must have names of variables; {name!r} is none")
    return found


def _number(least: float, most: float) -> Callable[[Any], float]:
    def convert(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"must be a number from {least:g} to {most:g}")
        if not least <= value <= most:
            raise ValueError(f"must be from {least:g} to {most:g}, not {str(value)[:20]}")
        return float(value)

    return convert


def _choice(*words: str) -> Callable[[Any], str]:
    def convert(value: Any) -> str:
        if value not in words:
            raise ValueError(f"must be one of: {', '.join(words)}")
        return str(value)

    return convert


def _network(value: Any) -> Any:
    if isinstance(value, str) and value in ("none", "public", "full"):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        from toolcrib.running.network.hosts import parse_network  # few entries name hosts

        parse_network(value)
        return tuple(value)
    raise ValueError("must be none, public, full or a list of hosts")


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return value


_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "command": _text, "args": _words, "env": _environment, "cwd": _text, "url": _text,
    "headers": _mapping, "description": _text, "disabled": _flag, "tools": _texts, "deny": _texts,
    "timeout": _number(1, 3600), "startup_timeout": _number(1, 300), "idle": _number(0, 86400),
    "session": _choice("shared", "client"), "sandbox": _choice("off", "auto", "required"),
    "network": _network, "reads": _texts, "writes": _texts, "sockets": _texts, "root": _text,
    "labels": _texts, "changes": _choice("hold", "new", "allow"), "approve": _texts,
    "oauth": _object,
}  # fmt: skip


def _matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether a name fits one of some patterns."""
    if not patterns or patterns == _ALL:
        return bool(patterns)  # what most entries say, asked for each of thousands of tools
    return any(pattern == "*" or name_matches(name, pattern) for pattern in patterns)


def _sayable(value: Any) -> bool:
    """Whether every text in a value can be handed to a program, and written to a file."""
    if isinstance(value, str):
        return _UNSAYABLE.search(value) is None
    if isinstance(value, dict):
        return all(_sayable(key) and _sayable(each) for key, each in value.items())
    return not isinstance(value, list) or all(map(_sayable, value))


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else value
