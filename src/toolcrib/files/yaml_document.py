"""A YAML document read key by key: the right kinds, known keys, the place of every mistake."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

from toolcrib.core.errors import (
    ConfigError,
    FileRefused,
    FileUnreadable,
    Place,
    ToolcribError,
)
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.files.beneath import open_by_steps
from toolcrib.files.root import Root

Step = str | int
LARGEST_FILE = 4 * 1024 * 1024
_MOST_VALUES = 400_000
_MOST_FILES = 2000
_SETTLED = 2_000_000_000
"""Nanoseconds after which another change of a file surely has another time."""
_read: dict[str, tuple[tuple[int, ...], bytes]] = {}
_KINDS = {dict: "a mapping", list: "a list", str: "text", bool: "true or false"}


def read_bytes(path: Path, root: Root | None = None) -> bytes:
    """Return the contents of a file that a person named, or raise `ConfigError`.

    A start needs the same files two or three times, and reads them once. `root` is its folder,
    where somebody has it open.
    """
    name = str(path)
    version = _version(name)
    known = _read.get(name)
    if known is not None and known[0] == version:
        return known[1]
    data = _read_bytes(path, root or folder_of(path), close=root is None)
    if version is not None and time.time_ns() - max(version[-2:]) > _SETTLED:
        if len(_read) >= _MOST_FILES:
            _read.clear()
        _read[name] = (version, data)
    return data


def _version(path: str) -> tuple[int, ...] | None:
    """What tells the versions of a file apart, once its last change is a while ago."""
    try:
        found = os.stat(path)  # noqa: PTH116 - for some hundred files
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def folder_of(path: Path) -> Root:
    """The folder of a file, to read that and others in it."""
    # One name below its folder: opened by hand, as safe, without loading ctypes at each start.
    return Root(path.parent, cap=LARGEST_FILE, opener=open_by_steps)


def _read_bytes(path: Path, root: Root, close: bool) -> bytes:
    try:
        return root.read(path.name).data
    except FileRefused:
        raise ConfigError(f"No such file: {path}", where=Place(str(path))) from None
    except FileUnreadable as error:
        raise ConfigError(error.what, where=Place(str(path)), why=error.why) from None
    finally:
        if close:
            root.close()


def keys(*names: str) -> dict[str, None]:
    """Keys that a mapping may have, in the order in which they are explained."""
    return dict.fromkeys(names)


class YamlDocument:
    """A YAML document, with what is to be said of it."""

    def __init__(self, data: bytes, file: str, *, strict_keys: bool = False) -> None:
        # Neither is needed for a start with a warm cache.
        from toolcrib.files.decoding import decode
        from toolcrib.files.yaml import load

        try:
            decoded = decode(data)
        except FileUnreadable as error:
            raise ConfigError(error.what, where=Place(file), why=error.why) from None
        if decoded.note:
            raise ConfigError("The file is not UTF-8 text", where=Place(file), why=decoded.note)
        self.file = file
        self.warnings: list[ConfigError] = []
        self._strict_keys = strict_keys
        self._loaded = load(decoded.text, file, cap=LARGEST_FILE, nodes=_MOST_VALUES)

    @property
    def value(self) -> Any:
        """The whole of it."""
        return self._loaded.value

    def place(self, *path: Step) -> Place:
        """Where the value at `path` stands."""
        return self._loaded.place(*path)

    def line(self, *path: Step) -> int:
        """The line of the value at `path`."""
        return self._loaded.line(*path)

    def error(self, what: str, *path: Step, next: str | None = None) -> ConfigError:
        """A mistake at `path`."""
        return ConfigError(what, where=self.place(*path), next=next)

    def known_keys(self, mapping: dict[str, Any], known: dict[str, None], *path: Step) -> None:
        """Warn of keys that mean nothing here; in a document with strict keys they are errors."""
        if mapping.keys() <= known.keys():
            return
        for key in mapping:
            if key not in known:
                hint = did_you_mean(key, known) or f"; known are: {', '.join(known)}"
                error = self.error(f"Unknown key {key!r}{hint}", *path, key)
                if self._strict_keys:
                    raise error
                self.warnings.append(error)

    def mapping(self, value: Any, what: str, *path: Step) -> dict[str, Any]:
        """`value`, which must be a mapping; nothing at all counts as an empty one."""
        return {} if value is None else self._of_kind(value, dict, what, path)

    def sequence(self, value: Any, what: str, *path: Step) -> list[Any]:
        """`value`, which must be a list; nothing at all counts as an empty one."""
        return [] if value is None else self._of_kind(value, list, what, path)

    def boolean(self, value: Any, what: str, *path: Step) -> bool:
        """`value`, which must be true or false; nothing at all counts as false."""
        return False if value is None else self._of_kind(value, bool, what, path)

    def text(self, value: Any, what: str, *path: Step) -> str:
        """`value` as it is written; `-1` and `8080` are text too where text is wanted."""
        if isinstance(value, str):
            return value
        if isinstance(value, dict | list) or value is None:
            raise self._wrong_kind(value, str, what, path)
        written = _spelling(value)
        source = self.place(*path).source or ""
        if re.search(rf"(?<![\w.:-]){re.escape(written)}(?![\w.:-])", source):
            return written
        raise self.error(
            f"{what} must be text, but YAML reads it as {written}", *path, next="Put it in quotes."
        )

    def choice(self, value: Any, choices: Collection[str], what: str, *path: Step) -> str:
        """`value`, which must be one of `choices`."""
        if not isinstance(value, str) or value not in choices:
            hint = did_you_mean(str(value), choices) if isinstance(value, str) else ""
            raise self.error(f"{what} must be one of: {', '.join(choices)}{hint}", *path)
        return value

    def _of_kind(self, value: Any, kind: type, what: str, path: tuple[Step, ...]) -> Any:
        if not isinstance(value, kind):
            raise self._wrong_kind(value, kind, what, path)
        return value

    def _wrong_kind(self, value: Any, kind: type, what: str, path: tuple[Step, ...]) -> ConfigError:
        got = _KINDS.get(type(value), "a number" if isinstance(value, int | float) else "nothing")
        return self.error(f"{what} must be {_KINDS[kind]}, got {got}", *path)


def _spelling(value: Any) -> str:
    if callable(getattr(value, "isoformat", None)):
        return str(value.isoformat())
    return json.dumps(value)


def document_of(data: bytes) -> dict[str, Any]:
    """The YAML mapping in a file; an empty one where it holds anything else."""
    from toolcrib.files.yaml import load

    try:
        value = load(data.decode("utf-8-sig"), "").value
    except (ToolcribError, UnicodeDecodeError):
        return {}
    return value if isinstance(value, dict) else {}
