"""From commands to a config: tools, arguments, and the YAML they are written in."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolcrib.packs.climax.importer.help_text.names import (
    LONGEST_ARGUMENT,
    LONGEST_TOOL,
    UniqueNames,
    argument_name,
    program_name,
    tool_name,
)
from toolcrib.packs.climax.importer.help_text.style import JOINING
from toolcrib.packs.climax.importer.help_text.text import shortened
from toolcrib.packs.climax.importer.help_text.values import default_of
from toolcrib.packs.climax.importer.model import (
    HelpOption,
    HelpPage,
    Note,
    Operand,
    ProgramCommand,
    Style,
)
from toolcrib.running.program import ArgType

_LONGEST_DESCRIPTION = 200
_LONGEST_REMARK = 160
_RUNS_A_PROGRAM = re.compile(
    r"command|cmd|prog|program|script|exec|executable|shell|hook|editor|pager|rsh|ssh-command|"
    r".*-(?:command|cmd|program|script|exec|pager|editor|shell|pack)",
    re.I,
)
_TELLS_OF_A_PROGRAM = re.compile(
    r"\b(?:execut\w+|run|invoke|pipe|filter)\b.{0,60}"
    r"\b(?:command|program|script|shell|interpreter|PROG|ACTION)\b"
)

NO_BARE_VALUE = "its optional value cannot be given, only the option itself"
GLUED = "its value is printed right behind it; some programs refuse it as a word of its own"
RUNS_A_PROGRAM = "may run a program that the caller names; take it out unless callers are trusted"
BEFORE_SUBCOMMAND = "belongs before a subcommand, where only the config's own `command` can put it"


@dataclass(slots=True)
class Emitted:
    """A config as plain data, and what is to be said about it."""

    config: dict[str, Any]
    notes: list[tuple[str, Note]] = field(default_factory=list)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """Its tools."""
        tools: list[dict[str, Any]] = self.config["tools"]
        return tools

    @property
    def arguments(self) -> int:
        """How many arguments they have in all."""
        return sum(len(tool.get("args", ())) for tool in self.tools)


def emit(words: tuple[str, ...], commands: Sequence[ProgramCommand]) -> Emitted:
    """Make a config of a program's commands; there is at least one tool in it."""
    name = program_name(words)
    root = next((command for command in commands if not command.path), None)
    about = root.page.description if root is not None else ""
    emitted = Emitted(
        {
            "name": tool_name((name,)),
            "description": shortened(about, _LONGEST_DESCRIPTION) or f"The program {name}",
            "command": shlex.join(words),
            "category": "imported",
            "tags": [tool_name((name,)).lower()],
            "tools": [],
        }
    )
    names = UniqueNames(LONGEST_TOOL)
    for command in commands:
        if _is_tool(command):
            _add_tool(emitted, name, command, names)
    if not emitted.tools:
        _add_tool(emitted, name, ProgramCommand((), HelpPage()), names)
    return emitted


class _Line(dict[str, Any]):
    """A mapping that is written on one line."""


def to_yaml(config: dict[str, Any]) -> str:
    """The config as YAML text, with an argument to a line."""
    import yaml  # libyaml: only an import writes YAML

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    dumper: Any = type("Dumper", (base,), {})
    dumper.add_representer(
        _Line, lambda it, each: it.represent_mapping("tag:yaml.org,2002:map", each, flow_style=True)
    )
    style: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 500}
    text: str = yaml.dump(config, Dumper=dumper, default_flow_style=False, **style)
    return text


def _is_tool(command: ProgramCommand) -> bool:
    """Whether a command can be called; one that only has subcommands needs them."""
    page = command.page
    if not page.subcommands:
        return True
    return bool(page.options) and (page.runnable or not command.path)


def _add_tool(emitted: Emitted, program: str, command: ProgramCommand, names: UniqueNames) -> None:
    name = names.unique(tool_name((program, *command.path)))
    shown = " ".join((program, *command.path))
    about = command.summary or command.page.description
    tool: dict[str, Any] = {
        "name": name,
        "description": shortened(about, _LONGEST_DESCRIPTION) or f"Run `{shown}`",
    }
    words = (*command.path, "--") if command.page.flags_first else command.path
    if words:
        tool["command"] = shlex.join(words)
    args = list(_arguments(command.page))
    if args:
        tool["args"] = [_Line(arg) for arg in args]
    emitted.tools.append(tool)
    emitted.notes += [(shown, note) for note in (*command.page.notes, *_remarks(command))]


def _remarks(command: ProgramCommand) -> Iterator[Note]:
    for option in command.page.options:
        if option.value_optional and not _can_take_value(option, command.page.style):
            yield Note(option.main, NO_BARE_VALUE)
        elif option.glued and not option.enum:
            yield Note(option.main, GLUED)
        if _may_run_a_program(option):
            yield Note(option.main, RUNS_A_PROGRAM)
    if command.page.subcommands and not command.path and command.page.options:
        shown = ", ".join(option.main for option in command.page.options)
        yield Note(shortened(shown, 120), BEFORE_SUBCOMMAND)


def _may_run_a_program(option: HelpOption) -> bool:
    named = (option.main.lstrip("-"), option.value or "")
    told = _TELLS_OF_A_PROGRAM.search(option.description)
    return not option.is_switch and bool(told or any(map(_RUNS_A_PROGRAM.fullmatch, named)))


def _arguments(page: HelpPage) -> Iterator[dict[str, Any]]:
    """Operands first, as they stand on the command line; options keep the plain names."""
    names = UniqueNames(LONGEST_ARGUMENT)
    options = [arg for option in page.options for arg in _option(option, page.style, names)]
    for operand in page.operands:
        arg = _operand(operand, names)
        yield arg | {"flag": ""} if page.operands_last else arg
    yield from options


def _operand(operand: Operand, names: UniqueNames) -> dict[str, Any]:
    plain = argument_name(operand.name)
    arg: dict[str, Any] = {"name": names.unique(plain, f"{plain}_arg")}
    remark = _remark(operand.description)
    if remark:
        arg["description"] = remark
    arg |= _typed("string", several=operand.repeats)
    if operand.required:
        arg["required"] = True
    if operand.enum:
        arg["enum"] = list(operand.enum)
    arg["positional"] = True
    return arg


def _option(option: HelpOption, style: Style, names: UniqueNames) -> Iterator[dict[str, Any]]:
    if option.glued and option.enum and not option.value_optional:
        yield from _switches(option, names)
        return
    name = names.unique(argument_name(option.main))
    if option.is_switch or option.value_optional:
        yield _described({"name": name}, option, {"type": "boolean", **_flag(option.main, name)})
        if option.is_switch or not _can_take_value(option, style):
            return
        name = names.unique(f"{name[: LONGEST_ARGUMENT - 6]}_value")
    joined = _joins(option, style)
    flag = f"{option.main}=" if joined else option.main
    more: dict[str, Any] = _typed(option.type, several=option.repeats)
    if option.required and not option.value_optional:
        more["required"] = True
    more |= _flag(flag, name)
    if option.enum:
        more["enum"] = list(option.enum)
    yield _described({"name": name}, option, more)


def _switches(option: HelpOption, names: UniqueNames) -> Iterator[dict[str, Any]]:
    """`-ao{a|s}`: each choice with its flag is one word, and so a switch of its own."""
    for choice in option.enum:
        flag = f"{option.main}{choice}"
        name = names.unique(argument_name(flag))
        yield _described({"name": name}, option, {"type": "boolean", **_flag(flag, name)})


def _described(arg: dict[str, Any], option: HelpOption, more: dict[str, Any]) -> dict[str, Any]:
    others = [flag for flag in option.flags if flag != option.main]
    remark = _remark(option.description)
    if others:
        remark = f"{remark} ({', '.join(others)})".strip()
    if remark:
        arg["description"] = remark
    return arg | more


def _typed(kind: ArgType, *, several: bool) -> dict[str, Any]:
    """The keys that tell a type; text is what needs no word."""
    if several:
        return {"type": "array"} if kind == "string" else {"type": "array", "items": kind}
    return {} if kind == "string" else {"type": kind}


def _remark(description: str) -> str:
    """A description that has room in a list, with the default even where the end is cut off."""
    remark = shortened(description, _LONGEST_REMARK)
    default = default_of(description)
    if default and default not in remark:
        remark += f" (default: {shortened(default, 40)})"
    return remark


def _flag(flag: str, name: str) -> dict[str, str]:
    """The key `flag`, unless the name says the same."""
    return {} if flag == "--" + name.replace("_", "-") else {"flag": flag}


def _joins(option: HelpOption, style: Style) -> bool:
    """Whether the value goes behind `=`, where nothing can take it for an option."""
    if option.main.startswith("--"):
        return option.joined or style in JOINING
    return option.joined and len(option.main) > 2


def _can_take_value(option: HelpOption, style: Style) -> bool:
    """Whether a value that may be left out can be given as a word of its own."""
    if option.value_optional and option.glued:
        return False
    if not option.value_optional or _joins(option, style):
        return True
    # These libraries take the next word for it, unless that is an option.
    return option.main.startswith("--") or style in (Style.UNKNOWN, Style.ARGPARSE, Style.CLAP)


def as_comments(text: str) -> str:
    """Text as YAML comments; whatever counts as the end of a line ends a comment."""
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())
