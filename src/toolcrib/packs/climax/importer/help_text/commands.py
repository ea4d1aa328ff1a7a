"""Lists of subcommands, in whatever way a program prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toolcrib.packs.climax.importer.help_text.layout import Section, named_entries, sections
from toolcrib.packs.climax.importer.help_text.text import squeezed
from toolcrib.packs.climax.importer.model import Subcommand

_HEADING = re.compile(r"\b(?:sub-?)?commands?\b", re.I)
_NOT_HEADING = re.compile(r"\b(?:options|flags|arguments|example|usage|run|use|see|type)\b", re.I)
_OTHER_LIST = re.compile(r"\b(?:options|flags|arguments|examples?|usage)\b", re.I)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,60}")
_LISTED = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.+-]{0,60})(?P<aliases>(?:(?:,\s?|\|)[\w.+-]{1,40}){0,6})"
    r":?(?:\s+[<\[A-Z(].{0,80})?"
)
_COMMAS = re.compile(r"[\w.+-]{1,60}(?:, ?[\w.+-]{1,60})*,?")
_BULLET = re.compile(r"[-*•]\s+([A-Za-z0-9][\w.+-]{0,60})\s*[:–]\s+(\S.*)")
_ALIAS = re.compile(r"alias(?:es)?(?: of| for)?:? ", re.I)
_CHOICES = re.compile(r"\{([^{}]{1,4000})\}")
_SKIPPED = frozenset(("help", "completion", "..."))
_MOST = 500


def subcommands(lines: Sequence[str]) -> list[Subcommand]:
    """The subcommands that a help text lists, each once, in its order."""
    found: dict[str, Subcommand] = {}
    for command in _all(lines):
        if command.name not in _SKIPPED and _NAME.fullmatch(command.name):
            found.setdefault(command.name, command)
        if len(found) >= _MOST:
            break
    return list(found.values())


def _all(lines: Sequence[str]) -> Iterator[Subcommand]:
    carried = False
    for section in sections(lines):
        named = _is_commands(section.heading)
        if named and section.blank:
            # "These are common commands:", and below it one group after the other.
            carried = True
            continue
        carried = carried and not _OTHER_LIST.search(section.heading)
        listed = list(_listed(section)) if named or carried else []
        carried = carried and (section.blank or bool(listed))
        yield from listed
        yield from _choices(section)


def _is_commands(heading: str) -> bool:
    if len(heading) > 80 or not _HEADING.search(heading):
        return False
    return not _NOT_HEADING.search(heading) or heading.lower().startswith("these are")


def _listed(section: Section) -> Iterator[Subcommand]:
    bullets = [match for line in section.lines if (match := _BULLET.fullmatch(line.strip()))]
    if bullets:
        yield from (Subcommand(match[1], squeezed(match[2])) for match in bullets)
        return
    filled = [line.strip() for line in section.lines if line]
    if filled and any("," in line for line in filled) and all(map(_COMMAS.fullmatch, filled)):
        for line in filled:
            yield from (Subcommand(name) for name in re.split(r",\s*", line) if name)
        return
    for entry in named_entries(section.lines):
        match = _LISTED.fullmatch(entry.left)
        if match is not None and entry.indent > section.indent and not _ALIAS.match(entry.right):
            yield Subcommand(match["name"], entry.right)


def _choices(section: Section) -> Iterator[Subcommand]:
    """`{install,remove}` among the positional arguments, with an entry below for each."""
    for at, line in enumerate(section.lines):
        match = _CHOICES.match(line.strip())
        if match is None:
            continue
        names = [name.strip() for name in match[1].split(",")]
        below = _nested(section.lines[at + 1 :], set(names))
        if below:
            yield from (Subcommand(name, below[name]) for name in names if name in below)
            return


def _nested(lines: Sequence[str], names: set[str]) -> dict[str, str]:
    """What the entries further in say of `names`."""
    starts = (at for at, line in enumerate(lines) if line and line.split()[0] in names)
    first = next(starts, None)
    if first is None:
        return {}
    entries = ((entry.left.split(" ")[0], entry.right) for entry in named_entries(lines[first:]))
    return {name: right for name, right in entries if name in names}
