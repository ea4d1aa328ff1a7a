"""`toolcrib architecture new-adr | graph | lint`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolcrib.cli import main

OLD = "# 1. Old\n\n## Status\n\nAccepted\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "docs" / "adr"
    folder.mkdir(parents=True)
    (folder / "0001-old.md").write_text(OLD)
    return tmp_path


def run(project: Path, *words: str) -> int:
    return main(["architecture", *words, "--project", str(project)])


def test_a_new_record_is_written_and_its_predecessor_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A-1: next number, template, links."""
    assert run(project, "new-adr", "Use it", "--supersedes", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "file": "docs/adr/0002-use-it.md",
        "changed": ["docs/adr/0001-old.md"],
        "written": True,
    }
    assert (
        "Superseded by [2. Use it](0002-use-it.md)"
        in (project / "docs/adr/0001-old.md").read_text()
    )
    assert run(project, "new-adr", "And more") == 0
    assert "docs/adr/0003-and-more.md" in capsys.readouterr().out


def test_a_dry_run_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project, "new-adr", "Use it", "--supersedes", "1", "--dry-run") == 0
    out = capsys.readouterr().out
    assert "# 2. Use it" in out
    assert "+Superseded by [2. Use it](0002-use-it.md)" in out
    assert [file.name for file in (project / "docs/adr").iterdir()] == ["0001-old.md"]
    assert (project / "docs/adr/0001-old.md").read_text() == OLD


def test_an_unknown_predecessor_is_an_error(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(project, "new-adr", "Use it", "--supersedes", "7") == 1
    assert "Resource not found: architecture://adr/7" in capsys.readouterr().err


def test_the_graph_is_mermaid_json_or_a_picture(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(project, "new-adr", "Use it", "--supersedes", "1")
    capsys.readouterr()
    assert run(project, "graph") == 0
    assert "d1 -->|supersedes| d0" in capsys.readouterr().out
    assert run(project, "graph", "--json") == 0
    assert json.loads(capsys.readouterr().out)["links"] == [
        {
            "source": "architecture://adr/0002",
            "target": "architecture://adr/0001",
            "kind": "supersedes",
        }
    ]
    picture = project / "out" / "decisions.svg"
    assert run(project, "graph", "--svg", str(picture)) == 0
    assert picture.read_text().startswith("<svg ")


def test_lint_fails_on_errors_and_strictly_on_warnings(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(project, "lint", "--strict") == 0
    (project / "docs/adr/0002-b.md").write_text("# B\n\n## Status\n\nSuperseded\n")
    assert run(project, "lint") == 0
    assert run(project, "lint", "--strict") == 1
    (project / "docs/adr/0003-c.md").write_text("# C\n\n[x](gone.md)\n")
    capsys.readouterr()
    assert run(project, "lint") == 1
    out = capsys.readouterr().out
    assert "docs/adr/0003-c.md:3: error: gone.md leads nowhere [broken-link]" in out
    assert "3 documents: 1 error, 2 warnings" in out
    assert run(project, "lint", "--json") == 1
    rules = [each["rule"] for each in json.loads(capsys.readouterr().out)["findings"]]
    assert rules == ["no-successor", "missing-status", "broken-link"]


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("docs/adrs", "; did you mean 'docs/adr'?"),
        ("docs/adr/0001-odl.md", "; did you mean 'docs/adr/0001-old.md'?"),
        ("0001-old.md", "; did you mean 'docs/adr/0001-old.md'?"),
        ("zzz", ""),
    ],
)
def test_a_path_that_is_not_there_is_wrong_usage(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    path: str, nearest: str,
) -> None:  # fmt: skip
    """U-1, A-10: lint says so with the nearest name, and not that no document is wrong."""
    monkeypatch.chdir(project)
    assert run(project, "lint", path) == 2
    said = capsys.readouterr()
    assert f"No such file or folder: {path}{nearest}\n" in said.err
    assert said.out == ""
    assert run(project, "lint", "docs") == 0


def test_a_missing_action_is_wrong_usage(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(project)
    assert caught.value.code == 2
