"""Text of strangers on a terminal: what could act there is shown instead of sent."""

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
    """`text` with every character that a terminal would act upon, or hide, written out."""
    # Almost all text is harmless, and plain ASCII is seen to be so at once.
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_ACTING, _written, text)


def escaped(text: str) -> str:
    """JSON with every such character as JSON escapes it: it means the same and does nothing."""
    return re.sub(_ACTING, lambda found: json.dumps(found[0])[1:-1], text)


def _written(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
