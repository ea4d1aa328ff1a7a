"""Codex and Gemini: clients for the terminal, started in the folder of the project."""

from __future__ import annotations

from pathlib import Path

from toolcrib.cli.clients.asking import ListQuestion, by_words
from toolcrib.cli.clients.client import ClientProgram, OwnCommand, Scope, Spot
from toolcrib.cli.clients.entry import ServerEntry
from toolcrib.cli.clients.machine import Machine


def _codex_home(machine: Machine) -> Path:
    moved = machine.environ.get("CODEX_HOME")
    return Path(moved) if moved else machine.home / ".codex"


def _codex_spot(machine: Machine, project: Path, scope: Scope) -> Spot:
    folder = project / ".codex" if scope == "project" else _codex_home(machine)
    return Spot(folder / "config.toml", ("mcp_servers",), form="toml")


def _codex_add(entry: ServerEntry, scope: Scope) -> list[str] | None:
    # Its own command knows the user's file alone.
    if scope != "user":
        return None
    return ["mcp", "add", entry.name, "--", entry.command, *entry.args]


CODEX = ClientProgram(
    name="codex",
    title="Codex",
    scopes=("project", "user"),
    spot=_codex_spot,
    traces=lambda machine: [_codex_home(machine)],
    own=OwnCommand(
        program="codex",
        add=_codex_add,
        remove=lambda name, scope: ["mcp", "remove", name] if scope == "user" else None,
    ),
    question=ListQuestion(("mcp", "list"), by_words(r"\benabled\b", off=r"\bdisabled\b")),
    step=lambda scope: (
        "start `codex` in this folder and trust it; until then it does not read .codex/config.toml"
        if scope == "project"
        else None
    ),
)


def _gemini_spot(machine: Machine, project: Path, scope: Scope) -> Spot:
    folder = project if scope == "project" else machine.home
    return Spot(folder / ".gemini" / "settings.json", ("mcpServers",))


def _gemini_add(entry: ServerEntry, scope: Scope) -> list[str] | None:
    return ["mcp", "add", "--scope", scope, entry.name, entry.command, "--", *entry.args]


GEMINI = ClientProgram(
    name="gemini",
    title="Gemini CLI",
    scopes=("project", "user"),
    spot=_gemini_spot,
    traces=lambda machine: [machine.home / ".gemini"],
    own=OwnCommand(
        program="gemini",
        add=_gemini_add,
        remove=lambda name, scope: ["mcp", "remove", "--scope", scope, name],
    ),
    question=ListQuestion(("mcp", "list"), by_words(r"(?<!dis)connected", "disabled|untrusted")),
    acting=(".gemini/.env", ".gemini/extensions", ".env"),
    step=lambda scope: (
        "start `gemini` in this folder and trust it; until then it uses no server here"
    ),
)
