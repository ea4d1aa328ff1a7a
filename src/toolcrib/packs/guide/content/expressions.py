"""The language of content: `lang/python+java,docs/api,guidelines`.

    expression = term ("," term)*          several, in order
    term       = name ["/" pattern ("+" pattern)*]
                                           a category or a collection; `+` is any of
    pattern    = a path pattern below the category: *, **, ?, [a-z]

Spaces around names and patterns do not count. Inside `[…]` a comma and a plus are plain
characters, so that `lang/c[+][+]` finds `c++.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from toolcrib.core.support.records import record
from toolcrib.files.globs import BadGlob, class_end, compile_glob
from toolcrib.packs.guide.errors import InvalidExpression, InvalidName

LONGEST = 2000
MOST_PATTERNS = 200
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
NAME_RULE = (
    "must begin with a letter or digit and hold at most 64 letters, digits, dots, underscores "
    "and dashes, so that expressions can address it"
)


@record
class Term:
    """One name with its patterns, none for everything; `start` is where the name stands."""

    name: str
    patterns: tuple[str, ...]
    start: int

    def __str__(self) -> str:
        return f"{self.name}/{'+'.join(self.patterns)}" if self.patterns else self.name


def parse(expression: str) -> tuple[Term, ...]:
    """Read an expression, or raise `InvalidExpression` that points at the character."""
    if len(expression) > LONGEST:
        fail(expression[:60], 0, f"longer than {LONGEST:,} characters")
    terms = tuple(_term(expression, start, end) for start, end in _split(expression, ","))
    if sum(len(term.patterns) for term in terms) > MOST_PATTERNS:
        fail(expression, 0, f"more than {MOST_PATTERNS} patterns")
    return terms


def checked_name(name: str, what: str) -> str:
    """A name that expressions can address, or `InvalidName`."""
    if not re.fullmatch(_NAME, name):
        raise InvalidName(f"{what} name {name[:80]!r} {NAME_RULE}", data={"name": name[:80]})
    return name


def is_name(name: str) -> bool:
    """Whether expressions can address it."""
    return re.fullmatch(_NAME, name) is not None


def renamed(expression: str, old: str, new: str) -> str:
    """The same expression with one name in the place of another; all else stays as written."""
    for term in reversed(parse(expression)):
        if term.name == old:
            end = term.start + len(old)
            expression = expression[: term.start] + new + expression[end:]
    return expression


def fail(expression: str, position: int, reason: str) -> NoReturn:
    """Refuse an expression at a character."""
    shown = expression.replace("\n", " ").replace("\t", " ")
    pointer = f"{shown}\n{' ' * position}^"
    raise InvalidExpression(
        f"{reason} at character {position + 1} of the expression:\n{pointer}",
        data={"expression": expression, "position": position + 1, "pointer": pointer},
        next="Examples: lang/python, lang/python+java, docs/**, lang,docs/api",
    )


def _term(expression: str, start: int, end: int) -> Term:
    slash = expression.find("/", start, end)
    name_end = end if slash < 0 else slash
    first, last = _trimmed(expression, start, name_end)
    name = expression[first:last]
    if not name:
        fail(expression, start, "A name is missing")
    bad = next((i for i in range(first, last) if not is_name(f"x{expression[i]}")), None)
    if bad is not None:
        fail(expression, bad, f"{expression[bad]!r} cannot be part of a name")
    if not is_name(name):
        fail(expression, first, f"{name[:80]!r} is no name: it {NAME_RULE}")
    if slash < 0:
        return Term(name, (), first)
    patterns = tuple(
        _pattern(expression, *span) for span in _split(expression, "+", slash + 1, end)
    )
    return Term(name, patterns, first)


def _pattern(expression: str, start: int, end: int) -> str:
    first, last = _trimmed(expression, start, end)
    pattern = expression[first:last]
    if not pattern:
        fail(expression, start, "A pattern is missing")
    try:
        compile_glob(pattern, extension=True)
    except BadGlob as error:
        fail(expression, first + error.position, error.reason[:1].upper() + error.reason[1:])
    return pattern


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _split(
    text: str, separator: str, start: int = 0, end: int | None = None
) -> Iterator[tuple[int, int]]:
    """The spans between separators that stand outside of `[…]`."""
    end = len(text) if end is None else end
    begin = index = start
    while index < end:
        if text[index] == "[":
            close = class_end(text, index)
            index = close if 0 <= close < end else index
        elif text[index] == separator:
            yield begin, index
            begin = index + 1
        index += 1
    yield begin, end
