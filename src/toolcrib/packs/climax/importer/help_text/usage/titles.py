"""What announces the ways to call a program: the word "usage", titles, and labels.

Usage of kiln:
    Fire one pot:
        kiln fire POT
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolcrib.packs.climax.importer.help_text.text import indent_of

# `Usage: kiln POT`, `Syntax is: kiln POT`, and `Usage of kiln:` with the ways to call it below.
_USAGE = re.compile(
    r"\s*(?:usage|synopsis|syntax)\b(?P<colon>(?: is| of [\w.-]+(?: [\w.-]+)?)?\s*:)?"
    r"\s*(?P<rest>.*)",
    re.I,
)
# `usage: Usage: kiln POT`: said once by the library, once by the program.
_AGAIN = re.compile(r"\Ausage:\s+", re.I)
_USAGE_AT_END = re.compile(r".{0,120}[\s.)](?<!example )(?<!examples )usage:\s*", re.I)
# `kiln.py`, `kiln.exe`: what a program's file is called, and nobody types.
_SUFFIX = re.compile(r"\.(?:py|pl|rb|js|sh|exe|jar)\Z")
_NO_MODE = re.compile(r"(?:usage|synopsis|syntax|examples?|or|try|run)\b", re.I)
_NOTHING = re.compile(r"(?!)")
# "For several pots:", at the edge: a case, and no further chapter.
_CASE = re.compile(r"(?:For|With|When|To) [a-z]")
_MOST_WAYS = 60


def is_program(word: str, program: str) -> bool:
    """Whether a word is the program's name, by itself, with its folder or as its file is called."""
    name = word.strip("<>").rpartition("/")[2]
    return name == program or _SUFFIX.sub("", name) == _SUFFIX.sub("", program)


def announced(line: str, program: str) -> str | None:
    """What stands behind the word "usage" in a line that has it at its beginning or its end."""
    if _USAGE_AT_END.fullmatch(line):
        return ""
    # `kiln: usage: kiln POT` is said as a complaint is, `kiln usage: [-q] POT` as a title.
    # On the page of a command, `fire: usage: kiln fire POT` is said as well.
    named = re.compile(rf"(?:{re.escape(program)}:?|[a-z][\w-]{{0,30}}:) (?=usage\b)", re.I)
    named = named if program else _NOTHING
    # `Unknown flag; usage: kiln POT`: behind a complaint.
    behind = re.compile(rf".{{1,80}}[;.] usage:\s+(?={re.escape(program)}\s)", re.I)
    complained = behind.match(line) if program else None
    if complained is not None:
        return line[complained.end() :].strip()
    match = _USAGE.fullmatch(named.sub("", line, count=1) if named.match(line) else line)
    if match is None or indent_of(line) > 8:
        return None
    # `cat pots | kiln [options]`: what another program writes is read.
    piped = re.compile(rf"[^|\[\]<>]{{1,60}} \| (?={re.escape(program)} )") if program else _NOTHING
    first = piped.sub("", _AGAIN.sub("", match["rest"].strip(), count=1), count=1)
    # "Usage information is in …" is a sentence.
    prose = first and not match["colon"] and not is_program(first.split()[0], program)
    return None if prose and "usage" not in line.lower() else first


def without_labels(lines: Sequence[str], program: str) -> Sequence[str]:
    """The lines, without the names that ways to call have before them: `test:  kiln test POT`."""
    if not program:
        return lines
    label = re.compile(rf"(\s+)([a-z][\w-]{{0,30}}):\s+(?={re.escape(program)} \[?\2\b)")
    return [label.sub(r"\1", line, count=1) if label.match(line) else line for line in lines]


def without_titles(lines: Sequence[str], program: str) -> list[str]:
    """The lines below a usage without the titles of its ways to call, and the gaps before them.

    Fire one pot:
        kiln fire POT
    """
    found: list[str] = []
    titled = False
    for at, line in enumerate(lines):
        below = next(filter(None, lines[at + 1 : at + 3]), "")
        further_in = indent_of(below) > indent_of(line)
        further_in = further_in and (indent_of(line) > 0 or _CASE.match(line) is not None)
        way = bool(program) and further_in and is_program(below.split()[0], program)
        if way and line.endswith(":") and not is_program(line.split()[0], program):
            found = found[: -1 if found and not found[-1] else None]
            titled = True
        elif line or not titled:
            found.append(line)
            titled = False
    return found


def untitled(text: str, program: str) -> str:
    """A way to call without what it is for before it: `fires one pot: kiln [OPTIONS] POT`."""
    title = re.compile(rf"[A-Za-z][\w ',-]{{1,60}}:\s+(?={re.escape(program)}\s)")
    return title.sub("", text, count=1) if program and title.match(text) else text


def named_ways(lines: Sequence[str], program: str) -> list[str]:
    """The ways to call a program that are named: `Create: kiln -c [options] POT`, and more."""
    mode = re.compile(rf"[A-Z][a-z]{{1,20}}:\s+{re.escape(program)} --?\w.*") if program else None
    named = [line for line in lines if mode and mode.fullmatch(line) and not _NO_MODE.match(line)]
    texts = [line.partition(":")[2].strip() for line in named[:_MOST_WAYS]]
    return texts if len(texts) > 1 else []
