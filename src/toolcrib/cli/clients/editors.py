"""Cursor, Windsurf, VS Code and Zed: editors that read their servers from a JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolcrib.cli.clients.client import PINNED, ClientProgram, OwnCommand, Scope, Spot
from toolcrib.cli.clients.entry import ServerEntry
from toolcrib.cli.clients.machine import Machine


def _workspace(scope: Scope) -> str:
    return "${workspaceFolder}" if scope == "project" else PINNED


def _cursor_spot(machine: Machine, project: Path, scope: Scope) -> Spot:
    folder = project if scope == "project" else machine.home
    return Spot(folder / ".cursor" / "mcp.json", ("mcpServers",))


CURSOR = ClientProgram(
    name="cursor",
    title="Cursor",
    scopes=("project", "user"),
    spot=_cursor_spot,
    traces=lambda machine: [machine.home / ".cursor"],
    folder=_workspace,
    step=lambda scope: "switch the server on in Cursor's settings, under MCP",
    safe_names=True,
)


WINDSURF = ClientProgram(
    name="windsurf",
    title="Windsurf",
    scopes=("user",),
    spot=lambda machine, project, scope: Spot(
        machine.home / ".codeium" / "windsurf" / "mcp_config.json", ("mcpServers",)
    ),
    traces=lambda machine: [machine.home / ".codeium" / "windsurf"],
    folder=lambda scope: PINNED,
    step=lambda scope: "refresh the servers in Windsurf's settings, under MCP",
)


def _code_spot(machine: Machine, project: Path, scope: Scope) -> Spot:
    if scope == "project":
        return Spot(project / ".vscode" / "mcp.json", ("servers",))
    return Spot(machine.settings() / "Code" / "User" / "mcp.json", ("servers",))


def _code_shape(entry: ServerEntry) -> dict[str, Any]:
    return {"type": "stdio", **entry.as_dict()}


def _code_add(entry: ServerEntry, scope: Scope) -> list[str] | None:
    if scope != "user":
        return None
    return ["--add-mcp", json.dumps({"name": entry.name, **_code_shape(entry)})]


VSCODE = ClientProgram(
    name="vscode",
    title="VS Code",
    scopes=("project", "user"),
    spot=_code_spot,
    traces=lambda machine: [machine.settings() / "Code"],
    folder=_workspace,
    shape=_code_shape,
    own=OwnCommand(program="code", add=_code_add, remove=lambda name, scope: None),
    step=lambda scope: (
        "start the server with `MCP: List Servers`; VS Code asks whether you trust it"
    ),
)


def _zed_folder(machine: Machine) -> Path:
    if machine.system == "windows":
        return machine.settings() / "Zed"
    return machine.dotconfig() / "zed"


def _zed_spot(machine: Machine, project: Path, scope: Scope) -> Spot:
    folder = project / ".zed" if scope == "project" else _zed_folder(machine)
    return Spot(folder / "settings.json", ("context_servers",))


ZED = ClientProgram(
    name="zed",
    title="Zed",
    scopes=("project", "user"),
    spot=_zed_spot,
    traces=lambda machine: [_zed_folder(machine)],
    folder=lambda scope: None if scope == "project" else PINNED,
    shape=lambda entry: {"source": "custom", **entry.as_dict()},
)
