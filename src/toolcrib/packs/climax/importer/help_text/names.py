"""Names that every client takes: letters, digits and underscores, each only once."""

from __future__ import annotations

import re

_OTHER = re.compile(r"[^A-Za-z0-9]+")
LONGEST_TOOL = 64
LONGEST_ARGUMENT = 48


def tool_name(words: tuple[str, ...]) -> str:
    """A tool's name from the words of its command."""
    return _clean("_".join(words), LONGEST_TOOL) or "tool"


def argument_name(text: str) -> str:
    """An argument's name from a flag or an operand; a short flag keeps its case."""
    bare = text.lstrip("-+")
    name = _clean(bare, LONGEST_ARGUMENT)
    if len(bare) > 1:
        name = name.lower()
    if not name:
        return "option" if text.startswith("-") else "argument"
    return name if name[0].isalpha() else f"opt_{name}"


def program_name(words: tuple[str, ...]) -> str:
    """What a program is called: `git`, and `pip` for `python3 -m pip`."""
    named = [word for word in words if not word.startswith("-")] or list(words)
    name = named[-1].rstrip("/").rpartition("/")[2]
    return re.sub(r"\.(?:py|sh|js|pl|rb|exe)$", "", name) or "program"


class UniqueNames:
    """Hands out each name once; who comes later gets a number."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._taken: set[str] = set()

    def unique(self, name: str, *others: str) -> str:
        """The first of the names that is free, else the last of them with a number."""
        for candidate in (name, *others):
            if self._take(candidate):
                return candidate
        number = 2
        while True:
            tail = f"_{number}"
            candidate = [name, *others][-1][: self._longest - len(tail)] + tail
            if self._take(candidate):
                return candidate
            number += 1

    def _take(self, name: str) -> bool:
        # Two names that differ in case alone would be taken for one by a hurried reader.
        free = name not in self._taken
        self._taken.add(name)
        return free


def _clean(text: str, longest: int) -> str:
    return _OTHER.sub("_", text).strip("_")[:longest].strip("_")
