"""A prompt as a JSON file: read, checked, and its references found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.pack import Prompt, PromptArgument
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.packs.architecture.prompts.renderer import Part, Reference, parse_template

NAME = re.compile(r"[a-z0-9-]+")

_KEYS = ("name", "title", "description", "arguments", "messages")
_ARGUMENT_KEYS = ("name", "description", "required", "maxLength")
_ROLES = ("user", "assistant")
_KINDS = {str: "a string", bool: "true or false", int: "a whole number", list: "a list"}


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt, its text split into words and references."""

    role: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt file that can be used; `raw` is its text, for places."""

    file: str
    raw: str
    prompt: Prompt
    messages: tuple[Message, ...]
    warnings: tuple[str, ...] = ()

    @property
    def argument_names(self) -> frozenset[str]:
        """The declared arguments."""
        return frozenset(argument.name for argument in self.prompt.arguments)

    def references(self) -> Iterator[tuple[Reference, Place]]:
        """Each reference with its place in the file, in their order."""
        at = 0
        for message in self.messages:
            for part in message.parts:
                if isinstance(part, Reference):
                    written = json.dumps(part.source, ensure_ascii=False)[1:-1]
                    found = self.raw.find(written, at)
                    at = found + len(written) if found >= 0 else at
                    yield part, place_of(self.file, self.raw, max(found, 0))


def read_prompt(file: str, raw: str) -> PromptTemplate:
    """Make a prompt of a file's text; raises `ConfigError` with file, line and column."""
    reader = _Reader(file, raw)
    value = reader.load()
    name = reader.text(value, "name", required=True)
    if not NAME.fullmatch(name):
        raise reader.error(f"The name {name!r} must match ^[a-z0-9-]+$", f'"{name}"')
    arguments = reader.arguments(value)
    prompt = Prompt(
        name,
        title=reader.text(value, "title") or None,
        description=reader.text(value, "description") or None,
        arguments=tuple(arguments),
    )
    messages = tuple(reader.messages(value))
    return PromptTemplate(file, raw, prompt, messages, tuple(reader.warnings))


def place_of(file: str, raw: str, at: int) -> Place:
    """An offset of a file's text as a place with the line's own words."""
    start = raw.rfind("\n", 0, at) + 1
    end = raw.find("\n", at)
    line = raw[start : end if end >= 0 else len(raw)]
    return Place(file, raw.count("\n", 0, at) + 1, at - start + 1, line[:200])


class _Reader:
    """Reads one file; remembers where it is, so that every complaint has a place."""

    def __init__(self, file: str, raw: str) -> None:
        self._file = file
        self._raw = raw
        self.warnings: list[str] = []

    def load(self) -> dict[str, Any]:
        """The whole file as an object, or the place where it stops being JSON."""
        try:
            value = json.loads(self._raw, object_pairs_hook=self._unique)
        except json.JSONDecodeError as error:
            where = place_of(self._file, self._raw, error.pos)
            raise ConfigError(f"This is not JSON: {error.msg}", where=where) from None
        except RecursionError:
            raise self.error("This is nested too deeply") from None
        if not isinstance(value, dict):
            raise self.error("A prompt is a JSON object with name and messages")
        self._note_unknown(value, _KEYS, "")
        return value

    def text(self, value: Mapping[str, Any], key: str, *, required: bool = False) -> str:
        """A string under `key`; empty when it is absent and may be."""
        found = value.get(key)
        if found is None and not required:
            return ""
        if not isinstance(found, str) or (required and not found):
            raise self.error(
                f"{key!r} must be a string{'' if found is not None else ', and is missing'}",
                f'"{key}"',
            )
        return found

    def arguments(self, value: Mapping[str, Any]) -> list[PromptArgument]:
        """The declared arguments."""
        declared: list[PromptArgument] = []
        for item in self._list(value, "arguments"):
            if not isinstance(item, dict):
                raise self.error("Each of 'arguments' must be an object", '"arguments"')
            self._note_unknown(item, _ARGUMENT_KEYS, "an argument")
            name = self.text(item, "name", required=True)
            if any(each.name == name for each in declared):
                raise self.error(f"The argument {name!r} is declared twice", f'"{name}"')
            required = self._typed(item, "required", bool, False)
            limit = self._typed(item, "maxLength", int, 0) or None
            description = self.text(item, "description") or None
            declared.append(PromptArgument(name, description, required, limit))
        return declared

    def messages(self, value: Mapping[str, Any]) -> Iterator[Message]:
        """The messages; there must be at least one."""
        items = self._list(value, "messages")
        if not items:
            raise self.error("A prompt needs at least one message", '"messages"')
        for item in items:
            if not isinstance(item, dict) or item.get("role") not in _ROLES:
                raise self.error("Each message needs a role, user or assistant", '"role"')
            content = item.get("content")
            if isinstance(content, dict) and content.get("type", "text") == "text":
                content = content.get("text")
            if not isinstance(content, str):
                raise self.error(
                    'The content of a message must be {"type": "text", "text": …}', '"content"'
                )
            yield Message(item["role"], parse_template(content))

    def error(self, what: str, near: str | None = None) -> ConfigError:
        """A complaint, placed where the file says `near`."""
        at = self._raw.find(near) if near else -1
        where = place_of(self._file, self._raw, at) if at >= 0 else Place(self._file)
        return ConfigError(what, where=where)

    def _list(self, value: Mapping[str, Any], key: str) -> list[Any]:
        found: list[Any] = self._typed(value, key, list, [])
        return found

    def _typed(self, value: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
        found = value.get(key)
        if found is None:
            return default
        if type(found) is not kind or (isinstance(found, int) and found < 0):
            raise self.error(f"{key!r} must be {_KINDS[kind]}", f'"{key}"')
        return found

    def _note_unknown(self, value: Mapping[str, Any], known: tuple[str, ...], of: str) -> None:
        for key in value:
            if key not in known:
                where = self.error("", f'"{key}"').where
                hint = did_you_mean(key, known)
                self.warnings.append(
                    f"{where}: unknown key {key!r}{f' of {of}' if of else ''}{hint}"
                )

    def _unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise self.error(f"The key {twice!r} is given twice", f'"{twice}"')
        return value
