from __future__ import annotations

import threading

import pytest

from toolcrib.packs.guide.errors import (
    GuideError,
    InUse,
    InvalidValue,
    NameTaken,
    NotFound,
    ReadOnly,
)
from toolcrib.packs.guide.session import GuideSession


@pytest.fixture
def editor(session, write):
    write({"manual/one.md": "# One", "manual/two.md": "# Two"})
    return session.editor


def expressions(session: GuideSession) -> dict[str, tuple[str, ...]]:
    found = session.library.definitions().collections
    return {name: each.expressions for name, each in found.items()}


def test_an_added_category_is_there_for_every_session_of_the_project(editor, session, project):
    """G-1, G-3: kept in the store."""
    editor.add_category("manual", {"dir": "manual", "description": "The manual"})
    other = GuideSession(project)
    assert [d.key for d in other.library.select("manual").documents] == [
        "manual/one.md",
        "manual/two.md",
    ]
    assert other.library.definitions().categories["manual"].description == "The manual"


@pytest.mark.parametrize("name", ["lang", "start"])
def test_a_name_that_is_taken_is_refused_whoever_has_it(editor, name):
    """G-1: categories and collections share their names."""
    editor.add_collection("start", {"expressions": ["lang"]})
    with pytest.raises(NameTaken, match=f"is already named '{name}'"):
        editor.add_category(name, {"dir": "manual"})
    with pytest.raises(NameTaken):
        editor.add_collection(name, {"expressions": ["docs"]})


def test_what_a_change_leaves_out_stays(editor, session):
    editor.add_category("manual", {"dir": "manual", "patterns": ["one"], "description": "M"})
    editor.change_category("manual", {"description": "New"})
    made = session.library.definitions().categories["manual"]
    assert (made.dir, made.patterns, made.description) == ("manual", ("one",), "New")
    editor.change_category("manual", {"description": ""})
    assert session.library.definitions().categories["manual"].description is None


def test_a_rename_is_carried_into_every_collection(editor, session):
    """Renames keep references whole."""
    editor.add_category("manual", {"dir": "manual"})
    editor.add_collection("start", {"expressions": ["manual/one , lang", "docs"]})
    editor.add_collection("more", {"expressions": ["start", "manual"]})
    editor.change_category("manual", {}, "handbook")
    assert expressions(session) == {
        "more": ("start", "handbook"),
        "start": ("handbook/one , lang", "docs"),
    }
    editor.change_collection("start", {}, "begin")
    assert expressions(session) == {
        "begin": ("handbook/one , lang", "docs"),
        "more": ("begin", "handbook"),
    }
    assert session.library.select("more").missing == []


def test_a_rename_to_a_taken_name_changes_nothing(editor, session):
    editor.add_category("manual", {"dir": "manual"})
    editor.add_collection("start", {"expressions": ["manual"]})
    with pytest.raises(NameTaken):
        editor.change_category("manual", {}, "start")
    with pytest.raises(NameTaken):
        editor.change_collection("start", {}, "lang")
    assert expressions(session) == {"start": ("manual",)}
    assert "manual" in session.library.definitions().categories


def test_what_is_in_use_is_not_removed(editor, session):
    """Removals refuse rather than leave a hole."""
    editor.add_category("manual", {"dir": "manual"})
    editor.add_collection("start", {"expressions": ["manual"]})
    editor.add_collection("more", {"expressions": ["start"]})
    with pytest.raises(InUse, match="'manual' is used by: start"):
        editor.remove_category("manual")
    with pytest.raises(InUse, match="'start' is used by: more"):
        editor.remove_collection("start")
    editor.remove_collection("more")
    editor.remove_collection("start")
    editor.remove_category("manual")
    assert "manual" not in session.library.definitions().categories


def test_what_the_file_refers_to_cannot_be_renamed_from_here(editor, write):
    editor.add_category("manual", {"dir": "manual"})
    write({"guide/guide.toml": '[collections.fixed]\nexpressions = ["manual"]\n'})
    with pytest.raises(InUse, match=r"guide\.toml refers to it in fixed"):
        editor.change_category("manual", {}, "handbook")
    with pytest.raises(InUse):
        editor.remove_category("manual")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("lang", "it is a folder of the guide"),
        ("fixed", "it is defined in guide.toml"),
        ("agents", "it shows rule files"),
    ],
)
def test_what_the_repository_defines_is_read_only(editor, session, write, name, reason):
    """G-6: read-only categories."""
    write({"guide/guide.toml": '[categories.fixed]\ndir = "manual"\n', "AGENTS.md": "# A"})
    session.library.forget()
    for change in (lambda: editor.change_category(name, {}), lambda: editor.remove_category(name)):
        with pytest.raises(ReadOnly, match=reason):
            change()


def test_an_unknown_name_is_told_with_the_nearest(editor):
    editor.add_category("manual", {"dir": "manual"})
    with pytest.raises(NotFound, match="No category is named 'manul'; did you mean 'manual'"):
        editor.remove_category("manul")
    with pytest.raises(NotFound, match="No collection is named 'x'"):
        editor.change_collection("x", {})


def test_a_collection_refers_only_to_what_exists(editor):
    with pytest.raises(NotFound, match=r"unknown names: 'lnag'.*did you mean 'lang'"):
        editor.add_collection("start", {"expressions": ["lnag/python", "docs"]})


def test_a_collection_never_contains_itself(editor):
    with pytest.raises(InvalidValue, match="a > a"):
        editor.add_collection("a", {"expressions": ["a"]})
    editor.add_collection("a", {"expressions": ["lang"]})
    editor.add_collection("b", {"expressions": ["a"]})
    editor.add_collection("c", {"expressions": ["b"]})
    with pytest.raises(InvalidValue, match="a > c > b > a"):
        editor.change_collection("a", {"expressions": ["c"]})


def test_of_many_that_add_one_name_at_once_exactly_one_succeeds(editor, project):
    """G-3: what a change has checked still holds when it is saved."""
    outcomes: list[str] = []

    def add():
        try:
            GuideSession(project).editor.add_category("race", {"dir": "manual"})
            outcomes.append("added")
        except GuideError as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=add) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["added", *["already_exists"] * 5]
