"""What people see: colours only on a terminal, JSON for scripts, errors with the next step."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import Place, ToolcribError
from toolcrib.core.support.printable import printable

if TYPE_CHECKING:
    import argparse

    from toolcrib.settings import Settings

_OURS = r"(\x1b\[(?:0|1|2|31|32|33|36)m)"
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def prepare(args: argparse.Namespace) -> None:
    """Settle what every command relies on: streams that take any text, and the project."""
    from toolcrib.core.errors import UsageError
    from toolcrib.core.support.logs import speak_plainly
    from toolcrib.settings import find_project

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Where a terminal knows no "…", an escape is better than a traceback.
            stream.reconfigure(errors="backslashreplace")
    speak_plainly()
    given: Path | None = args.project
    if given is not None and not given.is_dir():
        raise UsageError(f"--project {given}: no such folder")
    try:
        # A link stays one: swapping it changes what is served, not which project it is.
        args.project = Path(os.path.abspath(given)) if given is not None else find_project()  # noqa: PTH100
    except FileNotFoundError as error:
        raise UsageError(
            "The current folder is gone", next="Go to another one, or name it: --project DIR"
        ) from error


def say(text: str = "") -> None:
    """Print one line to standard output; control characters are escaped."""
    print(_safe(text, sys.stdout))


def _safe(text: str, stream: Any) -> str:
    """`text` without anything that a repository could tell a terminal to do.

    Our own colours stay, on a terminal: whoever repeats them can colour a word, and no more.
    """
    text = text.replace("\r\n", "\n")
    if not _is_terminal(stream):
        return printable(text)
    pieces = re.split(_OURS, text)
    return "".join(piece if at % 2 else printable(piece) for at, piece in enumerate(pieces))


def hint(text: str) -> None:
    """Print one line beside the output, only for a person at a terminal."""
    if _is_terminal(sys.stderr):
        print(style(text, "dim", sys.stderr), file=sys.stderr)


def aside(text: str) -> None:
    """Print one line beside the output, for people and scripts alike."""
    print(style(printable(text), "yellow", sys.stderr), file=sys.stderr)


def emit(value: Any, text: str | Callable[[], str], args: argparse.Namespace) -> None:
    """Print `value` as JSON where `--json` was given, else the text."""
    if args.json:
        print(json.dumps(value, indent=2, ensure_ascii=_is_terminal(sys.stdout)))
    else:
        say(text() if callable(text) else text)


def style(text: str, name: str, stream: Any = None) -> str:
    """`text` in a colour, if the stream is a terminal and colours are not switched off."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain or not _is_terminal(stream or sys.stdout):
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
    """Ask for confirmation; without a terminal the answer is no."""
    if assume_yes:
        return True
    if not _is_terminal(sys.stdin):
        return False
    return _typed(f"{question} [y/N] ") in ("y", "yes")


def tell_trust(settings: Settings, args: argparse.Namespace) -> None:
    """Say beside the output what is withheld and why, in one line; nothing for scripts."""
    from toolcrib.policy.trust.notices import fresh_notices

    if args.json or settings.trust is None:
        return
    for line in fresh_notices(settings.trust):
        print(style(printable(line), "yellow", sys.stderr), file=sys.stderr)


def agreed(question: str) -> bool:
    """Ask a person who only has to press Enter to say yes."""
    return _typed(f"{question} [Y/n] ") in ("", "y", "yes")


def _typed(question: str) -> str:
    """What a person types; Ctrl-D is no."""
    try:
        return input(question).strip().lower()
    except EOFError:
        say()
        return "no"


def complain(error: ToolcribError, *, as_json: bool) -> None:
    """Tell an error: to scripts as JSON, to people with the place and the next step."""
    if as_json:
        say(json.dumps({"error": error.as_dict()}, indent=2, ensure_ascii=False))
    else:
        try:
            text = style(printable(error.render()), "red", sys.stderr)
            print(text, file=sys.stderr, flush=True)
        except OSError:  # where even this cannot be told, the exit code still says it
            hush(sys.stderr)


def told(error: OSError) -> ToolcribError:
    """What the system refused (a full disk, a file that cannot be written) as one of our errors."""
    where = Place(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
    return ToolcribError(error.strerror or str(error), where=where)


def hush(stream: Any) -> None:
    """The reader of the stream is gone: redirect it, so that the exit does not fail again."""
    with contextlib.suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_terminal(stream: Any) -> bool:
    """Whether a person reads it; a stream that was closed at the start is None."""
    return stream is not None and bool(stream.isatty())
