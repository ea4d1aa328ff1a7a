"""The user's and the organisation's files: settings that a repository cannot make.

    /etc/toolcrib/config.toml                  the organisation's: a floor for everybody
    $XDG_CONFIG_HOME/toolcrib/config.toml      the person's own (else ~/.config/toolcrib)

Beside each may lie a `policy.yaml`. In both files `[climax]` has `sandbox` and `approve` (the
strictest word of all holds), `hidden` and `access`; `[trust]` says what is trusted without a
question, and `[secrets]` where secrets are to be had.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ConfigError, Place, ToolcribError
from toolcrib.core.support import folders
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.policy.trust.owners import Owners

if TYPE_CHECKING:
    from toolcrib.policy.layers import Layer

FILE = "config.toml"
POLICY_FILE = "policy.yaml"
_LARGEST = 1024 * 1024
_SECTIONS: Mapping[str, tuple[str, ...] | None] = {
    "trust": ("paths", "owners", "any_mode"),
    "climax": ("sandbox", "approve", "network", "hidden", "access", "writable"),
    "secrets": None,
}
"""Known keys of each table; None where a person chooses the names."""


@record
class OwnFile:
    """One `config.toml` outside of every repository, with what it says."""

    path: Path
    tables: Mapping[str, Mapping[str, Any]]
    policy: Path
    """Where its policy would lie."""

    def value(self, section: str, key: str) -> Any:
        """What it says of a key; None if nothing."""
        return self.tables.get(section, {}).get(key)


@record
class PersonalFiles:
    """What the organisation and the person say, each for itself."""

    organisation: OwnFile
    user: OwnFile

    @property
    def files(self) -> tuple[OwnFile, OwnFile]:
        """Both, the organisation's first."""
        return (self.organisation, self.user)

    def layers(self, names: tuple[str, str]) -> list[Layer]:
        """The policies beside both files; one that cannot be used refuses everything."""
        found = []
        for name, file in zip(names, self.files, strict=True):
            if file.policy.name and os.path.lexists(file.policy):
                found.append(_policy_layer(name, file.policy))
        return found

    def strings(self, section: str, key: str) -> tuple[str, ...]:
        """A list of strings, from both files together."""
        return tuple(item for file in self.files for item in _strings(file, section, key))

    @property
    def owners(self) -> Owners:
        """Who may own what is trusted."""
        return Owners(self.strings("trust", "owners"), self.strings("trust", "any_mode"))

    def trusts(self, root: str) -> bool:
        """Whether `[trust] paths` names a folder that holds this root, or the root itself."""
        for path in self.strings("trust", "paths"):
            folder = os.path.realpath(os.path.expanduser(path))  # noqa: PTH111
            if root == folder or root.startswith(folder.rstrip(os.sep) + os.sep):
                return True
        return False


def _policy_layer(name: str, path: Path) -> Layer:
    from toolcrib.files.yaml_document import read_bytes
    from toolcrib.policy.layers import Layer, personal_layer  # only where there is a policy

    try:
        _check_owner(path)
        return personal_layer(name, str(path), read_bytes(path))
    except ToolcribError as error:
        return Layer(name, str(path), None, error)


def load_person() -> PersonalFiles:
    """Read both files; one that is absent says nothing, one that is broken is an error."""
    try:
        own = folders.config_folder()
    except ConfigError:
        own = None  # no home: there is no person who could have written anything
    organisation = _load(folders.ORGANISATION)
    return PersonalFiles(
        organisation, _load(own) if own is not None else OwnFile(Path(), {}, Path())
    )


def _load(folder: Path) -> OwnFile:
    path = folder / FILE
    text = _text(path)
    tables = _parsed(path, text) if text is not None else {}
    return OwnFile(path, tables, folder / POLICY_FILE)


def _text(path: Path) -> str | None:
    try:
        if not os.path.lexists(path):
            return None
        _check_owner(path)
        from toolcrib.files.beneath import open_by_steps
        from toolcrib.files.root import Root

        real = Path(os.path.realpath(path))
        return Root(real.parent, opener=open_by_steps).read(real.name, cap=_LARGEST).data.decode()
    except UnicodeDecodeError as error:
        raise ConfigError("Not UTF-8", where=Place(str(path))) from error
    except ConfigError:
        raise
    except ToolcribError as error:
        raise ConfigError(error.what, where=Place(str(path)), why=error.why) from error


def _check_owner(path: Path) -> None:
    """Refuse a file that another user could have written."""
    found = Owners().examine(str(path))
    if found is not None:
        cure = f"chmod o-w {path}" if not found.owner else f"chown it to yourself: {path}"
        raise ConfigError(f"{found}", why="it decides what is trusted", next=cure)


def _parsed(path: Path, text: str) -> dict[str, dict[str, Any]]:
    import tomllib  # only where there is a file

    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ConfigError(f"This is not usable TOML: {error}", where=Place(str(path))) from error
    for name, table in document.items():
        if name not in _SECTIONS:
            hint = did_you_mean(name, _SECTIONS) or f"; known are: {', '.join(_SECTIONS)}"
            raise ConfigError(f"Unknown section [{name}]{hint}", where=Place(str(path)))
        if not isinstance(table, dict):
            raise ConfigError(f"[{name}] must be a table", where=Place(str(path)))
        known = _SECTIONS[name]
        for key in table if known is not None else ():
            if key not in (known or ()):
                hint = did_you_mean(key, known or ())
                raise ConfigError(
                    f"Unknown key {key!r} in [{name}]{hint}",
                    where=Place(str(path)),
                    why=f"[{name}] has: {', '.join(known or ())}",
                )
    return document


def _strings(file: OwnFile, section: str, key: str) -> tuple[str, ...]:
    value = file.value(section, key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(
            f"[{section}] {key} must be a list of strings", where=Place(str(file.path))
        )
    return tuple(value)
