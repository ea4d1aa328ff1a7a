"""Explain what a policy decides about a call, and which line of it decides.

The exit code is 0 when the call is allowed and 1 when it is not; nothing is ever run.

examples:
  toolcrib policy explain shop_stock_count --arg sku=mug-ink --arg pieces=900
  toolcrib policy explain git_push '{"remote": "origin"}'
  toolcrib policy explain git_log --policy strict.yaml --json
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.cli.commands.call import add_arguments, given_arguments
from toolcrib.cli.terminal import console
from toolcrib.core.errors import InvalidArguments, Place, ToolNotFound
from toolcrib.settings import load

if TYPE_CHECKING:
    from toolcrib.packs.climax.settings import ClimaxSettings
    from toolcrib.policy.model import Policy
    from toolcrib.running.program import CLIConfig, ToolDef


@dataclass(frozen=True, slots=True)
class Decision:
    """One rule and what it says about the call."""

    allows: bool
    rule: str
    where: Place | None = None
    why: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "allows": self.allows,
            "rule": self.rule,
            "file": self.where.file if self.where else None,
            "line": self.where.line if self.where else None,
            "why": self.why,
        }


def add(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of `policy`."""
    actions = parser.add_subparsers(dest="action", required=True)
    explain = actions.add_parser("explain", help="which rule decides about a call")
    explain.add_argument("tool", metavar="TOOL", help="the name of a command-line tool")
    explain.add_argument("--policy", metavar="FILE", help="another policy than the repo's")
    add_arguments(explain)


def run(args: argparse.Namespace) -> int:
    """Explain one call."""
    from toolcrib.packs.climax.config.catalogue import load_catalogue

    settings = _settings(args)
    catalogue = load_catalogue(args.project, settings)
    tool = _tool(args.tool, catalogue.configs)
    arguments = given_arguments(args, tool.input_schema())
    decisions = (
        decide(catalogue.policy, _places(args, settings), tool, arguments)
        if catalogue.policy is not None
        else [Decision(True, "no policy: everything that is configured may be called")]
    )
    allowed = all(decision.allows for decision in decisions)
    value = {
        "tool": tool.name,
        "allowed": allowed,
        "decisions": [decision.as_dict() for decision in decisions],
    }
    console.emit(value, lambda: _text(tool.name, allowed, decisions), args)
    return 0 if allowed else 1


def decide(
    policy: Policy, places: Mapping[Any, Place], tool: ToolDef, arguments: Mapping[str, Any]
) -> list[Decision]:
    """Every rule that has a say, in the order in which they are asked."""
    from toolcrib.running.arguments import validate_arguments
    from toolcrib.running.command import unsafe

    rules = policy.decide(tool.name)
    default = "enabled" if policy.enabled_by_default else "disabled"
    if tool.name not in policy.tools:
        where = places.get(("default",), Place(policy.file))
        why = f"the policy does not name {tool.name}"
        return [Decision(rules is not None, f"default: {default}", where, why)]
    named = places.get(("tools", tool.name), policy.place(tool.name))
    decisions = [Decision(True, f"tools.{tool.name}", named)]
    for arg in tool.args:
        constraint = rules.args.get(arg.name) if rules else None
        if constraint is None:
            continue
        where = places.get(("tools", tool.name, "args", arg.name), named)
        rule = f"tools.{tool.name}.args.{arg.name}"
        try:
            one = {arg.name: arguments.get(arg.name)}
            validate_arguments([arg], one, [constraint.problem])
        except InvalidArguments as error:
            decisions.append(Decision(False, rule, where, error.problems[-1]))
        else:
            decisions.append(Decision(True, rule, where))
    try:
        validate_arguments(tool.args, arguments, [unsafe])
    except InvalidArguments as error:
        decisions += [Decision(False, "the tool's own arguments", why=p) for p in error.problems]
    return decisions


def _settings(args: argparse.Namespace) -> ClimaxSettings:
    """What serving would use, but for a policy that is named here."""
    settings: ClimaxSettings = load(args.project).section("climax")
    if not args.policy:
        return settings
    return replace(settings, policy=str(Path(args.policy).absolute()))


def _tool(name: str, configs: tuple[CLIConfig, ...]) -> ToolDef:
    for config in configs:
        if name in config.tools.lines:
            return config.tools.named(name)
    raise ToolNotFound(name, [known for config in configs for known in config.tools.lines])


def _places(args: argparse.Namespace, settings: ClimaxSettings) -> Mapping[Any, Place]:
    """Where each rule of the policy stands."""
    from toolcrib.files.decoding import decode
    from toolcrib.files.yaml import load as load_yaml
    from toolcrib.files.yaml_document import read_bytes
    from toolcrib.packs.climax.config.sources import only_policy, shown_path, sources

    path = only_policy(sources(args.project, settings)[1], args.project)
    if path is None:
        return {}
    return load_yaml(decode(read_bytes(path)).text, shown_path(path, args.project)).places


def _text(name: str, allowed: bool, decisions: list[Decision]) -> str:
    colour = "green" if allowed else "red"
    lines = [console.style(f"{name}: {'allowed' if allowed else 'refused'}", colour)]
    for decision in decisions:
        mark = "✓" if decision.allows else "✗"
        where = f"  {decision.where}" if decision.where else ""
        lines.append(f"  {mark} {decision.rule}{where}")
        if decision.why:
            lines.append(f"      {decision.why}")
    return "\n".join(lines)
