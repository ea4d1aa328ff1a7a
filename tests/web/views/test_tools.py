"""The form of a tool: what its fields mean."""

from __future__ import annotations

import pytest

from toolcrib.web.views.tools import arguments_from

SCHEMA = {"properties": {"items": {"type": "array"}}}
DEEP = "[" * 100_000


@pytest.mark.parametrize("form", [{"arguments": f'{{"items": {DEEP}'}, {"items": DEEP}])
def test_what_is_nested_without_end_is_a_problem_of_the_form(form: dict[str, str]) -> None:
    """W-11: every problem is told at the form, and none is an error of the page."""
    arguments, problems = arguments_from(form, SCHEMA)
    assert arguments == {} and len(problems) == 1 and "nested too deeply" in problems[0]


CALLS = {"properties": {"name": {"type": "string"}, "arguments": {"type": "object"}}}


@pytest.mark.parametrize(
    "form",
    [
        {"name": "x", "arguments": '{"a": 1}'},
        {"arguments": '{"name": "x", "arguments": {"a": 1}}', "really": "yes"},
    ],
)
def test_a_tool_may_have_an_argument_called_arguments(form: dict[str, str]) -> None:
    """W, exactly: `arguments` as JSON, or one field per property."""
    assert arguments_from(form, CALLS) == ({"name": "x", "arguments": {"a": 1}}, [])
