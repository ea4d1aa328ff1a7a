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
        rf"\s+{re.escape(title)}-([a-z0-9][a-z0-9-]{{0,40}})\(\d\)(?:\s{{2,}}(\S.*))?"
    )
    for at, line in enumerate(lines):
        match = entry.fullmatch(line)
        if match is None:
            continue
        below = lines[at + 1] if at + 1 < len(lines) else ""
        further_in = indent_of(below) > indent_of(line)
        yield match[1], squeezed(match[2] or (below if further_in else ""))
