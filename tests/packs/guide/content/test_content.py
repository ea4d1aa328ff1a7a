from __future__ import annotations

import time

import pytest

from support.waiting import until
from toolcrib.packs.guide.content.content import ContentLibrary
from toolcrib.packs.guide.content.index import CategoryIndex
from toolcrib.packs.guide.errors import InvalidExpression
from toolcrib.packs.guide.session import GuideSession
from toolcrib.packs.guide.settings import GuideSettings


def keys(library: ContentLibrary, expression: str, pattern: str | None = None) -> list[str]:
    return [document.key for document in library.select(expression, pattern).documents]


def missing(library: ContentLibrary, expression: str) -> list[str]:
    return [each.expression for each in library.select(expression).missing]


def test_each_sub_folder_of_the_guide_is_a_category_without_any_set_up(library):
    """G-1: categories are folders of documents."""
    assert sorted(library.definitions().categories) == ["docs", "guidelines", "lang"]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("lang/python", ["lang/python.md"]),
        ("lang/python.md", ["lang/python.md"]),
        ("lang/python+java", ["lang/java.md", "lang/python.md"]),
        ("lang/java+python", ["lang/java.md", "lang/python.md"]),
        (
            "lang/python,docs/api,guidelines",
            ["lang/python.md", "docs/api.md", "guidelines/style.md"],
        ),
        ("docs/api,lang/python", ["docs/api.md", "lang/python.md"]),
        ("lang", ["lang/c++.md", "lang/java.md", "lang/python.md", "lang/rust.md"]),
        ("docs", ["docs/api.md", "docs/v1/api.md", "docs/v1/deep/er.md"]),
        ("docs/*", ["docs/api.md"]),
        ("docs/**/api", ["docs/api.md", "docs/v1/api.md"]),
        ("docs/v1/**", ["docs/v1/api.md", "docs/v1/deep/er.md"]),
        ("docs/v1/api", ["docs/v1/api.md"]),
        ("lang/p*+r*", ["lang/python.md", "lang/rust.md"]),
        ("lang/c[+][+]", ["lang/c++.md"]),
        ("lang/j?va", ["lang/java.md"]),
        ("lang/python,lang", ["lang/python.md", "lang/c++.md", "lang/java.md", "lang/rust.md"]),
        ("docs/api,docs/api", ["docs/api.md"]),
    ],
)
def test_an_expression_means_these_documents_in_this_order(library, expression, found):
    """G-1: any of, several in order, with or without extension, sorted, duplicates once."""
    assert keys(library, expression) == found
    assert missing(library, expression) == []


def test_a_slash_and_a_second_argument_mean_the_same(library):
    """G-1: `lang/python` is ("lang", "python")."""
    assert keys(library, "lang", "python+java") == keys(library, "lang/python+java")
    assert keys(library, "lang,docs", "**/api+python") == [
        "lang/python.md",
        "docs/api.md",
        "docs/v1/api.md",
    ]


def test_a_pattern_never_brings_in_another_category(library):
    """G-1: `("lang", "a,docs")` is no way to docs; a comma separates expressions only."""
    with pytest.raises(InvalidExpression, match=r"pattern='python,docs' is more than one"):
        library.select("lang", "python,docs")
    assert keys(library, "lang", "python+java") == keys(library, "lang/python+java")


def test_a_name_in_other_letters_is_near(write, library):
    """G-1: nothing matched names the nearest, whatever the case."""
    write({"guide/lang/README.md": "# R"})
    for asked, near in [("PYTHON", "lang/python"), ("readme", "lang/README")]:
        (missing,) = library.select(f"lang/{asked}").missing
        assert missing.nearest[0] == near


def test_two_patterns_for_one_name_are_refused(library):
    """G-1."""
    with pytest.raises(InvalidExpression, match="already has a pattern"):
        library.select("lang/python", "java")


def test_what_was_missing_is_listed_with_the_nearest_names(library):
    """G-1: what was missing is listed."""
    selection = library.select("lang/pyton+java,dosc/api,docs/v1")
    assert [each.key for each in selection.documents] == ["lang/java.md"]
    told = {each.expression: each for each in selection.missing}
    assert told["lang/pyton"].nearest == ("lang/python",)
    assert told["dosc/api"].nearest == ("docs",)
    assert "no category or collection" in told["dosc/api"].reason
    assert "docs/v1/** means all that is in it" in told["docs/v1"].reason


def test_documents_directly_in_the_guide_folder_are_a_category_of_their_own(write, library):
    """G-1."""
    write({"guide/intro.md": "# Intro", "guide/guide.toml": ""})
    library.forget()
    assert keys(library, "guide") == ["guide/intro.md"]
    assert "guide.toml" not in str(keys(library, "guide/**"))


def test_a_file_of_the_repository_defines_categories_and_collections_for_all(write, library):
    """G-1: a description and patterns; collections are named lists of expressions."""
    write(
        {
            "db/schema.sql": "create table t;",
            "db/notes.txt": "notes",
            "guide/guide.toml": """
[categories.sql]
dir = "db"
patterns = ["*.sql"]
description = "Schemas"

[categories.lang]
description = "Languages"

[collections.start]
expressions = ["lang/python", "sql"]

[collections.all]
expressions = ["start", "docs/api"]
""",
        }
    )
    assert keys(library, "sql") == ["sql/schema.sql"]
    known = library.definitions()
    assert known.categories["lang"].description == "Languages"
    assert known.categories["lang"].dir == "guide/lang"
    assert keys(library, "all") == ["lang/python.md", "sql/schema.sql", "docs/api.md"]
    assert keys(library, "all/**/api") == ["docs/api.md"]
    assert missing(library, "all/nothing") == ["all/nothing"]


def test_a_broken_file_keeps_the_last_good_definitions(write, library):
    """FAULTS: invalid config on hot reload: the last good one stays."""
    write({"guide/guide.toml": '[collections.a]\nexpressions = ["lang"]\n'})
    assert "a" in library.definitions().collections
    write({"guide/guide.toml": "[collections.a\n"})
    known = library.definitions()
    assert "a" in known.collections
    assert "guide/guide.toml" in known.problems[0]
    write({"guide/guide.toml": '[collections.b]\nexpressions = ["lang"]\n'})
    assert list(library.definitions().collections) == ["b"]
    assert library.definitions().problems == []


def test_collections_that_contain_each_other_end(write, library):
    """G-1: never a hang."""
    write(
        {
            "guide/guide.toml": '[collections.a]\nexpressions = ["b", "lang/java"]\n'
            '[collections.b]\nexpressions = ["a"]\n'
        }
    )
    assert keys(library, "a") == ["lang/java.md"]
    assert missing(library, "a") == ["a"]


def test_content_is_served_without_a_store(project, monkeypatch, tmp_path):
    """FAULTS: HOME unwritable: starts; what needs no state works."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("TOOLCRIB_STATE", str(blocked / "below"))
    library = GuideSession(project).library
    assert keys(library, "lang/python") == ["lang/python.md"]


def test_a_new_document_is_found_without_a_watcher(write, library, monkeypatch):
    """S-5: served within 2 s, also where nobody watches."""
    assert "go" not in str(keys(library, "lang"))
    write({"guide/lang/go.md": "# Go"})
    monkeypatch.setattr("toolcrib.packs.guide.content.tree.FRESH", 0.0)
    until(lambda: "lang/go.md" in keys(library, "lang"), 5)


def test_a_folder_that_goes_away_and_comes_back_needs_no_restart(project, library, tmp_path):
    """FAULTS: folder renamed and back: the last index is kept, recovery without a restart."""
    before = keys(library, "lang")
    project.rename(tmp_path / "away")
    library.forget()
    assert keys(library, "lang") == before
    (tmp_path / "away").rename(project)
    (project / "guide/lang/go.md").write_text("# Go")
    library.forget()
    assert "lang/go.md" in keys(library, "lang")


@pytest.mark.parametrize("name", ["..", "../outside", "/etc"])
def test_nothing_outside_of_the_project_can_be_a_category(write, library, tmp_path, name):
    """FAULTS: `..`, absolute: refused."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    write({"guide/guide.toml": f'[categories.x]\ndir = "{name}"\n'})
    known = library.definitions()
    assert "x" not in known.categories
    assert "inside of the project" in known.problems[0]


def test_a_link_out_of_the_project_is_not_followed(project, library, tmp_path):
    """FAULTS: symlink out: refused."""
    (tmp_path / "secret.md").write_text("secret")
    (project / "guide/lang/secret.md").symlink_to(tmp_path / "secret.md")
    library.forget()
    assert "lang/secret.md" not in keys(library, "lang")


def test_the_content_folder_may_have_another_name(write, tmp_path):
    write({"docs/handbook/how.md": "# How"})
    session = GuideSession(tmp_path / "project", GuideSettings(content="docs/", rules=False))
    assert keys(session.library, "handbook/how") == ["handbook/how.md"]


def test_folders_whose_names_cannot_be_addressed_are_told(write, library):
    """G-1: names that expressions could not address."""
    write({"guide/my docs/x.md": "# X"})
    library.forget()
    assert "my docs" not in library.definitions().categories
    assert library.unusable_folders() == ["my docs"]


def test_ten_thousand_documents_are_selected_from_in_no_time(write, library, tmp_path):
    """G-1: 10,000 documents, any expression at most 20 ms, and no hidden cap."""
    entry = library.root.stat("README.md")
    names = [f"section{n % 50}/document-{n}.md" for n in range(10_000)]
    category = library.definitions().categories["docs"]
    index = CategoryIndex(category, ((name, entry) for name in names))
    for patterns, count in [
        (["section7/document-107"], 1),
        (["**"], 10_000),
        (["**/document-1*", "section3/*"], 1111 + 200 - 22),
        ([f"**/*{n}7" for n in range(10)], 999),
        (["**/docment-107"], 0),
    ]:
        best = min(_spent(index, patterns, count) for _ in range(3))
        assert best < 0.020, patterns


def _spent(index: CategoryIndex, patterns: list[str], count: int) -> float:
    index._selected.clear()
    started = time.thread_time()
    documents, unmatched = index.select(patterns)
    for pattern in unmatched:
        index.nearest(pattern)
    spent = time.thread_time() - started
    assert len(documents) == count
    return spent


def test_the_nearest_names_are_found_among_many(library):
    """G-1: with the nearest names."""
    entry = library.root.stat("README.md")
    names = [f"section{n % 50}/document-{n}.md" for n in range(5000)] + ["howto/deploy.md"]
    index = CategoryIndex(library.definitions().categories["docs"], ((n, entry) for n in names))
    assert index.nearest("howto/deplyo")[0] == "howto/deploy"
    assert index.nearest("") == []
