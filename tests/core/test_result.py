"""`Result`: what a tool says, and how it looks on the wire."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import math
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from toolcrib.core.result import Result
from toolcrib.core.support.jsonable import dumps, plain
from toolcrib.core.tool import ToolOutput


class Colour(enum.Enum):
    RED = "red"


class Model(BaseModel):
    name: str
    when: datetime.date


@dataclasses.dataclass
class Point:
    x: int
    tags: set[str]


def test_a_success_always_has_its_value_even_when_it_is_null() -> None:
    """K-2: `value` on success, also when it is null."""
    assert Result.ok(None).to_json() == {"success": True, "value": None}
    assert Result.ok(3, message="three").to_json() == {
        "success": True,
        "value": 3,
        "message": "three",
    }


def test_a_failure_has_error_and_error_type_and_no_value() -> None:
    """K-1, K-2: `error` and `error_type` on failure, "unknown" unless said otherwise."""
    failure: Result[int] = Result.failure("no luck")
    assert failure.is_failure() and not failure.is_ok()
    assert failure.to_json() == {"success": False, "error": "no luck", "error_type": "unknown"}


def test_an_exception_shows_its_type_and_message_and_no_path() -> None:
    """K-2: an exception becomes its type and message, never a traceback or absolute path."""
    failure: Result[int] = Result.failure(
        "x", exception=FileNotFoundError(2, "No such file", "/home/ann/secret/plan.md")
    )
    wire = failure.to_json()
    assert wire["exception_type"] == "FileNotFoundError"
    assert "plan.md" in wire["exception_message"]
    assert "/home/ann" not in json.dumps(wire)
    assert "Traceback" not in json.dumps(wire)


def test_message_and_instruction_stay_apart() -> None:
    """K-3: the person's message and the agent's instruction are two fields."""
    wire = Result.ok(1, message="Saved.", instruction="Do not retry.").to_json()
    assert (wire["message"], wire["instruction"]) == ("Saved.", "Do not retry.")


def test_everything_serialises() -> None:
    """K-2: models, dataclasses, sets, bytes, paths, dates; NaN and Infinity become null."""
    value = {
        "model": Model(name="a", when=datetime.date(2026, 1, 2)),
        "point": Point(1, {"b", "a"}),
        "set": {3, 1, 2},
        "bytes": b"abc",
        "binary": b"\xff\xfe",
        "path": PurePosixPath("a/b"),
        "real": Path("c"),
        "nan": math.nan,
        "inf": -math.inf,
        "enum": Colour.RED,
        "when": datetime.datetime(2026, 1, 2, 3, 4),
        ("a", 1): object,
    }
    wire = json.loads(Result.ok(value).to_json_str())["value"]
    assert wire["model"] == {"name": "a", "when": "2026-01-02"}
    assert wire["point"] == {"x": 1, "tags": ["a", "b"]}
    assert wire["set"] == [1, 2, 3]
    assert (wire["bytes"], wire["binary"], wire["path"]) == ("abc", "//4=", "a/b")
    assert wire["nan"] is None and wire["inf"] is None
    assert (wire["enum"], wire["when"]) == ("red", "2026-01-02T03:04:00")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("No such file: '/secret'", "No such file: 'secret'"),
        ("No such file: '/home/ann lee/a b.md'", "No such file: 'a b.md'"),
        ("PATH=/usr/bin:/home/ann/bin", "PATH=bin:bin"),
        ("file:///home/ann/plan.md is gone", "plan.md is gone"),
        ("//srv/share/plan.md and /srv/", "plan.md and srv"),
        (r"C:\Users\ann\plan.md", "plan.md"),
        ("https://example.com/a/b, and/or src/a.py, ./a, ~/a", None),
        (r"</div> of '/' by '\d+' at 1/2", None),
    ],
)
def test_no_absolute_path_of_any_kind_is_told(text: str, shown: str | None) -> None:
    """K-2: never an absolute path; what is none stays as it is."""
    failure: Result[int] = Result.failure("x", exception=OSError(text))
    assert failure.to_json()["exception_message"] == (shown or text)


def test_a_value_that_contains_itself_ends() -> None:
    """K-2: never a crash, nor a wait without end."""
    loop: list[object] = []
    loop += [loop, {"again": loop, "and": [loop, loop]}]
    assert dumps(loop) == '["…",{"again":"…","and":["…","…"]}]'


def test_a_value_that_fails_to_be_shown_is_shown_by_its_type() -> None:
    """K-2: never a `TypeError`, whatever a stranger's class does."""

    class Hostile(Exception):
        def __iter__(self) -> None:
            raise TypeError("no")

        model_dump = __str__ = __repr__ = __iter__  # type: ignore[assignment]

    failure: Result[object] = Result.failure("x", exception=Hostile(), error_data={"a": Hostile()})
    assert failure.to_json()["exception_message"] == "<Hostile>"
    assert failure.to_json()["error_data"] == {"a": "<Hostile>"}
    assert json.loads(Result.ok([10**5000, Path("\udcff")]).to_json_str())["value"][1] == "?"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    )
)
def test_any_value_becomes_strict_json(value: object) -> None:
    """K-2: never a `TypeError`, always JSON that another parser reads."""
    text = json.dumps(plain(value), allow_nan=False)
    assert json.loads(dumps(value)) == json.loads(text)


def test_on_the_wire_a_result_is_one_text_item_and_the_same_object() -> None:
    """K-4: one text item, the same object as structured content, isError when it failed."""
    output = ToolOutput.of(Result.ok({"n": 1}))
    assert [item["type"] for item in output.content] == ["text"]
    assert json.loads(output.content[0]["text"]) == output.structured
    assert output.structured == {"success": True, "value": {"n": 1}}
    assert not output.is_error
    assert ToolOutput.of(Result.failure("no")).is_error
