"""Why a policy allows or refuses a call: every relevant rule and its position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolcrib.core.errors import InvalidArguments, Place, ToolcribError
from toolcrib.core.support.records import record
from toolcrib.files.decoding import decode
from toolcrib.files.yaml import load as load_yaml
from toolcrib.policy.layers import Layer, Layers
from toolcrib.policy.model import Policy
from toolcrib.running.arguments import validate_arguments
from toolcrib.running.command import unsafe
from toolcrib.running.program import ToolDef


@record
class RuleDecision:
    """One rule and what it says about the call."""

    allows: bool
    rule: str
    where: Place | None = None
    why: str | None = None
    layer: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "allows": self.allows,
            "layer": self.layer,
            "rule": self.rule,
            "file": self.where.file if self.where else None,
            "line": self.where.line if self.where else None,
            "why": self.why,
        }


def explain(
    policy: Layers | Policy | None, tool: ToolDef, arguments: Mapping[str, Any]
) -> list[RuleDecision]:
    """Every rule relevant to a call, in the order of evaluation."""
    decisions: list[RuleDecision] = []
    if isinstance(policy, Layers):
        for layer in policy.layers:
            decisions += _of_layer(layer, tool, arguments)
        decisions += [RuleDecision(False, "conflict", why=str(e)) for e in _conflicts(policy)]
        if tool.name in policy.denied:
            error = policy.denied[tool.name]
            decisions.append(RuleDecision(False, "denied", error.where, str(error)))
    else:
        decisions.append(
            RuleDecision(True, "no policy: everything that is configured may be called")
        )
    return decisions + _own_rules(tool, arguments)


def _of_layer(layer: Layer, tool: ToolDef, arguments: Mapping[str, Any]) -> list[RuleDecision]:
    """What one layer says of a call."""
    if layer.policy is None:
        why = str(layer.problem) if layer.problem is not None else None
        return [RuleDecision(False, "refuses everything", layer.place(tool.name), why, layer.name)]
    found = decide(layer.policy, _places(layer), tool, arguments)
    return [replace(decision, layer=layer.name) for decision in found]


def _conflicts(layers: Layers) -> list[ToolcribError]:
    broken = [layer.problem for layer in layers.layers]
    return [problem for problem in layers.problems if problem not in broken]


def decide(
    policy: Policy, places: Mapping[Any, Place], tool: ToolDef, arguments: Mapping[str, Any]
) -> list[RuleDecision]:
    """Every relevant rule, in the order of evaluation."""
    denied = policy.denied_by(tool.name)
    if denied is not None:
        where = places.get(("deny",), Place(policy.file))
        return [RuleDecision(False, f"deny: {denied}", where)]
    rules = policy.decide(tool.name)
    default = "enabled" if policy.enabled_by_default else "disabled"
    if tool.name not in policy.tools:
        where = places.get(("default",), Place(policy.file))
        why = f"the policy does not name {tool.name}"
        return [RuleDecision(rules is not None, f"default: {default}", where, why)]
    named = places.get(("tools", tool.name), policy.place(tool.name))
    decisions = [RuleDecision(True, f"tools.{tool.name}", named)]
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
            decisions.append(RuleDecision(False, rule, where, error.problems[-1]))
        else:
            decisions.append(RuleDecision(True, rule, where))
    return decisions


def _own_rules(tool: ToolDef, arguments: Mapping[str, Any]) -> list[RuleDecision]:
    """What the tool's own definition has against a call."""
    try:
        validate_arguments(tool.args, arguments, [unsafe])
    except InvalidArguments as error:
        return [RuleDecision(False, "the tool's own arguments", why=p) for p in error.problems]
    return []


def _places(layer: Layer) -> Mapping[Any, Place]:
    """Where each rule of a policy stands."""
    return load_yaml(decode(layer.source).text, layer.file).places
