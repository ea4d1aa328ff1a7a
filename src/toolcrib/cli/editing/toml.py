"""TOML: change keys of one table in place, or remove it.

The standard library reads TOML but does not write it. This module changes the few statements that
it has to, and proves by reading the result that nothing else has changed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from toolcrib.core.errors import ConfigError
from toolcrib.files import toml_places
from toolcrib.files.toml_places import TomlStatement, statements

_BY_HAND = "Correct it by hand first; nothing was changed."


def load(text: str, file: str = "<text>") -> dict[str, Any]:
    """Return the plain value of `text`, or raise `ConfigError` with the place."""
    return toml_places.load(text, file, next=_BY_HAND)


def set_keys(
    text: str, table: Sequence[str], values: Mapping[str, Any], file: str = "<text>"
) -> str:
    """Return `text` with these keys of a table set; its other keys stay as they are."""
    wanted = _merged(load(text, file), table, values)
    path = tuple(table)
    header = next((s for s in statements(text) if s.kind == "table" and s.path == path), None)
    if header is None:
        result = _appended(text, path, values)
    else:
        result = text
        for key, value in values.items():
            result = _set_key(result, path, key, value)
    return _proved(result, wanted, file, table)


def remove(text: str, path: Sequence[str], file: str = "<text>") -> str:
    """Return `text` without a key, or a table and those below it; comments elsewhere stay."""
    wanted = load(text, file)
    holder: Any = wanted
    for key in path[:-1]:
        holder = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(holder, dict) or path[-1] not in holder:
        return text
    del holder[path[-1]]
    for start, end in reversed(_pieces(text, tuple(path))):
        text = text[:start] + text[end:]
    return _proved(text, wanted, file, path)


def _pieces(text: str, path: tuple[str, ...]) -> list[tuple[int, int]]:
    """Where the tables and the keys at or below a path are written."""
    found = statements(text)
    pieces: list[tuple[int, int]] = []
    heading: tuple[str, ...] = ()
    for index, statement in enumerate(found):
        if statement.kind != "key":
            heading = statement.path
            if heading[: len(path)] == path:
                pieces.append((statement.start, _end_of_table(found, index, text)))
        elif heading[: len(path)] != path and (*heading, *statement.path)[: len(path)] == path:
            start = text.rfind("\n", 0, statement.start) + 1
            end = text.find("\n", statement.end)
            pieces.append((start, end + 1 if end >= 0 else len(text)))
    return pieces


def _merged(old: dict[str, Any], table: Sequence[str], values: Mapping[str, Any]) -> dict[str, Any]:
    holder = old
    for key in table:
        inner = holder.setdefault(key, {})
        if not isinstance(inner, dict):
            return old
        holder = inner
    holder.update(values)
    return old


def _proved(text: str, wanted: dict[str, Any], file: str, table: Sequence[str]) -> str:
    """Return the text only if it parses to exactly the expected values."""
    try:
        found: object = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        found = None
    if _without_empty(found) != _without_empty(wanted):
        name = ".".join(table)
        raise ConfigError(
            f"{file} writes {name} in a way that cannot be changed safely",
            why="it is an inline table, or its keys stand in several places",
            next=f"Change [{name}] by hand; nothing was changed.",
        )
    return text


def _without_empty(value: Any) -> Any:
    """Tables that hold nothing are the same as none."""
    if not isinstance(value, dict):
        return value
    kept = {key: _without_empty(item) for key, item in value.items()}
    return {key: item for key, item in kept.items() if item != {}}


def _appended(text: str, path: tuple[str, ...], values: Mapping[str, Any]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in values.items()]
    block = newline.join([*lines, ""])
    if not text.strip("\ufeff \t\r\n"):
        return text + block
    gap = "" if text.endswith("\n") else newline
    return text + gap + newline + block


def _set_key(text: str, path: tuple[str, ...], key: str, value: Any) -> str:
    inside = False
    header_end = 0
    for statement in statements(text):
        if statement.kind != "key":
            inside = statement.kind == "table" and statement.path == path
            header_end = statement.end if inside else header_end
        elif inside and statement.path == (key,):
            start, end = statement.value
            return text[:start] + _value(value) + text[end:]
    newline = "\r\n" if "\r\n" in text else "\n"
    end = text.find("\n", header_end)
    if end < 0:
        return f"{text}{newline}{_key(key)} = {_value(value)}{newline}"
    return f"{text[: end + 1]}{_key(key)} = {_value(value)}{newline}{text[end + 1 :]}"


def _end_of_table(found: list[TomlStatement], index: int, text: str) -> int:
    """Where the lines of a table end: comments before the next table belong to that one."""
    last = found[index]
    for statement in found[index + 1 :]:
        if statement.kind != "key":
            break
        last = statement
    end = text.find("\n", last.end)
    if end < 0:
        return len(text)
    end += 1
    while text[end : end + 1] == "\n" or text[end : end + 2] == "\r\n":
        end += 1 if text[end] == "\n" else 2
    return end


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _value(value: Any) -> str:
    """A string, number, boolean, list or table of them; JSON writes the first four alike."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    # TOML knows the escapes of JSON, and DEL besides has to be escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
