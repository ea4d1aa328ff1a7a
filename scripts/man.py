"""Write `docs/toolcrib.1`: the manual page, made from the parser of the command line.

python scripts/man.py            # write it
python scripts/man.py --check    # whether it is up to date
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolcrib import __version__
from toolcrib.cli import COMMANDS, parser_for

PAGE = Path(__file__).parents[1] / "docs" / "toolcrib.1"


def page() -> str:
    """The whole page."""
    parser = parser_for([], every=True)
    lines = [
        f'.TH TOOLCRIB 1 "" "toolcrib {__version__}" "User Commands"',
        ".SH NAME",
        f"toolcrib \\- {escaped(lowered(parser.description or ''))}",
        ".SH SYNOPSIS",
        ".B toolcrib",
        "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...",
        ".SH DESCRIPTION",
        escaped(parser.description or ""),
        ".PP",
        escaped(parser.epilog or ""),
        ".SH COMMANDS",
    ]
    below = commands_of(parser)
    for name, summary in COMMANDS.items():
        lines += [".TP", f".B {escaped(name)}", escaped(summary[:1].upper() + summary[1:] + ".")]
    for name in COMMANDS:
        lines += section(f"toolcrib {name}", below[name])
    lines += [
        ".SH EXIT STATUS", "0 all well, 1 something failed or was found, 2 wrong usage,"
        " 3 a person is needed.",
        ".SH FILES", ".TP", ".I toolcrib.toml", "The settings of a repository.",
        ".TP", ".I ~/.config/toolcrib/config.toml", "The settings of a person.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def section(title: str, parser: argparse.ArgumentParser) -> list[str]:
    """A command with its options, and those below it."""
    lines = [f".SS {escaped(title)}", escaped((parser.description or "").split("\n")[0])]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        if action.help == argparse.SUPPRESS:
            continue
        lines += [".TP", named(action), escaped(action.help or "")]
    for name, child in commands_of(parser).items():
        lines += section(f"{title} {name}", child)
    return lines


def named(action: argparse.Action) -> str:
    """An argument as it is typed."""
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"\\fI{escaped(value)}\\fR"
    takes = action.nargs != 0
    flags = ", ".join(f"\\fB{escaped(flag)}\\fR" for flag in action.option_strings)
    return f"{flags} \\fI{escaped(value)}\\fR" if takes else flags


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers below a parser, by name."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def lowered(text: str) -> str:
    """A sentence as a phrase."""
    return (text[:1].lower() + text[1:]).rstrip(".")


def escaped(text: str) -> str:
    """Text that troff prints as it is."""
    plain = " ".join(text.split()).replace("%%", "%").replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def main() -> int:
    """Write the page, or compare it."""
    if "--check" in sys.argv[1:]:
        return 0 if PAGE.exists() and PAGE.read_text() == page() else 1
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
