"""What the schema of an argument allows, in a few words: its type, its items, its values.

The schema may be a stranger's: it may have anything in its places, and definitions that name
each other any number of times. Nothing is looked at twice, and nothing below `_DEEPEST` levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

_DEEPEST = 8
_JSON_TYPES = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
}


def shown_type(schema: Any, root: Schema) -> str:
    """The type of an argument in a word or two, from any form of schema.

    Null is not mentioned: such an argument is optional. `root` resolves references.
    """
    plain = schema.get("type") if isinstance(schema, Mapping) else None
    if isinstance(plain, str) and plain:  # as nearly all are
        return plain
    kinds = dict.fromkeys(_types(schema, root, _DEEPEST, set()))
    named = [kind for kind in kinds if kind != "null"]
    return " or ".join(named) or ("null" if kinds else "any")


def shown_items(schema: Any, root: Schema) -> Schema | None:
    """The schema of each value, if the argument takes several."""
    for part in _parts(schema, root, _DEEPEST, set()):
        if isinstance(items := part.get("items"), Mapping):
            return items
    return None


def shown_values(schema: Any, root: Schema) -> list[Any] | None:
    """All values that an argument may have, null apart; None if there is no end of them."""
    return _Values(root).of(schema, _DEEPEST)


def _types(schema: Any, root: Schema, depth: int, seen: set[int]) -> Iterator[str]:
    """The types that a schema allows."""
    if not isinstance(schema, Mapping) or not depth or id(schema) in seen:
        return
    seen.add(id(schema))
    kinds = schema.get("type")
    if kinds:
        yield from (each for each in [kinds, *_listed(kinds)] if isinstance(each, str))
        return
    told = [schema[key] for key in ("const", "default") if schema.get(key) is not None]
    for way in _ways(schema, root):
        yield from _types(way, root, depth - 1, seen)
    for value in _listed(schema.get("enum")) or told:
        yield _JSON_TYPES.get(type(value), "null")


def _parts(schema: Any, root: Schema, depth: int, seen: set[int]) -> Iterator[Schema]:
    """A schema and every one that it is made of."""
    if not isinstance(schema, Mapping) or not depth or id(schema) in seen:
        return
    seen.add(id(schema))
    yield schema
    for way in _ways(schema, root):
        yield from _parts(way, root, depth - 1, seen)


class _Values:
    """Reads the values that schemas allow, each schema once."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._known: dict[int, list[Any] | None] = {}

    def of(self, schema: Any, depth: int) -> list[Any] | None:
        """The values that a schema allows; None if there is no end of them."""
        if not isinstance(schema, Mapping) or not depth:
            return None
        if id(schema) not in self._known:
            self._known[id(schema)] = None  # what names itself has no end
            self._known[id(schema)] = self._read(schema, depth)
        return self._known[id(schema)]

    def _read(self, schema: Schema, depth: int) -> list[Any] | None:
        if isinstance(own := schema.get("enum"), list):
            return own
        if "const" in schema:
            return [] if schema["const"] is None else [schema["const"]]
        if schema.get("type") == "null":
            return []
        for needed in [*_listed(schema.get("allOf")), _target(schema, self._root)]:
            if (values := self.of(needed, depth - 1)) is not None:
                return values
        for key in ("anyOf", "oneOf"):
            if ways := _listed(schema.get(key)):
                return _united(self.of(way, depth - 1) for way in ways)
        return None


def _united(each: Iterable[list[Any] | None]) -> list[Any] | None:
    """The values of several ways; a single one without an end has them all."""
    found: dict[str, Any] = {}
    for values in each:
        if values is None:
            return None
        found |= {repr(value): value for value in values if value is not None}
    return list(found.values())


def _ways(schema: Schema, root: Schema) -> Iterator[Any]:
    """The schemas that one is made of."""
    for key in ("anyOf", "oneOf", "allOf"):
        yield from _listed(schema.get(key))
    yield _target(schema, root)


def _target(schema: Schema, root: Schema) -> Any:
    """What a schema's reference points to, within the same `root`."""
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        if not isinstance(found, Mapping):
            return None
        found = found.get(step.replace("~1", "/").replace("~0", "~"))
    return found


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
