"""Values that agents give, read as the types of the arguments."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import InvalidArguments
from toolcrib.running.arguments import coerce, validate_arguments
from toolcrib.running.program import ArgDef

FORMAT = ArgDef("format", enum=("json", "text", "csv"))
COUNT = ArgDef("n", type="integer")
MESSAGE = ArgDef("m", required=True)


def problems(args: list[ArgDef], given: dict[str, Any]) -> list[str]:
    with pytest.raises(InvalidArguments) as caught:
        validate_arguments(args, given)
    return list(caught.value.problems)


def test_every_problem_is_told_at_once_in_the_exact_words() -> None:
    """C-5: all problems at once, and how they read."""
    assert problems([FORMAT, MESSAGE, COUNT], {"format": "xml", "n": "hello"}) == [
        "Argument 'format' must be one of: json, text, csv",
        "Missing required argument 'm'",
        "Argument 'n': cannot convert 'hello' to integer",
    ]


def test_the_fields_with_problems_are_named_for_programs() -> None:
    """C-5: the error carries the names of the arguments."""
    with pytest.raises(InvalidArguments) as caught:
        validate_arguments([FORMAT, MESSAGE], {"format": "xml"})
    assert caught.value.data is not None
    assert caught.value.data["fields"] == ["format", "m"]


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("42", "integer", 42),
        (" 42 ", "integer", 42),
        ("-7", "integer", -7),
        ("+7", "integer", 7),
        (4.0, "integer", 4),
        ("42", "number", 42),
        ("4.5", "number", 4.5),
        (" 1e3 ", "number", 1000.0),
        (7, "number", 7),
        ("true", "boolean", True),
        ("FALSE", "boolean", False),
        (False, "boolean", False),
        (4.7, "string", "4.7"),
        (True, "string", "true"),
        (12, "string", "12"),
        ("", "string", ""),
        (" x ", "string", " x "),
    ],
)
def test_what_can_be_read_without_loss_is_taken(value: Any, kind: str, expected: Any) -> None:
    """C-5, C-11: coercion where nothing is lost."""
    result = coerce(value, kind)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (4.7, "integer"),
        ("4.7", "integer"),
        ("4.0", "integer"),
        ("1_000", "integer"),
        (True, "integer"),
        ("", "integer"),
        ("٤٢", "integer"),
        ("0x10", "integer"),
        ("9" * 5000, "integer"),
        (math.inf, "integer"),
        ([1], "integer"),
        (True, "number"),
        ("nan", "number"),
        ("1e999", "number"),
        (math.nan, "number"),
        ("0.10000000000000000001", "number"),
        ("1,5", "number"),
        (1, "boolean"),
        ("yes", "boolean"),
        (" true ", "boolean"),
        (math.nan, "string"),
        (["a"], "string"),
        ({"a": 1}, "string"),
        (None, "string"),
    ],
)
def test_what_would_lose_or_guess_is_refused(value: Any, kind: str) -> None:
    """C-5, C-11: not 4.7 to 4, not null to "None", not "1_000", not NaN."""
    with pytest.raises(ValueError):
        coerce(value, kind)


def test_a_value_that_cannot_be_converted_is_shown_but_not_all_of_it() -> None:
    """C-5: the message names the value; a megabyte of it helps nobody."""
    assert problems([COUNT], {"n": 4.7}) == ["Argument 'n': cannot convert 4.7 to integer"]
    assert problems([COUNT], {"n": True}) == ["Argument 'n': cannot convert true to integer"]
    (long,) = problems([COUNT], {"n": "x" * 100_000})
    assert len(long) < 200


def test_extra_keys_are_ignored_and_named_and_null_is_absent() -> None:
    """C-5: extra keys are ignored, and told; null = absent."""
    optional = ArgDef("x")
    values = validate_arguments([optional], {"x": None, "other": [1, 2], "nothing": None})
    assert values == {}
    assert values.ignored == ("other",)
    assert problems([MESSAGE], {"m": None}) == ["Missing required argument 'm'"]


@pytest.mark.parametrize(
    ("given_name", "meant"),
    [
        ("dryrun", "dry_run"),
        ("dry-run", "dry_run"),
        ("DryRun", "dry_run"),
        ("dry_rum", "dry_run"),
        ("recurisve", "recursive"),
        ("recursiv", "recursive"),
        ("X", "x"),
        ("file", "files"),
    ],
)
def test_a_name_near_an_argument_that_was_not_given_is_refused(given_name: str, meant: str) -> None:
    """C-5: `dryrun` for `dry_run` is no extra key; the command would delete files."""
    assert problems([ArgDef(meant)], {given_name: True}) == [
        f"Unknown argument {given_name!r}; did you mean {meant!r}?"
    ]


@pytest.mark.parametrize(
    ("given_name", "known"),
    [
        ("abc", "abd"),
        ("comment", "message"),
        ("verbose", "reverse"),
        ("depth", "width"),
        ("a", "b"),
    ],
)
def test_a_name_that_is_far_from_every_argument_is_ignored(given_name: str, known: str) -> None:
    """C-5: only what is nearly the same is taken for a slip."""
    assert validate_arguments([ArgDef(known)], {given_name: 1}).ignored == (given_name,)


def test_a_name_near_an_argument_that_was_given_is_ignored() -> None:
    """C-5: the argument has its value; nothing is lost by it."""
    values = validate_arguments([ArgDef("dry_run", type="boolean")], {"dry_run": True, "dryrun": 1})
    assert values == {"dry_run": True}
    assert values.ignored == ("dryrun",)


def test_near_names_and_other_problems_are_told_at_once() -> None:
    """C-5: all problems at once."""
    found = problems([MESSAGE, COUNT, ArgDef("dry_run")], {"dryrun": "x", "n": "y"})
    assert found == [
        "Unknown argument 'dryrun'; did you mean 'dry_run'?",
        "Missing required argument 'm'",
        "Argument 'n': cannot convert 'y' to integer",
    ]


@given(st.text(max_size=40), st.text(max_size=40))
def test_whatever_the_names_every_key_is_used_refused_or_named(one: str, other: str) -> None:
    """C-5: no argument gets lost."""
    given_values = {one: "v", "fixed": "w"}
    try:
        values = validate_arguments([ArgDef(other or "x"), ArgDef("fixed")], given_values)
    except InvalidArguments as error:
        assert one in (error.data or {})["fields"]
        return
    assert set(given_values) == set(values) | set(values.ignored)


class TestSeveralValues:
    """C-12: `type: array`, of strings, integers or numbers."""

    def test_each_value_is_read_as_its_type(self) -> None:
        """C-12: `items` says the type of each; what is read without loss is taken."""
        numbers = ArgDef("n", type="array", items="integer")
        assert validate_arguments([numbers], {"n": [1, "2", 3.0]}) == {"n": (1, 2, 3)}
        assert validate_arguments([ArgDef("s", type="array")], {"s": ["a", 1]}) == {"s": ("a", "1")}

    def test_a_single_value_is_an_array_of_one(self) -> None:
        """C-12: nothing is lost, and nothing guessed: text stays text."""
        assert validate_arguments([ArgDef("s", type="array")], {"s": '["a"]'}) == {"s": ('["a"]',)}

    def test_none_at_all_is_absent(self) -> None:
        """C-5: an empty array gives nothing, which a required argument is not content with."""
        assert validate_arguments([ArgDef("s", type="array")], {"s": []}) == {}
        required = ArgDef("s", type="array", required=True)
        assert problems([required], {"s": []}) == ["Missing required argument 's'"]

    def test_every_wrong_value_is_told_by_what_it_is(self) -> None:
        """C-12: each is checked like a single one; null is none, and arrays do not nest."""
        chosen = ArgDef("s", type="array", enum=("a", "b"))
        assert problems([chosen], {"s": ["a", "c"]}) == ["Argument 's' must be one of: a, b"]
        numbers = ArgDef("n", type="array", items="integer")
        for value, shown in ((None, "null"), ("x", "'x'"), ([1], "[1]")):
            expected = f"Argument 'n': cannot convert {shown} to integer"
            assert problems([numbers], {"n": [1, value]}) == [expected]

    def test_there_are_at_most_256(self) -> None:
        """C-12: a limit that is told."""
        many = ArgDef("s", type="array")
        assert len(validate_arguments([many], {"s": ["x"] * 256})["s"]) == 256  # type: ignore[arg-type]
        assert problems([many], {"s": ["x"] * 257}) == [
            "Argument 's': 257 values are more than the 256 that are allowed"
        ]

    def test_the_schema_says_so(self) -> None:
        """C-12: what a client sees."""
        arg = ArgDef("n", type="array", items="integer", enum=(1, 2), required=True)
        assert arg.schema() == {
            "type": "array",
            "items": {"type": "integer", "enum": [1, 2]},
            "maxItems": 256,
            "minItems": 1,
        }
        assert ArgDef("s", type="array", default=("a",)).schema()["default"] == ["a"]


def test_a_default_stands_in_for_a_required_argument() -> None:
    """C-2: defaults apply to every kind of argument."""
    assert validate_arguments([ArgDef("m", required=True, default="x")], {}) == {}


def test_enums_compare_after_conversion() -> None:
    """C-5: "2" is the 2 of an integer's list; 3 is not."""
    level = ArgDef("level", type="integer", enum=(1, 2))
    assert validate_arguments([level], {"level": "2"}) == {"level": 2}
    assert problems([level], {"level": 3}) == ["Argument 'level' must be one of: 1, 2"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(json_values, st.sampled_from(["string", "integer", "number", "boolean"]))
def test_a_converted_value_has_its_type_and_says_the_same(value: Any, kind: str) -> None:
    """C-11: lossless: what is accepted reads back as what was given."""
    try:
        result = coerce(value, kind)
    except ValueError:
        return
    assert isinstance(
        result, {"string": str, "integer": int, "number": int | float, "boolean": bool}[kind]
    )
    assert not isinstance(result, bool) or kind == "boolean"
    if isinstance(value, str):
        assert (
            kind == "string"
            or json.loads(value.strip().lower().lstrip("+") or "0") == result
            or (float(value) == result)
        )
    elif kind == "string":
        assert json.loads(str(result)) == value
    else:
        assert result == value


@given(st.dictionaries(st.text(max_size=5), json_values, max_size=4))
def test_no_arguments_ever_cause_anything_but_a_refusal(given_values: dict[str, Any]) -> None:
    """C-5: every input is answered by values or by InvalidArguments."""
    args = [FORMAT, COUNT, MESSAGE, ArgDef("", type="number"), ArgDef("b", type="boolean")]
    try:
        validate_arguments(args, given_values)
    except InvalidArguments as error:
        assert error.problems
