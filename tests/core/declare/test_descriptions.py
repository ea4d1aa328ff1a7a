from __future__ import annotations

import json
import re
from typing import Literal

import pytest
from pydantic import Field

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example, concise, full, full_prompt
from toolcrib.core.declare.functions import to_tool
from toolcrib.core.errors import InvalidToolSchema


class Remove(ToolArguments):
    name: str = Field(description="Which")
    limit: int = Field(3, ge=1, description="How many")
    confirm: Literal["REMOVE_IT"] = Field(description="Documents are lost")


@ToolArguments.declare(
    examples=[
        Example({"name": "lang", "confirm": "REMOVE_IT"}, "Removes the category lang."),
        Example({"name": "docs", "limit": 1, "confirm": "REMOVE_IT"}, "Removes one of docs."),
    ],
    usage="Call category_list first.",
)
def remove(args: Remove) -> None:
    """Remove a category.

    Use it when the user has asked for it
    in so many words.

    A third paragraph with details.
    """


ToolArguments.get_declared_tools(__name__)


def test_the_four_sections_stand_in_order_and_labelled():
    """K-13: description, JSON Schema, usage, concrete examples."""
    text = to_tool(remove).full_description
    assert re.findall(r"^## (.*)$", text, re.M) == [
        "Description",
        "JSON Schema",
        "Usage Instructions",
        "Concrete Examples",
    ]


def test_the_schema_shown_is_the_schema_served():
    """K-13: generated, so that it cannot drift; in a json fence."""
    tool = to_tool(remove)
    fence = re.search(r"```json\n(.*?)\n```", tool.full_description, re.S)
    assert json.loads(fence.group(1)) == tool.input_schema


def test_the_usage_is_code_made_from_the_model():
    """K-13: usage, marked as code."""
    text = to_tool(remove).full_description
    expected = '```\nremove(name: string, [limit: integer (at least 1)], confirm: "REMOVE_IT")\n```'
    assert expected in text
    assert "Call category_list first." in text


def test_each_example_is_code_with_its_explanation():
    """K-13: concrete examples, each with its explanation."""
    text = to_tool(remove).full_description
    assert (
        '```\nremove(name="lang", confirm="REMOVE_IT")\n```\n\nRemoves the category lang.' in text
    )
    assert "Removes one of docs." in text


def test_the_concise_text_is_purpose_and_when():
    """K-13: concise is the default on the wire."""
    text = to_tool(remove).description
    assert text.startswith(
        "Remove a category.\nUse it when the user has asked for it in so many words.\n"
    )
    assert "third paragraph" not in text
    assert "## " not in text


def test_the_documentation_uses_the_undecorated_name():
    """G-4: the prefix is an implementation detail."""
    text = to_tool(remove, wire_name="guide_remove").full_description
    assert "guide_remove" not in text
    assert "remove(" in text


def test_a_warning_that_the_author_wrote_is_not_said_twice():
    """K-12."""
    told = "Remove.\n\nREQUIRES EXPLICIT USER INSTRUCTION because of that."
    from toolcrib.core.declare.arguments import consent_of

    assert concise(told, consent_of(Remove)).count("REQUIRES") == 1


def test_a_function_without_docstring_or_examples_still_has_its_sections():
    text = full("bare", "", ToolArguments.input_schema())
    assert text.startswith("## Description\n\n## JSON Schema")
    assert text.endswith("## Concrete Examples")


def test_a_prompt_is_described_in_the_syntax_that_people_type():
    """K-13, G-5: a conceptual schema with *args, @prompt syntax."""
    text = full_prompt(
        "guide", "Get content.", "*args: words", "Type it.", [("docs", "Gets docs.")]
    )
    assert re.findall(r"^## (.*)$", text, re.M) == [
        "Description",
        "Conceptual Schema",
        "Usage Instructions",
        "Concrete Examples",
    ]
    assert "@guide *args" in text
    assert "```\n@guide docs\n```\n\nGets docs." in text
    assert "arg1" not in text


def test_an_example_that_would_be_refused_is_refused_itself():
    """K-13: concrete examples that cannot drift: each is a call that the model accepts."""

    @ToolArguments.declare(examples=[Example({"nam": "x"}, "Removes x.")])
    def broken(args: Remove) -> None:
        """Remove."""

    ToolArguments.get_declared_tools(__name__)
    with pytest.raises(
        InvalidToolSchema, match=r"(?s)example of tool 'broken'.*did you mean 'name'"
    ):
        to_tool(broken)


def test_a_tool_without_a_word_still_says_what_it_is():
    """K-13, K-12: purpose; title and truthful annotations: what nobody promised is not claimed."""

    def count_sheep() -> int:
        return 1

    wire = to_tool(count_sheep).to_wire()
    assert (wire["title"], wire["description"]) == ("Count sheep", "Count sheep")
    assert wire["annotations"] == {"readOnlyHint": False, "openWorldHint": True}
