"""Text of strangers in words that can be shown: nothing hidden, nothing that turns the line."""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff]"
)
"""Characters that show nothing, or change how others are shown."""
TURNING: Final = re.compile("[\u061c\u202a-\u202e\u2066-\u2069\u206a-\u206f\U000e0000-\U000e007f]")
"""Those of them that have no place in prose either: joiners and marks of some scripts do."""


def marked(text: str) -> str:
    """Text with hidden characters written out, as `⟨U+202E⟩`."""
    return HIDDEN.sub(lambda found: mark_of(found[0]), text)


def unturned(text: str) -> str:
    """Prose without what turns its direction or is a hidden message."""
    return TURNING.sub(lambda found: mark_of(found[0]), text)


def mark_of(letter: str) -> str:
    """The mark that stands for a hidden character."""
    return f"⟨U+{ord(letter):04X}⟩"


def without_front_matter(text: str) -> str:
    """A document without the metadata that stands before it."""
    if text.startswith("---\n"):
        _, end, rest = text[4:].partition("\n---")
        return rest.partition("\n")[2] if end else text
    return text
