"""Untrusted text for a terminal: control and hidden characters are escaped."""

from __future__ import annotations

import json
import re

# C0 and C1 controls but for newline and tab, DEL, soft hyphen, zero-width and joining characters,
# bidirectional controls, invisible operators, variation tags, lone surrogates.
_ACTING = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)


def printable(text: str) -> str:
    """`text` with every control or invisible character escaped."""
    # Almost all text is harmless, and plain ASCII is seen to be so at once.
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_ACTING, _written, text)


def escaped(text: str) -> str:
    """JSON text with every such character as a JSON escape; its value is unchanged."""
    return re.sub(_ACTING, lambda found: json.dumps(found[0])[1:-1], text)


def _written(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
