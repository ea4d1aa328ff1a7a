"""Untrusted schemas: checked as far as possible, the rest is left to the server."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.tool import JSON

LARGEST_TOOL: Final = 256 * 1024
DEEPEST: Final = 64
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_MOST_REACHED: Final = 20_000
"""Parts of a schema, each counted as often as references lead to it: a check may look at all."""
_MOST_STEPS: Final = 20_000
"""Steps of a check, each a part of a schema at a part of the arguments."""
_LONGEST_NUMBER: Final = 10
"""Digits of a place in a list that a reference may name."""
_VALUES: Final = frozenset(("$defs", "definitions", "enum", "const", "default", "examples"))
"""Members of a schema that nothing is checked by where they stand."""
_DESCENDING: Final = frozenset((
    "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains",
    "additionalProperties", "patternProperties", "unevaluatedProperties",
))  # fmt: skip
"""Members of a schema that are checked at the parts of a value."""
_OBJECT: Final[JSON] = {"type": "object"}
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,),
    "array": (list,), "object": (dict,), "null": (type(None),),
}  # fmt: skip
_SAYING: Final = frozenset(("title", "description", "default", "examples"))
"""Members of a schema that forbid nothing."""
_PLAIN: Final = _SAYING | {"$schema", "type", "properties", "required", "additionalProperties"}


def input_schema(given: Any) -> JSON:
    """The schema of a tool's arguments as it is passed on: always that of an object."""
    if not isinstance(given, dict) or not given:
        return dict(_OBJECT)
    # Clients refuse a whole list for one tool whose schema is that of something else.
    return given if given.get("type") == "object" else {**given, **_OBJECT}


class Checker:
    """Checks arguments against a stranger's schema, as far as that can be understood.

    Most tools have a few arguments of plain types, and most calls fit them: that is seen here. What
    knows all of JSON Schema is 8 MB, and made when a call needs it.
    """

    def __init__(self, schema: JSON) -> None:
        self._schema = schema
        self._plain = PlainSchema.of(schema)
        self._made: tuple[Any] | None = None
        self._refers: bool | None = None

    @property
    def understood(self) -> bool:
        """Whether the schema can be checked at all."""
        return self._validator() is not None

    def check(self, arguments: JSON) -> None:
        """Raise `InvalidArguments` with every problem."""
        if self._plain is not None and self._plain.fits(arguments):
            return
        validator = self._validator()
        if validator is None or self._endless(arguments) or validator.is_valid(arguments):
            return
        problems = []
        for error in validator.iter_errors(arguments):
            path = ".".join(map(str, error.instance_path))
            problems.append(f"Argument {path!r}: {error.message}" if path else error.message)
        raise InvalidArguments(problems[:20] or ["the arguments do not fit the schema"])

    def _endless(self, arguments: JSON) -> bool:
        """Whether a check would not end in time; only references can make it so."""
        if self._refers is None:
            self._refers = _refers(self._schema)
        return self._refers and _endless(self._schema, arguments)

    def _validator(self) -> Any:
        if self._made is None:
            self._made = (_validator(self._schema),)
        return self._made[0]


class PlainSchema(NamedTuple):
    """What a schema says that is plain: which arguments there must be, and of which types."""

    types: Mapping[str, tuple[type, ...]]
    """The types of those arguments of which the schema says no more."""
    required: frozenset[str]
    further: Collection[str]
    """Arguments of which it says more."""
    open_ended: bool

    @classmethod
    def of(cls, schema: JSON) -> PlainSchema | None:
        """What a schema says; None for one that says more of all arguments together."""
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if not _PLAIN.issuperset(schema) or schema.get("type") != "object":
            return None
        if not isinstance(properties, dict) or not isinstance(required, list):
            return None
        if not all(isinstance(name, str) for name in required):
            return None
        types = {
            name: _TYPES[each["type"]]
            for name, each in properties.items()
            if isinstance(each, dict)
            and isinstance(each.get("type"), str)
            and each["type"] in _TYPES
            and each.keys() - _SAYING == {"type"}
        }
        open_ended = schema.get("additionalProperties", True) is True
        return cls(types, frozenset(required), properties.keys() - types.keys(), open_ended)

    def fits(self, arguments: JSON) -> bool:
        """Whether arguments certainly fit; of others, a validator says what is wrong, if it is."""
        if not arguments.keys() >= self.required:
            return False
        for name, value in arguments.items():
            allowed = self.types.get(name)
            if allowed is None:
                if name in self.further or not self.open_ended:
                    return False
            elif type(value) not in allowed:  # true is no integer
                return False
        return True


def valid_output(schema: Any) -> JSON | None:
    """An output schema that can be passed on; None for one that is none."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return None
    return schema if _certainly_valid(schema, 0) or _validator(schema) is not None else None


def _certainly_valid(schema: Any, depth: int) -> bool:
    """Whether something is a schema of a few plain members, which every draft understands."""
    if not isinstance(schema, dict) or depth > DEEPEST:
        return False
    properties, required = schema.get("properties", {}), schema.get("required", [])
    words = [schema.get(name, "") for name in ("title", "description")]
    return (
        (_PLAIN | {"items"}).issuperset(schema)
        and (depth == 0 or "$schema" not in schema)
        and isinstance(schema.get("type"), str)
        and schema["type"] in _TYPES
        and all(isinstance(word, str) for word in words)
        and isinstance(schema.get("examples", []), list)
        and isinstance(schema.get("additionalProperties", True), bool)
        and isinstance(required, list)
        and all(isinstance(name, str) for name in required)
        and len(set(required)) == len(required)
        and isinstance(properties, dict)
        and all(_certainly_valid(each, depth + 1) for each in properties.values())
        and ("items" not in schema or _certainly_valid(schema["items"], depth + 1))
    )


def _validator(schema: JSON) -> Any:
    """A validator of the draft that the schema fits; None where none does."""
    import jsonschema_rs

    if _refers_elsewhere(schema, 0) or _reach(schema) > _MOST_REACHED:
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
        if not all(target.startswith("#") for target in _targets(value)):
            return True
        return any(_refers_elsewhere(each, depth + 1) for each in value.values())
    return isinstance(value, list) and any(_refers_elsewhere(each, depth + 1) for each in value)


def _reach(schema: JSON) -> int:
    """How many parts a schema has, those behind references counted once for each way to them.

    Thirty definitions that each name the next one twice are a thousand million ways. A reference
    that leads back to where it stands counts once: a check follows it no further than a value goes.
    """
    known: dict[int, int] = {}
    anchors: dict[str, Any] = {}
    _note_anchors(schema, anchors)

    def reached(value: Any) -> int:
        if not isinstance(value, dict | list):
            return 0
        found = known.get(id(value))
        if found is None:
            known[id(value)] = 1
            found = 1 + sum(map(reached, value.values() if isinstance(value, dict) else value))
            for target in _targets(value):
                found += reached(anchors.get(target) or _target(schema, target))
            known[id(value)] = found
        return found

    try:
        return reached(schema)
    except RecursionError:  # a chain of references that is longer than any that makes sense
        return _MOST_REACHED + 1


def _endless(schema: JSON, arguments: JSON) -> bool:
    """Whether a check would take more steps than any that makes sense; then the server checks.

    A schema that leads back to itself in two branches doubles the steps with each level of a value.
    """
    anchors: dict[str, Any] = {}
    _note_anchors(schema, anchors)
    left = _MOST_STEPS

    def walk(part: Any, value: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise RecursionError
        if isinstance(part, list):
            for each in part:
                walk(each, value)
        if not isinstance(part, dict):
            return
        for target in _targets(part):
            walk(anchors.get(target) or _target(schema, target), value)
        for key, inner in part.items():
            if key in _VALUES or not isinstance(inner, dict | list):
                continue
            if key == "properties" and isinstance(inner, dict):
                for name in inner.keys() & (value.keys() if isinstance(value, dict) else ()):
                    walk(inner[name], value[name])
            elif key in _DESCENDING:
                for each in _children(value):
                    walk(inner, each)
            else:
                walk(inner, value)

    try:
        walk(schema, arguments)
    except RecursionError:
        return True
    return False


def _children(value: Any) -> Collection[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _refers(value: Any) -> bool:
    """Whether a schema has references."""
    return bool(_targets(value)) or any(
        _refers(each) for each in _children(value) if isinstance(each, dict | list)
    )


def _targets(value: Any) -> list[str]:
    """What a part of a schema refers to."""
    named = [value.get(key) for key in _REFERENCES] if isinstance(value, dict) else []
    return [each for each in named if isinstance(each, str)]


def _note_anchors(value: Any, anchors: dict[str, Any]) -> None:
    """Note the parts of a schema that references mean by a name."""
    if isinstance(value, dict):
        for key in ("$anchor", "$dynamicAnchor", "$id", "id"):
            name = value.get(key)
            if isinstance(name, str):
                anchors.setdefault(f"#{name.removeprefix('#')}", value)
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            _note_anchors(each, anchors)


def _target(schema: JSON, reference: str) -> Any:
    """What a path inside of a schema leads to; None for nothing."""
    found: Any = schema
    for part in reference.removeprefix("#").split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            usable = key.isdecimal() and len(key) < _LONGEST_NUMBER and int(key) < len(found)
            found = found[int(key)] if usable else None
        else:
            found = found.get(key) if isinstance(found, dict) else None
    return found
