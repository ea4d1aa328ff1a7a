"""Completions for bash: lists of words, and cases for what follows an option."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolcrib.packs.climax.importer.model import Command, Known, Option, Page, Style, Subcommand
from toolcrib.packs.climax.importer.values import understood

_FLAG = re.compile(r"(?<![\w.$/-])(--?[A-Za-z0-9?][\w-]*)(=?)")
_LISTS = re.compile(r"(?:[\w]+\+?=\(?|-W\s*)(?:\"([^\"]{1,60000})\"|'([^']{1,60000})')")
_CASE = re.compile(r"^\s*\(?((?:['\"]?--?[\w-]+['\"]?\s*\|?\s*){1,20})\)\s*\n((?:.*\n){0,6})", re.M)
_OFFERED = re.compile(r"-W\s*[\"']([^\"'$()]{1,600})[\"']")
_NOTHING = re.compile(r"^\s*return(?: 0)?\s*$|^\s*;;", re.M)
_BLOCK = re.compile(r"^\s*([\w.+-]{1,120})\)\s*\n\s*opts=\"([^\"]{0,60000})\"", re.M)
_COMMANDS = re.compile(
    r"\b\w*(?:commands|cmds|verbs|COMMANDS|VERBS)\w*=[\"']([^\"'$()]{1,20000})[\"']"
)
_WORD = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


def bash_commands(text: str, name: str) -> list[Command]:
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
    page = Page(options=root.page.options, subcommands=below, runnable=not below,
                style=Style.COMPLETION)  # fmt: skip
    empty = Page(style=Style.COMPLETION)
    return [Command((), page), *(Command((sub.name,), empty) for sub in below)]


def _blocks(text: str, name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """`program__sub)` and its `opts`, as clap writes them: the words of each command."""
    for match in _BLOCK.finditer(text):
        program, *path = match[1].split("__")
        if program == name and len(path) <= 4:
            yield tuple(path), match[2]


def _command(path: tuple[str, ...], words: str, values: dict[str, str]) -> Command:
    known = Known()
    for match in _FLAG.finditer(words):
        flag, equals = match[1].rstrip("-"), match[2]
        if len(flag.strip("-")) and (flag in values or equals):
            known.add(Option((flag,), values.get(flag, "value"), joined=bool(equals)))
        elif flag.strip("-"):
            known.add(Option((flag,)))
    below = [word for word in words.split() if _WORD.fullmatch(word)] if not path else []
    return Command(
        path,
        Page(
            options=tuple(understood(option, Style.COMPLETION) for option in known.options),
            subcommands=tuple(Subcommand(word) for word in dict.fromkeys(below)),
            style=Style.COMPLETION,
        ),
    )


def _values(text: str) -> Iterator[tuple[str, str]]:
    """What follows an option, by the cases for the word before the cursor."""
    for case in _CASE.finditer(text):
        flags = re.findall(r"--?[\w-]+", case[1])
        body = case[2].split(";;")[0]
        offered = _OFFERED.search(body)
        words = offered[1].split() if offered else []
        if not words and "COMPREPLY" not in body and "compgen" not in body:
            continue
        for flag in flags:
            yield flag, "|".join(words) if len(words) > 1 else "value"
