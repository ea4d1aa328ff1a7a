"""U-3: what the documentation shows is what happens.

A fenced block with `title="path"` becomes that file of a project; a `console` block is typed into
a shell there, `…` standing for whatever comes; any other `python` block is run.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["write-your-own-tool.md"]
_FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Snippet:
    """One fenced block: its language, the file that it is, its text, its line."""

    language: str
    title: str | None
    text: str
    line: int


def snippets(page: str) -> list[Snippet]:
    text = (DOCS / page).read_text()
    return [
        Snippet(found[1], found[2], found[3], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    ]


def commands(text: str) -> list[tuple[str, str]]:
    """Each command of a console block with the output that is shown below it."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def matches(shown: str, real: str) -> bool:
    pattern = "".join(
        ".*" if part == "…\n" else re.escape(part) for part in re.split("(…\n)", shown)
    )
    return re.fullmatch(pattern, real, re.DOTALL) is not None


def run(words: list[str], project: Path) -> str:
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, timeout=60)
    # Exit code 1 is how a failed call is told; a crash would leave a traceback.
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_every_snippet_does_what_it_shows(page: str, tmp_path: Path) -> None:
    """U-3: from the first block to the last, in one project."""
    for snippet in snippets(page):
        where = f"{page}:{snippet.line}"
        if snippet.title:
            target = tmp_path / snippet.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(snippet.text)
        elif snippet.language == "console":
            for command, shown in commands(snippet.text):
                program, *words = shlex.split(command)
                assert program == "toolcrib", where
                real = run([sys.executable, "-m", "toolcrib", *words], tmp_path)
                assert matches(shown, real), f"{where}: {command}\n{real}"
        else:
            assert snippet.language == "python", where
            run([sys.executable, "-c", snippet.text], tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_have_snippets_of_every_kind(page: str) -> None:
    kinds = {(each.language, each.title is not None) for each in snippets(page)}
    assert {("python", True), ("python", False), ("console", False)} <= kinds


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n…\n", "a\nb\nc\n", True),
        ("…\nc\n", "a\nb\nc\n", True),
        ("a\n…\n", "b\n", False),
        ("a\n", "a\nb\n", False),
        (".\n", "a\n", False),
    ],
)
def test_the_comparison_itself_can_fail(shown: str, real: str, same: bool) -> None:
    assert matches(shown, real) is same
