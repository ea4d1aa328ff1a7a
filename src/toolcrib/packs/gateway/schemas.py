"""Schemas of strangers: what can be checked is checked, the rest is left to the server."""

from __future__ import annotations

from typing import Any, Final

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.tool import JSON

LARGEST_TOOL: Final = 256 * 1024
DEEPEST: Final = 64
_OBJECT: Final[JSON] = {"type": "object"}


def input_schema(given: Any) -> JSON:
    """The schema of a tool's arguments as it is passed on: always that of an object."""
    if not isinstance(given, dict) or not given:
        return dict(_OBJECT)
    # Clients refuse a whole list for one tool whose schema is that of something else.
    return given if given.get("type") == "object" else {**given, **_OBJECT}


class Checker:
    """Checks arguments against a stranger's schema, as far as that can be understood."""

    def __init__(self, schema: JSON) -> None:
        self._validator = _validator(schema)
        self.understood = self._validator is not None

    def check(self, arguments: JSON) -> None:
        """Raise `InvalidArguments` with every problem."""
        if self._validator is None or self._validator.is_valid(arguments):
            return
        problems = []
        for error in self._validator.iter_errors(arguments):
            path = ".".join(map(str, error.instance_path))
            problems.append(f"Argument {path!r}: {error.message}" if path else error.message)
        raise InvalidArguments(problems[:20] or ["the arguments do not fit the schema"])


def valid_output(schema: Any) -> JSON | None:
    """An output schema that can be passed on; None for one that is none."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return None
    return schema if _validator(schema) is not None else None


def _validator(schema: JSON) -> Any:
    """A validator of the draft that the schema fits; None where none does."""
    import jsonschema_rs

    if _refers_elsewhere(schema, 0):
        return None
    drafts = (
        jsonschema_rs.Draft202012Validator,
        jsonschema_rs.Draft7Validator,
        jsonschema_rs.Draft6Validator,
        jsonschema_rs.Draft4Validator,
    )
    for draft in drafts:
        try:
            return draft(
                _without_dialect(schema),
                retriever=_refuse,
                pattern_options=jsonschema_rs.RegexOptions(),
            )
        except (ValueError, TypeError, jsonschema_rs.ReferencingError):
            continue
    return None


def _refuse(uri: str) -> Any:
    """Nothing is ever fetched, neither for a reference nor for a dialect."""
    raise ValueError(f"{uri} is outside of the schema")


def _without_dialect(schema: JSON) -> JSON:
    return {key: value for key, value in schema.items() if key != "$schema"}


def _refers_elsewhere(value: Any, depth: int) -> bool:
    """Whether a schema refers to another document: nothing is ever fetched."""
    if depth > DEEPEST:
        return True
    if isinstance(value, dict):
        for key in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = value.get(key)
            if isinstance(target, str) and not target.startswith("#"):
                return True
        return any(_refers_elsewhere(each, depth + 1) for each in value.values())
    return isinstance(value, list) and any(_refers_elsewhere(each, depth + 1) for each in value)
