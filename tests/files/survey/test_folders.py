"""A-10: a look through a repository is bounded, and skips what is not the project's own."""

from __future__ import annotations

import os
from pathlib import Path

from toolcrib.files.survey.folders import DEPTH, Survey


def written(project: Path, *paths: str) -> Path:
    for path in paths:
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text("x")
    return project


def is_document(_folder: str, name: str) -> bool:
    return name.endswith(".md")


def survey(project: Path, **limits: int) -> Survey:
    return Survey(project, is_document, skip="tests".__eq__, **limits)


def test_names_are_found_by_folder(tmp_path: Path) -> None:
    """A-10: at any depth up to six."""
    deep = "/".join("abcdef")
    written(tmp_path, "x.md", "a/y.md", "a/z.txt", f"{deep}/in.md", f"{deep}/g/out.md")
    assert DEPTH == 6
    assert survey(tmp_path).look() == {"": ("x.md",), "a": ("y.md",), deep: ("in.md",)}


def test_what_is_not_the_projects_own_is_left_out(tmp_path: Path) -> None:
    """A-10: vendored, built and ignored folders, tests, and repositories within the repository."""
    written(
        tmp_path, "node_modules/a/x.md", "Vendor/x.md", "tests/x.md", "out/x.md", "a/out/x.md",
        "sub/.git", "sub/x.md", "kept/x.md", "a/secret.md", ".git/x.md", ".hidden/x.md",
    )  # fmt: skip
    (tmp_path / ".gitignore").write_text("/out/\n")
    (tmp_path / "a/.gitignore").write_text("secret.md\n")
    found = survey(tmp_path).look()
    assert found == {"kept": ("x.md",), "a/out": ("x.md",), ".hidden": ("x.md",)}


def test_links_are_not_followed(tmp_path: Path) -> None:
    """A-10: a link to a folder may lead anywhere, also back up."""
    written(tmp_path / "outside", "x.md")
    project = written(tmp_path / "project", "a/x.md")
    (project / "link").symlink_to(tmp_path / "outside")
    (project / "a/loop").symlink_to(project)
    assert survey(project).look() == {"a": ("x.md",)}


def test_a_look_ends_at_its_limit_with_what_is_nearest(tmp_path: Path) -> None:
    """A-10: at most so many entries; folders near the root come first."""
    written(tmp_path, "near/x.md", *(f"big/{n}/x.md" for n in range(50)))
    looking = survey(tmp_path, limit=60)
    assert "near" in looking.look() and not looking.complete
    assert len(looking.look()) < 20


def test_a_second_look_lists_only_what_changed(tmp_path: Path, monkeypatch) -> None:
    """A-10: cheap enough to be repeated."""
    written(tmp_path, "a/x.md", "b/x.md", "c/d/x.md")
    looking = survey(tmp_path)
    before = looking.look()
    listed: list[object] = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: listed.append(place) or scan(place))
    assert looking.look() == before and not listed
    written(tmp_path, "b/new.md")
    os.utime(tmp_path / "b", ns=(1, 1))  # whatever the clock of the file system does
    assert looking.look()["b"] == ("new.md", "x.md") and len(listed) == 1


def test_an_edited_gitignore_holds_at_the_next_look(tmp_path: Path) -> None:
    """A-10: its folder does not change by it."""
    written(tmp_path, "a/x.md")
    (tmp_path / ".gitignore").write_text("")
    looking = survey(tmp_path)
    assert looking.look() == {"a": ("x.md",)}
    (tmp_path / ".gitignore").write_text("a\n")
    os.utime(tmp_path / ".gitignore", ns=(1, 1))
    assert looking.look() == {}
