"""The plain kind of front matter, `key: value` lines, read without a YAML parser.

Ten thousand documents are read at a first question, and a parser takes longer for the few lines at
the top of each than everything else does. What is understood here means exactly what it means in
YAML; whatever could mean more is left to the parser.
"""

from __future__ import annotations

import datetime
import re

Value = str | datetime.date | list[str]

# Text that begins with a letter is text in YAML, but for these words; no colon, no hash, no quote.
_TEXT = r"[A-Za-z][A-Za-z0-9_.,/()@+-]*(?: +[A-Za-z0-9_.,/()@+-]+)*"
_ITEM = r"[A-Za-z][A-Za-z0-9_./-]*(?: +[A-Za-z0-9_./-]+)*"
_LINE = re.compile(
    r"(?P<key>[A-Za-z_][A-Za-z0-9_-]*):(?: +(?:"
    rf"(?P<text>{_TEXT})|(?P<date>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
    rf"|\[ *(?P<items>{_ITEM}(?: *, *{_ITEM})*) *\]) *)\n"
)
_COMMA = re.compile(r" *, *")
_NOT_TEXT = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


def read_plain(text: str) -> dict[str, Value] | None:
    """The values of lines that are all plain, or None when YAML must be asked.

    That is text, a date as `2024-01-31`, and a list of texts as `[one, two]`.
    """
    found: dict[str, Value] = {}
    at = 0
    while at < len(text):
        line = _LINE.match(text, at)
        value = None if line is None else _value(line)
        if line is None or value is None or line["key"] in found:
            return None
        found[line["key"]] = value
        at = line.end()
    return found or None


def _value(line: re.Match[str]) -> Value | None:
    if line["date"]:
        try:
            return datetime.date.fromisoformat(line["date"])
        except ValueError:
            return None
    texts = [line["text"]] if line["text"] else _COMMA.split(line["items"])
    if any(text.lower() in _NOT_TEXT for text in texts):
        return None
    return texts[0] if line["text"] else texts
