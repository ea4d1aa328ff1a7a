"""Claude Code and Claude Desktop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toolcrib.cli.clients.asking import ListQuestion, by_words
from toolcrib.cli.clients.client import PINNED, ClientProgram, OwnCommand, Scope, Spot
from toolcrib.cli.clients.entry import ServerEntry
from toolcrib.cli.clients.machine import Machine


def _code_spot(machine: Machine, project: Path, scope: Scope) -> Spot:
    if scope == "project":
        return Spot(project / ".mcp.json", ("mcpServers",))
    moved = machine.environ.get("CLAUDE_CONFIG_DIR")
    file = (Path(moved) if moved else machine.home) / ".claude.json"
    if scope == "local":
        return Spot(file, ("projects", str(project), "mcpServers"))
    return Spot(file, ("mcpServers",))


# What an approval writes, and what a session may do; servers start by .mcp.json.
_HARMLESS = frozenset(
    (
        "$schema",
        "disabledMcpjsonServers",
        "enableAllProjectMcpServers",
        "enabledMcpjsonServers",
        "permissions",
    )
)


def _code_shape(entry: ServerEntry) -> dict[str, Any]:
    return {"type": "stdio", **entry.as_dict()}


CLAUDE_CODE = ClientProgram(
    name="claude-code",
    title="Claude Code",
    scopes=("project", "local", "user"),
    spot=_code_spot,
    traces=lambda machine: [machine.home / ".claude.json", machine.home / ".claude"],
    shape=_code_shape,
    own=OwnCommand(
        program="claude",
        add=lambda entry, scope: [
            *("mcp", "add", "--scope", scope, entry.name),
            *("--", entry.command, *entry.args),
        ],
        remove=lambda name, scope: ["mcp", "remove", "--scope", scope, name],
    ),
    question=ListQuestion(("mcp", "list"), by_words("connected", "pending|approv")),
    acting=(".claude/settings.json", ".claude/settings.local.json"),
    harmless=_HARMLESS,
    step=lambda scope: (
        "start `claude` in this folder and approve the server" if scope == "project" else None
    ),
)


def _desktop_folder(machine: Machine) -> Path:
    return machine.settings() / "Claude"


CLAUDE_DESKTOP = ClientProgram(
    name="claude-desktop",
    title="Claude Desktop",
    scopes=("user",),
    spot=lambda machine, project, scope: Spot(
        _desktop_folder(machine) / "claude_desktop_config.json", ("mcpServers",)
    ),
    traces=lambda machine: [_desktop_folder(machine)],
    folder=lambda scope: PINNED,
    step=lambda scope: "restart Claude Desktop",
    safe_names=True,
)
