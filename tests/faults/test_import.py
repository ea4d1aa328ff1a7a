"""C-9: programs that misbehave when they are asked for help, as little scripts that really run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolcrib.packs.climax.config.config import load_config
from toolcrib.packs.climax.importer.explore import DEEPER
from toolcrib.packs.climax.importer.program import ImportResult, import_program

HELP = "Usage: kiln [OPTIONS] POT\n\nFires one pot.\n\n  -q, --quiet      say nothing\n"


@pytest.fixture
def kiln(tmp_path):
    """Makes the program `kiln` of a few lines of Python, and imports it."""

    def imported(body: str, **options: Any) -> tuple[ImportResult, dict[str, dict]]:
        program = Path(tmp_path, "kiln")
        program.write_text(f"#!{sys.executable} -S\nimport os, sys\nHELP = {HELP!r}\n{body}\n")
        program.chmod(0o755)
        result = import_program(str(program), **options)
        file = Path(tmp_path, "config.yaml")
        file.write_text(result.yaml_text)
        load_config(file)
        tools = yaml.safe_load(result.yaml_text)["tools"]
        return result, {tool["name"]: tool for tool in tools}

    return imported


def flags_of(tool: dict) -> set[str]:
    return {arg["name"] for arg in tool.get("args", ()) if not arg.get("positional")}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("print(HELP); sys.exit(3)", id="exit code"),
        pytest.param("print(HELP, file=sys.stderr); sys.exit(1)", id="stderr"),
        pytest.param("sys.argv[1:] == ['-h'] and print(HELP)", id="-h alone"),
        pytest.param("sys.argv[1:] == ['help'] and print(HELP)", id="help alone"),
        pytest.param("sys.stdin.read(); print(HELP)", id="waits for input"),
        pytest.param(
            r"print(HELP.replace('--quiet', '\x1b[1;32m--quiet\x1b[0m'))", id="coloured"
        ),
        pytest.param(r"print(''.join(c + '\b' + c if c > ' ' else c for c in HELP))", id="struck"),
        pytest.param(
            "print(HELP if os.environ.get('LC_ALL', '').startswith('C') else 'Aufruf: kiln TOPF')",
            id="localised",
        ),
        pytest.param("print(HELP.replace(chr(10), chr(13) + chr(10)))", id="line ends"),
    ],
)  # fmt: skip
def test_help_is_read_however_it_is_given(kiln, body):
    """C-9: the option and the operand are found, whatever surrounds them."""
    _, tools = kiln(body)
    assert "quiet" in flags_of(tools["kiln"])
    assert [arg["name"] for arg in tools["kiln"]["args"] if arg.get("positional")] == ["pot"]


def test_help_in_the_language_of_a_person_is_asked_for_in_english(kiln, monkeypatch):
    """C-9: what the importer reads does not depend on who runs it."""
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    shown = "os.environ.get('LC_ALL', '').startswith('C') and os.environ.get('LANGUAGE') == 'en'"
    _, tools = kiln(f"print(HELP if {shown} else 'Aufruf: kiln TOPF')")
    assert "quiet" in flags_of(tools["kiln"])


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("print('x' * 3_000_000)", id="one line"),
        pytest.param("for n in range(6000): print('  --opt-%d  what it does' % n)", id="many"),
    ],
)
def test_help_that_is_too_much_is_bounded(kiln, more):
    """C-9: what stands before it is read, and the result is no larger than a config may be."""
    result, tools = kiln(f"print(HELP)\n{more}")
    assert "quiet" in flags_of(tools["kiln"])
    assert len(result.yaml_text) < 2_000_000


def test_bytes_that_are_no_text_are_no_help(kiln):
    """C-9: the result passes `validate`, and nothing is made of them."""
    _, tools = kiln("os.write(1, bytes(range(256)) * 200)")
    assert flags_of(tools["kiln"]) == set()


def test_a_tree_that_is_deeper_than_the_limit_is_cut_and_named(kiln):
    """C-9: the result says what it did not take in, and which option does."""
    body = (
        "words = [word for word in sys.argv[1:] if not word.startswith('-')]\n"
        "if any(word not in ('fire%d' % n, 'glaze%d' % n) for n, word in enumerate(words)):\n"
        "    sys.exit('kiln: unknown command')\n"
        "if words and words[-1].startswith('glaze'):\n"
        "    sys.exit(print('Usage: kiln', *words, '\\n\\nGlazes one pot.'))\n"
        "print('Usage: kiln', *words, '<command>\\n\\nCommands:')\n"
        "print('  fire%d  one further down\\n  glaze%d  another' % (len(words), len(words)))"
    )
    result, tools = kiln(body, depth=2)
    assert max(len(tool.get("command", "").split()) for tool in tools.values()) == 2
    assert DEEPER in result.yaml_text and "--depth" in DEEPER
