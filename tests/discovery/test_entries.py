"""Entries of tools that are not command lines, from schemas of anybody."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcrib.discovery.entries import shown_args


@pytest.mark.parametrize("defs", [{}, {"$defs": []}, {"$defs": {"x": 3}}, {"$defs": None}])
@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ({"type": 5}, "any"),
        ({"type": ["string", 5]}, "string"),
        ({"type": [["x"]]}, "any"),
        ({"type": {"a": 1}}, "any"),
        ({"anyOf": 5}, "any"),
        ({"enum": 5}, "any"),
        ({"enum": [1, "a"]}, "integer or string"),
        ({"$ref": "#/$defs/x"}, "any"),
        ({"allOf": [None, 3, {"type": ["integer", "null"]}]}, "integer"),
        ({"type": "null"}, "null"),
        (True, "any"),
    ],
)
def test_a_schema_with_anything_in_its_places_is_shown(
    about: Any, expected: str, defs: dict[str, Any]
) -> None:
    """X-8: one tool with a broken schema must not take a search's whole answer with it."""
    shown = shown_args({"type": "object", "properties": {"a": about}, "required": [[1]], **defs})
    assert shown[0]["type"] == expected
    json.dumps(shown)


def test_definitions_that_name_each_other_many_times_are_shown_at_once() -> None:
    """X-8: fifty ways at each of eight levels would be more than there is time for."""
    names = [f"d{number}" for number in range(50)]
    ways = [{"$ref": f"#/$defs/{name}"} for name in names]
    defs: dict[str, Any] = {name: {"anyOf": [dict(way) for way in ways]} for name in names}
    defs["d49"] = {"type": "string"}
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs}
    assert shown_args(schema)[0]["type"] == "string"
