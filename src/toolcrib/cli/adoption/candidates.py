"""The servers that a person's clients have, in each scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolcrib.cli.clients.change import servers_in
from toolcrib.cli.clients.client import ClientProgram, Scope, Spot
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.editing.whole import read_text


@dataclass(frozen=True, slots=True)
class ServerCandidate:
    """One server of one client, as it is written there."""

    client: ClientProgram
    scope: Scope
    spot: Spot
    name: str
    written: dict[str, Any]

    @property
    def shown(self) -> str:
        """Whose server it is, for people."""
        return f"{self.name} of {self.client.title} ({self.scope})"


def candidates(
    machine: Machine,
    project: Path,
    clients: Iterable[ClientProgram],
    scope: str | None,
    names: Sequence[str] = (),
) -> list[ServerCandidate]:
    """All servers of some clients; those of the project's own files only where that is asked for.

    Raises `ConfigError` for a file that cannot be read.
    """
    found: list[ServerCandidate] = []
    for client in clients:
        for each in client.scopes:
            if each != scope if scope is not None else each == "project":
                continue
            spot = client.spot(machine, project, each)
            for name, written in servers_in(spot, read_text(spot.file)).items():
                if isinstance(written, dict) and (not names or name in names):
                    found.append(ServerCandidate(client, each, spot, name, written))
    return found
