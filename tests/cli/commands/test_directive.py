"""D-8: `toolcrib directive init | update | bundle NAME | serve`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolcrib.cli import main


def run(project: Path, *words: str) -> int:
    return main(["directive", *words, "--project", str(project)])


def test_init_says_what_it_made_and_what_it_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "init") == 0
    assert "created  directive/agent_context.md" in capsys.readouterr().out
    assert run(tmp_path, "init", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["created"] == []
    assert len(shown["kept"]) == 5


def test_update_shows_a_diff_and_writes_only_with_a_yes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """D-8: `update` shows a diff, and asks or takes `--yes`."""
    run(tmp_path, "init")
    target = tmp_path / "directive" / "templates" / "tdr_template.md"
    target.write_text("# Old\n")
    capsys.readouterr()
    assert run(tmp_path, "update") == 1
    out = capsys.readouterr().out
    assert "-# Old" in out
    assert "+# TDR: <feature>" in out
    assert "Nothing was written" in out
    assert target.read_text() == "# Old\n"
    assert run(tmp_path, "update", "--json") == 1
    assert json.loads(capsys.readouterr().out)["updated"] == []
    assert run(tmp_path, "update", "--yes") == 0
    assert "updated  directive/templates/tdr_template.md" in capsys.readouterr().out
    assert target.read_text() != "# Old\n"
    assert run(tmp_path, "update") == 0
    assert "up to date" in capsys.readouterr().out


def test_update_asks_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, "init")
    target = tmp_path / "directive" / "agent_operating_procedure.md"
    target.write_text("# Old\n")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: "n")
    assert run(tmp_path, "update") == 1
    assert target.read_text() == "# Old\n"
    monkeypatch.setattr("builtins.input", lambda question: "y")
    assert run(tmp_path, "update") == 0
    assert target.read_text() != "# Old\n"


@pytest.mark.parametrize("name", ["spec", "spec_template.md"])
def test_a_bundle_is_printed_for_people_and_for_scripts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    run(tmp_path, "init")
    capsys.readouterr()
    assert run(tmp_path, "bundle", name) == 0
    out = capsys.readouterr().out
    assert out.startswith("> Do not write code")
    assert "<!-- directive/templates/spec_template.md -->" in out
    assert run(tmp_path, "bundle", name, "--json") == 0
    assert set(json.loads(capsys.readouterr().out)) == {
        "primer",
        "agentOperatingProcedure",
        "agentContext",
        "template",
        "resources",
    }


def test_an_unknown_bundle_names_the_templates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, "init")
    assert run(tmp_path, "bundle", "nope") == 1
    err = capsys.readouterr().err
    assert "Missing template: directive/templates/nope_template.md" in err
    assert "directive/templates/spec_template.md" in err


def test_without_the_folder_the_next_command_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "bundle", "spec") == 1
    assert "toolcrib directive init" in capsys.readouterr().err


def test_wrong_usage_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(tmp_path, "bundel", "spec")
    assert caught.value.code == 2


@pytest.mark.parametrize("action", ["init", "update"])
@pytest.mark.parametrize("what", ["file", "link"])
def test_something_in_the_way_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, action: str
) -> None:
    """D-8: where `directive` is no folder of the project, it says what is there and what to do."""
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    if what == "file":
        (project / "directive").write_text("mine")
    else:
        (project / "directive").symlink_to(outside)
    assert run(project, action) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert f"directive is in the way: it is a {what}" in told.err
    assert "Move or remove directive, then try again" in told.err
    assert list(outside.iterdir()) == []
    assert what == "link" or (project / "directive").read_text() == "mine"
