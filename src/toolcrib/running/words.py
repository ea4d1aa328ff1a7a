"""Splitting a command line into words and expanding variables as a shell does, without a shell."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping

_VARIABLE = r"(?a)\$(?:(?P<plain>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)\})"
_HOME = r"~[A-Za-z0-9_.-]*(?=/|\s|$)"
_compiled = functools.cache(re.compile)  # when the first of them is used: no start needs them
_ESCAPED_IN_QUOTES = ('"', "\\", "$")


class UnsetVariable(ValueError):
    """A `$VAR` that the environment does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"${name} is not set")
        self.name = name


def split_words(text: str, environment: Mapping[str, str] | None = None) -> list[str]:
    """Split `text` into words: quotes and backslashes as in a shell, nothing else.

    With an `environment`, `~` and `$VAR` are expanded where a shell would do so, that is outside of
    single quotes; a value never splits into several words. Raises `ValueError` for a quote that
    is not closed and `UnsetVariable` for a variable that is not there.
    """
    if not any(character in text for character in "'\"\\~$"):
        return text.split()
    words: list[str] = []
    reader = _Reader(text, environment)
    while (word := reader.word()) is not None:
        words.append(word)
    return words


def expand(text: str, environment: Mapping[str, str]) -> str:
    """Return `text` with a leading `~` and each `$VAR` replaced; raises `UnsetVariable`."""

    def value(match: re.Match[str]) -> str:
        name = match["plain"] or match["braced"]
        if name not in environment:
            raise UnsetVariable(name)
        return environment[name]

    return _compiled(_VARIABLE).sub(value, expand_home(text, environment))


def expand_home(text: str, environment: Mapping[str, str]) -> str:
    """Return `text` with a leading `~` replaced by the home folder."""
    if text == "~" or text.startswith("~/"):
        home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - no HOME, then passwd
        return home + text[1:]
    return os.path.expanduser(text) if text.startswith("~") else text  # noqa: PTH111


class _Reader:
    """Reads one word after the other."""

    def __init__(self, text: str, environment: Mapping[str, str] | None) -> None:
        self._text = text
        self._at = 0
        self._environment = environment

    def word(self) -> str | None:
        text = self._text
        while self._at < len(text) and text[self._at].isspace():
            self._at += 1
        if self._at >= len(text):
            return None
        parts = [self._home()]
        while self._at < len(text) and not text[self._at].isspace():
            parts.append(self._piece())
        return "".join(parts)

    def _piece(self) -> str:
        character = self._text[self._at]
        if character == "'":
            end = self._closing("'", self._at + 1)
            piece = self._text[self._at + 1 : end]
            self._at = end + 1
            return piece
        if character == '"':
            return self._double_quoted()
        if character == "\\":
            if self._at + 1 >= len(self._text):
                raise ValueError("a backslash stands at the end")
            self._at += 2
            return self._text[self._at - 1]
        return self._variable_or_character()

    def _double_quoted(self) -> str:
        text = self._text
        start = self._at
        self._at += 1
        parts: list[str] = []
        while self._at < len(text) and text[self._at] != '"':
            if text[self._at] == "\\" and text[self._at + 1 : self._at + 2] in _ESCAPED_IN_QUOTES:
                parts.append(text[self._at + 1])
                self._at += 2
            else:
                parts.append(self._variable_or_character())
        if self._at >= len(text):
            raise ValueError(f"the quote at character {start + 1} is not closed")
        self._at += 1
        return "".join(parts)

    def _variable_or_character(self) -> str:
        match = (
            _compiled(_VARIABLE).match(self._text, self._at)
            if self._environment is not None
            else None
        )
        if match is None:
            self._at += 1
            return self._text[self._at - 1]
        self._at = match.end()
        return expand(match[0], self._environment or {})

    def _home(self) -> str:
        """The home folder, where the word begins with an unquoted `~`."""
        match = _compiled(_HOME).match(self._text, self._at)
        if match is None or self._environment is None:
            return ""
        self._at = match.end()
        return expand_home(match[0], self._environment)

    def _closing(self, quote: str, start: int) -> int:
        end = self._text.find(quote, start)
        if end < 0:
            raise ValueError(f"the quote at character {start} is not closed")
        return end
