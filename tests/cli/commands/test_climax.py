"""`toolcrib climax list | validate | import | skill`; `run` is tested over a pipe."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolcrib.cli import understood

Toolcrib = Callable[..., Any]
CONFIG = """\
name: shop
description: The shop
command: sh -c
category: shop
tools:
  - name: shop_list
    description: List orders
    args: [{name: limit, type: integer, default: 5}]
  - {name: shop_drop, description: Drop everything}
"""
POLICY = "tools: {shop_list: {args: {limit: {max: 10}}}}\n"


@pytest.fixture(autouse=True)
def _surroundings(home: Path, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (repo / "shop.yaml").write_text(CONFIG)
    (repo / "policy.yaml").write_text(POLICY)


def test_list_shows_the_tools_as_a_table(toolcrib: Toolcrib) -> None:
    """C-8: tables for people."""
    ran = toolcrib("climax", "list", "shop.yaml")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "TOOL       CLI   CATEGORY  DESCRIPTION",
        "shop_drop  shop  shop      Drop everything",
        "shop_list  shop  shop      List orders",
    ]


def test_list_shows_only_what_the_policy_allows(toolcrib: Toolcrib) -> None:
    """C-11: `list` takes `--policy`; C-8: `--json`."""
    shown = toolcrib("climax", "list", "shop.yaml", "--policy", "policy.yaml", "--json").json
    assert [tool["tool_name"] for tool in shown["tools"]] == ["shop_list"]
    assert shown["programs"][0]["tool_count"] == 1


def test_list_without_configs_shows_what_is_bundled(toolcrib: Toolcrib, repo: Path) -> None:
    """C-8: bare names find bundled configs."""
    bundled = toolcrib("climax", "list", "--json").json["bundled"]
    assert {"git", "docker", "gh", "posix"} <= {each["name"] for each in bundled}
    (repo / "climax").mkdir()
    (repo / "shop.yaml").rename(repo / "climax" / "shop.yaml")
    assert "shop_list" in toolcrib("climax", "list").out


def test_list_warns_beside_its_output(toolcrib: Toolcrib, repo: Path) -> None:
    """C-1: unknown keys are warnings, errors under `--strict`."""
    (repo / "shop.yaml").write_text(CONFIG + "color: red\n")
    ran = toolcrib("climax", "list", "shop.yaml")
    assert ran.code == 0
    assert "warning: shop.yaml:10:1: Unknown key 'color'" in ran.err
    strict = toolcrib("climax", "list", "shop.yaml", "--strict")
    assert (strict.code, strict.out) == (1, "")
    assert "Unknown key 'color'" in strict.err


def test_validate_says_what_is_right(toolcrib: Toolcrib) -> None:
    """C-8: checks schema, duplicates, policy, and that the program exists."""
    ran = toolcrib("climax", "validate", "shop.yaml", "--policy", "policy.yaml")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "ok       shop.yaml: 2 tools",
        "ok       policy.yaml: allows 1 of 2 tools",
    ]


def test_validate_tells_the_mistakes_of_all_files(toolcrib: Toolcrib, repo: Path) -> None:
    """C-8, C-11: exit 1; every file is looked at, places and all."""
    (repo / "bad.yaml").write_text("command: x\ntools: [{nam: a}]\n")
    (repo / "same.yaml").write_text(CONFIG)
    (repo / "policy.yaml").write_text("tools: {shop_list: {args: {limt: {max: 1}}}}\n")
    ran = toolcrib(
        "climax", "validate", "bad.yaml", "shop.yaml", "same.yaml", "--policy", "policy.yaml"
    )
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert "bad.yaml:2:9: A tool needs the key 'name'" in lines[0]
    assert "Two tools are named 'shop_list': one in shop.yaml:6, one in same.yaml:6" in ran.out
    assert "has no argument 'limt'; did you mean 'limit'?" in ran.out
    shown = toolcrib("climax", "validate", "bad.yaml", "--json")
    assert shown.code == 1
    assert shown.json["valid"] is False
    assert shown.json["files"][0]["errors"][0]["where"] == {
        "file": "bad.yaml",
        "line": 2,
        "column": 9,
    }


def test_a_missing_program_is_a_warning_and_an_error_under_strict(
    toolcrib: Toolcrib, repo: Path
) -> None:
    """C-11: a missing program is a warning in `validate`, an error under `--strict`."""
    (repo / "shop.yaml").write_text(CONFIG.replace("sh -c", "nosuchprogram"))
    ran = toolcrib("climax", "validate", "shop.yaml")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == (
        "warning  shop.yaml: The program 'nosuchprogram' is not installed"
    )
    assert toolcrib("climax", "validate", "shop.yaml", "--strict").code == 1


def test_a_tool_that_the_policy_names_in_vain_is_a_warning(toolcrib: Toolcrib, repo: Path) -> None:
    """C-7: misspelt names are seen."""
    (repo / "policy.yaml").write_text("tools: {shop_lst: }\n")
    ran = toolcrib("climax", "validate", "shop.yaml", "--policy", "policy.yaml")
    assert ran.code == 0
    assert "which no config has; did you mean 'shop_list'" in ran.out
    words = ("climax", "validate", "shop.yaml", "--policy", "policy.yaml", "--strict")
    assert toolcrib(*words).code == 1


def test_the_repos_own_configs_are_meant_by_default(toolcrib: Toolcrib, repo: Path) -> None:
    """S-4: `[climax] configs` and `policy`."""
    (repo / "toolcrib.toml").write_text(
        '[climax]\nconfigs = ["shop.yaml"]\npolicy = "policy.yaml"\n'
    )
    assert "allows 1 of 2 tools" in toolcrib("climax", "validate").out
    listed = toolcrib("climax", "list", "--json").json["tools"]
    assert [tool["tool_name"] for tool in listed] == ["shop_list"]


@pytest.mark.parametrize(
    "words",
    [
        ["climax"],
        ["climax", "sing"],
        ["climax", "validate"],
        ["climax", "run"],
        ["climax", "list", "--polcy", "x"],
        ["climax", "skill", "--path", "--install"],
        ["climax", "import"],
    ],
)
def test_wrong_usage_is_exit_two(toolcrib: Toolcrib, words: list[str]) -> None:
    """C-11: exit 2 for wrong usage."""
    assert toolcrib(*words).code == 2


@pytest.mark.parametrize(
    ("words", "spelled_out"),
    [
        ("climax git", "climax run git"),
        ("climax tools/x.yaml --classic", "climax run tools/x.yaml --classic"),
        ("climax --classic tools/x.yaml", "climax run --classic tools/x.yaml"),
        ("climax --log-level DEBUG git", "climax run --log-level DEBUG git"),
        ("climax list git", "climax list git"),
        ("climax --json list git", "climax list git --json"),
        ("climax sing git", "climax sing git"),
    ],
)
def test_run_may_be_left_out(words: str, spelled_out: str) -> None:
    """C-8: `climax FILE` works as `climax run FILE`, wherever its options stand."""
    assert understood(words.split()) == spelled_out.split()


def test_a_file_is_a_config_whatever_its_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-8: `climax FILE` for a file without an ending; a word that is neither stays an action."""
    (tmp_path / "conf").write_text("command: x\ntools: []\n")
    monkeypatch.chdir(tmp_path)
    for word in ("conf", "./conf", str(tmp_path / "conf")):
        assert understood(["climax", word]) == ["climax", "run", word]
    assert understood(["climax", "cnf"]) == ["climax", "cnf"]


def test_files_are_meant_from_where_one_stands(
    toolcrib: Toolcrib, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-8: a path on the command line begins at the current folder, not at the repo's root."""
    (repo / "sub").mkdir()
    (repo / "shop.yaml").rename(repo / "sub" / "shop.yaml")
    monkeypatch.chdir(repo / "sub")
    assert toolcrib("climax", "validate", "shop.yaml").code == 0
    assert toolcrib("climax", "validate", "./*.yaml").code == 0


def test_the_skill_is_printed_located_and_installed(toolcrib: Toolcrib, repo: Path) -> None:
    """C-8, C-11: `skill [--path|--install]`."""
    printed = toolcrib("climax", "skill").out
    assert printed.startswith("---\nname: climax-config\n")
    path = Path(toolcrib("climax", "skill", "--path").out.strip())
    assert path.read_text() == printed
    assert toolcrib("climax", "skill", "--install").code == 0
    assert (repo / ".claude/skills/climax-config/SKILL.md").read_text() == printed


def test_import_prints_or_writes_and_does_not_overwrite(toolcrib: Toolcrib, repo: Path) -> None:
    """C-9, C-11: `import` prints, `-o FILE` writes; the result passes `validate`."""
    program = repo / "bin" / "pot"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\ncat <<'E'\nUsage: pot [OPTIONS] FILE\n\nOptions:\n"
        "  -c, --colour COLOUR  colour of the glaze\n  -v, --verbose        say more\nE\n"
    )
    program.chmod(0o755)
    printed = toolcrib("climax", "import", "./bin/pot")
    assert printed.code == 0, printed.err
    assert "name: colour" in printed.out
    assert toolcrib("climax", "import", "./bin/pot", "-o", "pot.yaml").code == 0
    assert toolcrib("climax", "validate", "pot.yaml").code == 0
    refused = toolcrib("climax", "import", "./bin/pot", "-o", "pot.yaml")
    assert refused.code == 2
    assert "exists already" in refused.err
    assert toolcrib("climax", "import", "./bin/pot", "-o", "pot.yaml", "--force").code == 0


def test_a_person_at_a_terminal_sees_which_page_an_import_reads(repo: Path) -> None:
    """C-9, U-1: one line on stderr that is gone at the end; nothing without a terminal."""
    program = repo / "pot"
    program.write_text("#!/bin/sh\necho 'Usage: pot [-v] FILE'\n")
    program.chmod(0o755)
    command = [sys.executable, "-m", "toolcrib", "climax", "import", "./pot"]
    person, terminal = pty.openpty()
    try:
        subprocess.run(
            command, cwd=repo, stderr=terminal, stdout=subprocess.DEVNULL, check=True, timeout=60
        )
        shown = os.read(person, 65_536).decode()
    finally:
        os.close(person)
        os.close(terminal)
    assert "./pot --help" in shown
    assert "\n" not in shown and shown.endswith("\r\x1b[K")
    piped = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=True)
    assert "asked" not in piped.stderr
