"""`toolcrib architecture check FILE…`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from toolcrib.cli import main

PATTERN = """# No print

```yaml rules
- {id: no-print, language: python, rule: {pattern: print($$$A)}, invalid: print(1)}
```
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "handbook/no-print.md": PATTERN,
        "toolcrib.toml": '[architecture]\npatterns = ["handbook"]\n',
        "src/good.py": "log(1)\n",
        "src/bad.py": "print(1)\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def run(project: Path, *words: str) -> int:
    files = [str(project / word) if word.startswith("src") else word for word in words]
    return main(["architecture", "check", *files, "--project", str(project)])


def test_the_exit_code_tells_a_pipeline_what_to_do(project: Path, capsys) -> None:
    """A-6: 0 all well, 1 something is wrong, 2 wrong usage; patterns as the settings say."""
    assert run(project, "src/good.py") == 0
    assert run(project, "src") == 1
    assert "src/bad.py:1:1: error: no print [no-print/no-print]" in capsys.readouterr().out
    assert run(project, "src/missing.py") == 2
    assert "No such file" in capsys.readouterr().err


def test_without_rules_nothing_was_checked_and_that_is_said(project: Path, capsys) -> None:
    """A-6: a clean bill for code that nothing was held against would mislead."""
    assert run(project, "src/good.py") == 0
    assert "nothing was checked" not in capsys.readouterr().out
    (project / "handbook/no-print.md").write_text("# No print\n\nUse log.\n")
    assert run(project, "src") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("note: nothing was checked: no pattern of this project has rules")
    assert told[-1] == "2 files: 0 errors, 0 warnings"


def test_a_file_that_is_no_python_is_told_beside_the_verdict(project: Path, capsys) -> None:
    """A-6: where code cannot be read, a rule that finds nothing says little."""
    (project / "src/broken.py").write_text("x = 1\ndef f(:\n    log(1)\n")
    assert run(project, "src/broken.py") == 0
    told = capsys.readouterr().out
    assert "note: src/broken.py:2: not valid Python; rules may have missed something" in told
    assert run(project, "src/good.py") == 0
    assert "not valid Python" not in capsys.readouterr().out


def test_a_script_is_not_told_that_unchecked_code_complies(project: Path, capsys) -> None:
    """A-6: without a rule `compliant` says neither yes nor no."""
    assert run(project, "src/good.py", "--json") == 0
    checked = json.loads(capsys.readouterr().out)
    assert (checked["compliant"], checked["rules"]) == (True, 1)
    (project / "handbook/no-print.md").write_text("# No print\n\nUse log.\n")
    assert run(project, "src", "--json") == 0
    unchecked = json.loads(capsys.readouterr().out)
    assert (unchecked["compliant"], unchecked["rules"], unchecked["files"]) == (None, 0, 2)


def test_json_and_sarif_are_for_machines(project: Path, capsys) -> None:
    assert run(project, "src", "--json") == 1
    assert json.loads(capsys.readouterr().out)["violations"][0]["file"] == "src/bad.py"
    assert run(project, "src", "--sarif") == 1
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"


def test_lint_reports_rules_that_do_not_hold(project: Path, capsys) -> None:
    (project / "handbook/blind.md").write_text(PATTERN.replace("print($$$A)}", "prnt($$$A)}"))
    run(project, "src/good.py")
    assert main(["architecture", "lint", "--strict", "--project", str(project)]) == 1
    assert "does not do what it says" in capsys.readouterr().out


def git(project: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *who, *words], cwd=project, check=True, capture_output=True)


def test_only_what_a_change_touches_is_checked(project: Path, capsys) -> None:
    """A-6: --diff: changed lines and new files, and nothing that was there before."""
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    assert main(["architecture", "check", "--project", str(project), "--diff"]) == 0
    (project / "src/bad.py").write_text("print(1)\nlog(2)\nprint(3)\n")
    (project / "src/fresh.py").write_text("print(4)\n")
    (project / "notes.txt").write_text("print(5)\n")
    capsys.readouterr()
    assert main(["architecture", "check", "--project", str(project), "--diff", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["violations"]
    assert [(each["file"], each["line"]) for each in found] == [
        ("src/bad.py", 3), ("src/fresh.py", 1),
    ]  # fmt: skip
    one = str(project / "src/bad.py")
    words = ["architecture", "check", one, "--project", str(project), "--diff=HEAD", "--json"]
    assert main(words) == 1
    assert len(json.loads(capsys.readouterr().out)["violations"]) == 1


def test_a_link_that_leads_out_does_not_end_the_check_of_a_change(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys
) -> None:
    """A-6: --diff: what is not in the repository is no part of its change; the rest is checked."""
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    outside = tmp_path_factory.mktemp("elsewhere") / "outside.py"
    outside.write_text("print(1)\n")
    (project / "src/link.py").symlink_to(outside)
    (project / "src/fresh.py").write_text("print(4)\n")
    assert main(["architecture", "check", "--project", str(project), "--diff", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["violations"]
    assert [each["file"] for each in found] == ["src/fresh.py"]


@pytest.mark.parametrize("words", [[], ["--diff=nowhere"], ["--diff=--output=x"]])
def test_a_change_that_git_cannot_tell_is_an_error(project: Path, capsys, words) -> None:
    """A-6: what is missing is said, with the next command."""
    git(project, "init", "-q")
    assert main(["architecture", "check", "--project", str(project), *words]) == 2
    assert "architecture check" in capsys.readouterr().err
    assert not (project / "x").exists()
