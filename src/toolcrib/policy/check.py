"""Checks a policy against the configs whose tools it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.policy.model import Policy, ToolPolicy
from toolcrib.running.program import CLIConfig, ToolDef, each_of


def check_policy(
    policy: Policy, configs: Sequence[CLIConfig], withheld: Collection[str] = ()
) -> list[ConfigError]:
    """Make sure that the policy fits the configs; return warnings about tools it names in vain.

    Raises `ConfigError` for a rule about an argument that does not exist or cannot have it, and for
    a default that the policy itself would refuse.
    """
    known = {name: config for config in configs for name in config.tools.lines}
    warnings = []
    for name, rules in policy.tools.items():
        config = known.get(name)
        if config is None and (name in withheld or "__" in name):
            continue  # it waits for a person's trust, or is a tool of another server
        if config is None:
            what = f"The policy names the tool {name!r}, which no config has"
            hint = did_you_mean(name, known)
            warnings.append(ConfigError(what + hint, where=policy.place(name)))
        elif rules.args:
            check_tool(policy, config.tools.named(name), rules)
    return warnings


def check_tool(policy: Policy, tool: ToolDef, rules: ToolPolicy) -> None:
    """Raise `ConfigError` where the rules for a tool do not fit its arguments and defaults."""
    args = {arg.name: arg for arg in tool.args}
    where = policy.place(tool.name)
    for name, constraint in rules.args.items():
        arg = args.get(name)
        if arg is None:
            hint = did_you_mean(name, args)
            raise ConfigError(f"Tool {tool.name!r} has no argument {name!r}{hint}", where=where)
        bounded = constraint.min is not None or constraint.max is not None
        if bounded and arg.value_type not in ("integer", "number"):
            raise ConfigError(
                f"Argument {name!r} of tool {tool.name!r} is a {arg.value_type}: "
                "'min' and 'max' are for numbers",
                where=where,
            )
        defaults = () if arg.default is None else each_of(arg.default)
        problem = next((why for each in defaults if (why := constraint.problem(arg, each))), None)
        if problem:
            raise ConfigError(
                f"The default of {name!r} in tool {tool.name!r} is against the policy",
                where=where, why=problem,
            )  # fmt: skip
