"""What a search tells of an argument, through every form that a schema may have."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

import pytest

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.functions import to_tool
from toolcrib.discovery.entries import native_entry, shown_args


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Paint(ToolArguments):
    """Arguments as people declare them."""

    size: Literal["small", "large"] | None = None
    colour: Colour | None = None
    coats: list[Literal["matt", "gloss"]] | None = None
    parts: list[int] | None = None
    drying: Literal["soon"] | int = 3


def paint(args: Paint) -> str:
    """Paint something."""
    return str(args)


def told(name: str) -> dict[str, Any]:
    args = native_entry(to_tool(paint), "shop").args
    return dict(next(arg for arg in args if arg["name"] == name))


def test_an_optional_argument_keeps_its_values_and_its_type() -> None:
    """C-4: args with name, type, enum; in the schema they stand below `anyOf` and `$ref`."""
    assert (told("size")["type"], told("size")["enum"]) == ("string", ["small", "large"])
    assert (told("colour")["type"], told("colour")["enum"]) == ("string", ["red", "blue"])


def test_of_several_values_it_is_told_what_each_may_be() -> None:
    """C-4, C-12: as of a command-line tool: `items` is a type, `enum` counts for each."""
    coats = told("coats")
    assert (coats["type"], coats["items"], coats["enum"]) == ("array", "string", ["matt", "gloss"])
    assert told("parts")["items"] == "integer"
    assert "enum" not in told("parts")


def test_values_are_not_told_where_any_other_would_do() -> None:
    """C-4: `soon` or a number is no choice of one."""
    assert "enum" not in told("drying")
    assert told("drying")["type"] == "string or integer"


@pytest.mark.parametrize(
    ("about", "values"),
    [
        ({"oneOf": [{"const": "a"}, {"enum": ["b", "a"]}, {"const": None}]}, ["a", "b"]),
        ({"allOf": [{"type": "string"}, {"$ref": "#/definitions/a~1b"}]}, ["x"]),
        ({"$ref": "#/properties/other"}, [1, True]),
        ({"anyOf": [{"$ref": "#/definitions/itself"}, {"const": 1}]}, None),
        ({"$ref": "#/definitions/nowhere/at/all"}, None),
        ({"$ref": "https://example.org/x"}, None),
        ({"enum": 5, "anyOf": 5, "allOf": [3]}, None),
    ],
)
def test_values_are_found_through_every_way(about: Any, values: list[Any] | None) -> None:
    """C-4: `anyOf`, `oneOf`, `allOf`, and references to any place of the same schema."""
    schema = {
        "type": "object",
        "properties": {"a": about, "other": {"enum": [1, True]}},
        "definitions": {
            "a/b": {"enum": ["x"]},
            "itself": {"anyOf": [{"$ref": "#/definitions/itself"}, {"const": 2}]},
        },
    }
    assert shown_args(schema)[0].get("enum") == values


def test_values_that_stand_in_many_definitions_are_gathered_at_once() -> None:
    """X-8: fifty ways at each of seven levels would be more than there is time for."""
    defs: dict[str, Any] = {"d7": {"enum": ["a", "b"]}}
    for level in range(7):
        defs[f"d{level}"] = {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"} for _ in range(50)]}
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/d4"}}, "$defs": defs}
    assert shown_args(schema)[0]["enum"] == ["a", "b"]
    schema["properties"] = {"a": {"$ref": "#/$defs/d0"}}
    assert "enum" not in shown_args(schema)[0]
