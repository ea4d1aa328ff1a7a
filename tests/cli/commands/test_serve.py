"""S-1: `toolcrib serve` as clients start it, without any option."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.cli import parser_for, without_options

STARTED = """
import sys, toolcrib.cli
from toolcrib.server.transports import stdio
stdio.serve_stdio = lambda surface, cap: 0
code = toolcrib.cli.main(sys.argv[1:])
print(code, "argparse" in sys.modules)
"""


@given(st.lists(st.text().filter(lambda word: not word.startswith("-")), max_size=4))
def test_without_options_nothing_else_is_understood_than_by_the_parser(packs: list[str]) -> None:
    """S-1, issue 12: the short way has every argument and every default that the parser has."""
    words = ["serve", *packs]
    short = without_options(words)
    assert short is not None
    assert vars(short) == vars(parser_for(words).parse_args(words))


@pytest.mark.parametrize(
    "words",
    [[], ["list"], ["serve", "--http"], ["serve", "guide", "-h"], ["serve", "--"], ["--json"]],
    ids=" ".join,
)
def test_whatever_has_options_is_left_to_the_parser(words: list[str]) -> None:
    """S-1, issue 12: no option is read in two ways."""
    assert without_options(words) is None


@pytest.mark.parametrize(("words", "loaded"), [([], False), (["--classic"], True)])
def test_a_start_without_options_loads_no_parser(words: list[str], loaded: bool, tmp_path) -> None:
    """ARCHITECTURE, issue 12: start-up imports nothing that is not needed."""
    command = [sys.executable, "-c", STARTED, "serve", "directive", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", str(loaded)]
