"""`toolcrib.toml`: what a repository wants, over defaults that work without any file.

Options beat the environment (`TOOLCRIB_HTTP_PORT=8080`), the environment beats the file, and
the file beats the defaults. Each section is a dataclass of options
(`core/options`); the sections of the packs are theirs.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.options import FromEnvironment, Locate, build, option, section_schema
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.policy.floors import with_floors
from toolcrib.policy.person import PersonalFiles, load_person
from toolcrib.policy.repository.places import PolicySource, found_policies
from toolcrib.policy.trust.acting import (
    SETTINGS,
    ActingFile,
    Content,
    acting_settings,
    harmless_settings,
    leads_out,
    parsed_file,
)
from toolcrib.policy.trust.project import Known, Present, Trust, said_by

S = TypeVar("S")
logger = logging.getLogger("toolcrib.settings")

FILE = "toolcrib.toml"
PACKS = ("directive", "architecture", "guide", "climax", "gateway", "custom")
ACTING_PACKS = ("climax", "gateway", "custom")
"""Packs that run what files of the repository say; each has a module `acting`."""
SECTIONS = ("server", "http", *PACKS)
"""The tables that a settings file may have."""
PERSONAL = ("trust", "secrets")
"""Sections that only a person's own file may have."""
_LARGEST = 1024 * 1024


@record
class ServerSettings:
    """How the server presents itself and what it writes down: `[server]`."""

    packs: tuple[str, ...] = option((), "Packs to serve; by default those the repo has files for")
    discovery: Literal["default", "classic", "progressive"] = option(
        "default", "Which tools are listed and which are behind climax_search and climax_call"
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
    replica: str | None = option(None, "Name of this process in the record; default: host and pid")


@record
class HttpSettings:
    """Serving over HTTP: `[http]`."""

    host: str = option("127.0.0.1", "Address to bind")
    port: int = option(8321, "Port to bind; 0 picks a free one", least=0, most=65535)
    path: str = option("/mcp", "Path of the MCP endpoint")
    tokens: tuple[str, ...] = option(
        (), "SHA-256 (hex) of each accepted bearer token; a table gives each holder a name"
    )
    dashboard_tokens: tuple[str, ...] = option(
        (), "SHA-256 (hex) of each token that opens the page of --dashboard"
    )
    dashboard_claim: str | None = option(
        None, "Claim of a JWT that opens the page of --dashboard: true, or the project's name"
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
    project_claim: str | None = option(
        None, "Claim of a JWT that names the projects it opens, with --projects"
    )
    idle: float = option(
        900.0, "Seconds after which an unused project of --projects is unloaded", least=1
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
    trust: Trust | None = None
    """What of the repository may act; None only for settings that were made by hand."""

    @property
    def shared_name(self) -> str:
        """The name that this project has on every machine, where somebody gave it one."""
        return str(self.tables.get("guide", {}).get("project") or "")

    @property
    def approve(self) -> str:
        """Before which calls a person is asked."""
        return str(self.tables.get("climax", {}).get("approve", "never"))

    @property
    def policy_source(self) -> PolicySource:
        """Where the policy lies that all packs share."""
        table = self.tables.get("climax", {})
        return PolicySource(table.get("policy"), tuple(table.get("configs", ())))

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


def section_of(name: str, tables: Mapping[str, Mapping[str, Any]]) -> Any:
    """The settings of one pack, from the sections of a file."""
    return build(pack_settings(name), name, tables.get(name, {}))


def detect(name: str, project: Path, *, search: bool = False) -> bool:
    """Whether a repository has files for a pack that its settings do not speak of.

    With `search`, also where only a look through its folders finds them, which takes a moment.
    """
    module = importlib.import_module(f"toolcrib.packs.{name}.settings")
    searching = getattr(module, "search", None) if search else None
    return bool(module.detect(project) or (searching is not None and searching(project)))


def possible(name: str) -> bool:
    """Whether a pack can be served at all where this process stands; most always can."""
    asked = getattr(importlib.import_module(f"toolcrib.packs.{name}.settings"), "possible", None)
    return asked is None or bool(asked())


def joins(name: str, project: Path, chosen: Sequence[str]) -> bool:
    """Whether a pack that nothing is there for makes those more useful that are chosen."""
    joining = getattr(importlib.import_module(f"toolcrib.packs.{name}.settings"), "joins", None)
    return joining is not None and bool(joining(project, chosen))


def find_project(start: Path | None = None) -> Path:
    """The root of the repository around `start`: where its settings or its `.git` are."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        found = (folder / FILE).is_file()
        if (found or (folder / ".git").exists()) and (folder == here or _is_ours(folder)):
            return folder
    return here


def _is_ours(folder: Path) -> bool:
    """Whether the settings of a folder above may be used: nobody else can have written them."""
    owners = load_person().owners
    for path in (folder, folder / FILE, folder / "pyproject.toml"):
        foreign = owners.examine(str(path))
        outside = path.is_symlink() and not path.resolve().is_relative_to(folder)
        if foreign is not None or outside:
            why = f"{foreign}; {foreign.cure}" if foreign is not None else f"{path} leads out"
            logger.warning("Settings above are not used: %s", why)
            return False
    return True


def load(
    project: Path,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    trust: Trust | None = None,
) -> Settings:
    """Read the settings of a repository; no file at all is fine.

    `overrides` are what options on the command line say, by section and key. What acts holds only
    as far as it is trusted; `trust` is that of an earlier reading in this process.
    """
    given = _given(overrides or {})
    if trust is None:
        trust = open_trust(project, given.pop("trust", {}).get("digest"))
        _name_what_is_given(trust, given.get("climax", {}))
    else:
        given.pop("trust", None)
        trust.refresh()
    merged = _trusted_tables(trust)
    for name, table in given.items():
        merged.setdefault(name, {}).update(table)
    _name_tokens(merged.get("http", {}))
    with_floors(merged, trust, given)
    present = trust.verdict.present
    file = project / present.settings_file if present.settings_file else None
    text = present.text
    return Settings(
        project,
        build(ServerSettings, "server", merged.get("server", {}), _locator(file, text, "server")),
        build(HttpSettings, "http", merged.get("http", {}), _locator(file, text, "http")),
        merged,
        file,
        present.text,
        trust,
    )


def open_trust(project: Path, option: str | None = None) -> Trust:
    """The trust of a project; `option` is what the command line says of it."""
    said, person = said_by(option, os.environ), load_person()
    return Trust(project, lambda known: _present(project, known, person), person, said)


def _given(overrides: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What the environment says, and options over it."""
    given: dict[str, dict[str, Any]] = dict(_from_environment(os.environ))
    for name, table in overrides.items():
        known = {key: value for key, value in table.items() if value is not None}
        given.setdefault(name, {}).update(known)
    return given


def _name_what_is_given(trust: Trust, climax: Mapping[str, Any]) -> None:
    """Trust, as they are now, the files that the command line names."""
    if not (climax.get("configs") or climax.get("policy")):
        return
    from toolcrib.packs.climax import acting

    settings = build(pack_settings("climax"), "climax", climax)
    acting.name_files(trust, settings)


def _present(project: Path, known: Known, person: PersonalFiles) -> Present:
    """What lies in a project now: its settings, and every file that acts."""
    file, text, tables = _read(project)
    files: list[ActingFile] = []
    acting = acting_settings(tables)
    if file is not None and acting:
        files.append(parsed_file(file.name, SETTINGS, text.encode(), acting))
    for name in ACTING_PACKS:
        # A policy without any config still governs the tools of servers.
        governed = name == "climax" and found_policies(project, ())
        if not tables.get(name) and not detect(name, project) and not governed:
            continue
        module = importlib.import_module(f"toolcrib.packs.{name}.acting")
        where = _locator(file, text, name)
        settings = build(pack_settings(name), name, tables.get(name, {}), where)
        if name == "climax":
            settings = module.with_person(settings, person)
        files += module.acting_files(project, settings, known)
    unique = {each.path: each for each in files}
    return Present(tables, Content(unique.values()), file.name if file else None, text)


def _trusted_tables(trust: Trust) -> dict[str, dict[str, Any]]:
    """The settings that hold: what is harmless as it is, the rest as it was trusted."""
    verdict = trust.verdict
    present = verdict.present.tables
    if verdict.state == "trusted":
        return {name: dict(table) for name, table in present.items()}
    tables = harmless_settings(present)
    if verdict.state == "changed":
        for name, table in acting_settings(reference_tables(trust)).items():
            tables.setdefault(name, {}).update(table)
    else:
        for name, table in _before_trust(present).items():
            tables.setdefault(name, {}).update(table)
    return tables


def reference_tables(trust: Trust) -> dict[str, dict[str, Any]]:
    """The settings as they were trusted last."""
    reference = trust.verdict.reference
    for path, entry in reference.files.items() if reference is not None else ():
        if entry.kind == SETTINGS and reference is not None:
            text = (reference.copy(path) or b"").decode("utf-8", "replace")
            return _tables_in(trust.project / path, text)
    return {}


def _before_trust(present: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What counts before anybody has looked: names of configs and modules, and a policy.

    Bundled configs are then served in part, own files withheld. A policy can only forbid.
    """
    climax = {k: v for k, v in present.get("climax", {}).items() if k in ("configs", "policy")}
    policy = climax.get("policy")
    if not isinstance(policy, str) or not policy or leads_out(policy):
        climax.pop("policy", None)
    custom = {k: v for k, v in present.get("custom", {}).items() if k == "modules"}
    return {name: kept for name, kept in (("climax", climax), ("custom", custom)) if kept}


def check_tables(tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise `ConfigError` for a section, a key or a value that no settings file may have."""
    for name, table in tables.items():
        if name not in SECTIONS:
            raise _unknown(name)
        build(_kind(name), name, table)


def _kind(section: str) -> type[Any]:
    own: dict[str, type[Any]] = {"server": ServerSettings, "http": HttpSettings}
    return own.get(section) or pack_settings(section)


def _unknown(section: str, where: Place | None = None) -> ConfigError:
    what = f"Unknown section [{section}]{did_you_mean(section, SECTIONS)}"
    return ConfigError(what, where=where, why=f"sections are: {', '.join(SECTIONS)}")


def json_schema() -> dict[str, Any]:
    """A JSON Schema for `toolcrib.toml`, so that editors help."""
    properties = {name: section_schema(_kind(name)) for name in SECTIONS}
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
        return own, text, _tables_in(own, text)
    shared = project / "pyproject.toml"
    if shared.is_file():
        text = _text(shared)
        tables = _tables_in(shared, text) if "toolcrib" in text else None
        if tables:
            return shared, text, tables
    return None, "", {}


def _tables_in(file: Path, text: str) -> dict[str, dict[str, Any]]:
    """The sections of a settings file; of `pyproject.toml` only what is ours."""
    document = _parsed(file, text)
    if file.name == FILE:
        return _sections(document, file, text)
    tools = document.get("tool")
    ours = tools.get("toolcrib") if isinstance(tools, dict) else None
    if ours is None:
        return {}
    if not isinstance(ours, dict):
        raise ConfigError("[tool.toolcrib] must be a table", where=Place(file.name))
    return _sections(ours, file, text)


def _text(file: Path) -> str:
    from toolcrib.files.beneath import open_by_steps
    from toolcrib.files.root import Root

    # One file, read once at every start: opened folder by folder, as safe, without loading ctypes.
    data = Root(file.parent, opener=open_by_steps).read(file.name, cap=_LARGEST).data
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode()  # "utf-8-sig" is one module more
    except UnicodeDecodeError as error:
        raise ConfigError("Not UTF-8", where=Place(file.name)) from error


def _parsed(file: Path, text: str) -> dict[str, Any]:
    """The document; one that was read before is known, and no parser of TOML is loaded for it."""
    import json

    from toolcrib.files.content_cache import user_cache

    cache, data = user_cache(), text.encode()
    known = cache.get("settings", data) if cache is not None else None
    if known is not None:
        kept: dict[str, Any] = json.loads(known[0])
        return kept
    from toolcrib.files import toml_places  # only where it is needed

    document = toml_places.load(text, file.name)
    if cache is not None and _is_json(document):
        cache.put("settings", data, [document])
    return document


def _is_json(document: object) -> bool:
    """Whether JSON says the same; it has no dates, for instance."""
    import json

    try:
        return bool(json.loads(json.dumps(document)) == document)
    except (TypeError, ValueError, RecursionError):
        return False


def _sections(document: Mapping[str, Any], file: Path, text: str) -> dict[str, dict[str, Any]]:
    for name, table in document.items():
        if name in PERSONAL:
            raise ConfigError(
                f"[{name}] does not belong in a repository's file",
                where=_place(file, text, "", name),
                why="only a person can say that",
                next="Move it to your own ~/.config/toolcrib/config.toml.",
            )
        if name not in SECTIONS:
            raise _unknown(name, _place(file, text, name))
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


_DEPTH = "TOOLCRIB_GATEWAY_DEPTH"
"""No setting: a gateway tells its servers with it how deep they stand."""


def _from_environment(environment: Mapping[str, str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for variable, value in environment.items():
        parts = variable.lower().split("_", 2)
        if variable == _DEPTH:
            continue
        if len(parts) == 3 and parts[0] == "toolcrib" and parts[1] in ("server", "http", *PACKS):
            found.setdefault(parts[1], {})[parts[2]] = FromEnvironment(value)
    return found


def _name_tokens(table: dict[str, Any]) -> None:
    """Tokens may be a table of names: `[http.tokens] alice = "…"` is the entry `alice:…`."""
    tokens = table.get("tokens")
    if isinstance(tokens, dict):
        table["tokens"] = [f"{name}:{hashed}" for name, hashed in tokens.items()]
