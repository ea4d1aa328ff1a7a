"""Pins: what a server's tools said when a person took it in; what differs later is held.

They are hashes of definitions, kept in the user's state folder. Where they cannot be read,
everything is held.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.core.tool import JSON
from toolcrib.files.private import private_folder, read_private, write_private
from toolcrib.packs.gateway.catalogue import Catalogue

FORMAT: Final = 1
FOLDER: Final = "pins"
_PINNED = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_PINNED_OF_PROMPT = ("name", "title", "description", "arguments")
INSTRUCTIONS: Final = "instructions"

Hashes = dict[str, str]
"""`tool NAME`, `prompt NAME` and `instructions`, each with the hash of its definition."""


@dataclass(frozen=True, slots=True)
class Held:
    """What of a server is held: changed since it was pinned, or new."""

    names: frozenset[str] = frozenset()
    unreadable: bool = False

    def tool(self, name: str) -> bool:
        """Whether a tool is held."""
        return self.unreadable or f"tool {name}" in self.names

    def prompt(self, name: str) -> bool:
        """Whether a prompt is held."""
        return self.unreadable or f"prompt {name}" in self.names

    def __len__(self) -> int:
        return len(self.names)


NOTHING_HELD: Final = Held()


@dataclass(slots=True)
class Pins:
    """The pins of one server, with copies of what was pinned for the diff."""

    hashes: Hashes = field(default_factory=dict)
    copies: dict[str, Any] = field(default_factory=dict)


def hashes_of(catalogue: Catalogue) -> Hashes:
    """The hash of everything that can be pinned."""
    return {name: _hash(value) for name, value in definitions(catalogue).items()}


def definitions(catalogue: Catalogue) -> dict[str, Any]:
    """Everything that can be pinned, by its name."""
    found: dict[str, Any] = {}
    for tool in catalogue.tools:
        found[f"tool {tool.get('name')}"] = {key: tool[key] for key in _PINNED if key in tool}
    for prompt in catalogue.prompts:
        wanted = {key: prompt[key] for key in _PINNED_OF_PROMPT if key in prompt}
        found[f"prompt {prompt.get('name')}"] = wanted
    if catalogue.instructions:
        found[INSTRUCTIONS] = catalogue.instructions
    return found


def held(catalogue: Catalogue, pins: Pins, changes: str, lock: Mapping[str, str] | None) -> Held:
    """What of a catalogue differs from its pins, and from the lock of the repository."""
    now = hashes_of(catalogue)
    names: set[str] = set()
    if changes != "allow":
        for name, value in now.items():
            pinned = pins.hashes.get(name)
            if pinned != value and not (pinned is None and changes == "new"):
                names.add(name)
    if lock is not None:
        tools = {name for name in now if name.startswith("tool ")}
        names |= {name for name in tools if lock.get(name.removeprefix("tool ")) != now[name]}
    return Held(frozenset(names))


class PinStore:
    """The pins of all servers, by the key of their catalogue."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def get(self, key: str) -> Pins | None:
        """The pins of a server; None if it was never pinned. Raises `OSError`, `ValueError`."""
        try:
            data = read_private(self._path(key))
        except FileNotFoundError:
            return None
        kept = json.loads(data)
        if not isinstance(kept, dict) or kept.get("toolcrib") != FORMAT:
            raise ValueError("pins of another format")
        return Pins(dict(kept["hashes"]), dict(kept["copies"]))

    def put(self, key: str, catalogue: Catalogue, only: str | None = None) -> None:
        """Pin what a catalogue says, or one part of it; what was there is kept where unreadable."""
        path = self._path(key)
        pins = Pins()
        try:
            pins = self.get(key) or pins
        except (OSError, ValueError, KeyError, TypeError):
            path.rename(path.with_suffix(".unreadable"))
        now = definitions(catalogue)
        if only is not None:
            pins.copies[only] = now[only]
        else:
            pins.copies = now
        hashes = {name: _hash(value) for name, value in pins.copies.items()}
        kept = {"toolcrib": FORMAT, "hashes": hashes, "copies": pins.copies}
        private_folder(path.parent)
        write_private(path, json.dumps(kept, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    def stamp(self, key: str) -> tuple[int, int] | None:
        """Changes whenever the pins of a server do."""
        try:
            found = self._path(key).stat()
        except OSError:
            return None
        return (found.st_ino, found.st_mtime_ns)

    def _path(self, key: str) -> Path:
        return (self._folder or state_folder() / FOLDER) / f"{key}.json"


def pins_folder() -> list[Path]:
    """Where pins are kept; nothing where there is no home."""
    try:
        return [state_folder() / FOLDER]
    except ToolcribError:
        return []


def read_lock(data: bytes) -> dict[str, dict[str, str]]:
    """The lock of a repository: server → tool → hash. Raises `ValueError`."""
    found = json.loads(data)
    if not isinstance(found, dict) or not all(isinstance(each, dict) for each in found.values()):
        raise ValueError("a lock is an object of objects")
    return found


def written_lock(catalogues: Mapping[str, Catalogue]) -> bytes:
    """The lock for these servers, as it is written to the repository."""
    locked = {
        server: {
            name.removeprefix("tool "): value
            for name, value in hashes_of(catalogue).items()
            if name.startswith("tool ")
        }
        for server, catalogue in catalogues.items()
    }
    return json.dumps(locked, indent=2, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def _hash(value: JSON | str) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass"))
