"""Trust at a terminal: what a person sees, what is asked, and what the record says of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.hostile import toolcrib
from support.pipe import toolcrib as command
from support.terminal import Terminal


def at_terminal(repo: Path, *words: str) -> Terminal:
    return Terminal(command(*words), cwd=repo)


def is_trusted(repo: Path) -> bool:
    return toolcrib(repo, "trust", "--check").returncode == 0


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("n\n", 1), ("\n", 1), ("\x04", 1)])
def test_only_a_yes_trusts(repo: Path, mark: Path, typed: str, code: int) -> None:
    """T-6: words first, then the files, then the question; Enter and Ctrl-D are no."""
    with at_terminal(repo, "trust") as terminal:
        shown = terminal.until("Trust this? [y/N]")
        assert shown.index("runs mine.py in the server") < shown.index("+++ mine.py")
        assert f"writes {repo.parent / 'outside' / 'audit.log'}" in shown
        terminal.type(typed)
        assert terminal.end() == code, terminal.shown
        assert "Traceback" not in terminal.shown
    assert is_trusted(repo) is (code == 0) and not mark.exists()


def test_what_changes_before_the_yes_is_refused(repo: Path) -> None:
    """T-6, FAULTS: between the diff and the `y`: "changed while you looked"."""
    with at_terminal(repo, "trust") as terminal:
        terminal.until("Trust this? [y/N]")
        (repo / "mine.py").write_text("evil = True\n")
        terminal.type("y\n")
        assert terminal.end() == 1
        assert "changed while you looked" in terminal.shown
    assert not is_trusted(repo)


def test_what_hides_in_a_diff_is_shown(repo: Path) -> None:
    """T-6, FAULTS: bidi, zero-width, ANSI, a lone carriage return, a line without an end."""
    (repo / "mine.py").write_text("a = 1 # \x1b[2Kgood\u202e evil\u200b\rx\n# " + "x" * 500_000)
    with at_terminal(repo, "trust") as terminal:
        shown = terminal.until("Trust this? [y/N]")
        terminal.type("n\n")
        terminal.end()
    for sign in ("\x1b", "\u202e", "\u200b"):
        assert sign not in shown
    assert "\\x1b[2Kgood\\u202e" in shown and "characters more" in shown
    assert len(shown) < 100_000


@pytest.mark.parametrize("typed", ["y", "n"])
def test_installing_shows_once_what_was_never_trusted(
    repo: Path, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-7: what T-6 shows, once; whatever the answer, it is installed."""
    with at_terminal(repo, "install", "cursor") as terminal:
        shown = terminal.until("Trust this? [y/N]")
        assert "runs mine.py in the server" in shown
        terminal.type(f"{typed}\n")
        assert terminal.end() == 0
        assert terminal.shown.count("Trust this?") == 1
    assert "toolcrib" in (repo / ".cursor" / "mcp.json").read_text()
    assert is_trusted(repo) is (typed == "y")


def test_installing_into_a_trusted_repository_asks_nothing(repo: Path) -> None:
    """T-7: and without a terminal nothing is asked or trusted, and it still installs."""
    assert toolcrib(repo, "install", "cursor").returncode == 0
    assert not is_trusted(repo)
    toolcrib(repo, "trust", "--yes")
    with at_terminal(repo, "install", "vscode") as terminal:
        assert terminal.end() == 0
        assert "Trust this?" not in terminal.shown


def test_what_init_writes_for_a_person_is_trusted(alone: Path) -> None:
    """T-7: own repository, no question; without a terminal nothing is trusted."""
    for name in ("one", "two"):
        (alone / name / ".git").mkdir(parents=True)
        (alone / name / "climax").mkdir()
    config = "name: own\ncommand: echo\ntools:\n  - {name: own_hi, description: Say hi}\n"
    (alone / "one" / "directive").mkdir()
    with at_terminal(alone / "one", "init") as terminal:
        assert terminal.end() == 0, terminal.shown
        assert "Trust this?" not in terminal.shown
    assert is_trusted(alone / "one")
    (alone / "two" / "climax" / "own.yaml").write_text(config)
    with at_terminal(alone / "two", "init") as terminal:
        assert terminal.end() == 0
    assert not is_trusted(alone / "two"), "a config that nobody has looked at is not ours"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_settings_above_that_belong_to_somebody_else_are_not_used(alone: Path, mark: Path) -> None:
    """T-3, FAULTS: named with their owner; what they say does not count, not even harmless keys."""
    above, here = alone / "above", alone / "above" / "here"
    here.mkdir(parents=True)
    (above / "mine.py").write_text(f"open({str(mark)!r}, 'w')\n")
    (above / "toolcrib.toml").write_text('[custom]\nmodules = ["mine.py"]\n')
    os.chown(above / "toolcrib.toml", 12345, -1)
    listed = toolcrib(here, "list", "--json", env={"TOOLCRIB_TRUST": "all"})
    assert not mark.exists()
    assert "toolcrib.toml belongs to 12345" in listed.stderr
    os.chown(above / "toolcrib.toml", 0, -1)
    (above / "toolcrib.toml").chmod(0o666)
    again = toolcrib(here, "list", env={"TOOLCRIB_TRUST": "all"})
    assert not mark.exists() and "may be written by every user" in again.stderr
    (above / "toolcrib.toml").chmod(0o644)
    toolcrib(here, "list", env={"TOOLCRIB_TRUST": "all"})
    assert mark.exists(), "one's own, above the working folder, are used"


def test_in_our_own_sandbox_nobody_trusts(repo: Path) -> None:
    """T-6: exit 3, which names the variable."""
    for words in (("trust", "--yes"), ("approve", "7f3a", "--yes"), ("trust", "--follow", "-y")):
        refused = toolcrib(repo, *words, env={"TOOLCRIB_SANDBOX": "bubblewrap"})
        assert refused.returncode == 3 and "TOOLCRIB_SANDBOX" in refused.stderr


EVIL = "\x1b]0;owned\x07\x1b[31m\u202eevil"
COMMANDS = (
    "list", "climax list", "architecture graph", "architecture lint", "search evil", "doctor",
    "validate", "call own_hi", "content get guide", "policy explain own_hi", "climax access",
    "trust --list", "trust --diff", "install cursor --dry-run", "serve",
)  # fmt: skip


@pytest.fixture
def loud(alone: Path) -> Path:
    """A repository that speaks to the terminal wherever it can."""
    repo = alone / "loud"
    for folder in ("climax", "docs/decisions", "guide", "directive", ".git"):
        (repo / folder).mkdir(parents=True)
    quoted = json.dumps(EVIL)
    (repo / "climax" / "own.yaml").write_text(
        f"name: own\ndescription: {quoted}\ncommand: echo\n"
        f"tools:\n  - {{name: own_hi, description: {quoted}, tags: [{quoted}]}}\n"
    )
    (repo / "docs" / "decisions" / "0001-\x1b[31mx.md").write_text(
        f"# ADR-0001: {EVIL}\n\n## Status\n\nAccepted {EVIL}\n\n## Context\n\n{EVIL}\n"
    )
    (repo / "guide" / "\x1b[31mdoc.md").write_text(f"# Guide {EVIL}\n")
    (repo / "directive" / "agent_context.md").write_text(f"# Context {EVIL}\n")
    (repo / "boom.py").write_text(f"raise RuntimeError({EVIL!r})\n")
    (repo / "toolcrib.toml").write_text('[custom]\nmodules = ["boom.py"]\n')
    return repo


@pytest.mark.parametrize("words", COMMANDS)
def test_a_repository_does_not_speak_to_the_terminal(loud: Path, words: str) -> None:
    """Issue 13: escape sequences are shown wherever its text is printed, also in the log."""
    done = toolcrib(loud, *words.split(), env={"TOOLCRIB_TRUST": "all", "NO_COLOR": "1"})
    printed = done.stdout + done.stderr
    assert printed.strip() or words == "serve"
    assert not any(sign in printed for sign in "\x1b\x07\x9b\u202e"), repr(printed)


@pytest.mark.parametrize("words", ["list", "doctor", "serve", "validate"])
@pytest.mark.parametrize("text", ["[x\x1b[31m", '"k\u202e" = 1', '[climax]\nconfigs = ["\\u001b"]'])
def test_a_broken_settings_file_does_not_either(alone: Path, words: str, text: str) -> None:
    """Issue 13: a broken `toolcrib.toml`, with the line that is wrong in it."""
    repo = alone / "broken"
    repo.mkdir()
    (repo / "toolcrib.toml").write_text(text)
    done = toolcrib(repo, words, env={"NO_COLOR": "1"})
    assert not any(sign in done.stdout + done.stderr for sign in "\x1b\u202e")
