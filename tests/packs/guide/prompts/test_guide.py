from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

import toolcrib.packs.guide.prompts as prompts_package
from toolcrib.core.errors import InvalidParams, PromptNotFound
from toolcrib.core.tool import CallContext
from toolcrib.packs.guide.prompts.guide import ARGUMENTS, GuidePrompts, full_description


@pytest.fixture
def prompts(session):
    return GuidePrompts(session)


def render(prompts, *typed: str) -> str:
    arguments = dict(zip(ARGUMENTS, typed, strict=False))
    rendered = asyncio.run(prompts.render("guide", arguments, CallContext()))
    (message,) = rendered.messages
    assert message["role"] == "user"
    return message["content"]["text"]


def test_there_are_fifteen_optional_arguments_behind_it(prompts):
    """G-5: arg1…argF behind it."""
    (prompt,) = prompts.prompts()
    assert prompt.name == "guide"
    assert [each.name for each in prompt.arguments] == [
        *(f"arg{digit}" for digit in "123456789"),
        *(f"arg{letter}" for letter in "ABCDEF"),
    ]
    assert not any(each.required for each in prompt.arguments)


def test_it_is_shown_with_free_words(prompts):
    """G-5: shown as `@guide *args`."""
    (prompt,) = prompts.prompts()
    assert "@guide *args" in prompt.description
    assert "arg1" not in prompt.description
    assert "arg1" not in full_description()


def test_its_full_text_has_the_four_sections(session):
    """K-13: prompts have theirs."""
    (prompt,) = GuidePrompts(session, "full").prompts()
    assert re.findall(r"^## (.*)$", prompt.description, re.M) == [
        "Description",
        "Conceptual Schema",
        "Usage Instructions",
        "Concrete Examples",
    ]


def test_words_become_documents_in_order(prompts):
    """G-5: the content of the expressions, through the function of the tool."""
    text = render(prompts, "lang/python", "", "docs/api")
    assert text.index("--- lang/python.md ---\n# Python") < text.index("--- docs/api.md ---")


def test_the_last_of_the_fifteen_counts_too(prompts):
    arguments = {"argF": " docs/api "}
    rendered = asyncio.run(prompts.render("guide", arguments, CallContext()))
    assert "# The API" in rendered.messages[0]["content"]["text"]
    assert rendered.description == "@guide docs/api"


def test_without_words_it_shows_what_there_is(prompts, session):
    session.editor.add_collection("start", {"expressions": ["lang"], "description": "Begin here"})
    text = render(prompts)
    assert "- lang (4 documents)" in text
    assert "- start - Begin here (lang)" in text


def test_what_is_missing_or_cut_is_said(prompts, write):
    write({"guide/lang/python.md": "word " * 20_000})
    text = render(prompts, "lang/python", "nope")
    assert "Nothing matched: nope" in text
    assert "[… cut at character" in text
    assert "cursor='" in text


def test_words_that_match_nothing_are_refused_with_the_nearest(prompts):
    with pytest.raises(InvalidParams, match="Nearest: lang/python"):
        render(prompts, "lang/pyton")
    with pytest.raises(InvalidParams, match="A pattern is missing at character 6"):
        render(prompts, "lang/")


def test_more_words_than_are_read_are_refused_in_plain_words(prompts):
    """G-5: a limit is told, never an internal error."""
    with pytest.raises(InvalidParams, match=r"have 3,001 characters, at most 2,000 are read"):
        render(prompts, "x" * 1500, "y" * 1500)


def test_another_name_is_unknown(prompts):
    with pytest.raises(PromptNotFound, match="did you mean 'guide'"):
        asyncio.run(prompts.render("guid", {}, CallContext()))


def test_words_are_completed(prompts):
    """S-8: completion for prompt arguments."""
    assert prompts.complete("guide", "arg1", "la", {}) == ["lang"]
    assert prompts.complete("guide", "arg2", "lang/p", {}) == ["lang/python.md"]
    assert prompts.complete("guide", "arg2", "nope/p", {}) == []


def test_each_module_points_to_the_template():
    """K-13: prompts have theirs."""
    folder = Path(prompts_package.__file__).parent
    assert (folder / "README.md").is_file()
    modules = [each for each in folder.glob("*.py") if each.name != "__init__.py"]
    assert modules
    for module in modules:
        assert "# The template for this text is README.md in this folder." in module.read_text()
