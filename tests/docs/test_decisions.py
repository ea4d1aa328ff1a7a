"""This project's own decisions, held to what the architecture pack asks of anybody's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib
from toolcrib.cli import main

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = ROOT / "docs" / "decisions"
SHOP = ROOT / "examples" / "shop"


def lint(project: Path) -> int:
    return main(["architecture", "lint", "--strict", "--project", str(project)])


@pytest.mark.parametrize("project", [ROOT, SHOP], ids=["own", "shop"])
def test_our_documents_have_no_broken_link_and_no_missing_status(project: Path) -> None:
    """A-1: links and statuses as our own linter wants them."""
    assert lint(project) == 0


@pytest.mark.parametrize("words", [(ROOT, "src"), (SHOP, "shop")], ids=["own", "shop"])
def test_our_code_breaks_no_rule_of_our_patterns(words: tuple[Path, str]) -> None:
    """A-6: the rules that are served are kept here."""
    project, folder = words
    assert main(["architecture", "check", str(project / folder), "--project", str(project)]) == 0


def test_ci_runs_both() -> None:
    """A-1: a decision that breaks stops the pipeline."""
    assert "decisions" in (ROOT / ".ci" / "run").read_text().split()
    steps = (ROOT / "Makefile").read_text().split("\ndecisions:", 1)[1].split("\n\n", 1)[0]
    assert "architecture lint --strict" in steps
    assert "architecture check" in steps


def without_status(text: str) -> str:
    return text.replace("- Status: accepted\n", "")


def with_broken_link(text: str) -> str:
    return f"{text}\nSee [another](0404-nowhere.md).\n"


def with_unknown_reference(text: str) -> str:
    return text.replace("- Status: accepted\n", "- Status: superseded by ADR-0404\n")


@pytest.mark.parametrize("harm", [without_status, with_broken_link, with_unknown_reference])
def test_a_decision_that_is_broken_is_noticed(
    tmp_path: Path, harm: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A-1: broken links, missing status, unknown references."""
    shutil.copytree(DECISIONS, tmp_path / "docs" / "decisions")
    assert lint(tmp_path) == 0
    file = tmp_path / "docs" / "decisions" / "0003-the-kernel-confines-file-access.md"
    before = file.read_text()
    file.write_text(harm(before))
    assert file.read_text() != before
    assert lint(tmp_path) == 1
    assert file.name in capsys.readouterr().out


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
def test_our_decisions_are_served_by_our_own_pack(modern: bool) -> None:
    """A-2: each decision has its uri, over a real pipe."""
    with Pipe(toolcrib("serve", "architecture"), cwd=ROOT) as pipe:
        if not modern:
            pipe.initialize()
        listed = pipe.result("resources/list", modern=modern)["resources"]
        uris = {each["uri"] for each in listed}
        assert {f"architecture://adr/{file.stem[:4]}" for file in DECISIONS.glob("0*.md")} <= uris
        query = {"query": "who confines file access"}
        found = pipe.call("search-architecture", query, modern)["structuredContent"]
        assert found["results"][0]["uri"] == "architecture://adr/0003"


def test_our_rules_find_what_they_forbid(tmp_path: Path) -> None:
    """A-6: the check of our own code is no empty one."""
    shutil.copytree(ROOT / "docs" / "patterns", tmp_path / "docs" / "patterns")
    code = tmp_path / "code.py"
    code.write_text("import os\n\nos.system('ls')\n")
    assert main(["architecture", "check", str(code), "--project", str(tmp_path)]) == 1
