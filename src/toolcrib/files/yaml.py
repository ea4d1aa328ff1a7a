"""Untrusted YAML: read with limits on size, depth and aliases; every error has its place.

The parser is libyaml's; the values are built here from its events in one pass, which makes room for
what a loader has no way to say: where each value stands, and when it has become too much. Values
mean what they mean to `yaml.CSafeLoader`, with two differences: a key is always text, as it was
written (`on:` and `404:` are no booleans or numbers), and a tag that is not of YAML's own basic
kinds is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.records import record

KeyPath = tuple[str | int, ...]

# Whatever libyaml takes for the end of a line.
_LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_LONGEST_SOURCE = 200
_STR = "tag:yaml.org,2002:str"
# No number and no date is longer; some take time with the square of their length to be built.
_LONGEST_PLAIN = 100
# libyaml compares each directive with all the others.
_MOST_DIRECTIVES = 20


class _Node:
    """A value, where it stands, and how much it is when every alias in it is written out."""

    __slots__ = ("children", "column", "line", "value", "weight")

    def __init__(self, value: Any, line: int, column: int) -> None:
        self.value = value
        self.line = line
        self.column = column
        self.weight = 1
        self.children: dict[str | int, _Node] | None = None

    def copy(self) -> _Node:
        """The same value, to be placed elsewhere."""
        twin = _Node(self.value, self.line, self.column)
        twin.weight, twin.children = self.weight, self.children
        return twin


@record
class Loaded:
    """A document's value, and the place of each value in it."""

    value: Any
    places: Places

    def place(self, *path: str | int) -> Place:
        """The place of the value at `path`, or of the nearest one around it that exists."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places[path]

    def line(self, *path: str | int) -> int:
        """The line of the value at `path`, counted from 1; quicker than its whole place."""
        return self.places.node(path).line + 1


class Places(Mapping[KeyPath, Place]):
    """The place of each value by its path, `("tools", 0, "name")`; made when it is asked for.

    What stands in a mapping is placed at its key, what stands in a list at its first character.
    """

    def __init__(self, source: _Source, root: _Node) -> None:
        self._source = source
        self._root = root

    def __getitem__(self, path: KeyPath) -> Place:
        node = self.node(path)
        return self._source.place(node.line, node.column)

    def node(self, path: KeyPath) -> _Node:
        """The node at `path`, or `KeyError`."""
        node = self._root
        for step in path:
            if node.children is None:
                raise KeyError(path)
            node = node.children[step]
        return node

    def __iter__(self) -> Iterator[KeyPath]:
        pending: list[tuple[KeyPath, _Node]] = [((), self._root)]
        while pending:
            path, node = pending.pop()
            yield path
            for step, child in reversed((node.children or {}).items()):
                pending.append(((*path, step), child))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def load(
    text: str,
    file: str,
    *,
    cap: int = 1_000_000,
    nodes: int = 100_000,
    depth: int = 50,
) -> Loaded:
    """Read one YAML document; an empty one is None.

    Raises `ConfigError` with file, line and column for whatever is wrong with it, and when it is
    longer than `cap` characters, nested deeper than `depth`, or has more than `nodes` values once
    its aliases are written out.
    """
    source = _Source(text, file)
    if len(text) > cap:
        what = f"The document is too long: {len(text):,} characters, at most {cap:,}"
        raise ConfigError(what, where=Place(file, 1, 1))
    if text.startswith("%") + text.count("\n%") > _MOST_DIRECTIVES:
        raise source.error("Too many directives (lines that begin with %)")
    root = _Builder(source, nodes, depth).document()
    return Loaded(root.value, Places(source, root))


class _Source:
    """The text, for the places of errors."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self._lines: list[str] | None = None

    def line(self, number: int) -> str:
        if self._lines is None:
            self._lines = _LINE_END.split(self.text)
        return self._lines[number] if number < len(self._lines) else ""

    def place(self, line: int, column: int) -> Place:
        """Counted from 0, as the parser does."""
        shown = self.line(line) if column < _LONGEST_SOURCE else None
        return Place(self.file, line + 1, column + 1, shown and shown[:_LONGEST_SOURCE])

    def error(self, what: str, line: int = 0, column: int = 0, **more: Any) -> ConfigError:
        return ConfigError(what, where=self.place(line, column), **more)


class _Builder:
    """Turns the parser's events into nodes."""

    def __init__(self, source: _Source, most_nodes: int, deepest: int) -> None:
        import yaml  # 25 ms that a command without configuration need not spend

        self._yaml = yaml
        self._source = source
        self._most_nodes = most_nodes
        self._deepest = deepest
        self._anchors: dict[str, _Node | None] = {}
        self._weight = 0
        try:
            self._next: Callable[[], Any] = yaml.CSafeLoader(source.text).get_event
        except UnicodeEncodeError as error:
            raise self._at_offset("A lone surrogate is no character", error.start) from None

    def document(self) -> _Node:
        """The one document."""
        yaml = self._yaml
        try:
            self._next()  # the stream begins
            event = self._next()
            if isinstance(event, yaml.StreamEndEvent):
                return _Node(None, 0, 0)
            root = self._node(self._next(), 0)
            self._next()  # the document ends
            event = self._next()
        except yaml.MarkedYAMLError as error:
            raise self._syntax_error(error) from None
        except yaml.reader.ReaderError as error:
            before = self._source.text.encode()[: error.position].decode(errors="ignore")
            what = f"Character U+{error.character:04X} is not allowed"
            raise self._at_offset(what, len(before)) from None
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._error("A second document begins here; only one is read", event)
        return root

    def _node(self, event: Any, depth: int) -> _Node:
        yaml = self._yaml
        kind = type(event)
        if kind is yaml.AliasEvent:
            return self._alias(event)
        mark = event.start_mark
        node = _Node(None, mark.line, mark.column)
        self._count(1, event)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        if kind is yaml.ScalarEvent:
            node.value = self._scalar(event)
        elif depth >= self._deepest:
            raise self._error(f"Nested deeper than {self._deepest} levels", event)
        elif kind is yaml.SequenceStartEvent:
            self._expect_tag(event, "seq")
            self._sequence(node, depth)
        else:
            self._expect_tag(event, "map")
            self._mapping(node, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _sequence(self, node: _Node, depth: int) -> None:
        end = self._yaml.SequenceEndEvent
        values: list[Any] = []
        children: dict[str | int, _Node] = {}
        node.value, node.children = values, children
        while type(event := self._next()) is not end:
            child = self._node(event, depth + 1)
            children[len(values)] = child
            values.append(child.value)
            node.weight += child.weight

    def _mapping(self, node: _Node, depth: int) -> None:
        end = self._yaml.MappingEndEvent
        values: dict[str, Any] = {}
        children: dict[str | int, _Node] = {}
        node.value, node.children = values, children
        merged: list[_Node] = []
        while type(event := self._next()) is not end:
            key = self._key(event)
            if key == "<<" and not event.style:
                merged += self._merged(self._next(), depth)
                continue
            if key in children:
                first = children[key].line + 1
                raise self._error(f"Key {key!r} is already given in line {first}", event)
            child = self._member(self._next(), depth + 1, event.start_mark)
            children[key] = child
            values[key] = child.value
            node.weight += child.weight + 1
        for other in merged:
            self._merge(node, other)

    def _member(self, event: Any, depth: int, key: Any) -> _Node:
        """A value of a mapping, placed at its key."""
        node = self._node(event, depth)
        if type(event) is self._yaml.AliasEvent:
            node = node.copy()
        node.line, node.column = key.line, key.column
        return node

    def _key(self, event: Any) -> str:
        if not isinstance(event, self._yaml.ScalarEvent):
            raise self._error("A key must be plain text, not a list, a mapping or an alias", event)
        value: str = event.value
        mark: Any = event.start_mark
        if event.anchor is not None:
            self._anchors[event.anchor] = _Node(value, mark.line, mark.column)
        return value

    def _merged(self, event: Any, depth: int) -> list[_Node]:
        """The mappings that `<<` names."""
        node = self._node(event, depth + 1)
        found = list((node.children or {}).values()) if isinstance(node.value, list) else [node]
        if not all(isinstance(each.value, dict) for each in found):
            raise self._error("'<<' takes a mapping, or a list of mappings", event)
        return found

    def _merge(self, node: _Node, other: _Node) -> None:
        """Give `node` what it lacks: a key of its own wins, and so does an earlier mapping."""
        assert node.children is not None and other.children is not None  # noqa: S101
        for key, child in other.children.items():
            if key not in node.children:
                node.children[key] = child
                node.value[key] = child.value
                node.weight += child.weight + 1

    def _alias(self, event: Any) -> _Node:
        node = self._anchors.get(event.anchor)
        if node is None:
            known = event.anchor in self._anchors
            why = "it would contain itself" if known else "no value before it has that anchor"
            raise self._error(f"Alias *{event.anchor} cannot be used here", event, why=why)
        self._count(node.weight, event)
        return node

    def _count(self, weight: int, event: Any) -> None:
        self._weight += weight
        if self._weight > self._most_nodes:
            what = f"More than {self._most_nodes:,} values, those of aliases counted each time"
            raise self._error(what, event)

    def _scalar(self, event: Any) -> Any:
        value: str = event.value
        tag = event.tag
        if tag is None or tag == "!":
            tag = None if event.style or len(value) > _LONGEST_PLAIN else _implicit_tag(value)
            if tag is None:
                return value
        if tag == _STR:
            return value
        make = _constructors().get(tag)
        if make is None:
            raise self._error(f"Tag {_short(tag)} is not allowed here", event)
        try:
            if len(value) <= _LONGEST_PLAIN:
                return make(value)
        except (ValueError, OverflowError, LookupError, AttributeError):
            pass
        raise self._error(f"{value[:40]!r} is no {_short(tag)[2:]}", event)

    def _expect_tag(self, event: Any, kind: str) -> None:
        if event.tag not in (None, "!", f"tag:yaml.org,2002:{kind}"):
            raise self._error(f"Tag {_short(event.tag)} is not allowed here", event)

    def _error(self, what: str, event: Any, **more: Any) -> ConfigError:
        return self._source.error(what, event.start_mark.line, event.start_mark.column, **more)

    def _at_offset(self, what: str, offset: int) -> ConfigError:
        before = _LINE_END.split(self._source.text[:offset])
        return self._source.error(what, len(before) - 1, len(before[-1]))

    def _syntax_error(self, error: Any) -> ConfigError:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        indent = re.match(r"[ \t]*", self._source.line(line))
        if indent and "\t" in indent.group():
            return self._source.error(
                "A tab stands in the indentation", line, indent.group().index("\t"),
                next="Indent with spaces.",
            )  # fmt: skip
        why = ", ".join(part for part in (error.context, error.problem) if part)
        return self._source.error("This is not valid YAML", line, column, why=why)


def _short(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")[:60]


@cache
def _implicit_table() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    import yaml

    table: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for first, pairs in yaml.resolver.Resolver.yaml_implicit_resolvers.items():
        table[first] = [pair for pair in pairs if not pair[0].endswith((":merge", ":value"))]
    return table


def _implicit_tag(value: str) -> str | None:
    """The tag that a plain scalar has by its looks; None for text."""
    for tag, pattern in _implicit_table().get(value[:1], ()):
        if pattern.match(value):
            return tag
    return None


@cache
def _constructors() -> dict[str, Callable[[str], Any]]:
    """How the basic kinds are made of their text."""
    import yaml

    maker = yaml.constructor.SafeConstructor()

    def made_by(name: str) -> Callable[[str], Any]:
        construct = getattr(maker, f"construct_yaml_{name}")
        tag = f"tag:yaml.org,2002:{name}"
        return lambda value: construct(yaml.ScalarNode(tag, value))

    kinds = ("int", "float", "bool", "timestamp", "null")
    return {f"tag:yaml.org,2002:{name}": made_by(name) for name in kinds}
