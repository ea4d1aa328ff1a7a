"""Shell text as words, read and never executed."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PIECE = re.compile(
    r"(?P<comment>(?<!\S)#[^\n]*)"
    r"|(?P<escape>\\.)"
    r"|(?P<single>'(?:[^'\\]|\\.)*'?)"
    r"|(?P<double>\"(?:[^\"\\]|\\.)*\"?)"
    r"|(?P<end>[\n;])"
    r"|(?P<space>[^\S\n]+)"
    r"|(?P<bare>[^\s'\"\\;]+)",
    re.S,
)
_BACKSLASH = re.compile(r"\\(.)", re.S)


def shell_lines(text: str) -> Iterator[list[str]]:
    """The commands of a script, each as its words without quotes."""
    line: list[str] = []
    word: list[str] | None = None
    for match in _PIECE.finditer(text.replace("\\\n", " ")):
        kind, piece = match.lastgroup, match[0]
        if kind in ("space", "end", "comment"):
            if word is not None:
                line.append("".join(word))
                word = None
            if kind == "end" and line:
                yield line
                line = []
            continue
        word = word if word is not None else []
        word.append(_plain(kind or "", piece))
    if word is not None:
        line.append("".join(word))
    if line:
        yield line


def _plain(kind: str, piece: str) -> str:
    if kind == "escape":
        return piece[1:]
    if kind == "single":
        return piece.strip("'") if len(piece) > 1 else ""
    if kind == "double":
        return _BACKSLASH.sub(r"\1", piece[1:-1] if len(piece) > 1 else "")
    return piece
