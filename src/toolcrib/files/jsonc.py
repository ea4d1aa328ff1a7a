"""JSON with comments and trailing commas: read it, and change one member of it in place.

`set_member` and `remove_member` work on the text. Comments, order, indentation, line ends and
spacing outside the member stay unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.records import bare, record
from toolcrib.files.jsonc_scanner import Scanner

_BLANKS = " \t\r\n"
_NOTHING = "\ufeff" + _BLANKS


@bare
class Member:
    """`"key": value` in an object, and where the comma after it is, if there is one."""

    key: str
    start: int
    value: Node
    comma: int | None = None


@bare
class Node:
    """A value with its place in the text; `members` are those of an object."""

    value: Any
    start: int
    end: int
    members: list[Member] = field(default_factory=list)

    def member(self, key: str) -> Member | None:
        """The member with that key; of duplicates the last, which is the effective one."""
        return next((each for each in reversed(self.members) if each.key == key), None)


def parse(text: str, file: str = "<text>") -> Node:
    """Return the tree of `text`, or raise `ConfigError` with the position of the error."""
    return _Parser(text, file).document()


def load(text: str, file: str = "<text>") -> Any:
    """Return the plain value of `text`; nothing at all counts as an empty object."""
    return parse(text, file).value if text.strip(_NOTHING) else {}


def set_member(text: str, path: Sequence[str], value: Any, file: str = "<text>") -> str:
    """Return `text` with the member at `path` set, creating missing parent objects."""
    if not text.strip(_NOTHING):
        text = "{}\n"
    node = parse(text, file)
    for depth, key in enumerate(path):
        _require_object(node, path[:depth], file)
        found = node.member(key)
        if found is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _insert(text, node, key, value)
        node = found.value
    if node.value == value and type(node.value) is type(value):
        return text
    shown = _rendered(value, _Style.of(text), _indent_of_line(text, node.start))
    return text[: node.start] + shown + text[node.end :]


def remove_member(text: str, path: Sequence[str], file: str = "<text>") -> str:
    """Return `text` without the member at `path`; comments around it stay. Absent is fine."""
    while text.strip(_NOTHING):
        node = parse(text, file)
        for key in path[:-1]:
            found = node.member(key)
            if found is None:
                return text
            node = found.value
        if node.member(path[-1]) is None:
            return text
        text = _cut(text, node, path[-1])
    return text


def _require_object(node: Node, path: Sequence[str], file: str) -> None:
    if not isinstance(node.value, dict):
        where = ".".join(path) or "the whole file"
        raise ConfigError(
            f"{file}: {where} has to be an object, not {type(node.value).__name__}",
            next="Correct it by hand first; nothing was changed.",
        )


@record
class _Style:
    indent: str
    newline: str

    @classmethod
    def of(cls, text: str) -> _Style:
        newline = "\r\n" if "\r\n" in text else "\n"
        for line in text.splitlines():
            stripped = line.lstrip(" \t")
            if stripped.startswith('"') and len(stripped) < len(line):
                return cls(line[: len(line) - len(stripped)], newline)
        return cls("  ", newline)


def _rendered(value: Any, style: _Style, prefix: str) -> str:
    lines = json.dumps(value, indent=style.indent, ensure_ascii=False).split("\n")
    return (style.newline + prefix).join(lines)


def _insert(text: str, node: Node, key: str, value: Any) -> str:
    """Append a member to an object, with the comma it needs."""
    style = _Style.of(text)
    closing = node.end - 1
    inside = text[node.start + 1 : closing]
    end = node.start + 1 + len(inside.rstrip(_BLANKS))
    before, after = text[:end], text[end:]
    name = json.dumps(key, ensure_ascii=False)
    if inside.strip(_BLANKS) and "\n" not in inside:
        piece = f" {name}: {json.dumps(value, ensure_ascii=False)}"
    else:
        outer = _indent_of_line(text, node.start)
        own = _indent_of_line(text, node.members[-1].start) if node.members else ""
        own = own or outer + style.indent
        piece = f"{style.newline}{own}{name}: {_rendered(value, style, own)}"
        if not inside.strip(_BLANKS):
            after = style.newline + outer + text[closing:]
    if node.members and node.members[-1].comma is None:
        last = node.members[-1].value.end
        before = text[:last] + "," + text[last:end]
    elif node.members:
        piece += ","
    return before + piece + after


def _cut(text: str, node: Node, key: str) -> str:
    index = max(i for i, each in enumerate(node.members) if each.key == key)
    member = node.members[index]
    if member.comma is None:
        text = text[: member.start] + text[member.value.end :]
        if index:
            comma = node.members[index - 1].comma
            if comma is not None:
                text = text[:comma] + text[comma + 1 :]
                return _without_empty_line(text, member.start - 1)
        return _without_empty_line(text, member.start)
    between = text[member.value.end : member.comma]
    text = text[: member.start] + between + text[member.comma + 1 :]
    return _without_empty_line(text, member.start)


def _without_empty_line(text: str, at: int) -> str:
    """Drop the line around `at` if nothing but blanks is left on it."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    if end < 0:
        end = len(text)
    if start == 0 or text[start:end].strip(" \t\r"):
        # Beside other members on one line, take the blank that stood between them.
        return text[:at] + text[at:].lstrip(" \t")
    return text[:start] + text[end + 1 :]


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


class _Parser:
    """Recursive descent, with a limit on the depth instead of a crash."""

    _DEEPEST = 100

    def __init__(self, text: str, file: str) -> None:
        self._scan = Scanner(text, file)
        self._depth = 0

    def document(self) -> Node:
        scan = self._scan
        if scan.text.startswith("\ufeff"):
            scan.at = 1
        scan.skip()
        node = self._value()
        scan.skip()
        if scan.at < len(scan.text):
            raise scan.error("something follows after the end of the JSON value")
        return node

    def _value(self) -> Node:
        char = self._scan.peek()
        self._depth += 1
        if self._depth > self._DEEPEST:
            raise self._scan.error(f"more than {self._DEEPEST} levels of nesting")
        try:
            if char == "{":
                return self._object()
            if char == "[":
                return self._array()
            start = self._scan.at
            return Node(self._scan.scalar(), start, self._scan.at)
        finally:
            self._depth -= 1

    def _object(self) -> Node:
        scan = self._scan
        start = scan.at
        scan.take("{")
        members: list[Member] = []
        while not scan.skips_to("}"):
            if members and members[-1].comma is None:
                raise scan.error("expected ',' or '}'")
            at = scan.at
            key = scan.string()
            scan.skip()
            scan.take(":")
            scan.skip()
            member = Member(key, at, self._value())
            scan.skip()
            if scan.peek() == ",":
                member.comma = scan.at
                scan.at += 1
            members.append(member)
        scan.take("}")
        return Node({each.key: each.value.value for each in members}, start, scan.at, members)

    def _array(self) -> Node:
        scan = self._scan
        start = scan.at
        scan.take("[")
        values: list[Any] = []
        separated = True
        while not scan.skips_to("]"):
            if not separated:
                raise scan.error("expected ',' or ']'")
            values.append(self._value().value)
            scan.skip()
            separated = scan.peek() == ","
            if separated:
                scan.at += 1
        scan.take("]")
        return Node(values, start, scan.at)
