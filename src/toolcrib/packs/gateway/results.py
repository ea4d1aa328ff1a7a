"""Results of servers: passed on as they came, cleaned, and cut where they are too long."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from toolcrib.core.errors import ResourceNotFound
from toolcrib.core.pack import READER, Contents, Resource, ResourceTemplate
from toolcrib.core.tool import JSON, ToolOutput
from toolcrib.packs.gateway.texts import without_controls

SCHEME: Final = "toolcrib://results/"
MOST_BYTES: Final = 64 * 1024 * 1024
LIFETIME: Final = 3600.0
_HEAD, _TAIL = 0.6, 0.2
_MEMBERS: Final = frozenset(("content", "structuredContent", "isError", "resultType"))
"""Members of a result that an output has a field for, or says in its own way."""


class KeptResults:
    """Whole texts of results that were cut: in memory, for their session, for an hour."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, str, bytes]] = OrderedDict()
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None

    def put(self, text: bytes, owner: str) -> str | None:
        """Keep a text for an owner; returns the uri that it can be read at.

        None for one that is larger than all that is kept.
        """
        if len(text) > MOST_BYTES:
            return None
        import secrets  # most sessions cut nothing

        id = secrets.token_urlsafe(12)
        self._kept[id] = (time.monotonic() + LIFETIME, owner, text)
        self._size += len(text)
        while self._size > MOST_BYTES:
            self._drop_oldest()
        self._wake_for_oldest()
        return SCHEME + id

    def get(self, uri: str, owner: str) -> str:
        """The whole text; raises `ResourceNotFound` for what is gone or somebody else's."""
        self._drop_expired()
        found = self._kept.get(uri.removeprefix(SCHEME))
        if found is None or found[1] != owner:
            raise ResourceNotFound(uri, [])
        return found[2].decode("utf-8", "surrogatepass")

    @property
    def size(self) -> int:
        """How many bytes are kept."""
        return self._size

    def _drop_expired(self) -> None:
        now = time.monotonic()
        while self._kept and next(iter(self._kept.values()))[0] <= now:
            self._drop_oldest()

    def _wake_for_oldest(self) -> None:
        """Have one timer set, for the time at which the oldest is to go."""
        if self._kept and self._timer is None:
            left = next(iter(self._kept.values()))[0] - time.monotonic()
            with contextlib.suppress(RuntimeError):  # without a loop, who looks next drops it
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(max(0.0, left), self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._drop_expired()
        self._wake_for_oldest()

    def _drop_oldest(self) -> None:
        self._size -= len(self._kept.popitem(last=False)[1][2])


class Results:
    """Makes outputs of what servers answer."""

    def __init__(self, kept: KeptResults, longest: int) -> None:
        self._kept = kept
        self._longest = longest

    def output(self, result: JSON, owner: str) -> ToolOutput:
        """An answer of `tools/call` as the caller gets it."""
        content: list[JSON] = []
        texts: list[str] = []
        size = 0
        for each in result["content"]:
            if isinstance(each, dict):
                item = _cleaned(each)
                content.append(item)
                if (text := _text_of(item)) is not None:
                    texts.append(text)
                    size += len(text)
        structured = result.get("structuredContent")
        extra: JSON = {}
        if not result.keys() <= _MEMBERS:
            extra = {name: value for name, value in result.items() if name not in _MEMBERS}
        if size > self._longest:
            content = self._cut(content, "\n".join(texts), owner)
            structured = None
        if structured is not None and not isinstance(structured, dict):
            extra["structuredContent"] = structured  # any JSON value, in the stateless era
        return ToolOutput(
            content,
            structured if isinstance(structured, dict) else None,
            result.get("isError") is True,
            extra,
        )

    def error_text(self, text: str, owner: str) -> str:
        """The words of an error as the caller gets them: cut like those of a result."""
        if len(text) <= self._longest:
            return text
        return self._shortened(text, self._kept.put(_bytes_of(text), owner))

    def _shortened(self, text: str, uri: str | None) -> str:
        head, tail = int(self._longest * _HEAD), int(self._longest * _TAIL)
        left_out = len(text) - head - tail
        where = f": read {uri}" if uri is not None else ", too many to be kept"
        marker = f"\n… [{left_out} characters left out{where}]\n"
        return text[:head] + marker + (text[-tail:] if tail else "")

    def _cut(self, content: Sequence[JSON], text: str, owner: str) -> list[JSON]:
        whole = _bytes_of(text)
        uri = self._kept.put(whole, owner)
        shown = {"type": "text", "text": self._shortened(text, uri)}
        others = [_linked(item) for item in content if not isinstance(item.get("text"), str)]
        if uri is None:
            return [shown, *others]
        link = {
            "type": "resource_link",
            "uri": uri,
            "name": "whole result",
            "mimeType": "text/plain",
            "size": len(whole),
        }
        return [shown, *others, link]


class ResultResources:
    """The kept results as resources; they are read, never listed."""

    def __init__(self, kept: KeptResults) -> None:
        self._kept = kept

    def resources(self) -> Sequence[Resource]:
        """None: each belongs to one session."""
        return []

    def templates(self) -> Sequence[ResourceTemplate]:
        """The one template."""
        return [ResourceTemplate(SCHEME + "{id}", "result", title="The whole of a long result")]

    async def read(self, uri: str) -> Sequence[Contents]:
        """The whole text of a result that was cut."""
        return [Contents(uri, text=self._kept.get(uri, READER.get()), mime_type="text/plain")]

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        """Nothing: ids are secrets."""
        return []


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _cleaned(item: JSON) -> JSON:
    """An item without control characters in its text, or in that of the resource in it."""
    text = item.get("text")
    if isinstance(text, str):
        return item if text.isprintable() else {**item, "text": without_controls(text)}
    inner = item.get("resource")
    return {**item, "resource": _cleaned(inner)} if isinstance(inner, dict) else item


def _text_of(item: JSON) -> str | None:
    """The text of an item, or of the resource in it."""
    text = item.get("text")
    if not isinstance(text, str):
        inner = item.get("resource")
        text = inner.get("text") if isinstance(inner, dict) else None
    return text if isinstance(text, str) else None


def _linked(item: JSON) -> JSON:
    """A link to the resource in an item in its place, if it has text; any other item as it is."""
    inner = item.get("resource")
    if not isinstance(inner, dict) or _text_of(item) is None:
        return item
    about = {key: inner[key] for key in ("uri", "mimeType", "_meta") if key in inner}
    rest = {key: value for key, value in item.items() if key != "resource"}
    return {**rest, **about, "type": "resource_link", "name": str(inner.get("uri", "resource"))}
