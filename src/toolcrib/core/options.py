"""Options: the fields of a settings dataclass, their limits, and the JSON Schema of a section.

Each section of `toolcrib.toml` is a dataclass whose fields are made with `option()`. `build()`
turns a table into such a dataclass, or reports exactly what is wrong.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal, TypeVar

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.suggest import did_you_mean

S = TypeVar("S")
Locate = Callable[[str], Place | None]
"""Where a key of the section stands in its file; None for one that came from elsewhere."""

_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class FromEnvironment(str):
    """A value from an environment variable: untyped text, unlike values from a file."""

    __slots__ = ()


def option(default: Any, doc: str, *, least: float | None = None, most: float | None = None) -> Any:
    """A field of a settings dataclass: the sentence that documentation shows, and its limits."""
    return field(default=default, metadata={"doc": doc, "least": least, "most": most})


def build(
    kind: type[S], section: str, table: Mapping[str, Any], locate: Locate = lambda key: None
) -> S:
    """Build a settings dataclass from a table; raises `ConfigError` for invalid values."""
    if not table:
        return kind()
    hints = _hints(kind)
    known = {each.name: each for each in dataclasses.fields(kind)}  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for key, value in table.items():
        try:
            if key not in known:
                raise ConfigError(
                    f"Unknown key {key!r} in [{section}]{did_you_mean(key, known)}",
                    why=f"[{section}] has: {', '.join(known)}",
                )
            name = f"[{section}] {key}"
            given[key] = _converted(value, hints[key], name)
            _check_limits(given[key], known[key].metadata, name)
        except ConfigError as error:
            if isinstance(value, FromEnvironment):
                error.why = error.why or f"set by TOOLCRIB_{section.upper()}_{key.upper()}"
            else:
                error.where = locate(key)
            raise
    return kind(**given)


_known_hints: dict[Any, dict[str, Any]] = {}


def _hints(kind: type[Any]) -> dict[str, Any]:
    """The types of its fields, cached because they are needed often and slow to determine."""
    if kind not in _known_hints:
        _known_hints[kind] = typing.get_type_hints(kind)
    return _known_hints[kind]


def section_schema(kind: type[Any]) -> dict[str, Any]:
    """The JSON Schema of one section, for editors."""
    hints = _hints(kind)
    properties = {}
    for each in dataclasses.fields(kind):
        schema = _type_schema(hints[each.name])
        schema["description"] = each.metadata.get("doc", "")
        if each.default is not dataclasses.MISSING and each.default is not None:
            default = each.default
            schema["default"] = list(default) if isinstance(default, tuple) else default
        for keyword, limit in (("minimum", "least"), ("maximum", "most")):
            if each.metadata.get(limit) is not None:
                schema[keyword] = each.metadata[limit]
        properties[each.name] = schema
    return {
        "type": "object",
        "description": (kind.__doc__ or "").splitlines()[0],
        "additionalProperties": False,
        "properties": properties,
    }


def _converted(value: Any, hint: Any, name: str) -> Any:
    """`value` converted to the type of the field; strings may come from the environment."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        wanted = [each for each in inner if each is not type(None)]
        return _converted(value, wanted[0], name)
    if origin is Literal:
        if value in inner:
            return value
        hint_text = did_you_mean(str(value), [str(each) for each in inner])
        choices = ", ".join(str(each) for each in inner)
        raise ConfigError(f"{name} must be one of: {choices}{hint_text}")
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise ConfigError(f"{name} must be a table, got {value!r}")
        return value
    if origin is tuple:
        items = value
        if isinstance(value, FromEnvironment):
            items = [FromEnvironment(item.strip()) for item in value.split(",") if item.strip()]
        if not isinstance(items, (list, tuple)):
            raise ConfigError(f"{name} must be a list, got {value!r}")
        return tuple(_converted(item, inner[0], name) for item in items)
    return _scalar(value, hint, name)


def _scalar(value: Any, hint: Any, name: str) -> Any:
    if isinstance(value, FromEnvironment) and hint is not str:
        value = _meant(value, hint)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, hint) and (hint is bool or not isinstance(value, bool)):
        return value
    kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}
    raise ConfigError(f"{name} must be {kind.get(hint, hint)}, got {value!r}")


def _meant(text: str, hint: Any) -> Any:
    """The parsed value of a variable for a field that is not text, or the text itself."""
    if hint is bool:
        return _BOOLEANS.get(text.lower(), text)
    try:
        return hint(text)
    except ValueError:
        return text


def _check_limits(value: Any, metadata: Mapping[str, Any], name: str) -> None:
    least, most = metadata.get("least"), metadata.get("most")
    # Asked so that NaN, which is neither above nor below, does not pass.
    if (least is not None and not value >= least) or (most is not None and not value <= most):
        limits = [f"at least {least}"] * (least is not None)
        limits += [f"at most {most}"] * (most is not None)
        raise ConfigError(f"{name} must be {' and '.join(limits)}, got {value}")


def _type_schema(hint: Any) -> dict[str, Any]:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _type_schema(next(each for each in inner if each is not type(None)))
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is Mapping:
        return {"type": "object"}
    if origin is tuple:
        return {"type": "array", "items": _type_schema(inner[0])}
    names = {str: "string", int: "integer", float: "number", bool: "boolean"}
    return {"type": names[hint]}
