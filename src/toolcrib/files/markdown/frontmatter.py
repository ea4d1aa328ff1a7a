"""Front matter: the values between two lines of `---` at the top of a document.

Ten thousand documents may be read at the first request, and a YAML parser would take longer for
the few lines at the top of each than everything else. So plain `key: value` lines are read without
it. They mean exactly what they mean in YAML; anything else is left to the parser.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

from toolcrib.core.errors import ConfigError

Value = str | datetime.date | list[str]

_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
# The first line of `---` was lost: as Markdown, these lines would be a heading.
_UNOPENED = re.compile(r"((?:[A-Za-z_][\w-]{0,63}:[ \t].*\n){2,32})---[ \t]*(?:\n|\Z)")
_LONGEST_FRONT_MATTER = 64 * 1024
_PLAIN_LINE = re.compile(r"([A-Za-z_][\w .-]{0,63}?)[ \t]*:(?:[ \t]+(.*))?$")
# A licence, as a rule; nothing else stands before or between them.
_COMMENTS = re.compile(r"(?:<!--(?:(?!-->).)*-->[ \t]*\n\s*)+", re.DOTALL)
# Line by line: what can match in two ways takes twice as long for each further line.
_NO_BLANKS = re.compile(r"(?:[A-Za-z_][\w-]{0,63}:\S.*\n|[^\S\n]*\n)+")
_LIST_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)$")
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


def read_front_matter(text: str, path: str, notes: list[str]) -> tuple[dict[str, Any], int]:
    """The values between two lines of `---` at the top, and the offset where the body begins.

    Problems are added to `notes`.
    """
    start = 0
    if text.startswith(("---", "<!--")):
        comments = _COMMENTS.match(text, 0, _LONGEST_FRONT_MATTER)
        start = comments.end() if comments else 0
        match = _FRONT_MATTER.match(text, start, _LONGEST_FRONT_MATTER)
    else:
        match = _UNOPENED.match(text, 0, _LONGEST_FRONT_MATTER)
        if match is not None:
            notes.append("front matter does not begin with a line of ---, and is read as such")
    if match is None:
        return {}, 0
    plain = read_plain(match[1])
    if plain is not None:
        return dict(plain), match.end()
    from toolcrib.files.yaml import load  # most documents have no front matter, or a plain one

    try:
        # The line of `---` stays in, so that places count from the top of the file.
        value = load("\n" * text.count("\n", 0, start) + f"---\n{match[1]}", path).value
    except ConfigError as error:
        notes.append(f"front matter is not valid YAML, read line by line: {error}")
        return _line_by_line(match[1]), match.end()
    if value is None:
        return {}, match.end()
    if not isinstance(value, dict):
        if _NO_BLANKS.fullmatch(match[1]):
            notes.append("front matter has no blank behind its colons, and is not read")
            return {}, match.end()
        # A rule, some text, and another rule: no front matter after all.
        return {}, 0
    return value, match.end()


def read_plain(text: str) -> dict[str, Value] | None:
    """The values of plain lines; None if a YAML parser is needed.

    Plain values are text, a date such as `2024-01-31`, and a list of texts such as `[one, two]`.
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


def _line_by_line(text: str) -> dict[str, Any]:
    """The values of `key: value` lines that are not valid YAML, such as `globs: **/*.ts`."""
    found: dict[str, Any] = {}
    key = ""
    for line in text.split("\n"):
        pair = _PLAIN_LINE.match(line)
        item = _LIST_ITEM.match(line)
        if pair:
            key = pair[1]
            found[key] = _unquoted(pair[2] or "")
        elif item and (found.get(key) == "" or isinstance(found.get(key), list)):
            found[key] = [*found[key], _unquoted(item[1])]
    return found


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
