"""Commands that a help text names in a sentence or below its usage, and in no list of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from toolcrib.packs.climax.importer.help_text.layout import (
    HelpSection,
    is_option_line,
    named_entries,
)
from toolcrib.packs.climax.importer.help_text.text import indent_of
from toolcrib.packs.climax.importer.model import Subcommand

_INTRODUCED = re.compile(
    r"\b(?:available|known|valid|supported|possible)(?: (?P<what>(?:sub-?)?commands|actions))?"
    r"(?: are)?:\s+(?=[a-z])",
    re.I,
)
_COMMAND = re.compile(r"\b(?:sub-?)?commands?\b", re.I)
_NAME = r"[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*"
# `COMMANDS{fire, cool, dry}`
_BRACED = re.compile(rf"\bCOMMANDS?\s?[:=]?\s?\{{({_NAME}(?:[,|]\s?{_NAME})+)\}}")
_COMMAS = re.compile(rf"{_NAME}(?:, (?:and |or )?{_NAME})+\.?")
_SPACES = re.compile(rf"{_NAME}(?: {_NAME})+\.?")
# A name that is broken at a dash of its own.
_BROKEN = re.compile(r"(?<=[a-z0-9]-) (?=[a-z])")
_FEWEST = 4
_FIRST_LINES = 12
_TOLD = re.compile(r"[A-Z][a-z]+ \w")
# `remove [--force] <pot>...`
_CALLED = re.compile(rf"({_NAME})((?: [\[<({{-].*)?)")


def inline_commands(lines: Sequence[str]) -> list[Subcommand]:
    """The commands of the first sentence that lists some.

    Names with nothing but spaces between them are a list only in the order of the alphabet: words
    of a sentence have another.
    """
    for at, line in enumerate(lines):
        braced = _BRACED.search(line)
        if braced is not None:
            return [Subcommand(name) for name in re.split(r"[,|]\s*", braced[1])]
        introduced = _INTRODUCED.search(line)
        if introduced is None or not _COMMAND.search(line[: introduced.end()]):
            continue
        names = _names(_paragraph(lines, at, introduced.end()))
        if len(names) >= _FEWEST:
            return [Subcommand(name) for name in names]
    return []


def _paragraph(lines: Sequence[str], at: int, start: int) -> str:
    """The text from a place on to the end of its paragraph, on one line."""
    first, indent = lines[at][start:], indent_of(lines[at])
    below = takewhile(
        lambda line: line and indent_of(line) >= indent and not is_option_line(line),
        lines[at + 1 :],
    )
    text = " ".join(" ".join([first, *below]).split())
    return _BROKEN.sub("", text)


def _names(text: str) -> list[str]:
    if _COMMAS.fullmatch(text):
        return re.split(r", (?:and |or )?", text.rstrip("."))
    words = text.rstrip(".").split()
    in_order = words == sorted(words) and len(set(words)) == len(words)
    return words if in_order and _SPACES.fullmatch(text) else []


def usage_commands(lines: Sequence[str], program: str) -> list[Subcommand]:
    """The commands below a usage that is the program alone, each with what it takes.

    Further in than a command is the rest of what it takes; what is in brackets is the program's.
    """
    at = next((at for at, line in enumerate(lines[:_FIRST_LINES]) if line.strip() == program), None)
    if at is None or not any("usage" in line.lower() for line in lines[:at]):
        return []
    indent = indent_of(lines[at])
    below = list(takewhile(lambda line: not line or indent_of(line) > indent, lines[at + 1 :]))
    named = [line for line in below if line and line.lstrip()[0] not in "[<-("]
    level = min(map(indent_of, named), default=0)
    found: list[tuple[str, str]] = []
    for line in filter(None, below):
        match = _CALLED.fullmatch(line.strip()) if indent_of(line) == level else None
        if match is not None:
            found.append((match[1], match[2]))
        elif found and indent_of(line) > level:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    unread = sum(indent_of(line) == level for line in named) - len(found)
    if len(found) <= _FEWEST or unread > len(found) / 5:
        return []
    commands = {name: usage.strip() for name, usage in reversed(found) if name != "help"}
    order = dict.fromkeys(name for name, _ in found if name != "help")
    return [Subcommand(name, usage=commands[name]) for name in order]


def is_usage_of_names(section: HelpSection) -> bool:
    """Whether the usage is nothing but names of commands, each with what it does beside it."""
    if not re.fullmatch(r"usage:?", section.heading, re.I):
        return False
    entries = list(named_entries(section.lines))
    told = all(_TOLD.match(each.right) and re.fullmatch(_NAME, each.left) for each in entries)
    return len(entries) > _FEWEST and told
