"""All clients by name."""

from __future__ import annotations

from toolcrib.cli.clients.claude import CLAUDE_CODE, CLAUDE_DESKTOP
from toolcrib.cli.clients.client import ClientProgram, Scope
from toolcrib.cli.clients.editors import CURSOR, VSCODE, WINDSURF, ZED
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.clients.terminals import CODEX, GEMINI
from toolcrib.core.errors import UsageError
from toolcrib.core.support.suggest import did_you_mean

CLIENTS = {
    client.name: client
    for client in (CLAUDE_CODE, CLAUDE_DESKTOP, CURSOR, VSCODE, CODEX, GEMINI, WINDSURF, ZED)
}


def get(name: str) -> ClientProgram:
    """The client of that name, or `UsageError` with the nearest one."""
    if name not in CLIENTS:
        raise UsageError(
            f"Unknown client: {name}{did_you_mean(name, CLIENTS)}",
            next=f"Known: {', '.join(CLIENTS)}",
        )
    return CLIENTS[name]


def found(machine: Machine) -> list[ClientProgram]:
    """The clients that seem to be on this machine."""
    return [client for client in CLIENTS.values() if client.found(machine)]


def scope_of(client: ClientProgram, wanted: str | None) -> Scope:
    """The scope to use: the one asked for if the client knows it, else its first."""
    if wanted is None:
        return client.scopes[0]
    for scope in client.scopes:
        if scope == wanted:
            return scope
    raise UsageError(
        f"{client.title} has no scope {wanted!r}", next=f"It has: {', '.join(client.scopes)}"
    )
