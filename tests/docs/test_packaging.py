"""Where people work: pre-commit, GitHub, the registry of servers, desktop clients."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from support.pages import ROOT, command_lines, fault_of

ADR = "# 1. Use X\n\nStatus: accepted\n\n## Context\n\nWhy.\n\n## Decision\n\nX.\n"
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
SERVER = json.loads((ROOT / "server.json").read_text())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a decision, a pattern that forbids a call, and a change that calls it."""
    rule = "id: no-print\nlanguage: python\nseverity: error\nmessage: no print\n"
    rule += "rule: {pattern: print($A)}\n"
    pattern = f"# Quiet\n\nNo output.\n\n```yaml ast-grep\n{rule}```\n"
    files = {
        "docs/adr/0001-x.md": ADR,
        "mcp/resources/patterns/quiet.md": pattern,
        "a.py": "x = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    return tmp_path


def typed(words: list[str], project: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line of ours in the repository."""
    assert words[0] == "toolcrib"
    line = [sys.executable, "-m", "toolcrib", *words[1:]]
    return subprocess.run(line, cwd=project, capture_output=True, text=True)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_as_pre_commit_runs_it(hook: dict[str, Any], project: Path) -> None:
    """U-1: well on a repository that is; files are appended where the hook takes them."""
    words = [*hook["entry"].split(), *hook.get("args", [])]
    assert fault_of(words) is None
    assert re.fullmatch(r"[a-z-]+", hook["id"]) and hook["language"] == "python"
    files = ["a.py"] if hook.get("pass_filenames", True) else []
    done = typed([*words, *files], project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_holds_back_what_breaks_a_pattern(project: Path) -> None:
    """U-1: and only for the lines of the change."""
    (hook,) = (each for each in HOOKS if each["id"] == "toolcrib-check")
    (project / "a.py").write_text("x = 1\nprint(x)\n")
    done = typed([*hook["entry"].split(), *hook["args"], "a.py"], project)
    assert done.returncode == 1 and "no print" in done.stdout + done.stderr


def steps() -> dict[str, dict[str, Any]]:
    return {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}


def test_the_action_speaks_of_inputs_that_it_has() -> None:
    """U-1: a composite action; every step that runs something says in which shell."""
    assert ACTION["runs"]["using"] == "composite"
    named = set(re.findall(r"inputs\.([a-z_-]+)", json.dumps(ACTION["runs"])))
    assert named == set(ACTION["inputs"])
    assert all(each["description"] and "default" in each for each in ACTION["inputs"].values())
    assert all("uses" in step or step["shell"] == "bash" for step in ACTION["runs"]["steps"])
    workflows = [path.read_text() for path in (ROOT / ".github/workflows").glob("*.y*ml")]
    assert any("uses: ./" in text for text in workflows)


@pytest.mark.parametrize("name", ["toolcrib validate", "toolcrib architecture lint"])
def test_the_commands_of_the_action_exist(name: str) -> None:
    """U-1: what it runs is what can be typed."""
    for words in command_lines(steps()[name]["run"]):
        assert fault_of(words) is None


@pytest.mark.parametrize(("diff", "code"), [("", 1), ("HEAD", 0), ("HEAD~1", 1)])
def test_the_action_checks_a_change_and_writes_sarif(project: Path, diff: str, code: int) -> None:
    """U-1: the script of the step itself, as GitHub runs it."""
    (project / "b.py").write_text("print(1)\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "add", "."], cwd=project, check=True)
    subprocess.run([*git, "commit", "-qm", "second"], cwd=project, check=True)
    own = project.parent / f"{project.name}-bin"
    own.mkdir()
    (own / "toolcrib").write_text(f'#!/bin/sh\nexec {sys.executable} -m toolcrib "$@"\n')
    (own / "toolcrib").chmod(0o755)
    given = {"PATHS": ".", "DIFF": diff, "STRICT": "false", "SARIF": "found.sarif"}
    step = steps()["toolcrib architecture check"]
    assert set(given) == set(step["env"])
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=project, capture_output=True, text=True,
        env={**os.environ, **given, "PATH": f"{own}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    sarif = json.loads((project / "found.sarif").read_text())
    assert sarif["version"] == "2.1.0" and bool(sarif["runs"][0]["results"]) == bool(code)


def test_the_entry_for_the_registry_is_one_it_takes() -> None:
    """U-3: the facts of the registry's schema: names, lengths, a bundle that can be fetched."""
    assert SERVER["$schema"].endswith("/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", SERVER["name"])
    assert 1 <= len(SERVER["description"]) <= 100 and 1 <= len(SERVER["title"]) <= 100
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert SERVER["version"] == project["version"]
    (package,) = SERVER["packages"]
    assert package["registryType"] == "mcpb" and package["transport"] == {"type": "stdio"}
    assert re.fullmatch(r"https://github\.com/.+/releases/download/.+\.mcpb", package["identifier"])
    assert package["version"] == SERVER["version"] and SERVER["version"] in package["identifier"]
    for argument in package["packageArguments"]:
        assert argument["type"] in ("positional", "named")
        assert ("name" in argument) == (argument["type"] == "named")
    words = [each.get("value") or each["name"] for each in package["packageArguments"]]
    assert fault_of(["toolcrib", *words, "."]) is None


def bundling() -> ModuleType:
    """The script, as a module."""
    found = importlib.util.spec_from_file_location("bundle", ROOT / "scripts" / "bundle.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_bundle_says_how_it_is_started() -> None:
    """U-3: what desktop clients read: a directory is asked for and handed to a command that is."""
    bundle = bundling()
    manifest = bundle.manifest("1.2.3")
    assert {"manifest_version", "name", "version", "description", "author", "server"} <= set(
        manifest
    )
    assert manifest["author"]["name"] and manifest["version"] == "1.2.3"
    server = manifest["server"]
    assert server["type"] == "python" and server["entry_point"] == "server/start.py"
    start, *words = server["mcp_config"]["args"]
    assert start == "${__dirname}/" + server["entry_point"]
    asked = set(re.findall(r"\$\{user_config\.(\w+)\}", " ".join(words)))
    assert asked == set(manifest["user_config"])
    assert all(each["title"] and each["description"] for each in manifest["user_config"].values())
    assert fault_of(["toolcrib", *(re.sub(r"\$\{.*\}", ".", word) for word in words)]) is None
    compile(bundle.LAUNCHER, "start.py", "exec")
    entry = bundle.published(SERVER, "0" * 64)
    assert entry["packages"][0]["fileSha256"] == "0" * 64 and "fileSha256" not in str(SERVER)
