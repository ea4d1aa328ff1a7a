"""The library that printed a help text, which decides how a long option takes its value."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolcrib.packs.climax.importer.model import Style

_MAN = re.compile(r"\S+\(\d\w*\)\s+.*\S+\(\d\w*\)")
_SIGNS: tuple[tuple[Style, str], ...] = (
    (Style.GIT, r"^usage: git\b"),
    (
        Style.KUBECTL,
        r"^ {2,8}(?:-\w, )?--[\w-]+=(?:'[^'\n]*'|\[[^\]\n]*\]|[\w.-]+):$"
        # `-quiet=false: says nothing`, of the same library in its youth
        r"|^ {2,8}--?[\w-]+=(?:\"[^\"\n]*\"|false): [A-Za-z]",
    ),
    (Style.NPM, r"^ {2}-\w\|--[\w-]+$|^npm <command>"),
    (
        Style.CLAP,
        r"^ +-h, --help +Print help|\[possible values: |^ +(?:-\w, )?--[\w-]+ <[A-Z]",
    ),
    (Style.CLICK, r"--help +Show this message and exit\."),
    (
        Style.ARGPARSE,
        r"^usage: \S.*\[-h\]|^positional arguments:|show this help message and exit",
    ),
    (
        Style.COBRA,
        r"^(?:Available Commands|Global Flags|Flags|FLAGS|INHERITED FLAGS|Global Options):?$"
        r"|Run '[^'\n]* --help' for more"
        r"|^ +(?:-\w, )?--[\w-]+ (?:string|strings|int|list|duration|bytes)\b",
    ),
    (
        Style.GNU,
        r"Mandatory arguments to long options|Report (?:any )?bugs"
        r"|output version information and exit|\bGNU\b|^ *(?:-\w, )?--[\w-]+=[A-Z]",
    ),
)
_OPTPARSE = re.compile(r"^Usage: *\n +\S|^ *-h, --help +[Ss]how (?:this )?help", re.M)
# `$ kiln --heat 900`: who shows a value behind a blank may know no other way to give it.
# So does `-o, --output MODE`: this library itself prints `--output=MODE`.
_SHOWN_APART = re.compile(
    r"^ *\$ .*\s--[a-z][\w-]* [\w.]|^ +(?:-\w, )?--[a-z][\w-]* [A-Z]{2,}(?:\s|$)", re.M
)

JOINING = frozenset(
    (
        Style.ARGPARSE, Style.OPTPARSE, Style.CLICK, Style.COBRA, Style.KUBECTL, Style.CLAP,
        Style.GIT, Style.GNU, Style.NPM,
    )
)  # fmt: skip
"""Styles whose long options take `--name=value` however the help prints it."""


def style_of(lines: Sequence[str]) -> Style:
    """Name the style of a help text."""
    first = next((line for line in lines if line), "")
    if _MAN.fullmatch(first.strip()):
        return Style.MAN
    text = "\n".join(lines)
    for style, sign in _SIGNS:
        if re.search(sign, text, re.M):
            return style
    told = _OPTPARSE.search(text) and not _SHOWN_APART.search(text)
    return Style.OPTPARSE if told else Style.UNKNOWN
