"""Which projects a server serves: a TOML file that names them, or a folder of repositories."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.server.auth.tokens import named_hash
from toolcrib.settings import FILE, check_tables

RESERVED: Final = ("dashboard", "mcp", "metrics", "healthz", "livez", "readyz")
"""Names that are routes of the server itself."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_KEYS = ("path", "tokens", "trusted", "trust", "settings")
_EVERYTHING: Final = "all"
_LARGEST: Final = 16 * 1024 * 1024


@record
class ProjectEntry:
    """One project: where it is, who may open it, and what holds for it beyond its own settings.

    `tokens` leads from the hash of a token to its holder's name. `trust` is what `TOOLCRIB_TRUST`
    would say: digests, or `all`.
    """

    name: str
    path: Path
    tokens: Mapping[str, str | None]
    trust: str | None
    settings: Mapping[str, Mapping[str, Any]]

    @property
    def overrides(self) -> dict[str, dict[str, Any]]:
        """What is stronger than the project's own file; `[http]` is the server's alone."""
        given = {name: dict(table) for name, table in self.settings.items() if name != "http"}
        if self.trust is not None:
            given["trust"] = {"digest": self.trust}
        return given


def read_entries(source: Path) -> dict[str, ProjectEntry]:
    """The projects of a file or a folder, by name; raises `ConfigError` with the place."""
    if source.is_dir():
        return _of_folder(source)
    try:
        if source.stat().st_size > _LARGEST:
            raise ConfigError("--projects: the file is too large", where=Place(str(source)))
        tables = tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            "--projects: no such file or folder", where=Place(str(source)), why=error.strerror
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"--projects: {error}", where=Place(str(source))) from error
    return {name: _entry(name, table, source) for name, table in tables.items()}


def _of_folder(folder: Path) -> dict[str, ProjectEntry]:
    found: dict[str, ProjectEntry] = {}
    for each in sorted(folder.iterdir()):
        if not each.is_dir() or not ((each / FILE).is_file() or (each / ".git").exists()):
            continue
        if _NAME.fullmatch(each.name) and each.name not in RESERVED:
            found[each.name] = ProjectEntry(each.name, each, {}, None, {})
    return found


def _entry(name: str, table: Any, source: Path) -> ProjectEntry:
    where = Place(str(source))
    if not _NAME.fullmatch(name) or name in RESERVED:
        why = f"names match [a-z0-9][a-z0-9._-]{{0,62}} and are none of: {', '.join(RESERVED)}"
        raise ConfigError(f"[{name}] is no name for a project", where=where, why=why)
    if not isinstance(table, dict):
        raise ConfigError(f"[{name}] must be a table", where=where)
    for key in table:
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS)
            raise ConfigError(f"[{name}]: unknown key {key!r}{hint}", where=where)
    path = table.get("path")
    if not isinstance(path, str) or not path:
        raise ConfigError(f"[{name}] path must be the folder of a repository", where=where)
    # Kept as it is written: where it is a link, swapping the link is one change.
    folder = source.parent / Path(path).expanduser()
    tokens = dict(named_hash(text) for text in _texts(table, "tokens", name, where))
    trust = _EVERYTHING if _flag(table, name, where) else None
    digests = _texts(table, "trust", name, where)
    if digests and trust is None:
        trust = ",".join(digests)
    settings = table.get("settings", {})
    if not isinstance(settings, dict) or not all(isinstance(t, dict) for t in settings.values()):
        raise ConfigError(f"[{name}.settings] must hold tables", where=where)
    try:
        check_tables({key: each for key, each in settings.items() if key != "http"})
    except ConfigError as error:
        message = f"[{name}.settings]: {error.what}"
        raise ConfigError(message, where=where, why=error.why) from error
    return ProjectEntry(name, folder, tokens, trust, settings)


def _texts(table: Mapping[str, Any], key: str, name: str, where: Place) -> list[str]:
    given = table.get(key, [])
    if isinstance(given, dict) and key == "tokens":
        given = [f"{holder}:{hashed}" for holder, hashed in given.items()]
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise ConfigError(f"[{name}] {key} must be a list of texts", where=where)
    return given


def _flag(table: Mapping[str, Any], name: str, where: Place) -> bool:
    given = table.get("trusted", False)
    if not isinstance(given, bool):
        raise ConfigError(f"[{name}] trusted must be true or false", where=where)
    return given
