"""`toolcrib architecture check FILE…`."""

from __future__ import annotations

import json
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
