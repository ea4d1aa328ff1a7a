"""The lists of a server, kept on disk so that listing and searching start nothing."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, Final, NamedTuple

from toolcrib.client.connection import BrokenAnswer
from toolcrib.client.session import ServerSession
from toolcrib.core.support.digests import sha256, swift_digest
from toolcrib.core.support.folders import cache_folder
from toolcrib.core.support.gc_pause import no_collections
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.files.private import private_folder, read_private, write_private
from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.packs.gateway.references import needs_workspace
from toolcrib.wire.messages import METHOD_NOT_FOUND, RpcError

FORMAT: Final = 1
LARGEST: Final = 32 * 1024 * 1024
_LARGEST_FILE: Final = LARGEST + 4096
_ROOM_FOR_THE_REST: Final = 1024 * 1024
"""Bytes for what is no item of a list: instructions, capabilities, warnings."""
_SAID: Final = ("info", "era", "capabilities", "instructions", "tools", "resources", "templates",
                "prompts", "skills", "warnings")  # fmt: skip
"""What a server told, field by field."""
_KINDS: Final[Mapping[str, type | UnionType]] = {
    "info": dict, "era": str, "capabilities": dict, "instructions": str | None, "warnings": list,
    "time": int | float, "digest": str,
}  # fmt: skip
_LISTS: Final = (
    ("tools", "tools/list", "tools"),
    ("resources", "resources/list", "resources"),
    ("templates", "resources/templates/list", "resourceTemplates"),
    ("prompts", "prompts/list", "prompts"),
    ("skills", "skills/list", "skills"),
)
SKILLS: Final = "io.modelcontextprotocol/skills"
"""The extension that a server declares whose skills can be listed."""


@dataclass(slots=True)
class Catalogue:
    """Everything that a server has reported about itself."""

    info: JSON = field(default_factory=dict)
    era: str = "legacy"
    capabilities: JSON = field(default_factory=dict)
    instructions: str | None = None
    tools: list[JSON] = field(default_factory=list)
    resources: list[JSON] = field(default_factory=list)
    templates: list[JSON] = field(default_factory=list)
    prompts: list[JSON] = field(default_factory=list)
    skills: list[JSON] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    time: float = 0.0
    digest: str = ""
    """Stands for all that it says, whenever it was made."""
    names: frozenset[str] = field(default=frozenset(), repr=False)
    """The names of its tools, usable or not."""
    size: int = field(default=0, repr=False)
    """How many bytes it takes, about; 0 for one that was kept."""
    written: str = field(default="", repr=False)
    """Stands for the very bytes that it was read from; nothing for one that was not kept."""

    def __post_init__(self) -> None:
        named = (tool.get("name") for tool in self.tools)
        self.names = frozenset(name for name in named if isinstance(name, str))
        if not self.digest:
            data = _encoded([getattr(self, name) for name in _SAID])
            self.digest, self.size = sha256(data), len(data)

    def as_bytes(self) -> bytes:
        """The catalogue as it is kept."""
        kept = {name: getattr(self, name) for name in (*_SAID, "time", "digest")}
        return _encoded({"toolcrib": FORMAT, **kept})


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def parsed(data: bytes) -> Catalogue | None:
    """A catalogue from what was kept; None for what is damaged or of another format."""
    try:
        with no_collections():
            kept = json.loads(data)
        if not isinstance(kept, dict) or kept.pop("toolcrib", None) != FORMAT:
            return None
        if set(kept) != {*_SAID, "time", "digest"}:
            return None
        lists = [kept[name] for name, _, _ in _LISTS]
        if not all(isinstance(e, list) and all(isinstance(i, dict) for i in e) for e in lists):
            return None
        if not all(isinstance(kept[name], kind) for name, kind in _KINDS.items()):
            return None
        return Catalogue(**kept)
    except (ValueError, TypeError, RecursionError):
        return None


async def asked(session: ServerSession, before: Catalogue | None = None) -> Catalogue:
    """Ask a server for all that it has.

    It has to tell its tools. Another list that cannot be read stays as it was `before`.
    """
    found: JSON = {"warnings": []}
    for name, method, key in _LISTS:
        if name != "tools" and not _has(session.capabilities, name):
            continue
        try:
            page = await session.whole(method, key)
        except (RpcError, BrokenAnswer) as error:
            if isinstance(error, RpcError) and error.code == METHOD_NOT_FOUND:
                continue
            if name == "tools":
                raise
            found[name] = getattr(before, name) if before is not None else []
            found["warnings"].append(f"{method} could not be read")
            continue
        found[name] = page.items
        if page.warning:
            found["warnings"].append(page.warning)
    told = (session.info, session.era, session.capabilities, session.instructions)
    return await in_thread(_bounded, told, found)  # to hash thousands of tools takes a while


def _bounded(told: tuple[JSON, str, JSON, str | None], found: JSON) -> Catalogue:
    """A catalogue of what was told, with as much of the lists as there is room for."""
    whole = Catalogue(*told, time=time.time(), **found)
    if whole.size <= LARGEST:
        return whole
    return Catalogue(*told, time=time.time(), **_fitted(found))


def _fitted(found: JSON) -> JSON:
    """As much of some lists as there is room for, the first items of each first."""
    left, dropped = LARGEST - _ROOM_FOR_THE_REST, 0
    fitted: JSON = {"warnings": found["warnings"]}
    for name, _, _ in _LISTS:
        kept: list[JSON] = []
        for item in found.get(name, ()):
            size = len(_encoded(item)) + len(", ")
            if size > left:
                dropped += 1
            else:
                left -= size
                kept.append(item)
        fitted[name] = kept
    text = f"more than {LARGEST // 2**20} MiB in all: {dropped} items are left out"
    fitted["warnings"] = [*found["warnings"], text]
    return fitted


def _has(capabilities: JSON, name: str) -> bool:
    """Whether a server has said that it has such a list."""
    if name == "skills":
        extensions = capabilities.get("extensions")
        return isinstance(extensions, dict) and SKILLS in extensions
    return ("resources" if name == "templates" else name) in capabilities


class Noted(NamedTuple):
    """What is known of a server's process: whether it runs somewhere, or why it does not."""

    up: bool = False
    fault: str | None = None
    warning: str | None = None
    """Why its lists could not be read anew."""


def _runs(pid: object) -> bool:
    if type(pid) is not int or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    return True


class CatalogueStore:
    """The catalogues of all servers, in the user's cache folder."""

    def __init__(self, root: str, folder: Path | None = None) -> None:
        self._root = root
        self._folder = folder
        self._known: dict[str, tuple[Any, Catalogue | None]] = {}
        self._unwritten: dict[str, Catalogue] = {}
        """What could not be written, by the key of its entry: kept as long as this process."""
        self._keys: dict[str, tuple[ConfiguredServer, str]] = {}

    def key(self, entry: ConfiguredServer) -> str:
        """What stands for an entry: all of it as written, and the repo where that matters."""
        known = self._keys.get(entry.name)
        if known is None or known[0] is not entry:
            known = self._keys[entry.name] = (entry, self._key(entry))
        return known[1]

    def _key(self, entry: ConfiguredServer) -> str:
        own = entry.source == "repo" or needs_workspace(entry) or entry.cwd is None
        text = f"{FORMAT}\0{entry.digest}\0{self._root if own else ''}"
        return sha256(text.encode("utf-8", "surrogateescape"))

    def get(self, entry: ConfiguredServer) -> Catalogue | None:
        """What is known of a server; None if it was never seen."""
        unwritten = self._unwritten.get(self.key(entry)) if self._unwritten else None
        path = self._path(entry)
        if unwritten is not None or path is None:
            return unwritten
        try:
            there = os.stat(path)  # noqa: PTH116 - asked for at each search
            stamp = (there.st_ino, there.st_size, there.st_mtime_ns)
        except OSError:
            return None
        known = self._known.get(str(path))
        if known is None or known[0] != stamp:
            known = self._known[str(path)] = (stamp, self._read(path))
        return known[1]

    def put(self, entry: ConfiguredServer, catalogue: Catalogue) -> None:
        """Keep what a server has told; with a full or read-only disk, for this process alone."""
        path, key = self._path(entry), self.key(entry)
        try:
            if path is None:
                raise FileNotFoundError
            private_folder(path.parent)
            write_private(path, catalogue.as_bytes())
            # Two writings within one tick of the file system's clock look alike.
            self._known.pop(str(path), None)
            self._unwritten.pop(key, None)
        except OSError:
            self._unwritten[key] = catalogue

    def keep_log(self, entry: ConfiguredServer, text: str) -> None:
        """Keep what a server wrote to its standard error, for `toolcrib servers logs`."""
        path = self._path(entry)
        if path is not None:
            with contextlib.suppress(OSError):
                private_folder(path.parent)
                data = text.encode("utf-8", "replace")
                write_private(path.with_suffix(".log"), data, durable=False)

    def log(self, entry: ConfiguredServer) -> str | None:
        """What a server wrote to its standard error; None if nothing was kept."""
        path = self._path(entry)
        try:
            return read_private(path.with_suffix(".log")).decode() if path is not None else None
        except (OSError, UnicodeDecodeError):
            return None

    def note(
        self,
        entry: ConfiguredServer,
        *,
        up: bool,
        fault: str | None = None,
        warning: str | None = None,
    ) -> None:
        """Note for other processes whether a server runs in this one, or why it does not."""
        path = self._path(entry)
        if path is None:
            return
        path = path.with_suffix(".state")
        with contextlib.suppress(OSError):
            if not up and fault is None and warning is None:
                path.unlink(missing_ok=True)
                return
            private_folder(path.parent)
            noted = {"pid": os.getpid() if up else None, "fault": fault, "warning": warning}
            write_private(path, json.dumps(noted).encode(), durable=False)

    def noted(self, entry: ConfiguredServer) -> Noted:
        """What a process has noted of a server; one that is gone has noted nothing."""
        path = self._path(entry)
        try:
            found = json.loads(read_private(path.with_suffix(".state"))) if path else {}
            told = [found.get(key) for key in ("fault", "warning")]
            up = _runs(found.get("pid"))
        except (OSError, ValueError, AttributeError):
            return Noted()
        return Noted(up, *(each if isinstance(each, str) else None for each in told))

    def forget(self, entry: ConfiguredServer) -> None:
        """Drop what is known of a server."""
        path = self._path(entry)
        if path is not None:
            path.unlink(missing_ok=True)

    def _path(self, entry: ConfiguredServer) -> Path | None:
        if self._folder is not None:
            return self._folder / f"{self.key(entry)}.json"
        cache = cache_folder()
        return cache and cache / "servers" / f"{self.key(entry)}.json"

    def _read(self, path: Path) -> Catalogue | None:
        try:
            data = read_private(path, _LARGEST_FILE)
        except OSError:
            return None
        found = parsed(data)
        if found is not None:
            found.written = swift_digest(data)
        return found
