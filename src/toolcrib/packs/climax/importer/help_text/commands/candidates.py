"""Lists of names in a help text, whatever is written above them: they may be commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toolcrib.packs.climax.importer.help_text.text import indent_of
from toolcrib.packs.climax.importer.model import Subcommand

_NAME = r"[a-z][a-z0-9]*(?:[-_:.][a-z0-9]+)*"
# `name  what it does`, `name: what it does`, `name [FILE]  what it does`, `- name: what it does`.
_TOLD = re.compile(
    rf"\s*(?:[-*•]\s+)?(?P<name>{_NAME})(?:(?:, ?|\||/){_NAME}){{0,4}}"
    r"(?: \([^()]{1,40}\))?(?P<usage>(?: [\[<A-Z(][^ ]*){0,6})"
    r"(?:\s{2,}|\s*:\s+|\s+[-–—]{1,2}\s+)(?P<about>[^\s-].*)"
)
_ALONE = re.compile(rf"\s+(?P<name>{_NAME})")
# `usage: kiln [FILE]  fires it`
_LABELS = frozenset(("usage", "synopsis", "syntax"))
_FEWEST = 3
_MOST_LISTS = 8


def candidate_lists(lines: Sequence[str]) -> list[list[Subcommand]]:
    """The lists of a text whose entries are names with what they do, the longest first."""
    found = [each for each in _runs(lines) if len(each) >= _FEWEST]
    return sorted(found, key=len, reverse=True)[:_MOST_LISTS]


def _runs(lines: Sequence[str]) -> Iterator[list[Subcommand]]:
    """Entries of one indentation that follow each other; what stands further in belongs to them."""
    run: dict[str, Subcommand] = {}
    level = -1
    for at, line in enumerate(lines):
        if not line or (run and indent_of(line) > level):
            continue
        entry = _entry(lines, at)
        if run and (entry is None or indent_of(line) != level):
            yield list(run.values())
            run = {}
        if entry is not None:
            level = indent_of(line)
            run.setdefault(entry.name, entry)
    if run:
        yield list(run.values())


def _entry(lines: Sequence[str], at: int) -> Subcommand | None:
    told = _TOLD.fullmatch(lines[at])
    if told is not None and told["name"] not in _LABELS:
        return Subcommand(told["name"], told["about"], told["usage"].strip() or None)
    alone = _ALONE.fullmatch(lines[at])
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if alone is None or indent_of(below) <= indent_of(lines[at]):
        return None
    return Subcommand(alone["name"], below.strip())
