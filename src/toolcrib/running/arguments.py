"""Do these values fit the arguments of a tool?  What can be read without loss is taken as meant."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from toolcrib.core.errors import InvalidArguments
from toolcrib.running.program import ArgDef, Scalar

_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_LONGEST_NUMBER = 400
_LONGEST_SHOWN = 100

Problem = tuple[str, str]
"""The name of an argument, and what is wrong with its value."""
Check = Callable[[ArgDef, Scalar], str | None]
"""A further rule for a value that has the right type; returns what is wrong with it."""


def validate_arguments(
    args: Iterable[ArgDef], given: Mapping[str, Any], checks: Iterable[Check] = ()
) -> dict[str, Scalar]:
    """Return the given values in the types of their arguments.

    Names that are not among `args` are ignored, and null is the same as absent. Raises
    `InvalidArguments` with every problem at once.
    """
    values: dict[str, Scalar] = {}
    problems: list[Problem] = []
    rules = (_allowed, *checks)
    for arg in args:
        raw = given.get(arg.name)
        if raw is None:
            if arg.mandatory:
                problems.append((arg.name, f"Missing required argument {arg.name!r}"))
            continue
        try:
            value = coerce(raw, arg.type)
        except ValueError:
            shown = f"Argument {arg.name!r}: cannot convert {presented(raw)} to {arg.type}"
            problems.append((arg.name, shown))
            continue
        found = [problem for rule in rules if (problem := rule(arg, value)) is not None]
        problems += [(arg.name, problem) for problem in found]
        values[arg.name] = value
    if problems:
        raise InvalidArguments([text for _, text in problems], [name for name, _ in problems])
    return values


def coerce(value: Any, kind: str) -> Scalar:
    """Return `value` as a string, integer, number or boolean, or raise `ValueError` if that loses
    something or has to guess."""
    return _COERCIONS[kind](value)


def presented(value: Any) -> str:
    """A value as a message shows it: text in quotes, the rest as JSON, and not too much of it."""
    try:
        shown = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "…"


def text_of(value: Scalar) -> str:
    """A value as a word of a command line."""
    return value if isinstance(value, str) else json.dumps(value)


def _allowed(arg: ArgDef, value: Scalar) -> str | None:
    if not arg.enum or value in arg.enum:
        return None
    return f"Argument {arg.name!r} must be one of: {', '.join(map(text_of, arg.enum))}"


def _to_string(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return json.dumps(value)
    raise ValueError


def _to_integer(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _INTEGER.fullmatch(text := value.strip()):
        return int(text)
    raise ValueError


def _to_number(value: Any) -> int | float:
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str):
        return _number_in(value.strip())
    return _to_integer(value)


def _number_in(text: str) -> int | float:
    if _INTEGER.fullmatch(text):
        return int(text)
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        raise ValueError
    from decimal import Decimal  # 2 ms that only a fraction written as text is worth

    value = float(text)
    if not math.isfinite(value) or Decimal(text) != Decimal(repr(value)):
        raise ValueError
    return value


def _to_boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise ValueError


_COERCIONS: dict[str, Callable[[Any], Scalar]] = {
    "string": _to_string,
    "integer": _to_integer,
    "number": _to_number,
    "boolean": _to_boolean,
}
