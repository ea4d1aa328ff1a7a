"""Completions for bash: lists of words, and cases for what follows an option."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolcrib.packs.climax.importer.help_text.values import understood
from toolcrib.packs.climax.importer.model import (
    HelpOption,
    HelpPage,
    Known,
    ProgramCommand,
    Style,
    Subcommand,
)

_FLAG = re.compile(r"(?<![\w.$/-])(--?[A-Za-z0-9?][\w-]*)(=?)")
_LISTS = re.compile(r"(?:\b\w+\+?=\(?|-W\s*)(?:\"([^\"]{1,60000})\"|'([^']{1,60000})')")
_CASE_FLAG = re.compile(r"['\"]?(--?[\w-]{1,80})['\"]?")
_OFFERED = re.compile(r"-W\s*[\"']([^\"'$()]{1,600})[\"']")
_BLOCK = re.compile(r"^\s*([\w.+-]{1,120})\)\s*\n\s*opts=\"([^\"]{0,60000})\"", re.M)
_COMMANDS = re.compile(
    r"\b\w*(?:commands|cmds|verbs|COMMANDS|VERBS)\w*=[\"']([^\"'$()]{1,20000})[\"']"
)
_LONGEST_CASE = 6
_LONGEST_LABEL = 400
_WORD = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


def bash_commands(text: str, name: str) -> list[ProgramCommand]:
    """The commands that a script for bash completes."""
    text = text.replace("\\\n", " ")
    values = dict(_values(text))
    blocks = list(_blocks(text, name))
    if blocks:
        return [_command(path, words, values) for path, words in blocks]
    words = " ".join(match[1] or match[2] for match in _LISTS.finditer(text))
    listed = [
        word for match in _COMMANDS.finditer(text) for word in match[1].split()
        if _WORD.fullmatch(word)
    ]  # fmt: skip
    root = _command((), words, values)
    below = tuple(Subcommand(word) for word in dict.fromkeys(listed))
    page = HelpPage(options=root.page.options, subcommands=below, runnable=not below,
                style=Style.COMPLETION)  # fmt: skip
    empty = HelpPage(style=Style.COMPLETION)
    return [ProgramCommand((), page), *(ProgramCommand((sub.name,), empty) for sub in below)]


def _blocks(text: str, name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """`program__sub)` and its `opts`, as clap writes them: the words of each command."""
    for match in _BLOCK.finditer(text):
        program, *path = match[1].split("__")
        if program == name and len(path) <= 4:
            yield tuple(path), match[2]


def _command(path: tuple[str, ...], words: str, values: dict[str, str]) -> ProgramCommand:
    known = Known()
    for match in _FLAG.finditer(words):
        flag, equals = match[1].rstrip("-"), match[2]
        if len(flag.strip("-")) and (flag in values or equals):
            known.add(HelpOption((flag,), values.get(flag, "value"), joined=bool(equals)))
        elif flag.strip("-"):
            known.add(HelpOption((flag,)))
    below = [word for word in words.split() if _WORD.fullmatch(word)] if not path else []
    return ProgramCommand(
        path,
        HelpPage(
            options=tuple(understood(option, Style.COMPLETION) for option in known.options),
            subcommands=tuple(Subcommand(word) for word in dict.fromkeys(below)),
            style=Style.COMPLETION,
        ),
    )


def _values(text: str) -> Iterator[tuple[str, str]]:
    """What follows an option, by the cases for the word before the cursor."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        flags = _case(line)
        body = "\n".join(lines[at + 1 : at + 1 + _LONGEST_CASE]).split(";;")[0] if flags else ""
        if "COMPREPLY" in body or "compgen" in body:
            offered = _OFFERED.search(body)
            words = offered[1].split() if offered else []
            for flag in flags:
                yield flag, "|".join(words) if len(words) > 1 else "value"


def _case(line: str) -> list[str]:
    """The flags of a line like `'-o'|'--output')`."""
    label = line.strip()[:_LONGEST_LABEL]
    if not label.endswith(")") or label[:1] not in "-'\"(":
        return []
    found = [_CASE_FLAG.fullmatch(part.strip()) for part in label.strip("()").split("|")]
    return [match[1] for match in found if match is not None]
