"""Schemas of strangers: shapes seen in the wild are all served."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from toolcrib.core.errors import InvalidArguments
from toolcrib.packs.gateway.schemas import (
    Checker,
    PlainSchema,
    _certainly_valid,
    _validator,
    input_schema,
    valid_output,
)

WILD: list[Any] = [
    None, {}, {"properties": {"a": {"type": "string"}}}, {"type": "object", "properties": {}},
    {"type": "object", "definitions": {"x": {"type": "string"}},
     "properties": {"a": {"$ref": "#/definitions/x"}}},
    {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"},
    {"type": "object", "properties": {"n": {"type": "number", "exclusiveMinimum": True,
                                            "minimum": 0}}},
    {"type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}]}}},
    {"type": "object", "properties": {"a": {"$ref": "https://example.com/x.json"}}},
    {"type": "object", "properties": {"a": {"type": "nonsense"}}},
    {"type": "object", "required": "a"},
]  # fmt: skip


@pytest.mark.parametrize("schema", WILD)
def test_every_shape_is_passed_on_as_an_object_and_lets_good_arguments_through(
    schema: Any,
) -> None:
    """X-8: tried as 2020-12, then older drafts; what fits none is left to the server."""
    passed = input_schema(schema)
    assert passed["type"] == "object"
    Checker(passed).check({"a": "x"} if "n" not in str(schema) else {"n": 1})


def test_what_is_understood_is_checked() -> None:
    """X-8: arguments are checked before the server is started; extra keys are left alone."""
    checker = Checker({"type": "object", "properties": {"a": {"type": "integer"}}})
    checker.check({"a": 1, "more": True})
    with pytest.raises(InvalidArguments, match="'a'"):
        checker.check({"a": "x"})
    old = Checker(WILD[6])
    assert old.understood
    with pytest.raises(InvalidArguments):
        old.check({"n": 0})


def test_references_to_other_documents_are_never_followed() -> None:
    """X-8: nothing is ever fetched for a $ref."""
    assert not Checker(WILD[8]).understood and not Checker(WILD[9]).understood


def test_an_invalid_output_schema_is_dropped() -> None:
    """X-8: an invalid outputSchema is dropped."""
    assert valid_output({"type": "object"}) == {"type": "object"}
    assert valid_output({"type": "array"}) is None and valid_output("x") is None


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"x": {"$id": "URLsub", "$schema": "URLmeta", "type": "integer"}}},
        {"$schema": "URLmeta", "properties": {"x": {"type": "integer"}}},
        {"$id": "URLbase", "properties": {"x": {"$ref": "#/$defs/none"}}},
        {"properties": {"x": {"$ref": "URLother"}}},
        {"properties": {"x": {"$id": "URLsub", "$dynamicRef": "#a"}}},
    ],
)
def test_nothing_is_ever_fetched(schema: dict[str, Any]) -> None:
    """X-8: nothing is fetched, neither for a $ref nor for a dialect that nobody knows."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        listener.setblocking(False)
        Checker(input_schema(json.loads(json.dumps(schema).replace("URL", url))))
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.parametrize("kind", [["object", "null"], "array", "objekt", 7, None])
def test_the_root_is_always_that_of_an_object(kind: Any) -> None:
    """X-8: whatever a stranger says; a client would refuse the whole list for it."""
    assert input_schema({"type": kind, "title": "t"}) == {"type": "object", "title": "t"}


def test_a_pattern_that_explodes_is_checked_in_linear_time() -> None:
    """FAULTS: a pattern with catastrophic backtracking: linear time, or left to the server."""
    checker = Checker(input_schema({"properties": {"x": {"pattern": "^(a+)+$"}}}))
    with pytest.raises(InvalidArguments):
        checker.check({"x": "a" * 50_000 + "!"})
    assert not Checker(input_schema({"properties": {"x": {"pattern": "^(a|a)*\\1$"}}})).understood


VALUES: list[Any] = ["x", "", 1, 1.0, 0.5, True, None, [], ["x"], {}, {"a": 1}]
PROPERTIES: list[Any] = [
    *({"type": kind} for kind in ("string", "integer", "number", "boolean", "array", "object")),
    {"type": "null", "description": "d", "default": 1}, {"type": ["string", "null"]}, {}, True,
    {"type": "string", "minLength": 2}, {"type": "string", "enum": ["y"]}, {"const": 1}, "odd",
    {"$ref": "#/properties/b"}, {"type": "integer", "title": 3}, {"type": "nonsense"},
]  # fmt: skip


def rounds() -> Iterator[tuple[Any, Any]]:
    """Schemas and arguments of all kinds, the same ones each time."""
    some = random.Random(8)
    for _ in range(3000):
        schema: dict[str, Any] = {"type": "object"}
        schema["properties"] = {name: some.choice(PROPERTIES) for name in some.sample("abc", 2)}
        if some.random() < 0.5:
            schema["required"] = some.choice([["a"], ["a", "b"], [], "a", [1], ["c", "c"]])
        if some.random() < 0.3:
            schema["additionalProperties"] = some.choice([True, False, {"type": "string"}])
        if some.random() < 0.2:
            schema[some.choice(["minProperties", "title", "$schema", "anyOf"])] = 2
        yield schema, {name: some.choice(VALUES) for name in some.sample("abcd", 2)}


def test_what_is_let_through_at_a_glance_a_validator_lets_through_as_well() -> None:
    """X-8: the short way says yes only where the long one does; no is always said by the long."""
    seen = 0
    for schema, arguments in rounds():
        plain = PlainSchema.of(schema)
        if plain is not None and plain.fits(arguments):
            validator = _validator(schema)
            assert validator is None or validator.is_valid(arguments), (schema, arguments)
            seen += validator is not None
    assert seen > 100


def test_a_schema_that_is_certainly_valid_is_one_for_a_validator_as_well() -> None:
    """X-8: the same for an outputSchema that is passed on."""
    seen = 0
    for schema, _ in rounds():
        whole = {**schema, "properties": {"in": schema, "list": {"type": "array", "items": schema}}}
        if _certainly_valid(whole, 0):
            seen += 1
            assert _validator(whole) is not None, whole
    assert seen > 50


def test_a_call_with_plain_arguments_needs_no_library_for_schemas() -> None:
    """17, to reach: 38 MB with one server up; the library alone is 8 MB."""
    code = """
import sys
from toolcrib.packs.gateway.schemas import Checker, valid_output
plain = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
Checker(plain).check({"text": "hello"})
assert valid_output(plain) is plain
assert "jsonschema_rs" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("style", ["path", "anchor", "dynamic"])
def test_references_that_multiply_are_left_to_the_server(style: str) -> None:
    """X-8: what cannot be checked is passed on; thirty definitions do not stop everybody else."""
    word = "$dynamicRef" if style == "dynamic" else "$ref"

    def multiplied(levels: int) -> dict[str, Any]:
        def to(level: int) -> dict[str, str]:
            return {word: f"#x{level}" if style == "anchor" else f"#/$defs/x{level}"}

        defs: dict[str, Any] = {
            f"x{n}": {"$anchor": f"x{n}", "anyOf": [to(n + 1), to(n + 1)]} for n in range(levels)
        }
        last = {"$anchor": f"x{levels}", "type": "string"}
        return {"properties": {"a": to(0)}, "$defs": {**defs, f"x{levels}": last}}

    few, many = (Checker(input_schema(multiplied(levels))) for levels in (4, 30))
    assert few.understood and not many.understood
    with pytest.raises(InvalidArguments):
        few.check({"a": 1})
    many.check({"a": 1})


def test_a_reference_with_a_number_of_thousands_of_digits_is_no_fault_of_ours() -> None:
    """X-8: what cannot be understood is left to the server."""
    far = {"$ref": "#/allOf/" + "9" * 5000}
    Checker({"type": "object", "properties": {"a": far}, "allOf": [{}]}).check({"a": 1})


def test_a_schema_that_refers_to_itself_is_checked() -> None:
    """X-8: a tree, as many tools take one, is understood."""
    tree = {"properties": {"value": {"type": "string"}, "left": {"$ref": "#"}}}
    checker = Checker(input_schema(tree))
    checker.check({"value": "a", "left": {"value": "b", "left": {"value": "c"}}})
    with pytest.raises(InvalidArguments):
        checker.check({"left": {"left": {"value": 1}}})


@pytest.mark.parametrize("way", ["anyOf", "allOf", "oneOf"])
@pytest.mark.parametrize("inside", ["properties", "additionalProperties", "items"])
def test_arguments_that_double_the_work_with_each_level_are_left_to_the_server(
    way: str, inside: str
) -> None:
    """X-8: a schema that recurses in two branches, over a deep argument, never holds the loop."""
    again = {"$ref": "#/$defs/node"}
    under = {"next": again} if inside == "properties" else again
    node = {way: [{inside: under}, {inside: under, "minProperties": 0}]}
    checker = Checker({"type": "object", "properties": {"a": again}, "$defs": {"node": node}})

    def nested(depth: int) -> Any:
        value: Any = 1
        for _ in range(depth):
            value = [value] if inside == "items" else {"next": value}
        return value

    assert checker.understood
    checker.check({"a": nested(300)})


def test_a_tree_that_is_wide_and_deep_is_still_checked() -> None:
    """X-8: two branches at two different arguments cost no more than the arguments are long."""
    node = {
        "type": "object",
        "properties": {"left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}},
        "additionalProperties": False,
    }
    checker = Checker({"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}},
                       "$defs": {"node": node}})  # fmt: skip
    tree: Any = {}
    for _ in range(30):
        tree = {"left": tree, "right": {}}
    checker.check({"a": tree})
    with pytest.raises(InvalidArguments):
        checker.check({"a": {"left": tree, "right": {"wrong": 1}}})
