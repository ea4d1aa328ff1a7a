"""The size of an answer: what does not fit is cut, noted, and delivered by a cursor."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from toolcrib.core.support.records import record
from toolcrib.packs.guide.errors import InvalidCursor

LEAST = 100
MOST = 200_000
# Title, uri and the like that come with each document.
_OVERHEAD = 40
# Below this, a beginning of the next document is not worth its header.
_WORTHWHILE = 200


def estimate_tokens(text: str) -> int:
    """How many tokens a text costs, more or less: four bytes each, in any language."""
    return (len(text.encode("utf-8", "replace")) + 3) // 4


@record
class AnswerPosition:
    """Where an answer continues: which document of the list, from which character."""

    index: int = 0
    offset: int = 0
    key: str = ""
    version: str = ""


@record
class Piece:
    """A document, or the part of it from `start` to `end` of `total` characters."""

    text: str
    start: int
    end: int
    total: int

    @property
    def whole(self) -> bool:
        """Whether nothing of it is missing."""
        return self.start == 0 and self.end == self.total


class Budget:
    """Counts down while documents are taken."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.left = tokens

    @property
    def spent(self) -> int:
        """The tokens taken so far."""
        return self.tokens - self.left

    def charge(self) -> bool:
        """Pay for a document that has no text to show; False when that is too much."""
        if self.left < _OVERHEAD:
            return False
        self.left -= _OVERHEAD
        return True

    def take(self, text: str, start: int = 0) -> Piece | None:
        """As much of a text as fits, from `start`; None when too little would fit."""
        rest = text[start:] if start else text
        cost = estimate_tokens(rest) + _OVERHEAD
        if cost <= self.left:
            self.left -= cost
            return Piece(rest, start, len(text), len(text))
        room = self.left - _OVERHEAD
        if self.left < self.tokens and room < _WORTHWHILE:
            return None
        cut = _cut(rest, max(room, LEAST // 2) * 4)
        self.left = 0
        return Piece(cut, start, start + len(cut), len(text))


def _cut(text: str, size: int) -> str:
    """At most `size` bytes of a text, up to a paragraph, a line or a word where one ends late."""
    head = text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
    for end in ("\n\n", "\n", " "):
        at = head.rfind(end, len(head) // 2)
        if at > 0:
            return head[: at + len(end)]
    return head


def encode_cursor(position: AnswerPosition, question: Sequence[str | None]) -> str:
    """A cursor for whoever asked this question."""
    parts = [_digest(question), position.index, position.offset, position.key, position.version]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, question: Sequence[str | None]) -> AnswerPosition:
    """Where the answer goes on; raises `InvalidCursor` for what is no cursor of this question."""
    padded = cursor + "=" * (-len(cursor) % 4)
    try:
        parts: Any = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        digest, index, offset, key, version = parts
        sound = type(index) is int and type(offset) is int and index >= 0 and offset >= 0
    except (binascii.Error, ValueError, TypeError, RecursionError):
        sound = False
    if not sound or not isinstance(key, str) or not isinstance(version, str):
        raise InvalidCursor("This is no cursor", next="Pass the cursor as the last answer gave it.")
    if digest != _digest(question):
        raise InvalidCursor(
            "The cursor belongs to another expression",
            next="Repeat expression and pattern exactly as in the call that gave the cursor.",
        )
    return AnswerPosition(index, offset, key, version)


def _digest(question: Sequence[str | None]) -> str:
    return hashlib.blake2b(json.dumps(list(question)).encode(), digest_size=6).hexdigest()
