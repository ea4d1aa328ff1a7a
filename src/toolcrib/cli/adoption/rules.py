"""Rules of a client that name a server's tools: what it denies, and what it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolcrib.cli.adoption.candidates import ServerCandidate
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.editing import toml
from toolcrib.cli.editing.whole import read_text
from toolcrib.core.errors import ToolcribError
from toolcrib.files import jsonc

EVERY = "*"


@dataclass(slots=True)
class ClientRules:
    """What a client says of one server's tools, by their own names."""

    deny: list[str] = field(default_factory=list)
    approve: list[str] = field(default_factory=list)
    disabled: bool = False
    lost: list[str] = field(default_factory=list)
    """What cannot be carried over, in words."""


def rules_of(candidate: ServerCandidate, machine: Machine, project: Path) -> ClientRules:
    """The rules of a candidate's client that concern it."""
    reader = _CLIENTS.get(candidate.client.name)
    found = ClientRules()
    if reader is not None:
        reader(candidate, machine, project, found)
    found.deny = list(dict.fromkeys(found.deny))
    found.approve = list(dict.fromkeys(found.approve))
    return found


def _claude(
    candidate: ServerCandidate, machine: Machine, project: Path, found: ClientRules
) -> None:
    own = machine.environ.get("CLAUDE_CONFIG_DIR")
    folder = Path(own) if own else machine.home / ".claude"
    files = (
        folder / "settings.json",
        project / ".claude" / "settings.json",
        project / ".claude" / "settings.local.json",
    )
    called = re.sub(r"[^A-Za-z0-9_-]", "_", candidate.name)
    settings = [(file, _settings(file, found)) for file in files]
    for file, value in settings:
        permissions = _object(value.get("permissions"))
        for kind in ("deny", "ask", "allow"):
            for rule in _texts(permissions.get(kind)):
                tool = _claude_tool(rule, called)
                if tool is not None:
                    _sort(found, {"ask": "approve"}.get(kind, kind), tool, f"{file}: {rule}")
    local = _object(
        _object(_settings(candidate.spot.file, found).get("projects")).get(str(project))
    )
    named = [value for _, value in settings] + [local]
    if candidate.scope == "project":
        found.disabled = any(
            candidate.name in _texts(value.get("disabledMcpjsonServers")) for value in named
        )
    elif candidate.name in _texts(local.get("disabledMcpServers")):
        found.disabled = candidate.scope == "local"
        if candidate.scope == "user":
            found.lost.append(f"{candidate.name} is turned off in this project alone")


def _claude_tool(rule: str, server: str) -> str | None:
    """The tools of a server that a rule names; None if it names none of them."""
    if rule in ("mcp__*", f"mcp__{server}", f"mcp__{server}__*"):
        return EVERY
    prefix = f"mcp__{server}__"
    return rule.removeprefix(prefix) if rule.startswith(prefix) else None


def _cursor(
    candidate: ServerCandidate, machine: Machine, project: Path, found: ClientRules
) -> None:
    own = machine.home / ".cursor"
    for file in (own / "cli-config.json", project / ".cursor" / "cli.json"):
        permissions = _object(_settings(file, found).get("permissions"))
        for kind in ("deny", "allow"):
            for rule in _texts(permissions.get(kind)):
                match = re.fullmatch(r"Mcp\(\s*([^:,)]+?)\s*(?:[:,]\s*([^)]*?)\s*)?\)", rule)
                if match is not None and match[1] in (candidate.name, EVERY):
                    _sort(found, kind, match[2] or EVERY, f"{file}: {rule}")
    for file in (own / "permissions.json", project / ".cursor" / "permissions.json"):
        for rule in _texts(_settings(file, found).get("mcpAllowlist")):
            server, _, tool = rule.partition(":")
            if server in (candidate.name, EVERY):
                _sort(found, "allow", tool or EVERY, f"{file}: {rule}")


def _codex(candidate: ServerCandidate, machine: Machine, project: Path, found: ClientRules) -> None:
    file = candidate.spot.file
    kinds = {"prompt": "approve", "approve": "allow", "writes": "writes"}
    default = candidate.written.get("default_tools_approval_mode")
    if default in kinds:
        _sort(found, kinds[default], EVERY, f"{file}: default_tools_approval_mode = {default}")
    for tool, value in _object(candidate.written.get("tools")).items():
        mode = _object(value).get("approval_mode")
        if mode in kinds:
            _sort(found, kinds[mode], tool, f"{file}: {tool}: approval_mode = {mode}")


def _gemini(
    candidate: ServerCandidate, machine: Machine, project: Path, found: ClientRules
) -> None:
    for folder in (machine.home, project):
        file = folder / ".gemini" / "settings.json"
        value = _settings(file, found)
        group = _object(value.get("mcp"))
        excluded = _texts(group.get("excluded")) + _texts(value.get("excludeMCPServers"))
        allowed = _texts(group.get("allowed")) + _texts(value.get("allowMCPServers"))
        found.disabled = found.disabled or candidate.name in excluded
        if allowed and candidate.name not in allowed:
            found.disabled = True
        if allowed and "toolcrib" not in allowed:
            found.lost.append(f"{file}: add toolcrib to the servers that are allowed")
        tools = _object(value.get("tools"))
        for kind, key in (("deny", "exclude"), ("allow", "allowed")):
            for rule in _texts(tools.get(key)):
                tool = _gemini_tool(rule, candidate.name)
                if tool is not None:
                    _sort(found, kind, tool, f"{file}: {rule}")
    for file in sorted((machine.home / ".gemini" / "policies").glob("*.toml")):
        _gemini_policy(file, candidate.name, found)


def _gemini_policy(file: Path, server: str, found: ClientRules) -> None:
    """The rules of one file of Gemini's policy engine that name a server or a tool of it."""
    try:
        rules = toml.load(read_text(file) or "", str(file)).get("rule")
    except ToolcribError as error:
        found.lost.append(f"the rules of {file}: {error.what}")
        return
    for rule in rules if isinstance(rules, list) else ():
        for tool in _gemini_named(_object(rule), server):
            shown = f"{file}: {rule.get('decision')} {tool}"
            narrow = {"argsPattern", "toolAnnotations", "modes", "interactive"} & set(rule)
            kind = {"ask_user": "approve"}.get(rule.get("decision"), rule.get("decision"))
            _sort(found, "" if narrow else str(kind), tool, shown)


def _gemini_named(rule: Mapping[str, Any], server: str) -> list[str]:
    """The tools of a server that a rule of the policy engine names."""
    given = rule.get("toolName")
    names = _texts(given if isinstance(given, list) else [given])
    if rule.get("mcpName") in (server, EVERY):
        return names or [EVERY]
    if "mcpName" in rule:
        return []
    tools = [_gemini_tool(name, server) for name in names]
    return [tool for tool in tools if tool is not None]


def _gemini_tool(name: str, server: str) -> str | None:
    """The tool of a server that a name of Gemini's means; None if it means none of them."""
    for prefix in (f"mcp_{server}_", "mcp_*_", f"{server}__"):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return EVERY if name in ("mcp_*", f"mcp_{server}") else None


def _zed(candidate: ServerCandidate, machine: Machine, project: Path, found: ClientRules) -> None:
    file = candidate.spot.file
    agent = _object(_settings(file, found).get("agent"))
    tools = _object(_object(agent.get("tool_permissions")).get("tools"))
    prefix = f"mcp:{candidate.name}:"
    for name, value in tools.items():
        word = _object(value).get("default")
        if name.startswith(prefix) and isinstance(word, str):
            kind = {"confirm": "approve"}.get(word, word)
            _sort(found, kind, name.removeprefix(prefix), f"{file}: {name}: {word}")
    for profile, value in _object(agent.get("profiles")).items():
        if candidate.name in _object(_object(value).get("context_servers")):
            found.lost.append(f"{file}: the profile {profile} chooses its tools")


_Reader = Callable[[ServerCandidate, Machine, Path, ClientRules], None]
_CLIENTS: Mapping[str, _Reader] = {
    "claude-code": _claude, "cursor": _cursor, "codex": _codex, "gemini": _gemini, "zed": _zed,
}  # fmt: skip


def _sort(found: ClientRules, kind: str, tool: str, rule: str) -> None:
    if kind == "deny":
        found.deny.append(tool)
    elif kind == "approve":
        found.approve.append(tool)
    elif kind == "allow":
        found.lost.append(f"{rule} (allowed without a question)")
    else:
        found.lost.append(rule)


def _settings(file: Path, found: ClientRules) -> dict[str, Any]:
    """The settings of a file; one that cannot be read is named, for it may deny something."""
    try:
        text = read_text(file)
        return _object(jsonc.load(text, str(file))) if text is not None else {}
    except ToolcribError as error:
        found.lost.append(f"the rules of {file}: {error.what}")
        return {}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    given: Iterable[Any] = value if isinstance(value, list) else ()
    return [each for each in given if isinstance(each, str)]
