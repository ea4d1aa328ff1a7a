"""From values to an argument list: the one place where a command line is put together.

Whatever the values are, the list has the shape that the config gives it. A value is one word or the
end of one word; it never becomes an option, never a second word, and never gets lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from toolcrib.core.errors import InvalidArguments
from toolcrib.running.arguments import presented, text_of
from toolcrib.running.program import ArgDef, CLIConfig, Scalar, ToolDef

# Flags that take no value themselves: what follows them is an operand.
_ENDS_OF_OPTIONS = ("--", "--end-of-options")


@dataclass(frozen=True, slots=True)
class Command:
    """What to run: the words, where, and what it reads."""

    argv: tuple[str, ...]
    cwd: str | None = None
    stdin: str | None = None


def build_command(config: CLIConfig, tool: ToolDef, values: Mapping[str, Scalar]) -> Command:
    """Return the command for validated `values`; what is not given has its default.

    The words are: the program, the subcommand, positionals in their order, flags in theirs, and the
    config's global arguments. Raises `InvalidArguments` where a value could be mistaken.
    """
    given = [(arg, values.get(arg.name, arg.default)) for arg in tool.args]
    everywhere = [(arg, arg.default) for arg in config.global_args]
    every = [(arg, value) for arg, value in given + everywhere if value is not None]
    _refuse_unsafe(every)
    tool_words = [(arg, value) for arg, value in given if value is not None]
    argv = [*config.base, *tool.words]
    argv += [text_of(value) for arg, value in tool_words if arg.positional]
    argv += _flags(tool_words)
    for arg, value in everywhere:
        if value is not None:
            argv += [text_of(value)] if arg.positional else _flags([(arg, value)])
    return Command(
        tuple(argv),
        cwd=next((text_of(value) for arg, value in every if arg.cwd), None),
        stdin=next((text_of(value) for arg, value in every if arg.stdin), None),
    )


def unsafe(arg: ArgDef, value: Scalar) -> str | None:
    """Why a value cannot stand on a command line as that argument; None if it can."""
    text = text_of(value)
    if arg.stdin:
        return None if _encodable(text) else f"Argument {arg.name!r}: it is not valid Unicode text"
    if "\0" in text:
        return f"Argument {arg.name!r}: it contains a NUL character"
    if not _encodable(text):
        return f"Argument {arg.name!r}: it is not valid Unicode text"
    if arg.cwd:
        return f"Argument {arg.name!r}: it is empty" if not text else None
    if text.startswith("-") and _exposed(arg):
        way = "a positional argument" if arg.positional else f"the value of {arg.effective_flag}"
        return (
            f"Argument {arg.name!r}: {way} must not begin with '-', "
            f"it could be taken for an option: {presented(value)}"
        )
    return None


def _refuse_unsafe(pairs: Iterable[tuple[ArgDef, Scalar]]) -> None:
    problems = [(arg.name, text) for arg, value in pairs if (text := unsafe(arg, value))]
    if problems:
        raise InvalidArguments([text for _, text in problems], [name for name, _ in problems])


def _exposed(arg: ArgDef) -> bool:
    """Whether the value would stand alone, where a program looks for options."""
    if arg.positional:
        return True
    flag = arg.effective_flag
    if flag in _ENDS_OF_OPTIONS:
        return True
    return not (flag.endswith("=") or flag.startswith("--") or arg.type == "boolean")


def _flags(pairs: Iterable[tuple[ArgDef, Scalar]]) -> list[str]:
    words: list[str] = []
    for arg, value in pairs:
        if arg.is_flag:
            words += _flag_words(arg, value)
    return words


def _flag_words(arg: ArgDef, value: Scalar) -> list[str]:
    flag = arg.effective_flag
    if flag.endswith("="):
        return [flag + text_of(value)]
    if arg.type == "boolean":
        return [flag] if value else []
    text = text_of(value)
    if text.startswith("-"):
        return [f"{flag}={text}"]
    return [flag, text]


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
