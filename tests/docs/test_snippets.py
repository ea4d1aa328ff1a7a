"""U-3: what the documentation shows is what happens.

A fenced block with `title="path"` becomes that file of a project; a `console` block is typed into
a shell there, `…` standing for whatever comes; a `python` block is run; the commands of a `sh`
block have to be ones that exist; a `toml` block has to be settings that are accepted. The project
is a copy of the example shop, or an empty one where the page builds its own.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

from support.pages import DOCS, ROOT, Snippet, command_lines, dialogue, fault_of, matches, snippets
from toolcrib.cli import main
from toolcrib.policy.person import load_person
from toolcrib.settings import json_schema

PAGES = sorted([*DOCS.glob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))])
EMPTY = ["write-your-own-tool.md"]
UNTRUSTED = ["trust.md"]
"""Pages on which nobody has trusted anything yet."""


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """The project that the page of this test is about, and a home that nobody lives in."""
    folder = tmp_path / "shop"
    if request.node.callspec.params["page"].name not in EMPTY:
        ignored = shutil.ignore_patterns("__pycache__", "var")
        shutil.copytree(ROOT / "examples" / "shop", folder, ignore=ignored)
    (folder / ".git").mkdir(parents=True)
    (tmp_path / "home" / "bin").mkdir(parents=True)
    (tmp_path / "home" / "bin" / "python3").symlink_to(sys.executable)
    for name in [name for name in os.environ if name.startswith(("XDG_", "TOOLCRIB_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    own = tmp_path / "home" / ".config" / "toolcrib"
    own.mkdir(parents=True)  # whoever reads a page has made the project, and trusts it
    if request.node.callspec.params["page"].name not in UNTRUSTED:
        (own / "config.toml").write_text(f'[trust]\npaths = ["{folder}"]\n')
    for name in ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PATH", f"{tmp_path}/home/bin:/usr/local/bin:/usr/bin:/bin")
    monkeypatch.chdir(folder)
    return folder


def typed(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Type a command, and return all that it prints."""
    program, *words = shlex.split(command)
    assert program == "toolcrib", command
    main(words)
    out, err = capsys.readouterr()
    return out + err


def unsound(snippet: Snippet) -> str | None:
    """Why a block that is not run cannot be right; None if it can."""
    if snippet.language == "sh":
        return next(filter(None, map(fault_of, command_lines(snippet.text))), None)
    if snippet.language == "toml":
        found = jsonschema_rs.Draft202012Validator(json_schema()).iter_errors(
            tomllib.loads(snippet.text)
        )
        return next((str(error.message) for error in found), None)
    known = ("text", "json", "yaml", "markdown", "nginx", "ini", "http")
    return None if snippet.language in known else f"unknown kind of block {snippet.language!r}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_snippet_does_what_it_shows(
    page: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """U-3: from the first block to the last, in one project."""
    for snippet in snippets(page):
        where = f"{page.name}:{snippet.line}"
        if snippet.title:
            target = project / Path(snippet.title).expanduser()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(snippet.text)
            load_person()  # a block may be one's own file: then it has to be one that is accepted
        elif snippet.language == "console":
            for command, shown in dialogue(snippet.text):
                real = typed(command, capsys)
                assert matches(shown, real), f"{where}: {command}\n{real}"
        elif snippet.language == "python":
            done = subprocess.run([sys.executable, "-c", snippet.text], capture_output=True)
            assert done.returncode == 0, f"{where}: {done.stderr.decode()}"
        else:
            assert unsound(snippet) is None, f"{where}: {unsound(snippet)}"


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n…\n", "a\nb\nc\n", True),
        ("…\nc\n", "a\nb\nc\n", True),
        ("a … c\n", "a b c\n", True),
        ("a\n…\n", "b\n", False),
        ("a\n", "a\nb\n", False),
        (".\n", "a\n", False),
    ],
)
def test_the_comparison_itself_can_fail(shown: str, real: str, same: bool) -> None:
    assert matches(shown, real) is same


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("toolcrib list tools\n", None),
        ("toolcrib init && toolcrib install claude-code\n", None),
        ("toolcrib content lang/python --json\n", None),
        ("toolcrib climax tools/x.yaml --classic\n", None),
        ("toolcrib climax tools/x.txt\n", "toolcrib climax tools/x.txt"),
        ("toolcrib lst\n", "toolcrib lst"),
        ("toolcrib serve \\\n  --htp 1\n", "toolcrib serve --htp 1"),
        ("make demo\n", None),
        ("make coffee\n", "no target coffee"),
        ("rm -rf /  # no\n", "unknown program rm"),
    ],
)
def test_the_check_of_commands_itself_can_fail(text: str, fault: str | None) -> None:
    assert unsound(Snippet("sh", None, text, 1)) == fault
