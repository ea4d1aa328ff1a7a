"""Which paths a sandbox hides, protects and opens for a tool with given grants."""

# ruff: noqa: PTH103, PTH110, PTH111, PTH112, PTH116, PTH118

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolcrib.core.support.folders import cache_folder
from toolcrib.running.sandbox import places
from toolcrib.running.sandbox.namespace import Mounts, resolver_files
from toolcrib.running.sandbox.profile import NOTHING, Access

SOCKETS = {
    "ssh-agent": ("$SSH_AUTH_SOCK",),
    "docker": ("/var/run/docker.sock", "$XDG_RUNTIME_DIR/docker.sock"),
    "dbus": ("$DBUS_SESSION_BUS_ADDRESS", "$XDG_RUNTIME_DIR/bus"),
    "signing": (
        "$SSH_AUTH_SOCK", "~/.gnupg/S.gpg-agent", "$XDG_RUNTIME_DIR/gnupg/S.gpg-agent",
        "~/.gnupg/S.keyboxd", "$XDG_RUNTIME_DIR/gnupg/S.keyboxd",
    ),
}  # fmt: skip
"""Words for sockets that lie elsewhere on each machine."""
_READ_WITH = {"signing": ("~/.gnupg", "~/.ssh/*.pub", "~/.ssh/allowed_signers")}
_CACHES = {
    "npm_config_cache": "npm", "UV_CACHE_DIR": "uv", "PIP_CACHE_DIR": "pip", "GOCACHE": "go-build",
    "GOMODCACHE": "go-mod", "CARGO_HOME": "cargo", "YARN_CACHE_FOLDER": "yarn",
}  # fmt: skip


def socket_variables(sockets: Iterable[str]) -> list[str]:
    """The variables by which programs find the sockets that are granted."""
    paths = [path for entry in sockets for path in SOCKETS.get(entry, (entry,))]
    return [path[1:].partition("/")[0] for path in paths if path.startswith("$")]


@dataclass(frozen=True, slots=True)
class Listing:
    """What there is at one moment, in real paths, and the folders to watch for changes of it."""

    mounts: Mounts
    identity: tuple[tuple[str, int, int], ...]
    watched: tuple[str, ...]
    sockets_granted: bool = False


class Layout:
    """The places of one repository on one machine."""

    def __init__(
        self,
        project: Path,
        writable: Sequence[str],
        hidden: Sequence[str],
        acting: Callable[[], Iterable[str]],
    ) -> None:
        self.project = os.path.realpath(project)
        self.home = _home()
        self._named = [self._absolute(place) for place in writable]
        self._hidden = [self._absolute(place) for place in hidden]
        self._acting = acting
        self._private: str | None = None
        self._variables: dict[Access, tuple[tuple[str, str], ...]] = {}

    def writable(self, access: Access) -> list[str]:
        """Where a tool may write, as far as it is there."""
        every = [self.project, *places.temporary_folders(os.environ), *self._named]
        every += [self._absolute(place) for place in access.writes]
        git = places.linked_git_folder(self.project)
        if git is not None:
            every += [git.own, git.shared]
        return places.real(every)

    def listing(self, access: Access) -> Listing:
        """What is hidden, protected and open now."""
        self._make_state_folder()
        patterns = [*places.HIDDEN, *self._hidden, *places.own_folders()]
        writable = [*self.writable(access), self._cache(access)]
        granted = self._granted(access)
        own = places.real(places.own_folders())
        hidden = [
            path
            for path in places.with_linked(places.expanded(patterns, self.home))
            if path not in writable and (not places.inside(path, granted) or path in own)
        ]
        named, searched = places.named_in_project(self.project, access.hides)
        hidden += places.real(named)
        protected = self._existing_protected(access, writable, hidden)
        sockets, emptied, blocked = self._sockets(access)
        mounts = Mounts(
            tuple(writable),
            tuple(dict.fromkeys(hidden)),
            tuple(path for path in granted if places.inside(path, hidden)),
            tuple(protected),
            tuple(emptied),
            tuple(sockets),
            tuple(blocked),
            tuple(self._anchored([*own, *self._own_things()], writable, [*hidden, *protected])),
        )
        watched = dict.fromkeys([*self._watched(patterns, access), *searched])
        every = dict.fromkeys([*writable, *mounts.hidden, *protected, *mounts.opened, *sockets])
        every |= dict.fromkeys(mounts.anchored)
        identity = tuple(_identity(path) for path in every)
        return Listing(mounts, identity, tuple(watched), bool(access.sockets))

    def protected(self, access: Access) -> list[str]:
        """What no tool may write, whether it is there or not; hooks alone where git changes it."""
        git = places.git_folder(self.project)
        hooks = [f"{git.shared}/hooks"] if git else []
        own = [path for path in places.own_folders() if self._is_exposed(path)]
        if access.changes_work_tree:
            return [*own, *hooks]
        names = [f"{self.project}/{name}" for name in places.PROTECTED]
        return [*own, *names, *(git.acting() if git else ()), *self._acting()]

    def acting(self) -> Iterable[str]:
        """The acting files of the repository, whether they are there or not."""
        return self._acting()

    def exposed(self) -> list[str]:
        """What of toolcrib itself lies in the repository: folders of its own, and what it runs."""
        every = [*places.own_environment(), *places.real(places.own_folders())]
        found = sorted(path for path in every if places.inside(path, [self.project]))
        return [path for path in found if not any(map(path.startswith, _below(found)))]

    def cache_variables(self, access: Access) -> tuple[tuple[str, str], ...]:
        """Variables that lead package programs to caches of their own."""
        known = self._variables.get(access)
        if known is not None:
            return known
        folder = self._cache(access)
        named = [(variable, f"{folder}/{name}") for variable, name in _CACHES.items()]
        known = self._variables[access] = (*named, ("GOFLAGS", "-modcacherw"))
        return known

    def empty_file(self) -> str:
        """An empty file, to lie over others."""
        path = f"{self._own_folder()}/empty"
        if not os.path.exists(path):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o444))
        return path

    def own_program(self, name: str) -> str | None:
        """The path of a program that the server itself starts."""
        return places.outside_program(name, self.project, self._named)

    def outside_path(self) -> str:
        """The search path without folders where the repository, or a command, puts programs."""
        return places.outside_path(self.project, self._named)

    def close(self) -> None:
        """Remove the private caches."""
        if self._private is not None:
            shutil.rmtree(self._private, ignore_errors=True)
            self._private = None
            self._variables.clear()

    def _granted(self, access: Access) -> list[str]:
        """Real paths that a tool may read though they are hidden from others."""
        words = [path for word in access.sockets for path in _READ_WITH.get(word, ())]
        named = [self._absolute(path) for path in (*access.reads, *access.writes, *words)]
        return places.real(places.expanded(named, self.home))

    def _existing_protected(
        self, access: Access, writable: Sequence[str], hidden: Sequence[str]
    ) -> list[str]:
        """Of the protected paths those that exist, could be written, and can be seen."""
        every = places.real([*self.protected(access), *self._own_things()])
        seen = [path for path in every if not places.inside(path, hidden)]
        return [path for path in seen if places.inside(path, writable) and path not in writable]

    def _own_things(self) -> list[str]:
        return [*places.own_environment(), *places.real(places.own_files())]

    def _anchored(
        self, own: Iterable[str], writable: Sequence[str], closed: Sequence[str]
    ) -> list[str]:
        """Folders above what is toolcrib's own, in places where a command may write.

        Renamed, they would take it along, and something else could be put in its place.
        """
        above = dict.fromkeys(folder for path in own for folder in places.between(path, writable))
        return [folder for folder in above if not places.inside(folder, closed)]

    def _make_state_folder(self) -> None:
        """Where a command could make it, it has to be there before: what is there can be hidden."""
        for state in places.own_folders()[:1]:
            if self._is_exposed(state):
                with contextlib.suppress(OSError):
                    os.makedirs(state, 0o700, exist_ok=True)

    def _is_exposed(self, path: str) -> bool:
        """Whether a command could make a path that is not there."""
        return places.inside(os.path.realpath(path), self.writable(NOTHING))

    def _sockets(self, access: Access) -> tuple[list[str], list[str], list[str]]:
        """Sockets that are granted, folders that are emptied for them, and sockets to block."""
        if not access.sockets:
            return [], [], []
        named: list[str] = []
        for entry in access.sockets:
            for path in SOCKETS.get(entry, (entry,)):
                found = _from_environment(path)
                if found:
                    named.append(self._absolute(found))
        granted = places.real(named)
        run = os.environ.get("XDG_RUNTIME_DIR")
        emptied = places.real(["/run", *([run] if run else [])])
        emptied = [path for path in emptied if path != "/"]
        blocked = [
            path
            for path in places.real(places.live_sockets())
            if path not in granted and not places.inside(path, emptied)
        ]
        return [*granted, *resolver_files()], emptied, blocked

    def _watched(self, patterns: Sequence[str], access: Access) -> list[str]:
        """Folders whose change can mean that something hidden or protected has come or gone."""
        git = places.git_folder(self.project)
        folders = [self.project, *places.parents(patterns, self.home)]
        folders += places.parents(self.protected(access), self.home)
        if git is not None:
            folders += [git.own, git.shared]
        return list(dict.fromkeys(os.path.realpath(folder) for folder in folders))

    def _absolute(self, place: str) -> str:
        return os.path.join(self.project, os.path.expanduser(place))

    def _own_folder(self) -> str:
        """A folder of this process below toolcrib's cache, hidden but for what is opened of it."""
        if self._private is None:
            cache = cache_folder()
            self._private = None if cache is None else _made_below(f"{cache}/run")
        if self._private is None:
            self._private = tempfile.mkdtemp(prefix="toolcrib-run-")
        return self._private

    def _cache(self, access: Access) -> str:
        digest = hashlib.sha256(repr(access).encode()).hexdigest()[:16]
        folder = os.path.realpath(f"{self._own_folder()}/{digest}")
        os.makedirs(folder, 0o700, exist_ok=True)
        return folder


def _from_environment(path: str) -> str | None:
    """A path with the variable it begins with replaced; None if that is not set."""
    if not path.startswith("$"):
        return path
    name, slash, rest = path[1:].partition("/")
    value = os.environ.get(name)
    if not value:
        return None
    if value.startswith("unix:path="):
        value = value.removeprefix("unix:path=").partition(",")[0]
    return f"{value}{slash}{rest}"


def _below(paths: Iterable[str]) -> list[str]:
    return [f"{path}/" for path in paths]


def _identity(path: str) -> tuple[str, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, found.st_dev, found.st_ino


def _home() -> str | None:
    home = os.path.expanduser("~")
    return os.path.realpath(home) if home.startswith("/") else None


def _made_below(base: str) -> str | None:
    """A new folder of this process; None where it cannot be made."""
    _remove_stale(base)
    try:
        os.makedirs(base, 0o700, exist_ok=True)
        return tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=base)
    except OSError:
        return None


def _remove_stale(base: str) -> None:
    """Remove folders of servers that were killed before they could do it themselves."""
    try:
        entries = list(os.scandir(base))
    except OSError:
        return
    for entry in entries:
        pid = entry.name.partition("-")[0]
        if pid.isdigit() and not os.path.exists(f"/proc/{pid}") and os.path.isdir("/proc/self"):
            shutil.rmtree(entry.path, ignore_errors=True)
