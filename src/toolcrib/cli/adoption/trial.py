"""Each server is connected once before it moves: what cannot be used here stays where it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from toolcrib.cli.adoption.plan import Move, Plan, checked
from toolcrib.client.pipes import LARGEST_MESSAGE
from toolcrib.core.errors import ToolcribError
from toolcrib.files.identity import project_identity
from toolcrib.packs.gateway.catalogue import CatalogueStore
from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.packs.gateway.launcher import Launcher
from toolcrib.packs.gateway.pins import PinStore
from toolcrib.packs.gateway.servers import Servers

AT_A_TIME = 4
Fetch = Callable[[str], Awaitable[str]]


async def try_all(plan: Plan, fetch: Fetch, *, trusted: bool) -> dict[str, str]:
    """Connect to each server that would move; the names of those that failed, and why.

    A program is tried inside the sandbox first. What works is written into its entry.
    """
    launcher = Launcher(plan.project, _with_new(plan, fetch), lambda: trusted)
    gate = asyncio.Semaphore(AT_A_TIME)
    failed: dict[str, str] = {}

    async def one(move: Move) -> None:
        async with gate:
            why = await _try(move, plan.project, launcher)
            if why is not None:
                failed[move.name] = why

    wanted = [move for move in plan.moves if not move.there and not move.entry.get("disabled")]
    try:
        await asyncio.gather(*map(one, wanted))
    finally:
        launcher.close()
    return failed


def variants(entry: dict[str, Any], scope: str, project: Path) -> list[dict[str, Any]]:
    """How an entry may be written, the most confined first."""
    if "command" not in entry:
        return [entry]
    inside = {**entry, "sandbox": "auto"}
    if scope == "project":
        inside["network"] = "full"
    folders = [word for word in map(str, entry.get("args", ())) if _outside(word, project)]
    if folders:
        inside["writes"] = folders
    return [inside, {**entry, "sandbox": "off"}]


def _outside(word: str, project: Path) -> bool:
    """Whether a word names a folder outside of the project, which its server is to work in."""
    path = Path(word)
    return path.is_absolute() and path.is_dir() and not path.is_relative_to(project)


async def _try(move: Move, project: Path, launcher: Launcher) -> str | None:
    why = None
    for entry in variants(move.entry, move.scope, project):
        parsed = checked(move.name, entry, move.sources[0], project)
        why = await _connect(parsed, project, launcher)
        if why is None:
            move.entry = entry
            return None
    return why


async def _connect(entry: ConfiguredServer, project: Path, launcher: Launcher) -> str | None:
    servers = Servers(
        [entry],
        launcher,
        CatalogueStore(project_identity(project)),
        PinStore(),
        project=project,
        largest=LARGEST_MESSAGE,
    )
    try:
        await servers.refresh(entry.name)
    except ToolcribError as error:
        return str(error)
    finally:
        await servers.close()
    return None


def _with_new(plan: Plan, fetch: Fetch) -> Fetch:
    async def found(name: str) -> str:
        value = plan.secrets.value(name)
        return value if value is not None else await fetch(name)

    return found
