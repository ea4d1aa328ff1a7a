from __future__ import annotations

import pytest


@pytest.fixture
def content(shop, home, toolcrib):
    return lambda *words: toolcrib("content", *words)


def test_documents_are_printed_in_order(content):
    """U-1: toolcrib content."""
    out = content("get", "lang/python,docs/api").out
    assert out.index("── lang/python.md\n# Python") < out.index("── docs/api.md\n")


def test_everything_is_printed_however_much_there_is(content, shop):
    """G-1: no hidden cap for people either."""
    folder = shop / "guide" / "big"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number:02}.md").write_text(f"# Number {number}\n" + "word " * 8000)
    ran = content("get", "big", "--json")
    shown = {each["document"] for each in ran.json["documents"]}
    assert len(shown) == 30


def test_the_categories_are_listed_with_where_they_come_from(content):
    lines = content("categories").out.splitlines()
    assert lines[0].split() == ["category", "documents", "folder", "from"]
    assert ["lang", "2", "guide/lang"] in [line.split()[:3] for line in lines]
    assert any(line.startswith("agents") and "rules" in line for line in lines)


def test_the_files_of_a_name_are_listed(content):
    assert content("files", "lang", "--json").json[0] == {
        "document": "lang/python.md",
        "path": "guide/lang/python.md",
        "size": content("files", "lang", "--json").json[0]["size"],
    }


def test_files_that_nothing_matches_are_an_error_with_the_nearest(content):
    """U-1, G-1: failure only when nothing matched, with the nearest names."""
    ran = content("files", "lagn")
    assert ran.code == 1 and ran.out == ""
    assert "Nothing matches 'lagn'" in ran.err and "Nearest: lang" in ran.err


def test_the_rules_for_a_file_are_printed_nearest_first(content):
    """G-6."""
    out = content("rules", "shop/domain/money.py").out
    assert out.index(".cursor/rules/money.mdc") < out.index("── AGENTS.md (nearest)")


def test_skills_are_listed_and_printed(content):
    """G-6."""
    assert content("skills").out.splitlines()[1].startswith("release")
    assert "# Release" in content("skills", "release").out


def test_nothing_found_is_an_error_with_the_nearest(content):
    """G-1."""
    ran = content("get", "lang/pyton")
    assert ran.code == 1
    assert "Nearest: lang/python" in ran.err


def test_an_error_points_at_the_character(content):
    """G-1."""
    ran = content("get", "lang/,docs")
    assert "lang/,docs\n     ^" in ran.err


def test_a_repository_without_content_is_told_how_to_begin(toolcrib, home):
    ran = toolcrib("content", "categories")
    assert ran.code == 0
    assert "Make a folder such as guide/docs/" in ran.out
    assert toolcrib("content", "collections").out == "No collections are defined.\n"
    assert toolcrib("content", "rules", "x.py").out == "No rules apply to x.py.\n"


def test_the_next_step_of_an_error_is_a_command(content):
    """G-1, U-1: errors for people say the next command, not a tool."""
    ran = content("get", "zzzz")
    assert ran.code == 1
    assert "next: Run `toolcrib content categories` to see what there is." in ran.err
    assert "Run `toolcrib content skills` for the list." in content("skills", "zzzz").err


def test_an_expression_alone_is_printed(content):
    """G-8: `content EXPRESSION` works without `get`."""
    assert content("lang/python").out == content("get", "lang/python").out
    assert content("--json", "lang/python").json == content("get", "lang/python", "--json").json
    assert content("categories").code == 0
