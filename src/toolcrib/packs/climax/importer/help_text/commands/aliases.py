"""Other names of commands: letters that are short for one, and words that stand for several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toolcrib.packs.climax.importer.help_text.layout import HelpSection
from toolcrib.packs.climax.importer.model import Subcommand

# `build -> kiln fire && kiln cool`
_STANDS_FOR = re.compile(r"\s+([a-z][a-z0-9]*(?:[-_:.][a-z0-9]+)*) (?:->|=>|→) (\S.*)")
_LONGEST_BEGINNING = 4
_SHORT = 2
"""Letters of a name that is short for another."""


def is_short_for(alias: str, name: str) -> bool:
    """Whether a letter or two, as in `generate gt`, are short for the name before them."""
    if _SHORT < len(alias) <= _LONGEST_BEGINNING < len(name) and name.startswith(alias):
        return True
    letters = iter(name)
    in_order = all(letter in letters for letter in alias)
    return 0 < len(alias) <= _SHORT < len(name) and alias[0] == name[0] and in_order


def whole_name(name: str, aliases: Sequence[str]) -> str:
    """Of `ad | adjust`, the whole word: two letters before it are short for it."""
    whole = max(aliases, key=len, default="")
    return whole if len(name) <= _SHORT < len(whole) else name


def stand_ins(section: HelpSection) -> Iterator[Subcommand]:
    """The words below "Aliases" that stand for others; a list of mere names is none of these."""
    if section.heading.rstrip(":").lower() != "aliases":
        return
    for line in section.lines:
        match = _STANDS_FOR.fullmatch(line)
        if match is not None:
            yield Subcommand(match[1], f"Stands for {match[2]}")
