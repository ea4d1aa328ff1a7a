"""Where a name stands in code in the role that a sentence gives it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from toolcrib.packs.architecture.patterns.names.classes import constructor_at
from toolcrib.packs.architecture.patterns.names.python import PythonName, python_names
from toolcrib.packs.architecture.patterns.names.text import NamesInText
from toolcrib.packs.architecture.patterns.sourcecode import without_comments, without_strings

Role = Literal["any", "definition", "base", "call", "import", "constructor"]
Position = tuple[int, int]

_MAKERS = ("__init__", "__new__")


class FoundNames:
    """The names in one piece of code: Python by its own parser, everything else by its text."""

    def __init__(self, code: str, language: str | None) -> None:
        self._given = code
        self._language = language
        self.code = without_comments(code, language)
        """The code without its comments."""

    @cached_property
    def logic(self) -> str:
        """The code without comments and without what stands in strings."""
        return without_strings(self.code, self._language)

    def place(self, role: Role, parts: Sequence[str], loosely: bool) -> Position | None:
        """Line and column of a name in a role; `loosely` in any style of naming, of any object."""
        wanted = tuple(parts)
        if role == "constructor":
            return self._constructor()
        if self._python is not None:
            found = _in_python(self._python, role, wanted, loosely)
            if found or not (loosely and role == "any"):
                return found
        at = self._text.position(role, wanted, loosely)
        return None if at is None else line_and_column(self.logic, at)

    def _constructor(self) -> Position | None:
        if self._python is None:
            at = constructor_at(self.logic, self._language)
            return None if at is None else line_and_column(self.logic, at)
        made = (each for each in self._python if each.role == "definition")
        return next(((e.line, e.column) for e in made if e.parts[-1] in _MAKERS), None)

    @cached_property
    def _python(self) -> list[PythonName] | None:
        return python_names(self._given) if self._language == "python" else None

    @cached_property
    def _text(self) -> NamesInText:
        return NamesInText(self.code, self.logic, self._language)


def line_and_column(text: str, at: int) -> Position:
    """A position in a text, both counted from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _in_python(
    names: Iterable[PythonName], role: Role, wanted: tuple[str, ...], loosely: bool
) -> Position | None:
    same = style_free if loosely else _as_it_is
    target = tuple(map(same, wanted))
    own = {name.parts[-1] for name in names if name.role == "binding"}
    own -= {name.parts[-1] for name in names if name.role == "import"}
    for name in names:
        parts = tuple(map(same, name.parts))
        if role not in ("any", name.role) or name.role == "binding":
            continue
        if name.role == "import":
            met = parts[: len(target)] == target
        elif name.role == "base":
            met = role == "base" and parts[-len(target) :] == target
        elif name.role == "definition":
            met = parts[-len(target) :] == target and (role == "definition" or loosely)
        elif loosely or len(target) > 1:
            met = parts[-len(target) :] == target
        else:
            # A method of that name, of some object, is something else; so is a variable.
            bare = parts[1:] if parts[0] == "builtins" else parts
            met = bare == target and (name.role == "call" or wanted[0] not in own)
        if met:
            return name.line, name.column
    return None


def style_free(name: str) -> str:
    """`get_by_id`, `getById` and `GetByID` are one name in three languages."""
    return re.sub("_", "", name).casefold()


def _as_it_is(name: str) -> str:
    return name
