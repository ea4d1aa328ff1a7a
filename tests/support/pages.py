"""Pages of documentation as tests see them: their fenced blocks, and the commands in those."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

_FENCE = re.compile(
    r"^(`{3,})(\w*)(?: title=\"([^\"]+)\")?[^\n]*\n(.*?)^\1$", re.DOTALL | re.MULTILINE
)
# What a page may ask a person to type besides our own command and our own targets.
_OTHERS = {
    *("cd", "curl", "echo", "export", "git", "jq", "npx", "openssl", "pip", "pipx", "printf"),
    "python3",
}


@dataclass(frozen=True)
class Snippet:
    """One fenced block: its language, the file that it is, its text, its line."""

    language: str
    title: str | None
    text: str
    line: int


def snippets(page: Path) -> list[Snippet]:
    """All fenced blocks of a page, from the first to the last."""
    text = page.read_text()
    return [
        Snippet(found[2], found[3], found[4], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    ]


def dialogue(text: str) -> list[tuple[str, str]]:
    """Each command of a console block with the output that is shown below it."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def matches(shown: str, real: str) -> bool:
    """Whether the output is the one that is shown, `…` standing for whatever comes."""
    pattern = ".*".join(re.escape(part) for part in re.split(r"…\n?", shown))
    return re.fullmatch(pattern, real, re.DOTALL) is not None


def command_lines(text: str) -> list[list[str]]:
    """The commands of a shell block, word by word; comments and line breaks are gone."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        while words:
            end = next((n for n, word in enumerate(words) if word in ("&&", "|", ";")), len(words))
            found.append(_without_redirection(words[:end]))
            words = words[end + 1 :]
    return [words for words in found if words]


def _without_redirection(words: list[str]) -> list[str]:
    return words[: words.index(">")] if ">" in words else words


def fault_of(words: list[str]) -> str | None:
    """Why a command line of a page could not work; None if it could."""
    program, *rest = words
    if program == "toolcrib":
        return _misfit(rest)
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        return next((f"no target {word}" for word in rest if word not in targets), None)
    return None if program in _OTHERS else f"unknown program {program}"


def _misfit(words: list[str]) -> str | None:
    from toolcrib.cli import parser_for, understood

    if words in ([], ["--version"]):
        return None
    try:
        whole = understood(words)
        parser_for(whole).parse_args(whole)
    except SystemExit as gone:
        return None if gone.code == 0 else f"toolcrib {shlex.join(words)}"
    return None
