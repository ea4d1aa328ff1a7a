"""Completions for zsh: the specifications that `_arguments` takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolcrib.packs.climax.importer.help_text.text import squeezed
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

_FLAG = r"--?[A-Za-z0-9?#@][A-Za-z0-9_.:@?#]*(?:-[A-Za-z0-9_.:@?#]+)*"
_SPEC = re.compile(
    r"(?:\$\w+)?(?:\([^)]{0,2000}\))?\*?"
    rf"(?:\{{(?P<braced>[^{{}}]{{1,300}})\}}|(?P<flag>{_FLAG})(?P<end>=-|[=+-]?))"
    r"(?:\[(?P<about>[^\]]{0,300})\])?(?P<values>:.{0,2000})?",
    re.S,
)
_ONE_FLAG = re.compile(rf"({_FLAG})(=-|[=+-]?)")
_LIST = re.compile(r"\(\(?([^()]{1,1500})\)\)?")
_ARRAY = re.compile(r"\b\w*(?:commands|cmds)=\(")
_ARRAY_END = re.compile(r"\n\s*\)")
_ENTRY = re.compile(r"([A-Za-z0-9][\w.+-]{0,60}):(.{0,300})", re.S)


def zsh_commands(text: str, name: str) -> list[ProgramCommand]:
    """The commands that a script for zsh completes; options of subcommands stand with the rest."""
    known = Known()
    for words in shell_lines(text):
        for word in words:
            option = _option(word)
            if option is not None:
                known.add(option)
    listed = dict(_listed(text))
    root = HelpPage(
        options=tuple(understood(option, Style.COMPLETION) for option in known.options),
        subcommands=tuple(Subcommand(*each) for each in listed.items()),
        runnable=not listed,
        style=Style.COMPLETION,
    )
    below = HelpPage(style=Style.COMPLETION)
    return [
        ProgramCommand((), root),
        *(ProgramCommand((word,), below, about) for word, about in listed.items()),
    ]


def _option(word: str) -> HelpOption | None:
    if "-" not in word[:2000]:
        return None
    match = _SPEC.fullmatch(word[:4000])
    if match is None:
        return None
    flags = _flags(match)
    described = match["about"] is not None or match["values"] is not None
    if not flags or not described:
        return None
    values, ends = match["values"], {end for _, end in flags}
    takes = values is not None
    return HelpOption(
        tuple(flag for flag, _ in flags),
        _value(values) if values is not None else None,
        value_optional=takes and bool(ends & {"=-", "-"} or (values or "").startswith("::")),
        joined=bool(ends & {"=", "=-"}),
        description=squeezed(match["about"] or ""),
    )


def _flags(match: re.Match[str]) -> list[tuple[str, str]]:
    if match["flag"] is not None:
        return [(match["flag"], match["end"])]
    found = (_ONE_FLAG.fullmatch(part.strip()) for part in match["braced"].split(","))
    return [(one[1], one[2]) for one in found if one is not None]


def _value(values: str) -> str:
    """`:message:action`: choices where the action is a list, else the message."""
    message, _, action = values.strip(":").partition(":")
    listed = _LIST.fullmatch(action.strip())
    if listed is not None:
        words = [word.split("\\:")[0].split(":")[0] for word in listed[1].split()]
        if len(words) > 1 and all(re.fullmatch(r"[A-Za-z0-9][\w.+-]*", word) for word in words):
            return "|".join(words)
    return squeezed(message) or "value"


def _listed(text: str) -> Iterator[tuple[str, str]]:
    """The entries `name:description` of arrays whose name speaks of commands."""
    behind = 0
    for array in _ARRAY.finditer(text):
        if array.start() < behind:
            continue
        end = _ARRAY_END.search(text, array.end())
        if end is None:
            return
        behind = end.end()
        for words in shell_lines(text[array.end() : end.start()]):
            entries = (_ENTRY.fullmatch(word) for word in words)
            yield from ((entry[1], squeezed(entry[2])) for entry in entries if entry is not None)
