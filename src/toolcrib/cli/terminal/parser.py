"""The parser of the command line, whose complaints look like all others and name the nearest."""

from __future__ import annotations

import argparse
import functools
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from toolcrib.cli.terminal import console
from toolcrib.core.errors import UsageError
from toolcrib.core.support.suggest import did_you_mean

# The texts of argparse as they are: a look for translations loads several modules at each start.
argparse._ = str  # type: ignore[attr-defined]

_CHOICE = r"(?s)(?:argument (.+?): )?invalid choice: (.+?) \(choose from (.*)\)"
_UNKNOWN = r"(?s)unrecognized arguments: (.*)"


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in the shape of our errors."""

    _typed: Sequence[str] = ()
    rest: str | None = None
    """Where the words after `--` go, whatever options stand before it; argparse would mix them."""

    def __init__(self, *given: Any, **named: Any) -> None:
        # Where argparse asks for the width by itself, it loads shutil and all that it needs.
        kind = named.get("formatter_class", argparse.HelpFormatter)
        named["formatter_class"] = functools.partial(kind, width=_columns() - 2)
        super().__init__(*given, **named)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and remember the words for a complaint."""
        self._typed = words = list(args or ())
        if self.rest is None or "--" not in words:
            return super().parse_known_args(args, namespace)
        at = words.index("--")
        found, unknown = super().parse_known_args(words[:at], namespace)
        setattr(found, self.rest, words[at + 1 :])
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Complain and leave with exit code 2."""
        console.complain(self._complaint(message), as_json="--json" in self._typed)
        raise SystemExit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help; argparse itself would keep quiet about a full disk."""
        print(message, end="", file=file)

    def _complaint(self, message: str) -> UsageError:
        choice, unknown = re.fullmatch(_CHOICE, message), re.fullmatch(_UNKNOWN, message)
        if choice:
            given, known = choice[2].strip("'\""), re.findall(r"[^\s,'\"]+", choice[3])
            what = f"Unknown {(choice[1] or 'word').lower()}: {given}{did_you_mean(given, known)}"
            return UsageError(what, next=f"Known: {', '.join(known)}")
        if unknown:
            given = unknown[1].split(" ")[0].partition("=")[0]
            what = f"Unknown word: {given}{did_you_mean(given, sorted(set(_options(self))))}"
            return UsageError(what, next=f"{self._called()} --help")
        return UsageError(message[:1].upper() + message[1:], next=f"{self.prog} --help")

    def _called(self) -> str:
        """This program with the command that was typed: the top parser has to ask its words."""
        command = next((word for word in self._typed if not word.startswith("-")), "")
        return f"{self.prog} {command}" if " " not in self.prog else self.prog


def _columns() -> int:
    """The width of the terminal; 80 if unknown."""
    said = os.environ.get("COLUMNS", "")
    if said.isdigit() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every option of a parser and of those below it; only the typed command has any."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _options(child)
