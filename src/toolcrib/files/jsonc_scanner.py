"""A scanner for JSON with comments: blanks, comments, strings, numbers and words."""

from __future__ import annotations

import json
import re
from typing import Any

from toolcrib.core.errors import ConfigError, Place

_BLANK = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


class Scanner:
    """A position in a text, with methods to read from there."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.at = 0

    def peek(self) -> str:
        """The character at this position; empty at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self) -> None:
        """Skip blanks and comments."""
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def skips_to(self, char: str) -> bool:
        """Skip blanks and comments; return whether `char` comes next."""
        self.skip()
        return self.peek() == char

    def take(self, char: str) -> None:
        """Skip `char`, which must come next."""
        if self.peek() != char:
            raise self.error(f"expected {char!r}")
        self.at += 1

    def string(self) -> str:
        """Read a string."""
        match = _STRING.match(self.text, self.at)
        if not match:
            raise self.error("expected a string in double quotes")
        return str(self._plain(match))

    def scalar(self) -> Any:
        """Read a string, a number, or one of true, false and null."""
        match = _STRING.match(self.text, self.at) or _WORD.match(self.text, self.at)
        if not match:
            raise self.error("expected a JSON value")
        return self._plain(match)

    def error(self, what: str) -> ConfigError:
        """An error with this position."""
        before = self.text[: self.at]
        start = before.rfind("\n") + 1
        end = self.text.find("\n", self.at)
        source = self.text[start : end if end >= 0 else None].rstrip("\r")
        place = Place(self.file, before.count("\n") + 1, self.at - start + 1, source)
        return ConfigError(
            f"This is not JSON: {what}",
            where=place,
            next="Correct it by hand first; nothing was changed.",
        )

    def _plain(self, match: re.Match[str]) -> Any:
        try:
            value = json.loads(match.group())
        except ValueError as error:
            raise self.error(str(error)) from error
        self.at = match.end()
        return value
