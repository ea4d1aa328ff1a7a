"""What is particular to manual pages: their header, and the commands that they point to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toolcrib.packs.climax.importer.help_text.text import indent_of, squeezed
from toolcrib.packs.climax.importer.model import Subcommand

_HEADER = re.compile(r"\s*\S+\((\d)\w*\)\s")


def man_section(text: str) -> str:
    """The section of a manual page; commands are in 1, 6 and 8."""
    first = next((line for line in text.split("\n")[:5] if line.strip()), "")
    match = _HEADER.match(first)
    return match[1] if match else ""


def man_subcommands(lines: Sequence[str], title: str) -> list[Subcommand]:
    """The pages `title-name(1)` that a page lists, each with the text below or beside it."""
    found: dict[str, Subcommand] = {}
    for name, about in _references(lines, title):
        found.setdefault(name, Subcommand(name, about))
    return list(found.values())


def _references(lines: Sequence[str], title: str) -> Iterator[tuple[str, str]]:
    entry = re.compile(
        rf"\s+{re.escape(title)}[- ]([a-z0-9][a-z0-9-]{{0,40}})\(\d\)(?:\s{{2,}}(\S.*)|\s\S+)?"
    )
    for at, line in enumerate(lines):
        match = entry.fullmatch(line)
        if match is None:
            continue
        below = lines[at + 1] if at + 1 < len(lines) else ""
        further_in = indent_of(below) > indent_of(line)
        yield match[1], squeezed(match[2] or (below if further_in else ""))


_SYNOPSIS = re.compile(
    r" {3,8}(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?P<usage>(?: [\[<(a-z-].*)?)"
)
_ALIAS = re.compile(r"\s+\(alias(?:es)?: [\w, -]+\)")
_FEWEST = 5


def man_synopses(lines: Sequence[str], program: str) -> list[Subcommand]:
    """The commands that a page explains one after the other, each below its synopsis.

    That is a line with a name and brackets, or one with an alias below, and the text further in.
    """
    found: dict[str, Subcommand] = {}
    for at, line in enumerate(lines):
        match = _SYNOPSIS.fullmatch(line)
        if match is None or match["name"] == program:
            continue
        usage, behind = _whole(lines, at, match["usage"])
        alias = behind < len(lines) and _ALIAS.fullmatch(lines[behind]) is not None
        about = behind + alias
        further_in = about < len(lines) and indent_of(lines[about]) > indent_of(line)
        if further_in and (alias or usage.startswith("[-")):
            found.setdefault(
                match["name"], Subcommand(match["name"], squeezed(lines[about]), usage)
            )
    return list(found.values()) if len(found) >= _FEWEST else []


def _whole(lines: Sequence[str], at: int, usage: str) -> tuple[str, int]:
    """A synopsis with the lines that go on with it, and the line behind them."""
    at += 1
    while usage.count("[") > usage.count("]") and at < len(lines) and lines[at]:
        usage = f"{usage} {lines[at]}"
        at += 1
    return squeezed(usage), at
