"""Acting files: files of a repository that can make something run, be written or be reached.

Settings, configs and policies are compared by their parsed values, code by its bytes. The digest
of the content is over all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolcrib.core.support.digests import sha256
from toolcrib.core.support.records import record

SETTINGS = "settings"
MODULE = "module"
IMPORT = "import"
CONFIG = "config"
POLICY = "policy"
SCRIPT = "script"
SERVER = "server"
KINDS = (SETTINGS, CONFIG, SERVER, POLICY, SCRIPT, MODULE, IMPORT)
"""In the order in which a person wants to see them."""

Tables = Mapping[str, Mapping[str, Any]]

_HARMLESS_KEYS = {
    "server": {"packs", "discovery", "names", "page_size", "log_level", "log_json"},
}
_HARMLESS_TABLES = {"guide": {"store", "project"}, "architecture": set(), "directive": set()}
"""Tables that count for nothing, but for these keys."""


@record
class ActingFile:
    """One acting file as it is now."""

    path: str
    """Below the project's root, `/` between; absolute where it lies elsewhere."""
    kind: str
    data: bytes
    digest: str
    raw: str
    """The digest of the bytes: while it is the same, nothing has to be parsed again."""
    tools: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    """Of a module: the files of the project that it and they import."""


class Content:
    """All acting files of a project at one moment."""

    def __init__(self, files: Iterable[ActingFile]) -> None:
        self.files = tuple(sorted(files, key=lambda each: each.path))
        self.digest = content_digest((file.path, file.digest) for file in self.files)

    def __bool__(self) -> bool:
        return bool(self.files)

    def get(self, path: str) -> ActingFile | None:
        """The acting file of that path."""
        return next((file for file in self.files if file.path == path), None)


def content_digest(files: Iterable[tuple[str, str]]) -> str:
    """The digest of a content from the digests of its files."""
    lines = sorted(f"{path}\0{digest}\n" for path, digest in files)
    return sha256("".join(lines).encode("utf-8", "surrogateescape"))


def code_file(path: str, kind: str, data: bytes, **more: Any) -> ActingFile:
    """A file that counts byte by byte."""
    raw = sha256(data)
    return ActingFile(path, kind, data, file_digest(kind, raw), raw, **more)


def parsed_file(path: str, kind: str, data: bytes, value: Any, **more: Any) -> ActingFile:
    """A file that counts by its parsed value."""
    return ActingFile(path, kind, data, file_digest(kind, canonical(value)), sha256(data), **more)


def file_digest(kind: str, meaning: str) -> str:
    """The digest of one file: what it is, and what it says."""
    return sha256(f"{kind}\0{meaning}".encode("utf-8", "surrogateescape"))


def canonical(value: Any) -> str:
    """A parsed value as one text, whatever the order of its keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=repr)


def acting_settings(tables: Tables) -> dict[str, dict[str, Any]]:
    """The part of the settings that acts."""
    return _part(tables, harmless=False)


def harmless_settings(tables: Tables) -> dict[str, dict[str, Any]]:
    """The part of the settings that holds without anybody's trust."""
    return _part(tables, harmless=True)


def _part(tables: Tables, *, harmless: bool) -> dict[str, dict[str, Any]]:
    found = {
        name: {
            key: value for key, value in table.items() if is_harmless(name, key, value) is harmless
        }
        for name, table in tables.items()
    }
    return {name: table for name, table in found.items() if table}


def is_harmless(section: str, key: str, value: Any) -> bool:
    """Whether a setting can do nothing but choose among what is served from the repository."""
    if (section, key, value) == ("server", "audit", "auto"):
        return True
    if section in _HARMLESS_TABLES:
        return key not in _HARMLESS_TABLES[section] and not leads_out(value)
    return key in _HARMLESS_KEYS.get(section, ()) and not leads_out(value)


def leads_out(value: Any) -> bool:
    """Whether a value names, or could name, a place outside of the repository."""
    if isinstance(value, str):
        elsewhere = value.startswith(("/", "~", "\\")) or value[1:3] in (":/", ":\\")
        return elsewhere or "$" in value or "://" in value or ".." in _steps(value)
    if isinstance(value, Mapping):
        return any(leads_out(each) for pair in value.items() for each in pair)
    return isinstance(value, Sequence) and any(map(leads_out, value))


def _steps(path: str) -> list[str]:
    return path.replace("\\", "/").split("/")


def yaml_meaning(data: bytes) -> str:
    """What a YAML document says, as one text; of one that cannot be read, its bytes."""
    return yaml_and_meaning(data)[1]


def yaml_and_meaning(data: bytes) -> tuple[Any, str]:
    """The value of a YAML document (None where it cannot be read), and its meaning."""
    from toolcrib.core.errors import ToolcribError
    from toolcrib.files.yaml import load  # not for a start where nothing has changed

    try:
        value = load(data.decode("utf-8-sig"), "").value
    except (ToolcribError, UnicodeDecodeError):
        return None, f"unreadable {sha256(data)}"
    return value, canonical(value)
