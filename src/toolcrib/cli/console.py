"""What people see: colours only on a terminal, JSON for scripts, errors with the next step."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ToolcribError

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def prepare(args: argparse.Namespace) -> None:
    """Settle what every command relies on: where the project is."""
    from toolcrib.settings import find_project

    given: Path | None = args.project
    if given is not None and not given.is_dir():
        from toolcrib.core.errors import UsageError

        raise UsageError(f"--project {given}: no such folder")
    args.project = given.resolve() if given is not None else find_project()


def say(text: str = "") -> None:
    """Print one line to whoever reads the output."""
    print(text)


def hint(text: str) -> None:
    """Print one line beside the output, only for a person at a terminal."""
    if sys.stderr.isatty():
        print(style(text, "dim", sys.stderr), file=sys.stderr)


def emit(value: Any, text: str | Callable[[], str], args: argparse.Namespace) -> None:
    """Print `value` as JSON where `--json` was given, else the text."""
    if args.json:
        say(json.dumps(value, indent=2, ensure_ascii=False))
    else:
        say(text() if callable(text) else text)


def style(text: str, name: str, stream: Any = None) -> str:
    """`text` in a colour, where the stream is a terminal and nobody asked for none."""
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or not stream.isatty() or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{_CODES[name]}m{text}\x1b[0m"


def table(rows: Sequence[Sequence[object]], headers: Sequence[str]) -> str:
    """Rows under headers, each column as wide as it needs to be."""
    cells = [list(map(str, headers)), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(headers))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in cells
    ]
    return "\n".join([style(lines[0].rstrip(), "bold"), *(line.rstrip() for line in lines[1:])])


def diff(old: str, new: str, name: str) -> str:
    """What would change in a file, as a unified diff."""
    import difflib

    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), name, name
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def confirm(question: str, assume_yes: bool) -> bool:
    """Ask a person; without a terminal nobody is there to say yes."""
    if assume_yes:
        return True
    if not sys.stdin.isatty():
        return False
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def complain(error: ToolcribError, *, as_json: bool) -> None:
    """Tell an error: to scripts as JSON, to people with the place and the next step."""
    if as_json:
        say(json.dumps({"error": error.as_dict()}, indent=2, ensure_ascii=False))
    else:
        print(style(error.render(), "red", sys.stderr), file=sys.stderr)


def hush() -> None:
    """The reader of our output is gone: leave without a second complaint at exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
