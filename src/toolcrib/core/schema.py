"""JSON Schema: checks of tool definitions and of arguments.

The validator is a compiled library; it is imported at the first call, not at start-up. Schemas may
be untrusted, so nothing is fetched for a `$ref`, and patterns run in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolcrib.core.errors import InvalidArguments, InvalidToolSchema, Place
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.tool import JSON, Tool

# Generous on purpose: `directive/spec.template` has a slash. `--names safe` maps what is left.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./:-]{0,127}")
_ARTICLES = {"object": "an object", "array": "an array", "integer": "an integer"}
_SHOWN = 200


def check_definition(tool: Tool) -> None:
    """Raise `InvalidToolSchema` unless name and schemas can be served to every client."""
    if not _NAME.fullmatch(tool.name):
        raise InvalidToolSchema(
            f"Tool name {tool.name!r} is not 1 to 128 of A-Z a-z 0-9 _ . / : -",
            where=Place(tool.origin),
        )
    for which in ("input_schema", "output_schema"):
        schema = getattr(tool, which)
        if schema is not None or which == "input_schema":
            _check_schema(tool, which, schema)


class ArgumentSchema:
    """A tool's input schema, compiled once."""

    def __init__(self, schema: JSON) -> None:
        self._schema = schema
        self._validator = _compile(schema)

    def check(self, arguments: JSON) -> None:
        """Raise `InvalidArguments` with every problem at once."""
        if self._validator.is_valid(arguments):
            return
        problems: list[str] = []
        fields: list[str] = []
        for error in self._validator.iter_errors(arguments):
            for field, text in _told(error, self._schema):
                fields.append(field)
                problems.append(text)
        raise InvalidArguments(problems, fields)


def check_arguments(schema: JSON, arguments: JSON) -> None:
    """Check once against a schema that is not worth keeping compiled."""
    ArgumentSchema(schema).check(arguments)


def _check_schema(tool: Tool, which: str, schema: Any) -> None:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise InvalidToolSchema(
            f"Tool {tool.name!r}: {which} must be a JSON Schema with type 'object' at its root",
            where=Place(tool.origin),
        )
    try:
        _compile(schema)
    except (ValueError, TypeError) as error:
        reason = str(getattr(error, "message", error)).splitlines()[0]
        raise InvalidToolSchema(
            f"Tool {tool.name!r}: {which} is not valid JSON Schema 2020-12: {reason[:_SHOWN]}",
            where=Place(tool.origin),
        ) from error


def _compile(schema: JSON) -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(
        schema, retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions()
    )


def _refuse(uri: str) -> Any:
    raise ValueError(f"$ref to {uri} is outside of the schema")


def _told(error: Any, schema: JSON) -> list[tuple[str, str]]:
    """One problem as text: the field, what was expected, the nearest name."""
    field = _path(error.instance_path)
    kind = error.kind
    name = kind.name
    if name == "required":
        missing = _path([*error.instance_path, kind.property])
        expected = _expectation(_property(schema, [*error.instance_path, kind.property]))
        return [(missing, f"Missing required argument {missing!r}{expected}")]
    if name == "additionalProperties":
        known = list(_property(schema, error.instance_path).get("properties", {}))
        return [
            (
                _path([*error.instance_path, key]),
                _unknown(_path([*error.instance_path, key]), known),
            )
            for key in sorted(kind.unexpected)
        ]
    if name == "type":
        expected = _expectation(_property(schema, error.instance_path)) or f": {error.message}"
        got = _kind_of(error.instance)
        return [
            (field, f"Argument {field!r}{expected.replace(': expected', ' must be', 1)}, got {got}")
        ]
    if name == "enum":
        options = [str(option) for option in kind.options]
        hint = did_you_mean(str(error.instance), options)
        return [(field, f"Argument {field!r} must be one of: {', '.join(options)}{hint}")]
    if name in ("maxLength", "minLength"):
        bound = "at most" if name == "maxLength" else "at least"
        length = len(error.instance)
        return [
            (field, f"Argument {field!r} must be {bound} {kind.limit} characters, got {length}")
        ]
    shown = error.message if len(error.message) <= _SHOWN else error.message[:_SHOWN] + "…"
    return [(field, f"Argument {field!r}: {shown}" if field else shown)]


def _unknown(field: str, known: list[str]) -> str:
    if not known:
        return f"Unknown argument {field!r}; this tool takes no arguments"
    hint = did_you_mean(field, known)
    return f"Unknown argument {field!r}{hint or '; expected one of: ' + ', '.join(known)}"


def _expectation(schema: Mapping[str, Any]) -> str:
    expected = schema.get("type")
    if isinstance(expected, list):
        return ": expected " + " or ".join(_article(each) for each in expected)
    return f": expected {_article(expected)}" if isinstance(expected, str) else ""


def _article(kind: str) -> str:
    return _ARTICLES.get(kind, f"a {kind}" if kind != "null" else "null")


def _kind_of(value: Any) -> str:
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}
    if value is None:
        return "null"
    return names.get(type(value), "an array" if isinstance(value, list) else "an object")


def _property(schema: Mapping[str, Any], path: list[str | int]) -> Mapping[str, Any]:
    """The part of the schema that describes `path`, found by plain nesting."""
    for step in path:
        inner = (
            schema.get("items") if isinstance(step, int) else schema.get("properties", {}).get(step)
        )
        if not isinstance(inner, Mapping):
            return {}
        schema = inner
    return schema


def _path(steps: list[str | int]) -> str:
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text
