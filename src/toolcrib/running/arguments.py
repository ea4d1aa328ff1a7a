"""Validation of a tool's arguments; values are converted if that is exact."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.support.suggest import corrections
from toolcrib.running.program import MOST_ITEMS, ArgDef, Scalar, Value, each_of

# Texts, which `re` compiles when the first of them is used: no start needs them.
_INTEGER = r"[+-]?[0-9]{1,4000}"
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?"
_LONGEST_NUMBER = 400
_LONGEST_SHOWN = 100
_FEWEST_LETTERS = 4
_LONGEST_NAME = 128

Problem = tuple[str, str]
"""The name of an argument, and what is wrong with its value."""
Check = Callable[[ArgDef, Scalar], str | None]
"""A further rule for a value that has the right type; returns what is wrong with it."""


class Values(dict[str, Value]):
    """Values in the types of their arguments, and the names that no argument has."""

    ignored: tuple[str, ...] = ()


def validate_arguments(
    args: Iterable[ArgDef], given: Mapping[str, Any], checks: Iterable[Check] = ()
) -> Values:
    """Return the given values in the types of their arguments.

    Null is the same as absent. An unknown name close to a missing argument is refused; any other
    unknown name is ignored and reported. Raises `InvalidArguments` with every problem at once, and
    the ignored names.
    """
    known = {arg.name: arg for arg in args}
    values = Values()
    problems = _mistaken(known, given)
    near = {name for name, _ in problems}
    rules = (not_allowed, *checks)
    for name, arg in known.items():
        raw = given.get(name)
        if raw is None or (arg.type == "array" and raw == []):
            if arg.mandatory:
                problems.append((name, f"Missing required argument {name!r}"))
            continue
        try:
            value = values[name] = coerce_argument(raw, arg)
        except ValueError as error:
            problems.append((name, f"Argument {name!r}: {error}"))
            continue
        found = [text for each in each_of(value) for rule in rules if (text := rule(arg, each))]
        problems += [(name, text) for text in dict.fromkeys(found)]
    values.ignored = tuple(
        name for name in given if name not in known and name not in near and given[name] is not None
    )
    if problems:
        texts, fields = [text for _, text in problems], [name for name, _ in problems]
        raise InvalidArguments(texts, fields, values.ignored)
    return values


def _mistaken(known: Mapping[str, ArgDef], given: Mapping[str, Any]) -> list[Problem]:
    """Unknown names that are misspellings of missing arguments."""
    absent = [name for name in known if given.get(name) is None]
    problems: list[Problem] = []
    for name, value in given.items():
        if name in known or value is None:
            continue
        meant = [each for each in absent if is_near(name, each)]
        if meant:
            hint = " or ".join(map(repr, meant[:3]))
            problems.append((name, f"Unknown argument {presented(name)}; did you mean {hint}?"))
    return problems


def is_near(name: str, other: str) -> bool:
    """Whether two names differ in case, `-` and `_` alone or, from four letters on, in at most a
    quarter of their letters."""
    one, two = _letters(name), _letters(other)
    if one == two:
        return True
    longer = max(len(one), len(two))
    if len(one) < _FEWEST_LETTERS or 4 * abs(len(one) - len(two)) > longer:
        return False
    return longer <= _LONGEST_NAME and 4 * corrections(one, two) <= longer


def _letters(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")


def coerce_argument(value: Any, arg: ArgDef) -> Value:
    """Return `value` in the type of an argument, or raise `ValueError` with what is wrong.

    A single value stands for an array of one.
    """
    if arg.type != "array":
        return _coerced(value, arg.type)
    items = value if isinstance(value, list | tuple) else [value]
    if len(items) > MOST_ITEMS:
        raise ValueError(f"{len(items)} values are more than the {MOST_ITEMS} that are allowed")
    return tuple(_coerced(item, arg.items) for item in items)


def _coerced(value: Any, kind: str) -> Scalar:
    try:
        return coerce(value, kind)
    except ValueError:
        raise ValueError(f"cannot convert {presented(value)} to {kind}") from None


def coerce(value: Any, kind: str) -> Scalar:
    """Return one `value` as a string, integer, number or boolean, or raise `ValueError` if that
    loses something or has to guess."""
    return _COERCIONS[kind](value)


def presented(value: Any) -> str:
    """A value as shown in a message: text in quotes, the rest as JSON, shortened."""
    try:
        shown = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "…"


def text_of(value: Scalar) -> str:
    """A value as a word of a command line."""
    return value if isinstance(value, str) else json.dumps(value)


def not_allowed(arg: ArgDef, value: Scalar) -> str | None:
    """Why a value is none of those that the argument takes; None if it is."""
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
    if isinstance(value, str) and re.fullmatch(_INTEGER, text := value.strip()):
        return int(text)
    raise ValueError


def _to_number(value: Any) -> int | float:
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str):
        return _number_in(value.strip())
    return _to_integer(value)


def _number_in(text: str) -> int | float:
    if re.fullmatch(_INTEGER, text):
        return int(text)
    if len(text) > _LONGEST_NUMBER or not re.fullmatch(_NUMBER, text):
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
