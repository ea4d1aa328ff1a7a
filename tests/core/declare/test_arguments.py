from __future__ import annotations

import asyncio
import enum
import threading
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError, field_validator

from toolcrib.core.declare.arguments import (
    ToolArguments,
    consent_of,
    details_of,
    model_of,
    parse_arguments,
    undescribed,
)
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.errors import DuplicateTool, InvalidArguments, InvalidToolSchema
from toolcrib.core.tool import READ_ONLY, CallContext

if TYPE_CHECKING:
    from somewhere_else import OtherContext


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    street: str = Field(description="Street and number")
    city: str = Field("Paris", description="City")


class Order(ToolArguments):
    """A model with one field of every kind."""

    name: str = Field(description="Who orders,\n   in full", min_length=1, max_length=40)
    confirm: Literal["CREATE_DOCUMENT"] = Field(description="The user asked for it")
    mode: Literal["fast", "slow"] = Field("fast", description="How")
    note: str | None = Field(None, description="Anything else")
    amount: int | float = Field(description="How much")
    colour: Colour = Field(Colour.RED, description="Which")
    tags: list[str] = Field(default_factory=list, description="Labels")
    sizes: dict[str, int] = Field(default_factory=dict, description="By name")
    address: Address = Field(description="Where to")
    more: list[Address] | None = Field(None, description="Others")
    count: int = Field(1, ge=1, le=20, description="How many")
    ratio: float = Field(0.5, gt=0, lt=1, description="Share")
    code: str = Field("ab", pattern="^[a-z]+$", description="Code")
    pair: tuple[int, str] = Field((1, "a"), description="Both")
    modes: list[Literal["fast", "slow"]] = Field(default_factory=list, description="All of them")


class Nothing(ToolArguments):
    """No fields."""


@pytest.fixture(autouse=True)
def empty_collection():
    kept = ToolArguments.get_declared_tools()
    yield
    ToolArguments.get_declared_tools()
    ToolArguments._declared.update(kept)


def make(name: str, module: str = __name__):
    def func(args: Nothing) -> None:
        """Does nothing."""

    func.__name__ = name
    func.__module__ = module
    return func


def test_unknown_arguments_are_refused():
    """K-5: extra="forbid"."""
    with pytest.raises(ValidationError):
        Nothing(surprise=1)


def test_assignments_are_checked():
    """K-5: validate_assignment=True."""
    address = Order.model_validate(
        {
            "name": "A",
            "confirm": "CREATE_DOCUMENT",
            "amount": 1,
            "address": {"street": "x"},
        }
    )
    with pytest.raises(ValidationError):
        address.count = 21


def test_the_fields_are_the_properties_of_the_schema():
    """K-5: arguments are flat, never wrapped in an args object."""
    schema = Order.input_schema()
    assert list(schema["properties"]) == list(Order.model_fields)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert "args" not in schema["properties"]
    assert "title" not in schema


def test_a_field_called_title_survives_the_removal_of_titles():
    class Titled(ToolArguments):
        title: str = Field("title", description="A title")

    assert Titled.input_schema()["properties"] == {
        "title": {"type": "string", "default": "title", "description": "A title"}
    }


def test_a_model_that_contains_itself_still_has_an_object_at_its_root():
    schema = Tree.input_schema()
    assert schema["type"] == "object"
    assert "$ref" not in schema
    assert "Tree" in schema["$defs"]
    assert Tree.to_schema_markdown().count("**children**") == 2


class Tree(ToolArguments):
    name: str = Field(description="Name")
    children: list[Tree] = Field(default_factory=list, description="Below")


@pytest.mark.parametrize(
    "line",
    [
        "- **name** (required): string (1 to 40 characters)\n  Who orders, in full",
        '- **confirm** (required): must be "CREATE_DOCUMENT"\n  The user asked for it',
        '- **mode** (optional, default: "fast"): one of "fast", "slow"',
        "- **note** (optional, default: null): string or null",
        "- **amount** (required): integer or number",
        '- **colour** (optional, default: "red"): one of "red", "blue"',
        "- **tags** (optional, default: []): list of string",
        "- **sizes** (optional, default: {}): map of string to integer",
        "- **address** (required): object Address\n  Where to\n"
        "  - **street** (required): string\n    Street and number\n"
        '  - **city** (optional, default: "Paris"): string',
        "- **more** (optional, default: null): list of object Address or null",
        "- **count** (optional, default: 1): integer (1 to 20)",
        "- **ratio** (optional, default: 0.5): number (above 0, below 1)",
        '- **code** (optional, default: "ab"): string (matching ^[a-z]+$)',
        '- **pair** (optional, default: [1, "a"]): list of exactly (integer, string)',
    ],
)
def test_every_kind_of_field_is_shown_rightly(line):
    """K-6: Literal, Optional, Union, Enum, list, dict, nested models, defaults, limits."""
    markdown = Order.to_schema_markdown()
    assert markdown.startswith("## Arguments\n\n")
    assert line in markdown


class Odd(ToolArguments):
    both: list[int | str] = Field(description="Some of each")
    named: dict[str, int | None] = Field(default={}, description="By name")
    rows: list[list[int]] = Field(default=[], description="A table")
    made: str = Field(default_factory=lambda: "now", description="When")


@pytest.mark.parametrize(
    "line",
    [
        "- **both** (required): list of (integer or string)",
        "- **named** (optional, default: {}): map of string to (integer or null)",
        "- **rows** (optional, default: []): list of list of integer",
        "- **made** (optional, default: computed for each call): string",
    ],
)
def test_a_type_in_words_can_be_read_in_one_way_only(line):
    """K-6: Union, list, dict and defaults are shown rightly, also within each other."""
    assert line in Odd.to_schema_markdown()


def test_no_arguments_are_said_in_a_line():
    """K-6: a line that says so."""
    assert Nothing.to_schema_markdown() == "## Arguments\n\nThis tool takes no arguments."


def test_a_description_is_the_docstring_then_the_arguments():
    """K-7."""

    def greet(args: Address_) -> None:
        """Say hello.

        Loudly.
        """

    text = ToolArguments.build_tool_description(greet)
    assert text == f"Say hello.\n\nLoudly.\n\n{Address_.to_schema_markdown()}"


class Address_(ToolArguments):
    street: str = Field(description="Street")


def test_string_annotations_are_resolved_even_beside_one_that_cannot_be():
    """K-7: works with string annotations too."""

    def greet(args: Address_, ctx: OtherContext | None = None) -> Unknown:  # noqa: F821
        """Say hello."""

    assert isinstance(greet.__annotations__["args"], str)
    assert model_of(greet) is Address_


def test_a_model_of_an_enclosing_function_is_found_on_the_model_itself():
    """K-7: called on the model, no annotation needs resolving."""

    class Local(ToolArguments):
        x: int = Field(description="A number")

    def greet(args: Local) -> None:
        """Say hello."""

    assert "- **x** (required): integer" in Local.build_tool_description(greet)
    with pytest.raises(InvalidToolSchema, match="Parameter 'args' of tool 'greet'"):
        model_of(greet)


def test_a_description_carries_the_warning_of_a_consent_field():
    """K-12."""

    def create(args: Order) -> None:
        """Create it."""

    text = ToolArguments.build_tool_description(create)
    assert "REQUIRES EXPLICIT USER INSTRUCTION: The user asked for it." in text
    assert text.index("REQUIRES") < text.index("## Arguments")


def test_a_declared_function_comes_back_unchanged():
    """K-8."""

    def plain(args: Nothing) -> str:
        """Plain."""
        return "called"

    assert ToolArguments.declare(plain) is plain
    assert plain(Nothing()) == "called"


def test_the_collection_is_handed_out_once():
    """K-8: a second call returns an empty dictionary."""
    one, two = ToolArguments.declare(make("one")), ToolArguments.declare(make("two"))
    assert ToolArguments.get_declared_tools() == {"one": one, "two": two}
    assert ToolArguments.get_declared_tools() == {}


def test_coroutines_take_the_collection_too():
    """K-8: aget_declared_tools()."""

    async def both():
        ToolArguments.declare(make("one"))
        return await asyncio.gather(*(ToolArguments.aget_declared_tools() for _ in range(5)))

    found = asyncio.run(both())
    assert [list(each) for each in found].count(["one"]) == 1
    assert sum(map(len, found)) == 1


def test_two_functions_under_one_name_are_an_error_that_names_both():
    """K-8."""
    ToolArguments.declare(make("same", "a.first"))
    with pytest.raises(DuplicateTool) as caught:
        ToolArguments.declare(make("same", "b.second"))
    assert "'same'" in str(caught.value)
    assert "a.first" in str(caught.value)
    assert "b.second" in str(caught.value)


def test_the_same_function_may_be_declared_twice():
    """K-8: two *different* functions are the error."""
    func = make("same")
    ToolArguments.declare(func)
    assert ToolArguments.declare(func) is func


def test_a_part_of_the_collection_is_taken_by_its_module():
    mine = ToolArguments.declare(make("mine", "packs.guide.tools"))
    twin = ToolArguments.declare(make("twin", "packs.guide_evil"))
    assert ToolArguments.get_declared_tools("packs.guide") == {"mine": mine}
    assert ToolArguments.get_declared_tools() == {"twin": twin}


def test_threads_that_declare_and_take_lose_nothing_and_double_nothing():
    """K-8: safe from threads."""
    taken: list[str] = []
    declaring = [
        threading.Thread(
            target=lambda k=k: [ToolArguments.declare(make(f"t{k}_{i}")) for i in range(200)]
        )
        for k in range(4)
    ]
    done = threading.Event()

    def take():
        while not done.is_set():
            taken.extend(ToolArguments.get_declared_tools())

    taking = [threading.Thread(target=take) for _ in range(2)]
    for thread in declaring + taking:
        thread.start()
    for thread in declaring:
        thread.join()
    done.set()
    for thread in taking:
        thread.join()
    taken.extend(ToolArguments.get_declared_tools())
    assert len(taken) == len(set(taken)) == 800


def test_details_may_be_declared_with_the_function():
    example = Example({}, "Shows it")

    @ToolArguments.declare(title="A title", annotations=READ_ONLY, examples=[example])
    def tool(args: Nothing) -> None:
        """Does it."""

    assert details_of(tool).title == "A title"
    assert details_of(tool).examples == (example,)
    assert list(ToolArguments.get_declared_tools()) == ["tool"]


def test_a_function_without_a_model_takes_no_arguments():
    def ping(ctx: CallContext | None = None) -> None:
        """Ping."""

    assert model_of(ping) is ToolArguments
    assert model_of(lambda: None) is ToolArguments


def test_consent_is_a_required_word_in_capitals():
    """K-12: a Literal consent field."""
    found = consent_of(Order)
    assert found is not None
    assert (found.field, found.literal) == ("confirm", "CREATE_DOCUMENT")
    assert consent_of(Nothing) is None


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({}, "Missing required argument 'name'; expected string (1 to 40 characters)"),
        ({"name": ""}, "Argument 'name': expected string (1 to 40 characters)"),
        ({"names": "A"}, "Unknown argument 'names'; did you mean 'name'?"),
        ({"zzzzzz": "A"}, "Unknown argument 'zzzzzz' (known: name, confirm, mode"),
        ({"confirm": "yes"}, "Argument 'confirm' must be \"CREATE_DOCUMENT\""),
        ({"mode": "medium"}, "Argument 'mode' must be one of: fast, slow"),
        ({"count": "many"}, "Argument 'count': expected integer (1 to 20) (input should be a"),
        ({"note": 5}, "Argument 'note': expected string or null"),
        ({"amount": "much"}, "Argument 'amount': expected integer or number"),
        ({"address": {}}, "Missing required argument 'address.street'"),
        ({"tags": ["a", 1]}, "Argument 'tags.1': expected list of string"),
        ({"modes": ["fast", "x"]}, "Argument 'modes.1' must be one of: fast, slow"),
    ],
)
def test_a_problem_names_the_field_what_was_expected_and_the_nearest(sent, problem):
    """FAULTS: wrong type, extra argument."""
    with pytest.raises(InvalidArguments) as caught:
        parse_arguments(Order, sent)
    assert any(each.startswith(problem) for each in caught.value.problems), caught.value.problems


def test_all_problems_are_told_at_once():
    """K-5: one answer is enough to mend the call."""
    with pytest.raises(InvalidArguments) as caught:
        parse_arguments(Order, {"count": 0, "oops": 1})
    assert set(caught.value.data["fields"]) == {
        "name",
        "confirm",
        "amount",
        "address",
        "count",
        "oops",
    }


def test_a_rule_of_the_author_is_told_in_the_authors_words():
    class Even(ToolArguments):
        n: int = Field(description="An even number")

        @field_validator("n")
        @classmethod
        def even(cls, value: int) -> int:
            if value % 2:
                raise ValueError("must be even")
            return value

    with pytest.raises(InvalidArguments, match=r"Argument 'n': expected integer \(must be even\)"):
        parse_arguments(Even, {"n": 3})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(Order.model_fields)) | st.text(), json_values))
def test_whatever_is_sent_is_a_model_or_a_clear_refusal(sent):
    """K-5: untrusted arguments never crash the check."""
    try:
        assert isinstance(parse_arguments(Order, sent), Order)
    except InvalidArguments as error:
        assert error.problems
        assert all(error.problems)


def test_fields_without_a_description_are_found_at_any_depth():
    """K-13: every pydantic field has a description: a test fails otherwise."""

    class Inner(BaseModel):
        silent: int

    class Outer(ToolArguments):
        inner: Inner = Field(description="Said")
        bare: int

    assert undescribed(Outer) == ["Inner.silent", "Outer.bare"]
    assert undescribed(Order) == []


class OwnWay(ToolArguments):
    """A model that reads in a way of its own."""

    word: str = ""

    @staticmethod
    def model_validate(given: object, **_: object) -> OwnWay:  # type: ignore[override]
        return OwnWay(word=f"own {given['word']}")  # type: ignore[index]


def test_a_model_that_reads_in_its_own_way_is_asked_whatever_kind_of_method_it_has() -> None:
    """K-5: what a team's model overrides counts."""
    made = parse_arguments(OwnWay, {"word": "x"})
    assert isinstance(made, OwnWay) and made.word == "own x"
