"""Any Python value as plain JSON."""

from __future__ import annotations

import datetime
import enum
import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.support.jsonable import dumps, plain, quickly, shown


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Point:
    x: int


class Hostile:
    def __str__(self) -> str:
        raise ValueError

    def __iter__(self) -> Any:
        raise ValueError


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (float("nan"), None),
        (float("inf"), None),
        ({3, 1, 2}, [1, 2, 3]),
        (b"text", "text"),
        (b"\xff", "/w=="),
        (Colour.RED, "red"),
        (Point(1), {"x": 1}),
        (datetime.date(2026, 7, 28), "2026-07-28"),
        (ValueError("no"), "ValueError: no"),
        ((1, (2,)), [1, [2]]),
        ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
        ("\ud800", "?"),
        (Hostile(), "<Hostile>"),
        (True, True),
    ],
)
def test_every_value_becomes_json(value: Any, made: Any) -> None:
    """K-2: without surprises and without a TypeError."""
    assert plain(value) == made


def test_what_contains_itself_ends() -> None:
    """FAULTS: no tool's result can hang the server."""
    loop: list[Any] = [1]
    loop.append(loop)
    assert plain(loop) == [1, "…"]
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    assert "…" in dumps(deep)


def test_a_number_of_thousands_of_digits_is_written_in_a_way_that_ends() -> None:
    """FAULTS: Python itself writes no longer one."""
    assert plain(10**5000).startswith("0x") and plain(10**100) == 10**100


def test_what_cannot_be_shown_is_shown_by_its_type() -> None:
    """K-2: an error text never fails."""
    assert shown(Hostile()) == "<Hostile>" and shown("x") == "x"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_json_stays_what_it_is(value: Any) -> None:
    """K-2: what is plain already is not changed."""
    assert plain(value) == value and json.loads(dumps(value)) == value


@given(JSON)
def test_plain_values_are_written_the_same_way_however_fast(value: Any) -> None:
    """K-2: what is written at once reads as what was walked first."""
    assert json.loads(quickly(value)) == json.loads(dumps(value))


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, {"a": "\ud800"}, [b"x"], {(1, 2): 3}])
def test_what_is_not_plain_is_made_plain_before_it_is_written(value: Any) -> None:
    """K-2: nothing that a tool may return fails to be written."""
    assert quickly(value) == dumps(value)


class Word(str):
    """A text with a type of its own."""


class Answer(enum.IntEnum):
    """A number with a name."""

    YES = 42


SIMPLE = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(st.characters())
    | st.text(st.sampled_from('a\ud800\udfff\u2028"\\é\x00'))
    | st.sampled_from([Word("é\ud800"), Answer.YES, b"\xff", object])
)
ANYTHING = st.recursive(
    SIMPLE,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner)
        | st.dictionaries(st.text() | st.integers() | st.none(), inner)
        | st.dictionaries(st.text(st.characters()), inner).map(MappingProxyType)
        | st.frozensets(st.integers() | st.text())
    ),
)


@given(ANYTHING)
def test_what_is_written_quickly_is_what_is_written_with_care(value: object) -> None:
    """K-2: one spelling, whatever a tool returns; and it can always be sent."""
    text = quickly(value)
    text.encode()
    assert json.loads(text) == json.loads(dumps(value))


def test_what_contains_itself_is_written_quickly_as_well() -> None:
    """K-2: it ends where it begins again; a number that nobody reads is no number."""
    value: list[object] = []
    value += [value, {"deeper": value}]
    assert quickly(value) == dumps(value)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert quickly(deep) == dumps(deep)
    assert quickly([10**5000]) == dumps([10**5000])
