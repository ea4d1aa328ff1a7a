"""S-5: rule files and skills that come or go in any folder are noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolcrib.packs.guide.rules.lookout import Lookout


@pytest.fixture
def lookout(tmp_path: Path) -> Lookout:
    return Lookout(tmp_path, rest=0, share=0)


def write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    return path


def long_ago(folder: Path) -> None:
    """A change within one tick of the clock could not be told from none."""
    for each in (folder, *(below for below in folder.rglob("*") if below.is_dir())):
        os.utime(each, (1, 1))


@pytest.mark.parametrize(
    "path",
    ["lib/deep/AGENTS.md", "CLAUDE.md", "app/.cursor/rules/x.mdc", "app/.claude/skills/x/SKILL.md"],
)
def test_a_rule_file_that_comes_or_goes_in_any_folder_is_news_once(
    lookout: Lookout, tmp_path: Path, path: str
) -> None:
    """S-5: added and removed documents."""
    lookout.has_news()
    assert not lookout.has_news()
    long_ago(tmp_path)
    made = write(tmp_path / path)
    assert lookout.has_news()
    long_ago(tmp_path)
    assert not lookout.has_news()
    made.unlink()
    assert lookout.has_news()


def test_there_may_be_news_before_the_first_look(lookout: Lookout) -> None:
    """S-5: what came after the files were listed is not missed."""
    assert lookout.has_news()


def test_other_files_and_packages_are_no_news(lookout: Lookout, tmp_path: Path) -> None:
    """S-5: what the guide does not serve costs no reading anew."""
    lookout.has_news()
    long_ago(tmp_path)
    for path in ("lib/code.py", "docs/page.md", "node_modules/pot/AGENTS.md"):
        write(tmp_path / path)
    assert not lookout.has_news()


def test_a_look_is_not_repeated_at_once(tmp_path: Path) -> None:
    """S-5: an idle server does next to nothing."""
    lookout = Lookout(tmp_path, rest=3600)
    write(tmp_path / "AGENTS.md")
    assert not lookout.has_news()
