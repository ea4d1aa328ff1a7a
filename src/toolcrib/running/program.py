"""What a config says: programs, their tools, and the arguments of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from toolcrib.core.support.records import record

if TYPE_CHECKING:
    from toolcrib.core.errors import Place

ArgType = Literal["string", "integer", "number", "boolean", "array"]
ItemType = Literal["string", "integer", "number"]
Scalar = str | int | float | bool
Value = Scalar | tuple[Scalar, ...]
"""What an argument can be: one value, or several of them."""
TYPES: tuple[ArgType, ...] = ("string", "integer", "number", "boolean", "array")
ITEM_TYPES: tuple[ItemType, ...] = ("string", "integer", "number")
MOST_ITEMS = 256
DEFAULT_TIMEOUT = 30.0


@record
class ArgDef:
    """One argument, and how it reaches the program.

    It is a word of its own (`positional`), the working directory (`cwd`), the standard input
    (`stdin`), or else a flag: the one that is given, or one made from its name. A positional with
    an empty flag comes behind the flags.
    """

    name: str
    description: str = ""
    type: ArgType = "string"
    required: bool = False
    default: Value | None = None
    flag: str | None = None
    positional: bool = False
    cwd: bool = False
    stdin: bool = False
    enum: tuple[Scalar, ...] = ()
    items: ItemType = "string"
    """The type of each value of an array."""

    @property
    def value_type(self) -> ArgType:
        """The type of a single value."""
        return self.items if self.type == "array" else self.type

    @property
    def effective_flag(self) -> str:
        """The flag as it is written on the command line."""
        return self.flag or "--" + self.name.replace("_", "-")

    @property
    def behind_flags(self) -> bool:
        """Whether it is a word of its own that comes behind the flags, not before them."""
        return self.positional and self.flag == ""

    @property
    def is_flag(self) -> bool:
        """Whether it is given by a flag."""
        return not (self.positional or self.cwd or self.stdin)

    @property
    def mandatory(self) -> bool:
        """Whether a caller has to give it: it is required and has no default."""
        return self.required and self.default is None

    def schema(self) -> dict[str, Any]:
        """The argument as a property of a JSON Schema, without its description."""
        one: dict[str, Any] = {"type": self.value_type}
        if self.enum:
            one["enum"] = list(self.enum)
        schema = one
        if self.type == "array":
            schema = {"type": "array", "items": one, "maxItems": MOST_ITEMS}
            if self.mandatory:
                schema["minItems"] = 1
        if self.default is not None:
            many = isinstance(self.default, tuple)
            schema["default"] = list(each_of(self.default)) if many else self.default
        return schema


def each_of(value: Value) -> tuple[Scalar, ...]:
    """The single values of a value."""
    return value if isinstance(value, tuple) else (value,)


@record
class ToolDef:
    """One tool: the words of a subcommand and its arguments."""

    name: str
    description: str = ""
    words: tuple[str, ...] = ()
    args: tuple[ArgDef, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    line: int | None = None

    def input_schema(self, *, described: bool = True) -> dict[str, Any]:
        """The arguments as JSON Schema."""
        properties: dict[str, Any] = {}
        for arg in self.args:
            properties[arg.name] = arg.schema()
            if described and arg.description:
                properties[arg.name]["description"] = arg.description
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        required = [arg.name for arg in self.args if arg.mandatory]
        if required:
            schema["required"] = required
        return schema


class ToolTable(Sequence[ToolDef]):
    """The tools of a config; each is built when it is first used.

    Their names and lines are known from the start.
    """

    def __init__(self, lines: Mapping[str, int | None], load: Callable[[str], ToolDef]) -> None:
        self.lines = lines
        self._load = load
        self._made: dict[str, ToolDef] = {}

    @classmethod
    def of(cls, tools: Sequence[ToolDef]) -> ToolTable:
        """A table of existing tools."""
        made = {tool.name: tool for tool in tools}
        return cls({tool.name: tool.line for tool in tools}, made.__getitem__)

    def named(self, name: str) -> ToolDef:
        """The tool of that name, or `KeyError`."""
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = self._load(name)
        return found

    @overload
    def __getitem__(self, at: int) -> ToolDef: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ToolDef]: ...
    def __getitem__(self, at: int | slice) -> ToolDef | Sequence[ToolDef]:
        return list(self)[at]

    def __iter__(self) -> Iterator[ToolDef]:
        return map(self.named, self.lines)

    def __len__(self) -> int:
        return len(self.lines)


@record
class CLIConfig:
    """One config file: a program and its tools."""

    command: str
    """As it is written; `base` is what it comes to."""
    tools: ToolTable
    base: tuple[str, ...] = ()
    name: str = "climax"
    description: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    working_dir: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    global_args: tuple[ArgDef, ...] = ()
    file: str = ""
    digest: str = ""
    """Of the bytes of its file, where it has one."""

    def origin(self, name: str) -> str:
        """Where the tool `name` is defined, as `file:line`."""
        line = self.tools.lines.get(name)
        return f"{self.file}:{line}" if line else self.file


@record
class Executor:
    """Where commands run: on this machine, or each in a container of its own."""

    type: str = "local"
    image: str | None = None
    volumes: tuple[str, ...] = ()
    working_dir: str | None = None
    network: str | None = None


class ToolRules(Protocol):
    """What a policy says of one tool."""

    @property
    def description(self) -> str | None:
        """What the tool does, in the policy's words."""

    def problem(self, arg: ArgDef, value: Scalar) -> str | None:
        """Why the value is not allowed for that argument; None if it is."""

    def refused_at(self, arg: ArgDef, value: Scalar) -> Place | None:
        """Where the rule stands that does not allow the value."""


@record
class ResolvedTool:
    """A tool together with the config that it belongs to and what the policy says of it."""

    tool: ToolDef
    config: CLIConfig
    policy: ToolRules
    executor: Executor
    place: str | None = None
    """Where the policy speaks of it."""
    layers: tuple[str, ...] = ()
    """The lines of all policies that decided about it, as `file:line`."""

    @property
    def description(self) -> str:
        """What the tool does, in the policy's words if it has some."""
        return self.policy.description or self.tool.description
