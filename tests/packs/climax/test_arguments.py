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


def test_extra_keys_are_ignored_and_null_is_absent() -> None:
    """C-5: extra keys ignored; null = absent."""
    optional = ArgDef("x")
    assert validate_arguments([optional], {"x": None, "other": [1, 2]}) == {}
    assert problems([MESSAGE], {"m": None}) == ["Missing required argument 'm'"]


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
