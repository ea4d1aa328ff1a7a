"""Explain what a policy decides about a call, and which line of it decides.

The exit code is 0 when the call is allowed and 1 when it is not; nothing is ever run.

examples:
  toolcrib policy explain shop_stock_count --arg sku=mug-ink --arg pieces=900
  toolcrib policy explain git_push '{"remote": "origin"}'
  toolcrib policy explain git_log --policy strict.yaml --json
  toolcrib policy explain github__create_issue --arg repo=shop
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.cli.commands.call import add_arguments, given_arguments
from toolcrib.cli.terminal import console
from toolcrib.core.errors import Place, ToolNotFound, UsageError
from toolcrib.settings import Settings, load

if TYPE_CHECKING:
    from toolcrib.packs.gateway.pack import GatewayPack
    from toolcrib.packs.gateway.servers import State
    from toolcrib.policy.explanation import RuleDecision
    from toolcrib.running.program import CLIConfig, ToolDef


def add(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of `policy`."""
    actions = parser.add_subparsers(dest="action", required=True)
    explain = actions.add_parser("explain", help="which rule decides about a call")
    explain.add_argument(
        "tool", metavar="TOOL", help="the name of a command-line tool, or SERVER__TOOL"
    )
    explain.add_argument("--policy", metavar="FILE", help="another policy than the repo's")
    add_arguments(explain)


def run(args: argparse.Namespace) -> int:
    """Explain one call."""
    decisions = _decisions(args)
    allowed = all(decision.allows for decision in decisions)
    value = {
        "tool": args.tool,
        "allowed": allowed,
        "decisions": [decision.as_dict() for decision in decisions],
    }
    console.emit(value, lambda: _text(args.tool, allowed, decisions), args)
    return 0 if allowed else 1


def _decisions(args: argparse.Namespace) -> list[RuleDecision]:
    from toolcrib.packs.climax.config.config_set import load_config_set
    from toolcrib.policy.explanation import RuleDecision, explain

    settings = load(args.project, _overrides(args))
    of_server = _of_server(args, settings)
    if of_server is not None:
        return of_server
    config_set = load_config_set(args.project, settings.section("climax"), (), settings.trust)
    if settings.trust is not None and args.tool in config_set.withheld:
        why = settings.trust.why(config_set.withheld[args.tool])
        return [
            RuleDecision(False, "withheld", Place(config_set.withheld[args.tool]), why, "trust")
        ]
    tool = _tool(args.tool, config_set.configs)
    arguments = given_arguments(args, tool.input_schema())
    return explain(config_set.policy, tool, arguments)


def _of_server(args: argparse.Namespace, settings: Settings) -> list[RuleDecision] | None:
    """The decisions about a tool of another MCP server; None for a tool that is none."""
    from toolcrib.packs.gateway.acting import entry_path
    from toolcrib.packs.gateway.pack import GatewayPack
    from toolcrib.policy.explanation import RuleDecision
    from toolcrib.policy.servers import BETWEEN
    from toolcrib.server.assembly import chosen_packs, make_pack

    server, between, bare = args.tool.partition(BETWEEN)
    if not between or "gateway" not in chosen_packs(settings):
        return None
    pack = make_pack("gateway", settings)
    assert isinstance(pack, GatewayPack)  # noqa: S101 - that is what was asked for
    servers = pack.servers
    if server in pack.withheld:
        where = next(entry_path(e) for e in pack.read.entries if e.name == server)
        return [RuleDecision(False, "withheld", Place(where), pack.withheld[server], "trust")]
    if server not in servers.entries:
        return None
    return _about_server(pack, servers.state(server), bare, args)


def _about_server(
    pack: GatewayPack, state: State, bare: str, args: argparse.Namespace
) -> list[RuleDecision]:
    from toolcrib.packs.gateway.found.definitions import policy_view
    from toolcrib.packs.gateway.schemas import input_schema
    from toolcrib.policy.explanation import RuleDecision
    from toolcrib.policy.servers import argument_problem, verdicts

    name = state.entry.name
    tools = {tool.get("name"): tool for tool in state.catalogue.tools} if state.catalogue else {}
    if state.catalogue is None:
        raise UsageError(
            f"Server {name!r} was not seen yet", next=f"toolcrib servers refresh {name}"
        )
    if bare not in tools:
        raise ToolNotFound(args.tool, [f"{name}__{known}" for known in tools])
    found: list[RuleDecision] = []
    if not state.entry.offers(bare):
        found.append(RuleDecision(False, "tools and deny of the entry", state.entry.place))
    if state.held.tool(bare):
        why = f"toolcrib servers approve {name}"
        found.append(RuleDecision(False, "held: it has changed since it was looked at", why=why))
    schema = input_schema(tools[bare].get("inputSchema"))
    arguments = given_arguments(args, schema)
    for each in verdicts(pack.policies.layers, policy_view(state, bare, tools[bare])):
        allows = each.rules is not None
        found.append(RuleDecision(allows, each.rule, each.place, each.why, each.layer))
        problem = argument_problem([each.rules], arguments, schema) if each.rules else None
        if problem is not None:
            found.append(RuleDecision(False, f"{each.rule}.args", each.place, problem, each.layer))
    if not found:
        found.append(RuleDecision(True, "no policy: everything that is configured may be called"))
    return found


def _overrides(args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """What serving would use, but for a policy that is named here."""
    return {"climax": {"policy": str(Path(args.policy).absolute())}} if args.policy else {}


def _tool(name: str, configs: tuple[CLIConfig, ...]) -> ToolDef:
    for config in configs:
        if name in config.tools.lines:
            return config.tools.named(name)
    raise ToolNotFound(name, [known for config in configs for known in config.tools.lines])


def _text(name: str, allowed: bool, decisions: list[RuleDecision]) -> str:
    colour = "green" if allowed else "red"
    lines = [console.style(f"{name}: {'allowed' if allowed else 'refused'}", colour)]
    for decision in decisions:
        mark = "✓" if decision.allows else "✗"
        where = f"  {decision.where}" if decision.where else ""
        layer = f"{decision.layer}: " if decision.layer else ""
        lines.append(f"  {mark} {layer}{decision.rule}{where}")
        if decision.why:
            lines.append(f"      {decision.why}")
    return "\n".join(lines)
