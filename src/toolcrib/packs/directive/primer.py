"""The one line that an agent must not miss, in the words of the repo's own procedure."""

from __future__ import annotations

import re
from collections.abc import Iterator

FALLBACK = "Do not write code before the Spec, the Impact analysis and the TDR are approved."

_LONGEST = 200
_QUOTE = re.compile(r"\s*(?:>\s?)+")
_MARKER = re.compile(r"\s*(?:[-*+#]+|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_EMPHASIS = re.compile(r"\*{1,3}|`|\b_{1,2}|_{1,2}\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
# Anchored at the start of the text: looked for everywhere, each would cost the square of a line.
_NO_CODE = (
    r"(?=.*\b(?:do not|don['’]t|never|no|must not|may not)\b)"
    r"(?=.*\b(?:cod(?:e|ing)|implement\w*)\b)"
)
_GATES = tuple(
    re.compile(_NO_CODE + rf"(?=.*\b(?:{words})\b)", re.IGNORECASE)
    for words in (r"approv\w*", r"before|until|unless")
)


def primer(procedure: str) -> str:
    """Return the procedure's sentence on not writing code before approval, or one of our own."""
    blocks = list(_blocks(procedure))
    for gate in _GATES:
        for block in blocks:
            if not gate.match(block):
                continue
            for sentence in _SENTENCE_END.split(block):
                if gate.match(sentence) and len(sentence) <= _LONGEST:
                    return sentence
    return FALLBACK


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, list items and headings, each in one line and without its markup."""
    lines: list[str] = []
    for found in (*text.splitlines(), ""):
        quoted = _QUOTE.match(found)
        line = found[quoted.end() :] if quoted else found
        marker = _MARKER.match(line)
        if marker or not line.strip():
            if lines:
                yield _EMPHASIS.sub("", " ".join(lines)).strip()
            lines = []
        if line.strip():
            lines.append(line[marker.end() if marker else 0 :].strip())
