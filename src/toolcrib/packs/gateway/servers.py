"""All servers of a project: their entries, their state, and which may be used."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from toolcrib.client.session import ServerSession
from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.files.root import Root
from toolcrib.packs.gateway.catalogue import Catalogue, CatalogueStore, asked
from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.found.acceptance import unacceptable
from toolcrib.packs.gateway.found.conclusions import concluded
from toolcrib.packs.gateway.launcher import Launcher
from toolcrib.packs.gateway.life.sessions import ClientSessions
from toolcrib.packs.gateway.offers.uris import our_uri
from toolcrib.packs.gateway.pins import (
    NOTHING_HELD,
    Held,
    Pins,
    PinStore,
    definitions,
    hashes_in,
    held,
    read_lock,
)
from toolcrib.packs.gateway.server import Server

logger = logging.getLogger("toolcrib.gateway")

LOCK: Final = "mcp/servers.lock"
_AT_A_TIME = 4
_MOMENT = 0.25
"""Seconds for which a look at the files of a server is good enough."""

Changed = Callable[[Catalogue | None, Catalogue], None]
"""Told of a catalogue that differs from the one before."""


@dataclass(slots=True)
class State:
    """What is known of one server, for people and for search."""

    entry: ConfiguredServer
    catalogue: Catalogue | None = None
    held: Held = NOTHING_HELD
    fault: ServerFault | None = None


class Servers:
    """The servers that may be used, each with its catalogue and its pins."""

    def __init__(
        self,
        entries: Iterable[ConfiguredServer],
        launcher: Launcher,
        catalogues: CatalogueStore,
        pins: PinStore,
        *,
        project: Path,
        changed: Changed = lambda before, now: None,
        largest: int,
        private: Sequence[str] = (),
        updated: Callable[[str], None] = lambda uri: None,
        alone: Callable[[], bool] = lambda: True,
    ) -> None:
        self._alone = alone
        self._updated = updated
        self._private = tuple(private)
        self.entries = {entry.name: entry for entry in entries}
        self.catalogues = catalogues
        self.pins = pins
        self._project = project
        self._changed = changed
        self._launcher = launcher
        self._largest = largest
        self._servers: dict[str, Server] = {}
        self._sessions: dict[str, ClientSessions] = {}
        self._gone: list[Server] = []
        self._settling: set[asyncio.Task[None]] = set()
        self._looking = False
        self._told: dict[str, Catalogue] = {}
        """What each server has, as far as clients know of it."""
        for entry in self.entries.values():
            self._add(entry)
        self._held: dict[str, tuple[Catalogue, object, Held]] = {}
        self._states: dict[str, tuple[float, State]] = {}
        self._sight: dict[str, asyncio.Task[None]] = {}
        self._gate = asyncio.Semaphore(_AT_A_TIME)

    def _made(self, entry: ConfiguredServer) -> Server:
        server = _kind(entry)(
            entry,
            self._launcher,
            ask=partial(self._ask, entry),
            notified=partial(self._heard, entry.name),
            keep_log=partial(self.catalogues.keep_log, entry),
            noted=partial(self.catalogues.note, entry),
            largest=self._largest,
        )
        server.private = self._private
        server.alone = self._alone
        known = self.catalogues.get(entry)
        if known is not None:
            server.era, server.seen = known.era, True
            self._told.setdefault(entry.name, known)
        return server

    def _heard(self, server: str, method: str, params: JSON) -> None:
        """Pass on that a resource has changed, by the uri that is known here."""
        uri = params.get("uri")
        if method == "notifications/resources/updated" and isinstance(uri, str):
            self._updated(our_uri(server, uri))

    def __iter__(self) -> Iterable[str]:
        return iter(self.entries)

    def unbounded(self, entry: ConfiguredServer) -> bool:
        """Whether an entry bounds the network of a process that nothing keeps from it."""
        bounds = entry.kind == "stdio" and entry.network not in (None, "full")
        return bounds and self._launcher.mode(entry) == "off"

    def server(self, name: str) -> Server:
        """The server of that name; raises `KeyError`."""
        return self._servers[name]

    def shared(self, name: str) -> Server | None:
        """The server of that name; None where each client session has its own."""
        return self._servers[name] if name not in self._sessions else None

    async def server_of(self, name: str, owner: str) -> Server:
        """The server of that name for a client session: its own where the entry says so."""
        sessions = self._sessions.get(name)
        return await sessions.of(owner) if sessions is not None else self._servers[name]

    def every(self) -> list[Server]:
        """All servers, with those of single client sessions."""
        own = [server for each in self._sessions.values() for server in each.every()]
        return [*self._servers.values(), *own, *self._gone]

    def state(self, name: str) -> State:
        """All that is known of a server without asking it, as of a moment ago at most."""
        entry, now = self.entries[name], time.monotonic()
        known = self._states.get(name)
        if known is not None and known[1].entry is entry and now - known[0] < _MOMENT:
            known[1].fault = self._servers[name].fault
            return known[1]
        catalogue = self.catalogues.get(entry)
        held = self.held(entry, catalogue) if catalogue is not None else NOTHING_HELD
        state = State(entry, catalogue, held, self._servers[name].fault)
        if catalogue is not None:  # one that comes counts at once: a call may wait for it
            self._states[name] = (now, state)
        return state

    def held(self, entry: ConfiguredServer, catalogue: Catalogue) -> Held:
        """What of a server may not be used before a person has looked at it."""
        key = self.catalogues.key(entry)
        lock = self._project / LOCK
        stamp = (self.pins.stamp(key), _stamp(lock))
        known = self._held.get(entry.name)
        if known is None or known[0] is not catalogue or known[1] != stamp:
            found = self._compared(entry, catalogue, key)
            known = self._held[entry.name] = (catalogue, stamp, found)
        return known[2]

    def keep(self, entry: ConfiguredServer, catalogue: Catalogue) -> None:
        """Keep what a server has told, with what follows from it: no search has to wait for that.

        Its definitions are hashed and measured once, here, not at every start. What it says first
        is pinned before anybody can see it.
        """
        self.pins.first(self.catalogues.key(entry), catalogue)
        self.catalogues.put(entry, catalogue)
        kept = self.catalogues.get(entry)
        if kept is not None:
            self.held(entry, kept)
            unacceptable(kept)

    def pending(self) -> list[str]:
        """Servers that are being asked for the first time."""
        return sorted(name for name, task in self._sight.items() if not task.done())

    def unseen(self) -> list[str]:
        """Servers that were never asked what they have."""
        return sorted(name for name in self.entries if self.state(name).catalogue is None)

    def look(self) -> None:
        """Ask every server that was never seen, a few at a time, behind everything else."""
        self._looking = True
        for name in self.entries:
            if name not in self._sight and self.state(name).catalogue is None:
                self._sight[name] = asyncio.get_running_loop().create_task(self._first_sight(name))

    async def seen(self, name: str) -> None:
        """Wait until a server has been asked once; raises why it could not be."""
        if self.state(name).catalogue is None:
            server = self._servers[name]
            server.calls += 1  # whoever looked at it first does not stop it under our feet
            try:
                await self._see(name)
            finally:
                server.calls -= 1

    async def refresh(self, name: str) -> None:
        """Ask a server anew for all that it has."""
        server = self._servers[name]
        if server.up:
            server.listing.now()
        await self._see(name)
        if server.listing.fault is not None:
            raise server.listing.fault

    async def settled(self, seconds: float) -> None:
        """Wait a moment for those that are being asked for the first time."""
        tasks = [task for task in self._sight.values() if not task.done()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    def stop(self) -> None:
        """Stop those that nobody calls."""
        for server in self.every():
            server.stop()

    async def close(self) -> None:
        """Stop all of them and wait until they are gone."""
        for task in (*self._sight.values(), *self._settling):
            task.cancel()
        await asyncio.gather(*(server.close() for server in self.every()))

    def change(self, entries: Iterable[ConfiguredServer]) -> None:
        """Take other entries: what changed or went is stopped after its running calls."""
        now = {entry.name: entry for entry in entries}
        for name, entry in list(self.entries.items()):
            if name not in now or _identity(now[name]) != _identity(entry):
                self._retire(name)
        self.entries = now
        self._states.clear()
        for name, entry in now.items():
            if name not in self._servers:
                self._add(entry)
            self._servers[name].entry = entry
        if self._looking:
            self.look()

    def news(self) -> list[tuple[Catalogue | None, Catalogue]]:
        """What other processes have kept of servers meanwhile: before, and now."""
        found: list[tuple[Catalogue | None, Catalogue]] = []
        for name, entry in list(self.entries.items()):
            now, before = self.catalogues.get(entry), self._told.get(name)
            if now is not None and now is not before:
                self._told[name] = now
                if before is None or before.digest != now.digest:
                    found.append((before, now))
        if found:
            self._states.clear()
        return found

    def pinned(self) -> object:
        """Changes whenever a person approves or locks something, here or elsewhere."""
        self._states.clear()
        keys = map(self.catalogues.key, self.entries.values())
        return [_stamp(self._project / LOCK), *map(self.pins.stamp, keys)]

    def _add(self, entry: ConfiguredServer) -> None:
        self._servers[entry.name] = self._made(entry)
        if entry.session == "client":
            self._sessions[entry.name] = ClientSessions(partial(self._made, entry))

    def _retire(self, name: str) -> None:
        """Let the servers of an entry go, each as soon as its calls are over."""
        sessions = self._sessions.pop(name, None)
        gone = [self._servers.pop(name), *(sessions.every() if sessions is not None else ())]
        self._told.pop(name, None)
        sight = self._sight.pop(name, None)
        if sight is not None:
            sight.cancel()
        self._gone = [each for each in self._gone if each.up or each.calls or each.leaving] + gone
        for server in gone:
            task = asyncio.get_running_loop().create_task(server.settle())
            self._settling.add(task)
            task.add_done_callback(self._settling.discard)

    async def _first_sight(self, name: str) -> None:
        async with self._gate:
            with contextlib.suppress(ServerFault, asyncio.CancelledError):
                await self._see(name)
                self._servers[name].stop_unused()

    async def _see(self, name: str) -> None:
        """Ask a server what it has; at first sight it must say so, else it was not started."""
        server = self._servers[name]
        await server.refresh()
        if self.catalogues.get(server.entry) is not None:
            return
        if server.fault is not None:  # another one who waited was first to find out
            raise server.fault
        text = f"Server {name!r} was stopped while it was asked"
        fault = server.listing.fault or ServerFault(name, "start_failed", text)
        server.stop(at_once=True)
        raise server.failed(fault)

    async def _ask(self, entry: ConfiguredServer, session: ServerSession) -> None:
        """Take what a server has now; raises why it cannot be had."""
        now = await asked(session, self.catalogues.get(entry))
        await in_thread(self.keep, entry, now)
        self._states.clear()
        # Another process may have kept the same before: clients of this one were not told of it.
        before = self._told.get(entry.name)
        self._told[entry.name] = self.catalogues.get(entry) or now
        if before is None or before.digest != now.digest:
            self._changed(before, now)

    def _compared(self, entry: ConfiguredServer, catalogue: Catalogue, key: str) -> Held:
        try:
            head, lock = self.pins.head(key), self._lock(entry)
            if head is None:
                pins = self.pins.compared(key)
                changes = entry.changes if pins is not None else "allow"
                return held(catalogue, pins or Pins(), changes, lock)
            return Held(self._held_by(head, entry.changes, lock, catalogue))
        except (OSError, ValueError, ToolcribError):
            return Held(frozenset(definitions(catalogue)), unreadable=True)

    def _held_by(
        self, head: bytes, changes: str, lock: Mapping[str, str] | None, catalogue: Catalogue
    ) -> frozenset[str]:
        """What pins and the lock hold of a catalogue; told from hashes of all that it says."""

        def names() -> list[str]:
            return sorted(held(catalogue, hashes_in(head), changes, lock).names)

        told = [head, changes.encode(), json.dumps(lock, sort_keys=True).encode()]
        return frozenset(concluded("held", catalogue, told, names))

    def against_lock(self, entry: ConfiguredServer, catalogue: Catalogue) -> frozenset[str] | None:
        """What of a catalogue does not match the lock; None where the lock cannot be read."""
        try:
            lock = self._lock(entry)
        except (ToolcribError, ValueError):
            return None
        return held(catalogue, Pins(), "allow", lock).names

    def _lock(self, entry: ConfiguredServer) -> Mapping[str, str] | None:
        if entry.source != "repo" or not (self._project / LOCK).exists():
            return None
        locked = read_lock(Root(self._project).read(LOCK).data)
        return locked.get(entry.name, {})


def _identity(entry: ConfiguredServer) -> tuple[str, str]:
    """What makes an entry the one that it is: where it stands in its file does not count."""
    return entry.digest, entry.source


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns)


def _kind(entry: ConfiguredServer) -> type[Server]:
    """The class of a server; what is remote is imported where there is one."""
    if entry.kind == "stdio":
        return Server
    from toolcrib.packs.gateway.remote.server import RemoteServer

    return RemoteServer
