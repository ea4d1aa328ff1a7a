"""The policy: which tools may be called, with which values, and where they run. Default deny."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any

from toolcrib.core.errors import Place
from toolcrib.core.support.records import record
from toolcrib.running.arguments import presented, text_of
from toolcrib.running.program import ArgDef, Executor, Scalar


@record
class Constraint:
    """The constraint on the values of one argument."""

    pattern: str | None = None
    min: float | None = None
    max: float | None = None
    where: Place | None = field(default=None, compare=False)
    """Where it is written."""

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


@record
class ToolPolicy:
    """What a policy says of one tool."""

    description: str | None = None
    args: Mapping[str, Constraint] = field(default_factory=dict)

    def problem(self, arg: ArgDef, value: Scalar) -> str | None:
        """Why the value is not allowed for that argument; None if it is."""
        constraint = self.args.get(arg.name)
        return constraint.problem(arg, value) if constraint is not None else None

    def refused_at(self, arg: ArgDef, value: Scalar) -> Place | None:
        """Where the rule stands that does not allow the value."""
        refused = self.problem(arg, value) is not None
        return self.args[arg.name].where if refused else None


_LOCAL = Executor()


@record
class Policy:
    """A policy file. Without one, everything that is configured may be called."""

    executor: Executor = _LOCAL
    enabled_by_default: bool = False
    tools: Mapping[str, ToolPolicy] = field(default_factory=dict)
    file: str = ""
    lines: Mapping[str, int | None] = field(default_factory=dict)
    default_at: tuple[int | None, int | None] = (1, 1)
    """Line and column of `default`; the file's first where it is not written."""
    deny: tuple[str, ...] = ()
    """Names, and patterns with `*`, of tools that may not be called, whatever else is said."""
    servers: Mapping[str, str] = field(default_factory=dict)
    """What is said of other MCP servers by name: enabled, read-only or disabled."""
    remember: bool = True
    """Whether a person may have approvals remembered."""
    says_default: bool = True
    """Whether the default is written; organisation and person need not write one."""

    def denied_by(self, name: str) -> str | None:
        """The entry of `deny` that a tool's name matches; None if it matches none."""
        return next((each for each in self.deny if name_matches(name, each)), None)

    def decide(self, name: str) -> ToolPolicy | None:
        """What holds for the tool `name`; None when it may not be called at all."""
        if self.deny and self.denied_by(name) is not None:
            return None
        found = self.tools.get(name)
        if found is None and self.enabled_by_default:
            return _UNRESTRICTED
        return found

    def refused_at(self, name: str) -> Place:
        """Where the policy decides about a tool that it does not name: its default."""
        return Place(self.file, self.default_at[0], self.default_at[1])

    def names(self, name: str) -> bool:
        """Whether the policy speaks of the tool by its name."""
        return name in self.tools

    def places(self, name: str) -> list[str]:
        """The line that decides about a tool, as `file:line`."""
        found = self.place(name) if name in self.tools else self.refused_at(name)
        return [f"{found.file}:{found.line}"] if found.file else []

    def place(self, name: str) -> Place:
        """Where the policy speaks of a tool."""
        return Place(self.file, self.lines.get(name))


_UNRESTRICTED = ToolPolicy()
ALLOW_ALL = Policy(enabled_by_default=True)
DENY_ALL = Policy()


def name_matches(name: str, pattern: str) -> bool:
    """Whether a name fits a pattern, in which `*` stands for any characters."""
    if "*" not in pattern:
        return name == pattern
    first, *middle, last = pattern.split("*")
    at, end = len(first), len(name) - len(last)
    if not (name.startswith(first) and name.endswith(last)) or at > end:
        return False
    for part in middle:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def full_match(pattern: str, text: str) -> bool:
    """Whether all of `text` matches, in linear time."""
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
