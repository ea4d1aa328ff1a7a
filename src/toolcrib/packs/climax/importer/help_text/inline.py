"""Commands that a help text names in a sentence: `Available subcommands: add copy delete`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from toolcrib.packs.climax.importer.help_text.layout import is_option_line
from toolcrib.packs.climax.importer.help_text.text import indent_of
from toolcrib.packs.climax.importer.model import Subcommand

_INTRODUCED = re.compile(
    r"\b(?:available|known|valid|supported|possible)(?: (?P<what>(?:sub-?)?commands|actions))?"
    r"(?: are)?:\s+(?=[a-z])",
    re.I,
)
_COMMAND = re.compile(r"\b(?:sub-?)?commands?\b", re.I)
_NAME = r"[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*"
_COMMAS = re.compile(rf"{_NAME}(?:, (?:and |or )?{_NAME})+\.?")
_SPACES = re.compile(rf"{_NAME}(?: {_NAME})+\.?")
# A name that is broken at a dash of its own.
_BROKEN = re.compile(r"(?<=[a-z0-9]-) (?=[a-z])")
_FEWEST = 4


def inline_commands(lines: Sequence[str]) -> list[Subcommand]:
    """The commands of the first sentence that lists some.

    Names with nothing but spaces between them are a list only in the order of the alphabet: words
    of a sentence have another.
    """
    for at, line in enumerate(lines):
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
    text = " ".join([first, *(line.strip() for line in below)])
    return _BROKEN.sub("", text)


def _names(text: str) -> list[str]:
    if _COMMAS.fullmatch(text):
        return re.split(r", (?:and |or )?", text.rstrip("."))
    words = text.rstrip(".").split()
    in_order = words == sorted(words) and len(set(words)) == len(words)
    return words if in_order and _SPACES.fullmatch(text) else []
