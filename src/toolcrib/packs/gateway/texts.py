"""Untrusted texts: cleaned before they are shown, and checked for prompt injection."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

LONGEST_DESCRIPTION: Final = 4096
# Controls but for newline and tab, zero-width, bidi, tag characters and variation selectors.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_VALUES: Final = frozenset(("enum", "const", "default", "examples"))
"""Members of a schema that hold values, not schemas."""
SUSPICIOUS: Final = (
    ("addresses the model", r"(?i)<[\s/]*(?:important|system|instructions?|secret|admin)\s*>"),
    ("asks to ignore instructions", r"(?i)\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?"
     r"(?:the\s+)?(?:previous|prior|above|earlier|other)\b"),
    ("asks for silence", r"(?i)\bdo(?:es)?\s+not\s+(?:tell|mention|inform|reveal|show)\b"
     r"|\bdon'?t\s+(?:tell|mention|inform|reveal|show)\b|\bwithout\s+telling\b"),
    ("names a secret's place", r"~/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|config/gcloud)\b"
     r"|\bid_(?:rsa|ed25519)\b|/etc/shadow\b"),
    ("demands to be called first", r"(?i)\b(?:must|always)\s+(?:be\s+)?call(?:ed)?\s+(?:this\s+)?"
     r"(?:tool\s+)?(?:first|before)\b"),
)  # fmt: skip


def clean(text: str) -> str:
    """A name, title or description without characters that hide or turn around."""
    if text.isascii() and text.isprintable():  # as nearly all are: that is seen at once
        return text
    return _HIDDEN.sub("", text)


def visible(text: str) -> str:
    """The same characters written out, for a diff."""
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def without_controls(text: str) -> str:
    """A result's text without terminal sequences and control characters, as a command's is."""
    if text.isprintable():
        return text
    from toolcrib.running.output import without_controls as cleaned

    return cleaned(text)


def clean_schema(schema: Any) -> Any:
    """A schema whose titles and descriptions are clean; all that is checked stays as it is."""
    if isinstance(schema, list):
        return [clean_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: clean(value)
        if key in ("title", "description") and isinstance(value, str)
        else value
        if key in _VALUES or not isinstance(value, dict | list)
        else clean_schema(value)
        for key, value in schema.items()
    }


def suspicions(text: str, others: Collection[str] = ()) -> list[str]:
    """Why a text should be looked at; `others` are names of other servers' tools."""
    found = [why for why, pattern in SUSPICIOUS if re.search(pattern, text)]
    if _HIDDEN.search(text):
        found.append("has hidden characters")
    words = set(re.findall(r"[A-Za-z0-9_.-]{4,}", text))
    named = sorted(words.intersection(others))
    found += [f"names {other}, a tool of another server" for other in named]
    return found


def first_sentence(text: str) -> str:
    """The first sentence of a text, on one line."""
    line = " ".join(clean(text).split())
    found = re.match(r".{1,200}?[.!?](?=\s|$)", line)
    return found[0] if found else line[:200]
