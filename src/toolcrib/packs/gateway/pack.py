"""`GatewayPack`: other MCP servers, from the files that name them to their tools."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.core.pack import Changes, Contributions, Health, Pack
from toolcrib.core.support.redact import presentable
from toolcrib.core.support.workers import in_thread
from toolcrib.packs.gateway.settings import REPO_FILE, GatewaySettings, possible, user_file
from toolcrib.policy.repository.places import PolicySource

# What a start does not need is imported where it is used: a session begins with every start.
if TYPE_CHECKING:
    from toolcrib.packs.gateway.asking.rounds import Rounds
    from toolcrib.packs.gateway.catalogue import Catalogue, CatalogueStore
    from toolcrib.packs.gateway.entries import ConfiguredServer, Source
    from toolcrib.packs.gateway.entries import ServerEntries as Read
    from toolcrib.packs.gateway.found.later import LaterTools
    from toolcrib.packs.gateway.launcher import Launcher
    from toolcrib.packs.gateway.offers.prompts import ServerPrompts
    from toolcrib.packs.gateway.offers.resources import ServerResources
    from toolcrib.packs.gateway.offers.skills import ServerSkills
    from toolcrib.packs.gateway.results import KeptResults
    from toolcrib.packs.gateway.servers import Servers
    from toolcrib.packs.gateway.tools import ServerTools
    from toolcrib.policy.servers import ServerPolicies
    from toolcrib.policy.trust.project import Trust

logger = logging.getLogger("toolcrib.gateway")


class ServersFile(NamedTuple):
    """A file that names servers."""

    path: Path
    shown: str
    """What it is called in messages, and by a record of trust."""
    source: Source
    home: Path
    """What relative paths in it are meant from."""
    needed: bool = False
    """Whether it is an error that it is not there."""


class GatewayPack(Pack):
    """Every MCP server of the repository and of its user, behind the two meta-tools."""

    name = "gateway"
    trusted = True
    """What strangers define is judged in `found/definitions`, not as strictly as what we do."""
    follows_policy = True
    group = "servers"
    about = "Tools of other MCP servers"
    instructions = (
        "Tools of other MCP servers are found with climax_search and called with climax_call."
    )

    def __init__(
        self,
        project: Path,
        settings: GatewaySettings,
        trust: Trust | None = None,
        policy: PolicySource | None = None,
    ) -> None:
        if not possible():
            raise ConfigError(
                "The gateway pack is not served at this depth",
                why="a toolcrib below a toolcrib below a toolcrib",
            )
        self._project = project
        self._settings = settings
        self._trust = trust
        self._policy = policy or PolicySource()
        self._policies: ServerPolicies | None = None
        self.withheld: dict[str, str] = {}
        """Servers of the repository that nobody has trusted, and why in words."""
        self.disabled: list[str] = []
        """Servers whose entry says that they are not to be used."""
        self._judged: object = None
        self._read: Read | None = None
        self._reading = threading.Lock()
        """Held by whoever reads the files first: a thread, or the loop."""
        self._ahead: asyncio.Task[None] | None = None
        self._store: CatalogueStore | None = None
        self._good: dict[str, tuple[ConfiguredServer, ...]] = {}
        """The entries of each file as they were when it could last be used."""
        self._servers: Servers | None = None
        self._rounds: Rounds | None = None
        self._untold = Changes()
        self._beginning: asyncio.Task[None] | None = None
        self._tools: LaterTools | None = None
        self._others: list[ConfiguredServer] | None = None
        self._pins: object = None

    @property
    def files(self) -> list[ServersFile]:
        """The files that name servers; what is in a later one counts more."""
        named = self._settings.configs
        project, home = self._project, Path(os.path.expanduser("~"))  # noqa: PTH111
        found = [
            ServersFile(project / name, name, "repo", project, bool(named))
            for name in named or (REPO_FILE,)
        ]
        own = user_file()
        return [*found, *([ServersFile(own, str(own), "user", home)] if own is not None else [])]

    @property
    def policies(self) -> ServerPolicies:
        """What may be called of the servers' tools, by the policies of the project."""
        if self._policies is None:
            from toolcrib.policy.servers import ServerPolicies

            self._policies = ServerPolicies(self._project, self._policy, self._trust)
        return self._policies

    @property
    def read(self) -> Read:
        """What the files say; a name in both is the user's."""
        if self._read is None:
            with self._reading:
                self._read = self._read or self._read_first()
        return self._read

    def _read_first(self) -> Read:
        found = self._loaded()
        for problem in found.problems:
            logger.error("%s", problem)
        for warning in found.warnings:
            logger.warning("%s", warning)
        return found

    @property
    def servers(self) -> Servers:
        """The servers that may be used."""
        return self._current()

    def _current(self) -> Servers:
        if self._servers is None:
            self._servers = self._made()
        elif self._others is not None:
            others, self._others = self._others, None
            self._servers.change(others)
        return self._servers

    def contribute(self) -> Contributions:
        """The tools, behind the two meta-tools."""
        if self._tools is None:
            from toolcrib.packs.gateway.found.later import LaterTools
            from toolcrib.packs.gateway.offers.later import (
                LaterPrompts,
                LaterResources,
                LaterSkills,
            )
            from toolcrib.packs.gateway.results import KeptResults

            kept = KeptResults()
            place = str(self._project)
            self._tools = LaterTools(lambda: self._server_tools(kept), place, self._ready)
            self._resources = LaterResources(lambda: self._server_resources(kept))
            self._prompts = LaterPrompts(self._server_prompts)
            self._skills = LaterSkills(self._server_skills)
        if self._others is not None and _on_the_loop():
            _ = self.servers  # what has changed or gone is stopped now, not when somebody calls
        self._pins = self._pinned()
        return Contributions(
            unlisted=self._tools,
            resources=self._resources,
            prompts=self._prompts,
            skills=self._skills,
        )

    def _server_skills(self) -> ServerSkills:
        from toolcrib.packs.gateway.offers.skills import ServerSkills

        return ServerSkills(lambda: self.servers)

    def _server_resources(self, kept: KeptResults) -> ServerResources:
        from toolcrib.packs.gateway.offers.resources import ServerResources
        from toolcrib.packs.gateway.results import ResultResources

        return ServerResources(lambda: self.servers, ResultResources(kept))

    def _server_prompts(self) -> ServerPrompts:
        from toolcrib.packs.gateway.offers.prompts import ServerPrompts

        return ServerPrompts(lambda: self.servers, self._shared_rounds())

    def _shared_rounds(self) -> Rounds:
        """The calls in whose midst somebody is asked something."""
        if self._rounds is None:
            from toolcrib.packs.gateway.asking.rounds import Rounds

            self._rounds = Rounds()
        return self._rounds

    def _server_tools(self, kept: KeptResults) -> ServerTools:
        from toolcrib.packs.gateway.results import Results
        from toolcrib.packs.gateway.tools import ServerTools
        from toolcrib.policy.flow import Flow

        policies = self.policies
        return ServerTools(
            self._current,
            Results(kept, self._settings.max_result),
            lambda: self.withheld,
            lambda: self.disabled,
            policy=lambda: policies.layers,
            flow=Flow(self._settings.flow),
            rounds=self._shared_rounds(),
            at_rest=lambda: self.at_rest,
        )

    def unseen(self) -> Sequence[str]:
        """Servers that were never asked what they have."""
        return self.servers.unseen()

    async def _ready(self) -> None:
        """Import what a search or a call of servers takes, and read what is known of them.

        In threads: the loop must not stand still for it.
        """
        from toolcrib.packs.gateway.found.later import imported

        await self._looked_ahead()
        modules = ["tools"]
        if any(entry.kind != "stdio" for entry in self.read.entries):
            modules.append("remote.server")
        await in_thread(imported, [f"{__package__}.{module}" for module in modules])

    async def _looked_ahead(self) -> None:
        """The same, as far as it takes to ask servers that were never seen; once for everybody."""
        if self._ahead is None:
            self._ahead = asyncio.get_running_loop().create_task(in_thread(self._look_ahead))
        ahead = self._ahead
        await asyncio.wait([ahead])  # a waiter who goes cancels nothing
        try:
            ahead.result()
        except BaseException:
            if self._ahead is ahead:  # the next one who needs it tries again
                self._ahead = None
            raise

    def _look_ahead(self) -> None:
        from toolcrib.packs.gateway.found.later import imported

        imported([f"{__package__}.servers"])
        for entry in self.read.entries:
            self._catalogues.get(entry)

    def begin(self) -> None:
        """Ask servers that were never seen, behind everything else."""
        self._beginning = asyncio.get_running_loop().create_task(self._begun())

    async def _begun(self) -> None:
        try:
            await self._looked_ahead()
        except Exception as error:  # noqa: BLE001 - whatever it was, the next use tries again
            logger.warning("servers could not be looked at yet: %s", presentable(error))
            return
        self.servers.look()
        untold, self._untold = self._untold, Changes()
        if untold:
            self._tell(untold)

    def look_around(self) -> Changes:
        """What other processes were told by servers is served here as well."""
        total = Changes()
        for before, now in self._servers.news() if self._servers is not None else ():
            total |= _changes(before, now)
        return total

    def _changed(self, before: Catalogue | None, now: Catalogue) -> None:
        """Tell clients which of their lists a server's new catalogue changes."""
        self._tell(_changes(before, now))

    def _updated(self, uri: str) -> None:
        self._tell(Changes(updated=[uri]))

    def _tell(self, changes: Changes) -> None:
        """Announce it, or keep it until somebody listens: a first call may come before that."""
        if self.announce is not None:
            self.announce(changes)
        else:
            self._untold |= changes

    def watched(self) -> Sequence[Path]:
        """The files that name servers, the lock, and the policies."""
        from toolcrib.packs.gateway.pins import pins_folder
        from toolcrib.packs.gateway.servers import LOCK

        own = [file.path for file in self.files]
        # What a person keeps elsewhere is changed there, not where the link is.
        own += [file.path.resolve() for file in self.files if file.path.is_symlink()]
        return [*own, self._project / LOCK, *pins_folder(), *self.policies.watched()]

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Read the files anew where they have changed."""
        before = self._read
        ruled = self.policies.refresh()
        if before is None:
            return Changes()
        judged = self._trust.stamp if self._trust is not None else None
        now = self._loaded()
        known = set(map(str, before.problems))
        for text in map(str, now.problems):
            if text not in known:
                logger.error("%s", text)
        self._read = now
        if now.entries != before.entries or judged != self._judged:
            # Taken over where it is next asked for: servers belong to the loop, not to a thread.
            self._others = self._usable()
            return Changes(behind=True)
        return Changes(behind=ruled or self._pinned() != self._pins)

    def _pinned(self) -> object:
        """Changes whenever a person approves or locks something, here or elsewhere."""
        return self._servers.pinned() if self._servers is not None else None

    def health(self) -> Sequence[Health]:
        """Each server, what is known of it, and what to do."""
        from toolcrib.packs.gateway.found.definitions import UsableTools
        from toolcrib.packs.gateway.found.health import server_health
        from toolcrib.policy.servers import in_vain

        found = [Health("error", str(problem)) for problem in self.read.problems]
        found += [Health("error", str(problem)) for problem in self.policies.problems]
        found += [Health("warning", str(warning)) for warning in self.read.warnings]
        servers = self._made()
        for name, why in self.withheld.items():
            found.append(Health("warning", f"server {name} is withheld: {why}", "toolcrib trust"))
        layers = self.policies.layers
        every = [entry.name for entry in self.read.entries]
        found += [Health("warning", str(warning)) for warning in in_vain(layers, every)]
        return [*found, *server_health(servers, UsableTools(lambda: servers, lambda: layers))]

    async def close(self) -> None:
        """Stop every server."""
        if self._beginning is not None:
            self._beginning.cancel()
        if self._rounds is not None:
            await self._rounds.close()
        if self._servers is not None:
            await self._servers.close()

    def _made(self) -> Servers:
        from toolcrib.packs.gateway.pins import PinStore
        from toolcrib.packs.gateway.servers import Servers

        return Servers(
            self._usable(),
            self._launcher(),
            self._catalogues,
            PinStore(),
            project=self._project,
            changed=self._changed,
            largest=self._settings.max_message,
            private=self._settings.private,
            updated=self._updated,
            alone=lambda: self.one_client,
        )

    @property
    def _catalogues(self) -> CatalogueStore:
        if self._store is None:
            from toolcrib.files.identity import project_identity
            from toolcrib.packs.gateway.catalogue import CatalogueStore

            self._store = CatalogueStore(project_identity(self._project))
        return self._store

    def _launcher(self) -> Launcher:
        from toolcrib.packs.gateway.launcher import Launcher, walls_of
        from toolcrib.policy.secrets import Secrets

        trust = self._trust
        table = trust.person.user.tables.get("secrets", {}) if trust is not None else {}
        return Launcher(
            self._project,
            Secrets(table).fetch,
            lambda: trust is None or trust.state == "trusted",
            self._why_withheld,
            walls_of(trust) if trust is not None else None,
        )

    def _usable(self) -> list[ConfiguredServer]:
        from toolcrib.packs.gateway.launcher import starts_ourselves

        real = os.path.realpath(self._project)
        found: list[ConfiguredServer] = []
        self.withheld, self.disabled = {}, []
        self._judged = self._trust.stamp if self._trust is not None else None
        for entry in self.read.entries:
            why = self._why_withheld(entry)
            if why is not None:
                self.withheld[entry.name] = why
            elif starts_ourselves(entry):
                logger.warning("server %s would start toolcrib itself: skipped", entry.name)
            elif entry.root and os.path.realpath(entry.root) != real:
                continue
            elif entry.disabled:
                self.disabled.append(entry.name)
            else:
                found.append(entry)
        return found

    def _why_withheld(self, entry: ConfiguredServer) -> str | None:
        """Why an entry of the repository may not act; None for one that may."""
        if self._trust is None or entry.source == "user":
            return None
        from toolcrib.packs.gateway.acting import entry_data, entry_path, script_paths
        from toolcrib.policy.trust.acting import SERVER
        from toolcrib.policy.trust.scripts import changed_script

        path = entry_path(entry)
        if not self._trust.admits(path, SERVER, entry_data(entry)):
            return self._trust.why(path)
        script = changed_script(self._trust, script_paths(entry, self._project))
        return self._trust.why(script) if script is not None else None

    def _loaded(self) -> Read:
        from toolcrib.packs.gateway.entries import ServerEntries as Read
        from toolcrib.packs.gateway.entries import read_servers

        entries: dict[str, ConfiguredServer] = {}
        warnings: list[ConfigError] = []
        problems: list[ToolcribError] = []
        for file in self.files:
            if not file.needed and not file.path.exists():
                self._good.pop(file.shown, None)
                continue
            found = read_servers(file.path, file.shown, file.source, file.home)
            if found.unusable:
                good = self._good.get(file.shown, ())
            else:
                good = self._good[file.shown] = found.entries
            entries.update((entry.name, entry) for entry in good)
            warnings += found.warnings
            problems += found.problems
        return Read(tuple(entries.values()), tuple(warnings), tuple(problems))


def _changes(before: Catalogue | None, now: Catalogue) -> Changes:
    """Which lists of clients differ by what a server had and has."""
    from toolcrib.packs.gateway.catalogue import Catalogue

    old = before or Catalogue()
    resources = (old.resources, old.templates) != (now.resources, now.templates)
    return Changes(behind=True, resources=resources, prompts=old.prompts != now.prompts)


def _on_the_loop() -> bool:
    """Whether this is the thread that servers belong to; a command has none."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
