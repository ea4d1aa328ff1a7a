"""TOML as text: the positions of its statements, and errors with a position.

The standard library parses TOML without positions. This module finds the statements of a text that
is known to be valid TOML; it is used for settings, `guide.toml` and editing clients' files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolcrib.core.errors import ConfigError, Place

Path = tuple[str | int, ...]
"""Keys from the top; a number counts the tables of a list of tables from 0."""

_KEY = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


class TomlStatement(NamedTuple):
    """`[table]`, `[[list of tables]]` or `key = value`.

    `path` is the key as written, `keys` are the offsets of its parts, `value` that of the value.
    """

    kind: str
    path: tuple[str, ...]
    keys: tuple[int, ...]
    start: int
    end: int
    value: tuple[int, int] = (0, 0)


def load(text: str, file: str, *, next: str | None = None) -> dict[str, Any]:
    """The plain value of a TOML text; raises `ConfigError` with the position."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        what, _, _ = str(error).partition(" (at ")
        found = _AT.search(str(error))
        # What is missing at the end of the document is reported without a place.
        line, column = (int(found[1]), int(found[2])) if found else (text.count("\n") + 1, 1)
        lines = text.split("\n")
        source = lines[min(line, len(lines)) - 1].rstrip("\r")
        where = Place(file, line, column, source)
        raise ConfigError(f"This is not TOML: {what}", where=where, next=next) from error
    except (RecursionError, ValueError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
        what = "This is not usable TOML"
        raise ConfigError(what, where=Place(file), why=why, next=next) from error


def place_of(text: str, file: str, path: Sequence[str | int]) -> Place:
    """The position of the key `path`, or of the nearest enclosing table in the text."""
    wanted = tuple(path)
    best, at = 0, -1
    for full, offsets in _keys(text):
        depth = 0
        for own, other in zip(full, wanted, strict=False):
            if own != other:
                break
            depth += 1
        while depth and offsets[depth - 1] < 0:
            depth -= 1
        if depth > best:
            best, at = depth, offsets[depth - 1]
    return Place(file) if at < 0 else _place_at(text, file, at)


def statements(text: str) -> list[TomlStatement]:
    """The statements of a text that is known to be TOML."""
    found: list[TomlStatement] = []
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
        elif text[at] == "#":
            at = _line_end(text, at)
        elif text[at] == "[":
            width = 2 if text.startswith("[[", at) else 1
            path, keys, end = _path(text, at + width)
            kind = "list" if width == 2 else "table"
            found.append(TomlStatement(kind, path, keys, at, end + width))
            at = end + width
        else:
            path, keys, equals = _path(text, at)
            start = equals + 1
            while text[start] in " \t":
                start += 1
            end = _value_end(text, start)
            found.append(TomlStatement("key", path, keys, at, end, (start, end)))
            at = end
    return found


def _keys(text: str) -> Iterator[tuple[Path, tuple[int, ...]]]:
    """Each statement's whole path, and the offset of each part; -1 for one written elsewhere."""
    counts: dict[Path, int] = {}
    heading: Path = ()
    for statement in statements(text):
        if statement.kind == "key":
            written = (-1,) * len(heading) + statement.keys
            yield (*heading, *statement.path), written
            continue
        full: list[str | int] = []
        offsets: list[int] = []
        for depth, part in enumerate(statement.path, 1):
            offset = statement.keys[depth - 1]
            full.append(part)
            offsets.append(offset)
            if statement.kind == "list" and depth == len(statement.path):
                counts[tuple(full)] = counts.get(tuple(full), -1) + 1
            if tuple(full) in counts:
                full.append(counts[tuple(full)])
                offsets.append(offset)
        heading = tuple(full)
        yield heading, tuple(offsets)


def _place_at(text: str, file: str, at: int) -> Place:
    start = text.rfind("\n", 0, at) + 1
    source = text[start : _line_end(text, at)].rstrip("\r")
    return Place(file, text.count("\n", 0, at) + 1, at - start + 1, source)


def _path(text: str, at: int) -> tuple[tuple[str, ...], tuple[int, ...], int]:
    """Read a dotted key: its parts, where each begins, and the offset behind it."""
    parts: list[str] = []
    offsets: list[int] = []
    while True:
        match = _KEY.match(text, at)
        if match is None:
            raise ConfigError("This is not a TOML key", where=_place_at(text, "<text>", at))
        part = match.group(1)
        parts.append(next(iter(tomllib.loads(f"{part} = 0"))) if part[0] in "\"'" else part)
        offsets.append(match.start(1))
        at = match.end()
        if text[at : at + 1] != ".":
            return tuple(parts), tuple(offsets), at
        at += 1


def _value_end(text: str, at: int) -> int:
    """Where a value ends: its brackets are closed and its strings are over."""
    depth = 0
    while at < len(text):
        char = text[at]
        string = _STRING.match(text, at) if char in "\"'" else None
        if string is not None:
            at = string.end()
            continue
        if char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "#" or (char == "\n" and depth == 0):
            if depth == 0:
                break
            at = _line_end(text, at)
            continue
        at += 1
    while text[at - 1] in " \t\r":
        at -= 1
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
