"""Completions for fish: one `complete` command for each option, with a description."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from toolcrib.packs.climax.importer.help_text.values import understood
from toolcrib.packs.climax.importer.model import (
    HelpOption,
    HelpPage,
    Known,
    ProgramCommand,
    Style,
    Subcommand,
)
from toolcrib.packs.climax.importer.sources.completion.words import shell_lines

_LONG = {
    "--command": "c", "--short-option": "s", "--long-option": "l", "--old-option": "o",
    "--description": "d", "--require-parameter": "r", "--exclusive": "x", "--arguments": "a",
    "--condition": "n", "--no-files": "f", "--force-files": "F", "--keep-order": "k",
    "--erase": "e", "--wraps": "w",
}  # fmt: skip
_WITH_VALUE = frozenset("csloadnwp")
_BELOW = re.compile(r"(?:using_command|seen_subcommand_from|subcommand_from)\s+([\w. -]+)")
_TOP = re.compile(
    r"needs_command|use_subcommand|needs_subcommand|no_subcommand|not __fish_seen_sub"
)
_WORDS = re.compile(r"[A-Za-z0-9][\w.+:-]*(?:\s+[A-Za-z0-9][\w.+:-]*)*")
_NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,60}")


@dataclass(slots=True)
class _Line:
    """One `complete` command, taken apart."""

    flags: list[str] = field(default_factory=list)
    program: str = ""
    description: str = ""
    arguments: str = ""
    condition: str = ""
    takes_value: bool = False

    @property
    def below(self) -> tuple[str, ...]:
        """The subcommands that it is about."""
        match = _BELOW.search(self.condition)
        if match is None or _TOP.search(self.condition):
            return ()
        return tuple(word for word in match[1].split() if _NAME.fullmatch(word))

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it offers, where they are written out."""
        if "(" in self.arguments or "$" in self.arguments:
            return ()
        words = [line.split("\t")[0].strip() for line in self.arguments.split("\n")]
        text = " ".join(words)
        return tuple(dict.fromkeys(text.split())) if _WORDS.fullmatch(text.strip()) else ()


def fish_commands(text: str, name: str) -> list[ProgramCommand]:
    """The commands that a script for fish completes."""
    lines = [line for words in shell_lines(text) if (line := _read(words)).program == name]
    listed: dict[str, str] = {}
    options: dict[str, Known] = {"": Known()}
    for line in lines:
        if line.flags:
            for word in line.below or ("",):
                options.setdefault(word, Known()).add(_option(line))
        elif not line.below:
            for word in line.choices if _TOP.search(line.condition) else ():
                listed.setdefault(word, line.description)
    for word in filter(None, options):
        listed.setdefault(word, "")
    commands = [
        ProgramCommand((), _page(options[""], [Subcommand(*each) for each in listed.items()]))
    ]
    for word, about in listed.items():
        commands.append(ProgramCommand((word,), _page(options.get(word, Known()), ()), about))
    return commands


def _page(known: Known, below: Iterable[Subcommand]) -> HelpPage:
    return HelpPage(
        options=tuple(understood(option, Style.COMPLETION) for option in known.options),
        subcommands=tuple(below),
        runnable=not below,
        style=Style.COMPLETION,
    )


def _option(line: _Line) -> HelpOption:
    choices = line.choices if len(line.choices) > 1 else ()
    value = "|".join(choices) or "value" if line.takes_value or choices else None
    return HelpOption(tuple(line.flags), value, description=line.description)


def _read(words: Sequence[str]) -> _Line:
    line = _Line()
    if not words or words[0] != "complete":
        return line
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        long, equals, value = word.partition("=")
        if long in _LONG:
            letters = _LONG[long]
        elif word.startswith("-") and not word.startswith("--") and len(word) > 1:
            letters, equals, value = word[1:], "", ""
        else:
            line.program = line.program or word
            continue
        for place, letter in enumerate(letters):
            if letter in _WITH_VALUE:
                rest = value if equals else letters[place + 1 :]
                if not rest and not equals and at < len(words):
                    rest = words[at]
                    at += 1
                _set(line, letter, rest)
                break
            line.takes_value |= letter in "rx"
    return line


def _set(line: _Line, letter: str, value: str) -> None:
    if letter == "c":
        line.program = value
    elif letter in "slo":
        dashes = "--" if letter == "l" else "-"
        if re.fullmatch(r"[A-Za-z0-9?#@][\w.:+-]*", value):
            line.flags.append(dashes + value)
    elif letter == "d":
        line.description = value
    elif letter == "a":
        line.arguments = value
    elif letter == "n":
        line.condition = f"{line.condition} {value}".strip()
