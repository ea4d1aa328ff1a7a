"""Pins: the approved definitions of a server's tools; later changes are held back.

They are hashes of definitions, kept in the user's state folder: a line with the hashes, which are
compared with each catalogue (the outcome is kept, `found/conclusions`), and a line with copies of
what was pinned, which only a diff reads. Where they cannot be read, everything is held.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.core.support.gc_pause import no_collections
from toolcrib.core.support.jsonable import unique
from toolcrib.core.tool import JSON
from toolcrib.files.private import private_folder, read_private, write_private
from toolcrib.packs.gateway.catalogue import Catalogue

FORMAT: Final = 1
FOLDER: Final = "pins"
_PINNED = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_PINNED_OF_PROMPT = ("name", "title", "description", "arguments")
INSTRUCTIONS: Final = "instructions"

_ENCODED: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode

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
    for kind, listed, keys in (
        ("tool", catalogue.tools, _PINNED),
        ("prompt", catalogue.prompts, _PINNED_OF_PROMPT),
    ):
        named: dict[str, list[JSON]] = {}
        for each in listed:
            wanted = {key: each[key] for key in keys if key in each}
            named.setdefault(f"{kind} {each.get('name')}", []).append(wanted)
        # Whichever of two with one name is served, a change of either is a change.
        found |= {name: each[0] if len(each) == 1 else each for name, each in named.items()}
    if catalogue.instructions:
        found[INSTRUCTIONS] = catalogue.instructions
    return found


def held(catalogue: Catalogue, pins: Pins, changes: str, lock: Mapping[str, str] | None) -> Held:
    """What of a catalogue differs from its pins, and from the lock of the repository."""
    if changes == "allow" and lock is None:
        return NOTHING_HELD
    with no_collections():
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
        self._unwritten: dict[str, Pins] = {}
        """Pins that could not be written: they hold as long as this process."""

    def get(self, key: str) -> Pins | None:
        """The pins of a server; None if it was never pinned. Raises `OSError`, `ValueError`."""
        lines = self._lines(key)
        if lines is None:
            return self._unwritten.get(key)
        head = _read(lines[0])
        copies = _read(lines[1]) if lines[1] else head.get("copies")
        if not isinstance(copies, dict):
            raise ValueError("pins without copies")
        return Pins(_hashes(head), copies)

    def compared(self, key: str) -> Pins | None:
        """The same without the copies, which are most of the file."""
        head = self.head(key)
        return self._unwritten.get(key) if head is None else hashes_in(head)

    def head(self, key: str) -> bytes | None:
        """The line with the hashes, as it is written; None where none is. Raises `OSError`."""
        lines = self._lines(key)
        return lines[0] if lines is not None else None

    def _lines(self, key: str) -> tuple[bytes, bytes] | None:
        try:
            data = read_private(self._path(key))
        except (FileNotFoundError, NotADirectoryError, ToolcribError):
            return None
        head, _, copies = data.partition(b"\n")
        return head, copies

    def put(self, key: str, catalogue: Catalogue, only: Iterable[str] | None = None) -> None:
        """Pin what a catalogue says, or parts of it; what was there is kept where unreadable.

        Raises `OSError` and `ToolcribError` where pins cannot be written.
        """
        path = self._path(key)
        pins = Pins()
        try:
            pins = self.get(key) or pins
        except (OSError, ValueError):
            path.rename(path.with_suffix(".unreadable"))
        now = definitions(catalogue)
        if only is not None:
            pins.copies |= {name: now[name] for name in only}
        else:
            pins.copies = now
        hashes = {name: _hash(value) for name, value in pins.copies.items()}
        lines = ({"toolcrib": FORMAT, "hashes": hashes}, pins.copies)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        private_folder(path.parent)
        write_private(path, text.encode("utf-8", "surrogatepass"))

    def first(self, key: str, catalogue: Catalogue) -> None:
        """Pin what a server says when it is seen for the first time.

        Where nothing can be written, the pins hold for this process. Pins that cannot be read stay
        as they are: everything is held by them.
        """
        try:
            if key in self._unwritten or self.head(key) is not None:
                return
        except OSError:
            return
        try:
            self.put(key, catalogue)
        except (OSError, ToolcribError):
            self._unwritten[key] = Pins(hashes_of(catalogue), definitions(catalogue))

    def stamp(self, key: str) -> tuple[int, int] | None:
        """Changes whenever the pins of a server do."""
        try:
            found = self._path(key).stat()
        except (OSError, ToolcribError):
            return (0, 0) if key in self._unwritten else None
        return (found.st_ino, found.st_mtime_ns)

    def lost(self, key: str) -> bool:
        """Whether a server has no pins on disk, and none can be written there."""
        try:
            if self.head(key) is not None:
                return False
            folder = self.folder
        except OSError:
            return False  # there are some: everything is held by them
        except ToolcribError:
            return False  # a folder that cannot be: that has a line of its own
        there = next(each for each in (folder, *folder.parents) if os.path.lexists(each))
        return not there.is_dir() or not os.access(there, os.W_OK)

    @property
    def folder(self) -> Path:
        """Where they are kept; raises `ToolcribError` where there is no such place."""
        return self._folder or state_folder() / FOLDER

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def hashes_in(head: bytes) -> Pins:
    """The pins that a first line has, without copies; raises `ValueError`."""
    return Pins(_hashes(_read(head)))


def _read(data: bytes, *, ours: bool = True) -> JSON:
    """An object from a line of pins, or from a lock, which others write; raises `ValueError`."""
    try:
        found = json.loads(data, object_pairs_hook=None if ours else unique)
    except RecursionError as error:
        raise ValueError("it nests too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    return found


def _hashes(head: JSON) -> Hashes:
    if head.get("toolcrib") != FORMAT:
        raise ValueError("pins of another format")
    hashes = head.get("hashes")
    if not isinstance(hashes, dict):
        raise ValueError("pins without hashes")
    return hashes


def pins_folder() -> list[Path]:
    """Where pins are kept; nothing where there is no home."""
    try:
        return [state_folder() / FOLDER]
    except ToolcribError:
        return []


def read_lock(data: bytes) -> dict[str, dict[str, str]]:
    """The lock of a repository: server → tool → hash. Raises `ValueError`."""
    found = _read(data, ours=False)
    if not all(isinstance(each, dict) for each in found.values()):
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
    return sha256(_ENCODED(value).encode("utf-8", "surrogatepass"))
