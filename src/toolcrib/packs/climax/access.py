"""Where grants and secrets of command-line tools come from: the repository, the person, bundled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.packs.climax.config.annotations import bundled_access
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.grants import GrantFile, Grants
from toolcrib.policy.secrets import Secrets
from toolcrib.running.network.hosts import Network, parse_network

if TYPE_CHECKING:
    from toolcrib.policy.person import OwnFile, PersonalFiles

_REPOSITORY = ("toolcrib.toml", ()), ("pyproject.toml", ("tool", "toolcrib"))


def load_grants(project: Path, settings: ClimaxSettings, person: PersonalFiles | None) -> Grants:
    """What the tools of a repository may reach; raises `ConfigError` for what does not fit."""
    files = [_repository(project, settings.access)] if settings.access else []
    ceilings: list[Network] = []
    for own in person.files if person is not None else ():
        table = own.value("climax", "access")
        if table is not None:
            files.append(_own(own, table))
        ceilings += _ceiling(own)
    return Grants(files, bundled_access, ceilings)


def load_secrets(person: PersonalFiles | None, find: Callable[[str], str | None]) -> Secrets:
    """The person's secrets; the organisation may map some for everybody."""
    table: dict[str, Any] = {}
    for own in person.files if person is not None else ():
        table.update(own.tables.get("secrets", {}))
    file = str(person.user.path) if person is not None else ""
    return Secrets(table, _short(file), find)


def _repository(project: Path, table: Any) -> GrantFile:
    for name, above in _REPOSITORY:
        if (project / name).is_file():
            return GrantFile(name, table, line_of=_lines(project / name, above))
    return GrantFile(_REPOSITORY[0][0], table)


def _own(own: OwnFile, table: Any) -> GrantFile:
    name = _short(str(own.path))
    if not isinstance(table, dict):
        raise ConfigError("[climax] access must be a table", where=Place(name))
    return GrantFile(name, table, private=True, line_of=_lines(own.path, ()))


def _ceiling(own: OwnFile) -> list[Network]:
    """The most that a file allows any tool: `[climax] network`."""
    value = own.value("climax", "network")
    if value is None:
        return []
    try:
        return [parse_network(value, private=True)]
    except ValueError as error:
        where = Place(_short(str(own.path)))
        raise ConfigError(f"[climax] network: {error}", where=where) from error


def _lines(path: Path, above: tuple[str, ...]) -> Callable[[Sequence[str]], int | None]:
    """Finds the line of a key below `[climax]`, when somebody asks."""

    def line_of(keys: Sequence[str]) -> int | None:
        from toolcrib.files import toml_places

        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeError):
            return None
        return toml_places.place_of(text, path.name, (*above, "climax", *keys)).line

    return line_of


def _short(path: str) -> str:
    home = str(Path.home()) if path else ""
    return "~" + path[len(home) :] if home and path.startswith(home + "/") else path
