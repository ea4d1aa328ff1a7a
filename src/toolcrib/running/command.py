"""From values to an argument list: the only place where command lines are built.

Whatever the values are, the list has the structure given by the config. A value is one word or the
end of one word; it never becomes an option or a second word, and is never dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.support.records import record
from toolcrib.running.arguments import Check, presented, text_of
from toolcrib.running.program import ArgDef, CLIConfig, Scalar, ToolDef, Value, each_of

# Flags that take no value themselves: what follows them is an operand.
_ENDS_OF_OPTIONS = ("--", "--end-of-options")


@record
class Command:
    """What to run: the words, where, and what it reads."""

    argv: tuple[str, ...]
    cwd: str | None = None
    stdin: str | None = None


def build_command(config: CLIConfig, tool: ToolDef, values: Mapping[str, Value]) -> Command:
    """Return the command for validated `values`; missing ones have their defaults.

    The words are: the program, the subcommand, positionals in their order, flags in theirs, and the
    config's global arguments; if the subcommand ends with `--`, flags come before it. Positionals
    with an empty flag come last. Raises `InvalidArguments` if a value could be mistaken for an
    option.
    """
    given = [(arg, values.get(arg.name, arg.default)) for arg in tool.args]
    own = [(arg, value) for arg, value in given if value is not None]
    everywhere = [(arg, arg.default) for arg in config.global_args if arg.default is not None]
    every = [*own, *everywhere]
    _refuse_unsafe(every, safety(config, tool))
    first = _operands((arg, value) for arg, value in own if not arg.behind_flags)
    behind = _operands((arg, value) for arg, value in own if arg.behind_flags)
    flags = _flags(own)
    last = _global_words(everywhere)
    if tool.words[-1:] == ("--",):
        argv = [*config.base, *tool.words[:-1], *flags, *last, "--", *first, *behind]
    else:
        argv = [*config.base, *tool.words, *first, *flags, *last, *behind]
    return Command(
        tuple(argv),
        cwd=next((text_of(each_of(value)[0]) for arg, value in every if arg.cwd), None),
        stdin=next((text_of(each_of(value)[0]) for arg, value in every if arg.stdin), None),
    )


def safety(config: CLIConfig, tool: ToolDef) -> Check:
    """The check whether a value can stand on the command line of a tool."""
    ended = "--" in config.base or "--" in tool.words
    return lambda arg, value: unsafe(arg, value, ended=ended)


def unsafe(arg: ArgDef, value: Scalar, *, ended: bool = False) -> str | None:
    """Why a value cannot be passed as that argument; None if it can.

    `ended` says that a `--` stands before the positionals.
    """
    text = text_of(value)
    if arg.stdin:
        return None if _encodable(text) else f"Argument {arg.name!r}: it is not valid Unicode text"
    if "\0" in text:
        return f"Argument {arg.name!r}: it contains a NUL character"
    if not _encodable(text):
        return f"Argument {arg.name!r}: it is not valid Unicode text"
    if arg.cwd:
        return f"Argument {arg.name!r}: it is empty" if not text else None
    if _like_an_option(text) and _exposed(arg) and not _plainly_a_number(arg, value, ended):
        way = "a positional argument" if arg.positional else f"the value of {arg.effective_flag}"
        return (
            f"Argument {arg.name!r}: {way} must not begin with '-', "
            f"it could be taken for an option: {presented(value)}"
        )
    return None


def _refuse_unsafe(pairs: Iterable[tuple[ArgDef, Value]], check: Check) -> None:
    problems = [
        (arg.name, text)
        for arg, value in pairs
        for each in each_of(value)
        if (text := check(arg, each))
    ]
    if problems:
        raise InvalidArguments([text for _, text in problems], [name for name, _ in problems])


def _like_an_option(text: str) -> bool:
    """Whether it begins with a dash; a lone one means standard input, and no option."""
    return text.startswith("-") and text != "-"


def _plainly_a_number(arg: ArgDef, value: Scalar, ended: bool) -> bool:
    """Whether a negative number stands where it can only be one."""
    numeric = arg.value_type in ("integer", "number") and isinstance(value, int | float)
    return numeric and (ended or not arg.positional)


def _exposed(arg: ArgDef) -> bool:
    """Whether the value would stand alone, where a program looks for options."""
    if arg.positional:
        return True
    flag = arg.effective_flag
    if flag in _ENDS_OF_OPTIONS:
        return True
    return not (flag.endswith("=") or flag.startswith("--") or arg.type == "boolean")


def _operands(pairs: Iterable[tuple[ArgDef, Value]]) -> list[str]:
    return [text_of(each) for arg, value in pairs if arg.positional for each in each_of(value)]


def _global_words(pairs: Iterable[tuple[ArgDef, Value]]) -> list[str]:
    words: list[str] = []
    for arg, value in pairs:
        words += map(text_of, each_of(value)) if arg.positional else _flags([(arg, value)])
    return words


def _flags(pairs: Iterable[tuple[ArgDef, Value]]) -> list[str]:
    words: list[str] = []
    for arg, value in pairs:
        if not arg.is_flag:
            continue
        for number, each in enumerate(each_of(value)):
            # Behind the first `--` another one would be an operand.
            again = number > 0 and arg.effective_flag in _ENDS_OF_OPTIONS
            words += [text_of(each)] if again else _flag_words(arg, each)
    return words


def _flag_words(arg: ArgDef, value: Scalar) -> list[str]:
    flag = arg.effective_flag
    if flag.endswith("="):
        return [flag + text_of(value)]
    if arg.type == "boolean":
        return [flag] if value else []
    text = text_of(value)
    if _like_an_option(text) and flag.startswith("--") and flag not in _ENDS_OF_OPTIONS:
        return [f"{flag}={text}"]
    return [flag, text]


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
