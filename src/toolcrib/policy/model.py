"""What may be called, with which values, and where it runs. In doubt the answer is no."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.files.content_cache import ContentCache
from toolcrib.files.yaml_document import Document, Step, keys, read_bytes
from toolcrib.running.arguments import presented, text_of
from toolcrib.running.program import ArgDef, CLIConfig, Executor, Scalar, ToolDef
from toolcrib.running.words import UnsetVariable, expand

_POLICY_KEYS = keys("executor", "default", "tools")
_EXECUTOR_KEYS = keys("type", "image", "volumes", "working_dir", "network")
_TOOL_KEYS = keys("description", "args")
_CONSTRAINT_KEYS = keys("pattern", "min", "max")


@dataclass(frozen=True, slots=True)
class Constraint:
    """What the values of one argument have to be like."""

    pattern: str | None = None
    min: float | None = None
    max: float | None = None

    def problem(self, arg: ArgDef, value: Scalar) -> str | None:
        """Why the value is not allowed; None if it is."""
        if self.pattern is not None and not full_match(self.pattern, text_of(value)):
            return (
                f"Argument {arg.name!r}: {presented(value)} does not match the pattern "
                f"{self.pattern!r} of the policy"
            )
        if self.min is None and self.max is None:
            return None
        # Written so that a value that compares with nothing, as NaN does, never passes.
        number = value if isinstance(value, int | float) else float("nan")
        if not (self.min is None or number >= self.min):
            return f"Argument {arg.name!r} must be at least {self.min:g}, got {presented(value)}"
        if not (self.max is None or number <= self.max):
            return f"Argument {arg.name!r} must be at most {self.max:g}, got {presented(value)}"
        return None


@dataclass(frozen=True, slots=True)
class ToolPolicy:
    """What a policy says of one tool."""

    description: str | None = None
    args: Mapping[str, Constraint] = field(default_factory=dict)

    def problem(self, arg: ArgDef, value: Scalar) -> str | None:
        """Why the value is not allowed for that argument; None if it is."""
        constraint = self.args.get(arg.name)
        return constraint.problem(arg, value) if constraint is not None else None


_LOCAL = Executor()


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy file. Without one, everything that is configured may be called."""

    executor: Executor = _LOCAL
    enabled_by_default: bool = False
    tools: Mapping[str, ToolPolicy] = field(default_factory=dict)
    file: str = ""
    lines: Mapping[str, int | None] = field(default_factory=dict)

    def decide(self, name: str) -> ToolPolicy | None:
        """What holds for the tool `name`; None when it may not be called at all."""
        found = self.tools.get(name)
        if found is None and self.enabled_by_default:
            return _UNRESTRICTED
        return found

    def place(self, name: str) -> Place:
        """Where the policy speaks of a tool."""
        return Place(self.file, self.lines.get(name))


_UNRESTRICTED = ToolPolicy()
ALLOW_ALL = Policy(enabled_by_default=True)
DENY_ALL = Policy()


def load_policy(
    path: Path,
    shown: str | None = None,
    *,
    cache: ContentCache | None = None,
    environment: Mapping[str, str] | None = None,
) -> Policy:
    """Load a policy file, or raise `ConfigError`: half a policy is none."""
    file = shown or str(path)
    data = read_bytes(path)
    known = cache.get("policy", data) if cache is not None else None
    if known is not None:
        policy = _from_plain(json.loads(known[0]), file)
    else:
        policy = _Reader(Document(data, file, strict_keys=True)).policy()
        if cache is not None:
            cache.put("policy", data, [_to_plain(policy)])
    return _expanded(policy, data, os.environ if environment is None else environment)


def check_policy(policy: Policy, configs: Sequence[CLIConfig]) -> list[ConfigError]:
    """Make sure that the policy fits the configs; return warnings about tools it names in vain.

    Raises `ConfigError` for a rule about an argument that does not exist or cannot have it, and for
    a default that the policy itself would refuse.
    """
    known = {name: config for config in configs for name in config.tools.lines}
    warnings = []
    for name, rules in policy.tools.items():
        config = known.get(name)
        if config is None:
            what = f"The policy names the tool {name!r}, which no config has"
            hint = did_you_mean(name, known)
            warnings.append(ConfigError(what + hint, where=policy.place(name)))
        elif rules.args:
            _check_tool(policy, config.tools.named(name), rules)
    return warnings


def full_match(pattern: str, text: str) -> bool:
    """Whether all of `text` matches, in time that grows with its length and no faster."""
    try:
        return compiled(pattern)(text) is not None
    except UnicodeEncodeError:
        return False  # a lone surrogate is no text


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Callable[[str], Any]:
    """The full match of an RE2 pattern; raises `ValueError` for one that is not valid."""
    import re2  # a compiled library: only where a policy has patterns

    options = re2.Options()
    options.log_errors = False
    try:
        match: Callable[[str], Any] = re2.compile(pattern, options).fullmatch
    except re2.error as error:
        reason = error.args[0] if error.args else error
        raise ValueError(reason.decode() if isinstance(reason, bytes) else str(reason)) from None
    return match


def _check_tool(policy: Policy, tool: ToolDef, rules: ToolPolicy) -> None:
    args = {arg.name: arg for arg in tool.args}
    where = policy.place(tool.name)
    for name, constraint in rules.args.items():
        arg = args.get(name)
        if arg is None:
            hint = did_you_mean(name, args)
            raise ConfigError(f"Tool {tool.name!r} has no argument {name!r}{hint}", where=where)
        bounded = constraint.min is not None or constraint.max is not None
        if bounded and arg.type not in ("integer", "number"):
            raise ConfigError(
                f"Argument {name!r} of tool {tool.name!r} is a {arg.type}: "
                "'min' and 'max' are for numbers",
                where=where,
            )
        problem = constraint.problem(arg, arg.default) if arg.default is not None else None
        if problem:
            raise ConfigError(
                f"The default of {name!r} in tool {tool.name!r} is against the policy",
                where=where, why=problem,
            )  # fmt: skip


def _expanded(policy: Policy, data: bytes, environment: Mapping[str, str]) -> Policy:
    volumes = []
    for at, volume in enumerate(policy.executor.volumes):
        try:
            volumes.append(expand(volume, environment))
        except UnsetVariable as error:
            where = Document(data, policy.file).place("executor", "volumes", at)
            what = f"The volume {volume!r} cannot be expanded: {error}"
            raise ConfigError(what, where=where) from None
    return replace(policy, executor=replace(policy.executor, volumes=tuple(volumes)))


class _Reader:
    """Turns a document into a policy, or says where and why it cannot."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def policy(self) -> Policy:
        doc = self._document
        top = doc.mapping(doc.value, "A policy")
        doc.known_keys(top, _POLICY_KEYS)
        default = "disabled"
        if "default" in top:
            default = doc.choice(top["default"], ("disabled", "enabled"), "'default'", "default")
        tools = doc.mapping(top.get("tools"), "'tools'", "tools")
        return Policy(
            executor=self._executor(doc.mapping(top.get("executor"), "'executor'", "executor")),
            enabled_by_default=default == "enabled",
            tools={name: self._tool(item, "tools", name) for name, item in tools.items()},
            file=doc.file,
            lines={name: doc.line("tools", name) for name in tools},
        )

    def _executor(self, entry: dict[str, Any]) -> Executor:
        doc = self._document
        doc.known_keys(entry, _EXECUTOR_KEYS, "executor")
        kind = "local"
        if "type" in entry:
            kind = doc.choice(entry["type"], ("local", "docker"), "'type'", "executor", "type")
        if kind == "docker" and entry.get("image") is None:
            raise doc.error("The docker executor needs the key 'image'", "executor")
        volumes = doc.sequence(entry.get("volumes"), "'volumes'", "executor", "volumes")
        return Executor(
            kind,
            self._word(entry, "image"),
            tuple(
                self._safe(doc.text(item, "A volume", "executor", "volumes", at), "volumes", at)
                for at, item in enumerate(volumes)
            ),
            self._word(entry, "working_dir"),
            self._word(entry, "network"),
        )

    def _word(self, entry: dict[str, Any], key: str) -> str | None:
        if entry.get(key) is None:
            return None
        return self._safe(self._document.text(entry[key], f"'{key}'", "executor", key), key)

    def _safe(self, text: str, *path: Step) -> str:
        """A word that docker cannot take for an option."""
        if not text or text.startswith("-") or "\0" in text:
            raise self._document.error(f"{text!r} is not possible here", "executor", *path)
        return text

    def _tool(self, item: Any, *path: Step) -> ToolPolicy:
        doc = self._document
        entry = doc.mapping(item, f"What is said of tool {path[-1]!r}", *path)
        doc.known_keys(entry, _TOOL_KEYS, *path)
        args = doc.mapping(entry.get("args"), "'args'", *path, "args")
        description = entry.get("description")
        return ToolPolicy(
            None
            if description is None
            else doc.text(description, "'description'", *path, "description"),
            {name: self._constraint(rule, *path, "args", name) for name, rule in args.items()},
        )

    def _constraint(self, item: Any, *path: Step) -> Constraint:
        doc = self._document
        entry = doc.mapping(item, f"The rule for argument {path[-1]!r}", *path)
        doc.known_keys(entry, _CONSTRAINT_KEYS, *path)
        least, most = self._bound(entry, "min", *path), self._bound(entry, "max", *path)
        if least is not None and most is not None and least > most:
            raise doc.error(f"'min' is above 'max': {least:g} > {most:g}", *path)
        return Constraint(self._pattern(entry.get("pattern"), *path, "pattern"), least, most)

    def _bound(self, entry: dict[str, Any], key: str, *path: Step) -> float | None:
        value = entry.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
            raise self._document.error(f"'{key}' must be a number", *path, key)
        return value

    def _pattern(self, value: Any, *path: Step) -> str | None:
        if value is None:
            return None
        pattern = self._document.text(value, "'pattern'", *path)
        try:
            compiled(pattern)
        except ValueError as error:
            raise self._document.error(
                f"The pattern is not valid: {error}", *path, next="Patterns are written as for RE2."
            ) from None
        return pattern


def _to_plain(policy: Policy) -> Any:
    executor = policy.executor
    return [
        [executor.type, executor.image, executor.volumes, executor.working_dir, executor.network],
        policy.enabled_by_default,
        {
            name: [
                rules.description,
                {arg: [rule.pattern, rule.min, rule.max] for arg, rule in rules.args.items()},
            ]
            for name, rules in policy.tools.items()
        },
        dict(policy.lines),
    ]  # fmt: skip


def _from_plain(plain: Any, file: str) -> Policy:
    (kind, image, volumes, working_dir, network), default, tools, lines = plain
    return Policy(
        Executor(kind, image, tuple(volumes), working_dir, network),
        default,
        {
            name: ToolPolicy(text, {arg: Constraint(*rule) for arg, rule in args.items()})
            for name, (text, args) in tools.items()
        },
        file,
        lines,
    )
