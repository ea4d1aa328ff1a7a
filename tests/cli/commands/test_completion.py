"""U-1: completion for bash, zsh and fish, tried in the shells that are here."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from toolcrib.cli import COMMANDS


@pytest.fixture
def script(toolcrib, tmp_path):
    def write(shell: str) -> str:
        file = tmp_path / f"completion.{shell}"
        file.write_text(toolcrib("completion", shell).out)
        return str(file)

    return write


def bash(script: str, *words: str) -> list[str]:
    code = f"""
        source {script}
        COMP_WORDS=(toolcrib {" ".join(words[:-1])} "{words[-1]}")
        COMP_CWORD={len(words)}
        _toolcrib
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, timeout=20)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ins"], ["install"]),
        (["install", "cl"], ["claude-code", "claude-desktop"]),
        (["install", "cursor", "--dr"], ["--dry-run"]),
        (["completion", ""], ["bash", "zsh", "fish", "-h", "--help", "--project", "--json"]),
        (["policy", "e"], ["explain"]),
        (["serve", "--prog"], ["--progressive"]),
        (["explain", "breaker"], ["breaker_open"]),
    ],
)
def test_bash_completes(words, expected, script):
    """U-1: completion."""
    found = bash(script("bash"), *words)
    assert set(found) <= set(expected) and found[0] == expected[0]


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_bash_offers_every_command(script):
    """U-1: completion."""
    assert set(COMMANDS) <= set(bash(script("bash"), ""))


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish here")
def test_fish_completes(script):
    """U-1: completion."""
    code = f'source {script("fish")}; complete -C "toolcrib ins"; complete -C "toolcrib install w"'
    done = subprocess.run(["fish", "-c", code], capture_output=True, text=True, timeout=20)
    words = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert words == ["install", "windsurf"], done.stderr


def test_zsh_gets_a_script_that_zsh_recognises(toolcrib):
    """U-1: completion."""
    assert toolcrib("completion", "zsh").out.startswith("#compdef toolcrib\n")
