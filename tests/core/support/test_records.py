"""Records: dataclasses that are cheap to define."""

from __future__ import annotations

import copy
import pickle
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.support.records import bare, record


@record
class Point:
    """A place."""

    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)
    kind: ClassVar[str] = "point"


@record
class Named(Point):
    """A place with a name."""

    name: str = "?"
    length: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.name))


@bare
class Counter:
    """Something that changes."""

    count: int = 0
    seen: dict[str, int] = field(default_factory=dict)


@dataclass
class Plain:
    """What a dataclass makes of the same fields."""

    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)


def test_a_record_takes_its_fields_as_a_dataclass_does() -> None:
    """R-16: what is defined at each start costs little, and is used like any dataclass."""
    assert Point(1) == Point(1, 0, []) == Point(x=1, y=0)
    assert Point(1) != Point(2) and Point(1) != (1, 0, [])
    assert Point(1).tags is not Point(1).tags
    assert Point.kind == "point" and not hasattr(Point(1), "__dict__")
    assert repr(Point(1, tags=["a"])) == "Point(x=1, y=0, tags=['a'])"


def test_a_record_inherits_fields_and_ends_its_making_with_post_init() -> None:
    """R-16: the same order of fields as in a dataclass."""
    made = Named(1, 2, ["a"], "here")
    assert [each.name for each in fields(made)] == ["x", "y", "tags", "name", "length"]
    assert made.length == 4 and Named(1).length == 1
    assert made == Named(1, 2, ["a"], "here") != Named(1, 2, ["a"], "there")


def test_the_standard_library_knows_records() -> None:
    """R-16: `replace`, `asdict`, copies and pickles work."""
    point = Point(1, 2, ["a"])
    assert is_dataclass(point) and replace(point, y=3) == Point(1, 3, ["a"])
    assert asdict(point) == {"x": 1, "y": 2, "tags": ["a"]}
    assert copy.copy(point) == point and pickle.loads(pickle.dumps(point)) == point
    match point:
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_a_bare_one_is_compared_by_identity_and_may_change() -> None:
    """R-16: what lives as long as one request."""
    counter = Counter()
    counter.count += 1
    assert counter.count == 1 and counter != Counter(1) and len({counter, Counter(1)}) == 2


@pytest.mark.parametrize(
    "make",
    [lambda: Point(), lambda: Point(1, 2, [], 4), lambda: Point(1, z=2), lambda: Point(1, x=2)],
)
def test_arguments_that_do_not_fit_are_refused_by_the_first_and_by_later_makings(make: Any) -> None:
    """R-16: a wrong call fails as it does with a dataclass."""
    for _ in range(2):
        with pytest.raises(TypeError, match="__init__"):
            make()


def test_a_default_that_all_would_share_is_refused() -> None:
    """R-16: a list as a default is a mistake."""
    with pytest.raises(ValueError, match="tags: a list would be shared"):

        @record
        class Wrong:
            """A mistake."""

            tags: list[str] = []  # noqa: RUF012 - the mistake


@given(st.integers(), st.integers(), st.lists(st.text(), max_size=3))
def test_a_record_holds_what_a_dataclass_holds(x: int, y: int, tags: list[str]) -> None:
    """R-16: the same values in, the same values out."""
    assert asdict(Point(x, y, tags)) == asdict(Plain(x, y, tags))


def test_a_field_that_does_not_count_is_not_compared() -> None:
    """C-6: two rules that say the same are equal, wherever they stand."""

    @record
    class Placed:
        what: str
        where: int = field(default=0, compare=False)

    assert Placed("a", 1) == Placed("a", 2) != Placed("b", 1)
    assert hash(Placed("a", 1)) == hash(Placed("a", 2))


_ARGUMENTS = st.dictionaries(
    st.sampled_from(["x", "y", "tags", "name", "length", "other"]), st.integers()
)


@given(st.lists(st.integers(), max_size=5), _ARGUMENTS)
def test_the_first_and_the_last_are_made_alike(values: list[Any], named: dict[str, Any]) -> None:
    """R-16, issue 12: arguments are taken and refused alike before and after compiling."""

    @record
    class Fresh:
        x: Any
        y: Any = 0
        tags: Any = field(default_factory=list)
        length: Any = field(init=False, default=7)

    def outcome() -> object:
        try:
            made = Fresh(*values, **named)
        except TypeError:
            return TypeError
        return made.x, made.y, made.tags, made.length

    seen = [outcome()]
    for at in range(40):
        Fresh(at)
    assert Fresh.__init__.__code__.co_varnames[:3] == ("self", "x", "y"), "it is compiled by now"
    assert seen == [outcome()]
