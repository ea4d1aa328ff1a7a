from __future__ import annotations

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.packs.guide.content.definitions import make_category, make_collection, read_file
from toolcrib.packs.guide.errors import InvalidExpression, InvalidName, InvalidValue


def test_a_category_is_a_folder_with_a_description_and_patterns():
    """G-1."""
    made = make_category(
        "api", {"dir": "./docs/api/", "patterns": ["*.md"], "description": " A\n b "}, "store"
    )
    assert (made.dir, made.patterns, made.description) == ("docs/api", ("*.md",), "A b")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("a", {}, "dir must be a folder"),
        ("a", {"dir": 5}, "dir must be a folder"),
        ("a", {"dir": "../x"}, "must lie inside of the project"),
        ("a", {"dir": "/etc"}, "must lie inside of the project"),
        ("a", {"dir": "~"}, "must lie inside of the project"),
        ("a", {"dir": "x\0y"}, "must lie inside of the project"),
        ("a", {"dir": "x\\..\\.."}, "must lie inside of the project"),
        ("a", {"dir": "sub/.git/hooks"}, "must not be .git"),
        ("a", {"dir": "x", "patterns": "*.md"}, "patterns must be a list"),
        ("a", {"dir": "x", "patterns": ["[a"]}, r"Pattern '\[a'.*never closed.*character 1"),
        ("a", {"dir": "x", "patterns": ["a"] * 101}, "at most 100"),
        ("a", {"dir": "x", "description": "x" * 1001}, "at most 1,000 characters"),
    ],
)
def test_a_category_that_makes_no_sense_is_refused_with_the_field(name, value, reason):
    with pytest.raises(InvalidValue, match=reason):
        make_category(name, value, "store")


def test_names_and_expressions_are_checked_too():
    with pytest.raises(InvalidName):
        make_category("a/b", {"dir": "x"}, "store")
    with pytest.raises(InvalidExpression):
        make_collection("a", {"expressions": ["lang/"]}, "store")
    with pytest.raises(InvalidValue, match="must be a list of expressions"):
        make_collection("a", {"expressions": "lang"}, "store")


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("[categorys.x]\n", "g.toml:1:2", "Unknown key 'categorys'; did you mean 'categories'?"),
        ('[categories.x]\ndirr = "a"\n', "g.toml:2:1", "did you mean 'dir'?"),
        ('\n[collections.c]\nexpressions = ["a,,b"]\n', "g.toml:2:14", "A name is missing"),
        ('[categories]\nx = "y"\n', "g.toml:2:1", "categories.x must be a table"),
        ("categories = 5\n", "g.toml:1:1", "categories must be a table"),
        ("\n[[[\n", "g.toml:2:3", "This is not TOML"),
        ('[categories."a b"]\n', "g.toml:1:13", "so that expressions can address it"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_place(text, place, reason):
    """FAULTS: wrong type, unknown key: rejected with file:line:column."""
    with pytest.raises(ConfigError) as caught:
        read_file(text, "g.toml")
    assert str(caught.value.where) == place
    assert reason in str(caught.value)


def test_a_category_of_the_file_lies_beside_it_unless_it_says_otherwise():
    categories, _ = read_file("[categories.x]\n[categories.y]\ndir = 'z'\n", "guide/guide.toml")
    assert (categories["x"].dir, categories["y"].dir) == ("guide/x", "z")
