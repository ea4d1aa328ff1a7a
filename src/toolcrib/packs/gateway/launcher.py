"""How a server on this machine is started: its program, environment, folder and sandbox."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from toolcrib.core.errors import CallError, ConfigError
from toolcrib.core.support.folders import cache_folder
from toolcrib.core.support.workers import in_thread
from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.planted import PlantedFiles
from toolcrib.packs.gateway.life.running import Started
from toolcrib.packs.gateway.references import SECRET, Resolved, Unresolved, resolve, secret_names
from toolcrib.packs.gateway.settings import DEPTH, depth
from toolcrib.policy.floors import SANDBOX, strictest
from toolcrib.policy.repository.acting_places import acting_places
from toolcrib.running.environment import UNATTENDED, child_environment, find_program
from toolcrib.running.limits import Limits
from toolcrib.running.network.hosts import parse_network
from toolcrib.running.pool import KeptSandbox
from toolcrib.running.sandbox.guard import ProtectedFiles
from toolcrib.running.sandbox.ladder import Sandbox
from toolcrib.running.sandbox.profile import Access, Mode, Spec
from toolcrib.running.service import Service

if TYPE_CHECKING:
    from toolcrib.policy.trust.project import Trust

Fetch = Callable[[str], Awaitable[str]]
"""Fetches a secret by its name, or raises `CallError`."""
_RUNNERS = frozenset(("uvx", "uv", "pipx", "npx", "python", "python3", "env"))


def starts_ourselves(entry: ConfiguredServer) -> bool:
    """Whether an entry would start toolcrib's own `serve`."""
    if entry.kind != "stdio" or "serve" not in entry.args:
        return False
    name = os.path.basename(entry.command)  # noqa: PTH119
    if name in _RUNNERS or name.startswith("python"):
        return any(_names_us(word) for word in entry.args)
    own = os.path.realpath(Path(sys.executable).with_name("toolcrib"))
    found = find_program(entry.command, os.environ, str(entry.home)) or entry.command
    return name == "toolcrib" or os.path.realpath(found) == own


def _names_us(word: str) -> bool:
    """Whether a word is our name, as a path or with a version: `toolcrib@latest`."""
    return re.split(r"[@=<>~!\[]", os.path.basename(word), maxsplit=1)[0] == "toolcrib"  # noqa: PTH119


@dataclass(frozen=True, slots=True)
class Walls:
    """What holds for the sandbox of every server, whatever its entry says."""

    hidden: Sequence[str] = ()
    """Paths that are hidden besides those of everybody."""
    acting: Callable[[], Iterable[str]] = tuple
    """Files of the repository that no server may write."""
    floors: Mapping[str, str] = field(default_factory=lambda: {"repo": "off", "user": "off"})
    """The least strict sandbox, by where an entry stands."""


def walls_of(trust: Trust) -> Walls:
    """What the organisation's and the person's own files say of sandboxes."""
    said = [str(file.value("climax", "sandbox") or "off") for file in trust.person.files]
    known = [word for word in said if word in SANDBOX]
    hidden = list(trust.person.strings("climax", "hidden"))
    if trust.state == "trusted":
        own = trust.verdict.present.tables.get("climax", {}).get("hidden", ())
        hidden += own if isinstance(own, list) else []
    floors = {"repo": strictest([*known, "off"], SANDBOX), "user": said[0]}

    def acting() -> list[str]:
        return list(dict.fromkeys([*acting_places(trust.project), *trust.acting_paths()]))

    return Walls(tuple(hidden), acting, floors)


class Launcher:
    """Starts the servers of one project."""

    def __init__(
        self,
        project: Path,
        secrets: Fetch,
        trusted: Callable[[], bool],
        withheld: Callable[[ConfiguredServer], str | None] = lambda entry: None,
        walls: Walls | None = None,
    ) -> None:
        """`withheld`: why an entry may not act as it and its files are now; None if it may."""
        self.project = project
        self._walls = walls or Walls()
        self._withheld = withheld
        self._fetch = secrets
        self._trusted = trusted
        self._sandboxes: dict[str, Sandbox] = {}

    async def resolved(self, entry: ConfiguredServer) -> Resolved:
        """The entry with its references replaced, or the fault that says what is missing."""
        try:
            names = secret_names(entry)
            known = {name: await self._fetch(name) for name in names}
            return resolve(entry, self.project, known.__getitem__)
        except CallError as error:
            text = f"Server {entry.name!r}: {error}"
            raise ServerFault(entry.name, "unset_reference", text) from error
        except Unresolved as error:
            raise ServerFault(entry.name, "unset_reference", str(error)) from error

    async def secret(self, entry: ConfiguredServer, reference: str) -> str:
        """What `secret:NAME` stands for, or the fault that says what is missing."""
        try:
            return await self._fetch(reference.removeprefix(SECRET))
        except CallError as error:
            text = f"Server {entry.name!r}: {error}"
            raise ServerFault(entry.name, "unset_reference", text) from error

    async def start(self, entry: ConfiguredServer, resolved: Resolved) -> Started:
        """Start the program; raises `ServerFault` with the reason."""
        why = self._withheld(entry)  # once more: a script may have changed this very moment
        if why is not None:
            raise ServerFault(entry.name, "untrusted", f"Server {entry.name!r} is withheld: {why}")
        env = self._environment(resolved)
        folder = self._folder(entry, resolved)
        program = find_program(resolved.command, env, str(entry.home))
        if program is None:
            raise self._failed(entry, f"the program {entry.command!r} was not found")
        if not os.path.isdir(folder):  # noqa: PTH112
            raise self._failed(entry, f"its working directory does not exist: {entry.cwd}")
        argv = [resolved.command, *resolved.args]
        sandbox = self._sandbox(entry)
        if not sandbox.decided:
            await in_thread(sandbox.decide)
        access, spec = self._shut_in(entry, sandbox, argv, program)
        kept = KeptSandbox(spec, Limits().of_child())
        service, planted = Service(kept), None
        if spec.report.level != "off":
            files = ProtectedFiles(sandbox.layout)
            planted = PlantedFiles(entry.name, files, access, kept.commands)
        try:
            proxy = await kept.proxy()
            if proxy is not None:
                env |= proxy.variables(proxy.begin())
            await service.start({"argv": argv, "program": program, "env": env, "cwd": folder})
        except OSError as error:
            kept.close()
            raise self._failed(entry, f"no process could be started: {error.strerror}") from error
        return Started(service, kept, planted)

    def close(self) -> None:
        """Remove what was made for this process alone."""
        for sandbox in self._sandboxes.values():
            sandbox.close()

    def _environment(self, resolved: Resolved) -> dict[str, str]:
        env = child_environment({})
        for name in UNATTENDED:
            env.pop(name, None)
        return {**env, **resolved.env, DEPTH: str(depth() + 1)}

    def _folder(self, entry: ConfiguredServer, resolved: Resolved) -> str:
        if resolved.cwd is not None:
            return os.path.join(entry.home, resolved.cwd)  # noqa: PTH118
        if entry.source == "repo" or self._trusted():
            return str(self.project)
        cache = cache_folder()
        if cache is None:
            return "/"  # nowhere to make an empty folder: one that belongs to no project
        folder = cache / "empty"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return str(folder)

    def mode(self, entry: ConfiguredServer) -> str:
        """The sandbox of a server: as its entry says, or stricter."""
        return strictest([entry.sandbox, self._walls.floors[entry.source]], SANDBOX)

    def _sandbox(self, entry: ConfiguredServer) -> Sandbox:
        walls, mode = self._walls, self.mode(entry)
        sandbox = self._sandboxes.get(mode)
        if sandbox is None:
            sandbox = Sandbox(cast("Mode", mode), self.project, (), walls.hidden, walls.acting)
            self._sandboxes[mode] = sandbox
        return sandbox

    def _shut_in(
        self, entry: ConfiguredServer, sandbox: Sandbox, argv: list[str], program: str
    ) -> tuple[Access, Spec]:
        word = entry.network or ("none" if entry.source == "repo" else "full")
        try:
            network = parse_network(list(word) if isinstance(word, tuple) else word)
            access = Access(network, entry.reads, entry.writes, entry.sockets)
            return access, sandbox.confine(argv, program, access).spec
        except (ConfigError, ValueError) as error:
            raise self._failed(entry, str(error)) from error

    def _failed(self, entry: ConfiguredServer, why: str) -> ServerFault:
        text = f"Server {entry.name!r} could not be started: {why}"
        return ServerFault(entry.name, "start_failed", text)
