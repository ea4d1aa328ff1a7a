"""The one line that an agent must not miss, in the words of the repo's own procedure."""

from __future__ import annotations

import re
from collections.abc import Iterator

FALLBACK = "Do not write code before the Spec, the Impact analysis and the TDR are approved."

_LONGEST = 200
# Texts, not compiled yet: no server needs them before somebody asks for the primer.
_QUOTE = r"\s*(?:>\s?)+"
_MARKER = r"\s*(?:[-*+#]+|\d+[.)])\s+(?:\[[ xX]\]\s+)?"
_EMPHASIS = r"\*{1,3}|`|\b_{1,2}|_{1,2}\b"
_SENTENCE_END = r"(?<=[.!?])\s+"
# Anchored at the start of the text: looked for everywhere, each would cost the square of a line.
_NO_CODE = (
    r"(?i)(?=.*\b(?:do not|don['’]t|never|no|must not|may not)\b)"
    r"(?=.*\b(?:cod(?:e|ing)|implement\w*)\b)"
)
_GATES = tuple(
    _NO_CODE + rf"(?=.*\b(?:{words})\b)" for words in (r"approv\w*", r"before|until|unless")
)


def primer(procedure: str) -> str:
    """Return the procedure's sentence on not writing code before approval, or one of our own."""
    blocks = list(_blocks(procedure))
    for gate in _GATES:
        for block in blocks:
            if not re.match(gate, block):
                continue
            for sentence in re.split(_SENTENCE_END, block):
                if re.match(gate, sentence) and len(sentence) <= _LONGEST:
                    return sentence
    return FALLBACK


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, list items and headings, each in one line and without its markup."""
    lines: list[str] = []
    for found in (*text.splitlines(), ""):
        quoted = re.match(_QUOTE, found)
        line = found[quoted.end() :] if quoted else found
        marker = re.match(_MARKER, line)
        if marker or not line.strip():
            if lines:
                yield re.sub(_EMPHASIS, "", " ".join(lines)).strip()
            lines = []
        if line.strip():
            lines.append(line[marker.end() if marker else 0 :].strip())
