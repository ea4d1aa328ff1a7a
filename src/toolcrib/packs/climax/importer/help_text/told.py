"""What a help text says of operands in words: which may be left out, and which may be several.

    Usage: kiln [options] POT HEAT

      POT     one or more pots; without any, standard input is read
      HEAT    how hot it gets (default: 900)

Who writes a usage by hand often leaves the brackets and the dots to the sentences below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from toolcrib.packs.climax.importer.help_text.layout import (
    HelpEntry,
    is_option_line,
    named_entries,
    sections,
)
from toolcrib.packs.climax.importer.help_text.text import squeezed
from toolcrib.packs.climax.importer.model import Operand

ARGUMENTS = re.compile(r"(?:positional )?(?:arguments|args|operands|parameters)\b", re.I)
"""Headings of lists of operands."""
_ABSENT = r"(?:not (?:provided|given|specified|supplied|present)|omitted|missing|left out|absent)"
_OPTIONAL_ENTRY = re.compile(
    r"[(\[]\s?optional\b|^optional\b"
    rf"|\b(?:if|when) (?:{_ABSENT}|it is {_ABSENT})"
    r"|\bleave (?:it )?(?:blank|empty|out)\b"
    rf"|[(\[]defaults?(?: to|:| is|=)? ?\S"
    rf"|\bdefaults? (?:to|is) \S",
    re.I,
)
_SEVERAL = re.compile(r"(?:the )?(?:(?:one|zero|1|0) or more|any number of|list of) [a-z]+", re.I)
# "Files or directories to fire": nobody says so of one.
_PLURAL_FIRST = re.compile(
    r"(?:(?:the|all|any|input|source|local|names? of|paths? (?:of|to)|list of) ){0,3}"
    r"(?:files|file ?names|file ?paths|directories|folders|paths|globs|urls|images)\b",
    re.I,
)
_MAYBE_SEVERAL = re.compile(r"\b(?:file|filename|image|document|director|path|url)\(i?e?s\)", re.I)
_WORDS = re.compile(r"(?:args?|arguments|operands|parameters)", re.I)
# "List all pots or only those that match": without any, it is all of them.
_ALL_OR_SOME = re.compile(
    r"\b(?:list|show|print|display)s? all (?P<what>\w+) or only (?:the )?"
    r"(?:(?P=what)|those|ones)\b",
    re.I,
)
_LISTED = re.compile(
    r"(?P<open>[<\[]?)<?(?P<name>[A-Za-z][\w-]{0,40})(?P<dots> ?\.\.\.)?>?[>\]]?(?P<more> ?\.\.\.)?"
)
_NEEDED = re.compile(r"[(\[]required[)\]]|\brequired\.?$", re.I)


def may_be_left_out(name: str, prose: str) -> bool:
    """Whether a text tells what happens without an operand: "if <file> is not provided, …"."""
    thing = rf"[<\[]?{re.escape(name)}[>\]]?"
    files = r"|files?|file ?names?" if name.lower().rstrip("s").endswith("file") else ""
    several = rf"(?:{thing}|{re.escape(name)}s{files})"
    without = rf"(?:the )?{thing} (?:is|are) {_ABSENT}|no (?:input )?{several} (?:is|are) \w+"
    neither = rf"\bwith neither (?:{thing} nor [\w<>-]+|[\w<>-]+ nor {thing}),"
    told = rf"\b(?:if|when) (?:{without})\b|\bwith no {several}(?:,| (?:is|are)? ?{_ABSENT})"
    told = f"{told}|{neither}"
    return re.search(told, prose, re.I) is not None or _ALL_OR_SOME.search(prose) is not None


def entry_of(name: str, lines: Sequence[str]) -> str:
    """What stands beside the name of an operand, where it has a line of its own below the usage."""
    entry = re.compile(
        rf"\s+[<\[]?{re.escape(name)}[>\]]?(?: ?\.\.\.)?(?: {{2,}}| [-:] |: +)(\S.*)"
    )
    found = (match[1] for line in lines if (match := entry.fullmatch(line)))
    return next(found, "") or _headed_by(name, lines)


def _headed_by(name: str, lines: Sequence[str]) -> str:
    """The text below a heading that is the name of an operand: `Pots:`, and a sentence."""
    heading = re.compile(rf"\[?<?{re.escape(name)}s?>?\]?:?", re.I)
    for section in sections(lines):
        text = list(takewhile(bool, dropwhile(lambda line: not line, section.lines)))
        told = text and not any("  " in line.strip() or is_option_line(line) for line in text)
        if told and section.heading.endswith(":") and heading.fullmatch(section.heading):
            return squeezed(" ".join(text))
    return ""


def as_told(operand: Operand, entry: str) -> Operand:
    """The operand with what its own entry says of it, beyond the brackets of the usage."""
    required = operand.required and _OPTIONAL_ENTRY.search(entry) is None
    several = _is_several(entry) or _begins_with_plural(entry, operand.name)
    return replace(operand, required=required, repeats=operand.repeats or several)


def _begins_with_plural(entry: str, name: str) -> bool:
    """Whether an entry begins with the name of its operand as several: `POT  The pots to fire`."""
    first = r"(?:: )?(?:(?:specify|the|input|output|names? of) ){0,3}"
    return re.match(rf"{first}{re.escape(name)}s\b(?!')", entry, re.I) is not None


def _is_several(entry: str) -> bool:
    match = _SEVERAL.match(entry)
    if _PLURAL_FIRST.match(entry) is not None or _MAYBE_SEVERAL.search(entry) is not None:
        return True
    return match is not None and match[0].lower().endswith("s")


def spelled_out(operands: list[Operand], lines: Sequence[str]) -> list[Operand]:
    """The operands, where `[arguments]` of a usage is a name for all that a list below it has.

    What it is not told of each, brackets around all of them tell.
    """
    if len(operands) > 1 or not all(_WORDS.fullmatch(each.name) for each in operands):
        return operands
    entries = _entries(lines)
    marks = {entry.left[0] in "[<" and entry.left[0] for entry in entries}
    needed = any(operand.required for operand in operands)
    told = needed or len(marks) > 1
    return [_listed(entry, told=told) for entry in entries] or operands


def _listed(entry: HelpEntry, *, told: bool) -> Operand:
    """An operand of the list; `told` is where its brackets say whether it is needed."""
    spelled = _LISTED.fullmatch(entry.left)
    if spelled is None:
        return Operand(entry.left)
    required = (told and spelled["open"] != "[") or _NEEDED.search(entry.right) is not None
    return Operand(spelled["name"], required, bool(spelled["dots"] or spelled["more"]))


def _entries(lines: Sequence[str]) -> list[HelpEntry]:
    """The list of arguments; nothing where options or sentences stand in it, too."""
    own = [each for each in sections(lines) if ARGUMENTS.match(each.heading)]
    if any(is_option_line(line) for section in own for line in section.lines):
        return []
    entries = [entry for section in own for entry in named_entries(section.lines)]
    named = all(entry.right and _LISTED.fullmatch(entry.left) for entry in entries)
    return entries if named else []
