"""`toolcrib.toml`: what a repository wants, over defaults that work without any file.

Options beat the environment (`TOOLCRIB_HTTP_PORT=8080`), the environment beats the file, and
the file beats the defaults. Each section is a dataclass of options
(`core/options`); the sections of the packs are theirs.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.options import FromEnvironment, Locate, build, option, section_schema
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean

S = TypeVar("S")

FILE = "toolcrib.toml"
PACKS = ("directive", "architecture", "guide", "climax", "custom")
_LARGEST = 1024 * 1024


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
    audit: str | None = option(
        None, 'Record calls in this file; "auto": one per project in the user\'s state folder'
    )
    audit_rotate: str | None = option(
        None, 'Rotate the record at this size, as "16MiB" (the default for "auto")'
    )
    audit_keep: int = option(4, "Rotated files of the record that are kept", least=0, most=1000)
    secret_file: str | None = option(
        None, "File with the secret that replicas share, at least 32 bytes; TOOLCRIB_SECRET wins"
    )
    replica: str | None = option(None, "Name of this process in the record; host name and pid")


@record
class HttpSettings:
    """Serving over HTTP: `[http]`."""

    host: str = option("127.0.0.1", "Address to bind")
    port: int = option(8321, "Port to bind; 0 picks a free one", least=0, most=65535)
    path: str = option("/mcp", "Path of the MCP endpoint")
    tokens: tuple[str, ...] = option(
        (), "SHA-256 (hex) of each accepted bearer token; a table gives each holder a name"
    )
    token_file: str | None = option(None, "File with accepted bearer tokens, one per line")
    jwks_url: str | None = option(None, "Where the keys for JWT bearer tokens are published")
    issuer: str | None = option(None, "Required issuer of a JWT")
    audience: str | None = option(None, "Required audience of a JWT")
    allowed_hosts: tuple[str, ...] = option((), "Further values of the Host header")
    allowed_origins: tuple[str, ...] = option((), "Values of the Origin header beyond loopback")
    body_timeout: float = option(
        30.0,
        "Seconds for a request to arrive, from its first byte to its last",
        least=0.1,
        most=3600,
    )
    session_lifetime: float = option(
        30 * 86400.0, "Seconds after which a session of the earlier eras ends", least=1
    )
    drain: float = option(
        0.0, "Seconds for which calls are still taken after SIGTERM, while /readyz is 503", least=0
    )
    grace: float = option(1.3, "Seconds that running calls have to end", least=0, most=600)
    max_in_flight: int = option(1024, "Requests that are answered at the same time", least=1)
    max_per_caller: int | None = option(
        None, "Tool calls of one authenticated caller at the same time", least=1
    )
    trusted_proxies: tuple[str, ...] = option(
        (), "Addresses or networks whose X-Forwarded-For is believed"
    )
    ready_needs_store: bool = option(False, "Whether /readyz is 503 while the store is away")


@record
class Settings:
    """All sections; those of the packs are made when a pack is chosen."""

    project: Path
    server: ServerSettings
    http: HttpSettings
    tables: Mapping[str, Mapping[str, Any]]
    file: Path | None = None
    text: str = ""

    @property
    def shared_name(self) -> str:
        """The name that this project has on every machine, where somebody gave it one."""
        return str(self.tables.get("guide", {}).get("project") or "")

    def section(self, name: str) -> Any:
        """The settings of one pack."""
        return self._built(name, pack_settings(name))

    def _built(self, name: str, kind: type[S]) -> S:
        return build(kind, name, self.tables.get(name, {}), _locator(self.file, self.text, name))


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
    _name_tokens(merged.get("http", {}))
    return Settings(
        project,
        build(ServerSettings, "server", merged.get("server", {}), _locator(file, text, "server")),
        build(HttpSettings, "http", merged.get("http", {}), _locator(file, text, "http")),
        merged,
        file,
        text,
    )


def json_schema() -> dict[str, Any]:
    """A JSON Schema for `toolcrib.toml`, so that editors help."""
    kinds = {"server": ServerSettings, "http": HttpSettings}
    kinds |= {name: pack_settings(name) for name in PACKS}
    properties = {name: section_schema(kind) for name, kind in kinds.items()}
    tokens = properties["http"]["properties"]["tokens"]
    tokens |= {"type": ["array", "object"], "additionalProperties": tokens["items"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FILE,
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
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
    from toolcrib.files import toml_places  # only where there is a file

    return toml_places.load(text, file.name)


def _sections(document: Mapping[str, Any], file: Path, text: str) -> dict[str, dict[str, Any]]:
    known = ("server", "http", *PACKS)
    for name, table in document.items():
        if name not in known:
            raise ConfigError(
                f"Unknown section [{name}]{did_you_mean(name, known)}",
                where=_place(file, text, name),
                why=f"sections are: {', '.join(known)}",
            )
        if not isinstance(table, dict):
            raise ConfigError(f"[{name}] must be a table", where=_place(file, text, name))
    return {name: dict(table) for name, table in document.items()}


def _locator(file: Path | None, text: str, section: str) -> Locate:
    """Finds the keys of a section in the file; what came from elsewhere is nowhere."""

    def locate(key: str) -> Place | None:
        return None if file is None else _place(file, text, section, key)

    return locate


def _place(file: Path, text: str, *path: str) -> Place:
    from toolcrib.files import toml_places  # only for a message

    above = () if file.name == FILE else ("tool", "toolcrib")
    return toml_places.place_of(text, file.name, (*above, *path))


def _from_environment(environment: Mapping[str, str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for variable, value in environment.items():
        parts = variable.lower().split("_", 2)
        if len(parts) == 3 and parts[0] == "toolcrib" and parts[1] in ("server", "http", *PACKS):
            found.setdefault(parts[1], {})[parts[2]] = FromEnvironment(value)
    return found


def _name_tokens(table: dict[str, Any]) -> None:
    """Tokens may be a table of names: `[http.tokens] alice = "…"` is the entry `alice:…`."""
    tokens = table.get("tokens")
    if isinstance(tokens, dict):
        table["tokens"] = [f"{name}:{hashed}" for name, hashed in tokens.items()]
