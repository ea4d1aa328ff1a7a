"""Patterns of paths: `*` within a name, `**` across folders, `?`, `[a-z]`, and `{a,b}` where asked.

Each compiles to one regular expression without backtracking (as in `fnmatch`, but by folders), so
that a match takes time linear in the length of the path, whatever the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from toolcrib.core.support.records import record

WILD = frozenset("*?[")
MOST_ALTERNATIVES = 256

# An extension may be left off: `python` finds `python.md`.
_EXTENSION = r"(?:\.[^/.]+)?"


class BadGlob(ValueError):
    """An invalid pattern; `position` counts characters from 0."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


@record
class Glob:
    """One compiled pattern; `literal` is set if it has no wildcard."""

    pattern: str
    matches: Callable[[str], object]
    literal: str | None
    hint: str
    """The longest piece of text that every match contains; a cheap sieve before `matches`."""
    prefix: str
    """The text that every match begins with."""

    def all_of(self) -> bool:
        """Whether it matches everything."""
        return self.pattern in ("**", "**/*")


@lru_cache(maxsize=4096)
def compile_glob(pattern: str, *, extension: bool = False) -> Glob:
    """Compile a pattern; with `extension`, names match without their extension too."""
    segments = _segments(pattern)
    wild = any(WILD & set(text) for text in segments)
    tail = _EXTENSION if extension else ""
    expression = re.compile(f"(?s:{_groups(segments)}{tail})\\Z")
    literal = None if wild else "/".join(segments)
    pieces = [] if not wild else [piece for each in segments for piece in _plain_pieces(each)]
    hint = max(pieces, key=len, default="")
    prefix = re.split(r"[*?\[]", pattern, maxsplit=1)[0] if wild else ""
    # `a/**/b` matches `a/b`, but nothing that does not begin with `a/`.
    return Glob(pattern, expression.match, literal, hint, prefix)


@lru_cache(maxsize=4096)
def compile_all(pattern: str) -> tuple[Glob, ...]:
    """A pattern as written in files: `./src/` means all below `src`, `{a,b}` is a choice."""
    pattern = pattern.removeprefix("./").lstrip("/")
    if pattern.endswith("/"):
        pattern += "**"
    return tuple(compile_glob(each) for each in expand_braces(pattern))


def path_matches(path: str, pattern: str) -> bool:
    """Whether a path matches a pattern; one without a slash may match any name in the path."""
    globs = compile_all(pattern)
    if "/" in pattern.removeprefix("./"):
        return any(glob.matches(path) for glob in globs)
    return any(glob.matches(name) for glob in globs for name in path.split("/"))


@lru_cache(maxsize=4096)
def compile_text(pattern: str) -> Callable[[str], object]:
    """A matcher for texts that are not paths, such as URLs: `*` and `?` match a slash, too."""
    _check_classes(pattern, 0)
    return re.compile(f"(?s:{_segment(pattern, '.')})\\Z").match


def escape(text: str) -> str:
    """A pattern that matches exactly this text."""
    return "".join(f"[{each}]" if each in WILD else each for each in text)


def expand_braces(pattern: str) -> list[str]:
    """`src/*.{ts,tsx}` as two patterns; nested ones too, within reason."""
    done: list[str] = []
    pending = [pattern]
    while pending:
        current = pending.pop()
        group = _innermost(current)
        if group is None:
            done.append(current)
            continue
        start, end = group
        choices = current[start + 1 : end].split(",")
        pending += [current[:start] + each + current[end + 1 :] for each in reversed(choices)]
        if len(done) + len(pending) > MOST_ALTERNATIVES:
            raise BadGlob(f"more than {MOST_ALTERNATIVES} alternatives", start)
    return done


def _innermost(pattern: str) -> tuple[int, int] | None:
    end = pattern.find("}")
    while end >= 0:
        start = pattern.rfind("{", 0, end)
        if start >= 0:
            return start, end
        end = pattern.find("}", end + 1)
    return None


def _segments(pattern: str) -> list[str]:
    """The names of a pattern, `**` only once in a row."""
    found: list[str] = []
    position = 0
    for text in pattern.split("/"):
        if text in ("", ".", "..") or "\0" in text:
            reason = f"{text!r} is no name in a path" if text else "an empty name in a path"
            raise BadGlob(reason, position)
        _check_classes(text, position)
        if not (text == "**" and found and found[-1] == "**"):
            found.append(text)
        position += len(text) + 1
    return found


def _check_classes(text: str, offset: int) -> None:
    index = text.find("[")
    while index >= 0:
        end = class_end(text, index)
        if end < 0:
            raise BadGlob("'[' is never closed by ']'", offset + index)
        try:
            re.compile(_class(text[index : end + 1]))
        except re.error:
            raise BadGlob(f"{text[index : end + 1]!r} is no range", offset + index) from None
        index = text.find("[", end + 1)


def class_end(text: str, start: int) -> int:
    """Where the `[…]` that opens at `start` closes; -1 when it does not."""
    first = start + 1
    if text[first : first + 1] in ("!", "^"):
        first += 1
    return text.find("]", first + 1)


def _groups(segments: list[str]) -> str:
    """Runs of names between `**`; all but the last match at their first position, without retry."""
    runs: list[list[str]] = [[]]
    for text in segments:
        if text == "**":
            runs.append([])
        else:
            runs[-1].append(text)
    first, *rest = runs
    expression = "/".join(map(_segment, first))
    if not rest:
        return expression
    *middle, last = rest
    if first:
        expression += "/"
    for run in middle:
        expression += f"(?>(?:[^/]+/)*?{'/'.join(map(_segment, run))}/)"
    if not last:
        return expression + ".+"
    return expression + "(?:[^/]+/)*" + "/".join(map(_segment, last))


def _segment(text: str, any_character: str = "[^/]") -> str:
    """One name: text between stars matches at its first position, the last part at the end."""
    first, *rest = _split_stars(text)
    expression = _plain(first, any_character)
    if not rest:
        return expression
    *middle, last = rest
    for piece in middle:
        if piece:
            expression += f"(?>{any_character}*?{_plain(piece, any_character)})"
    return f"{expression}{any_character}*{_plain(last, any_character)}"


def _split_stars(text: str) -> list[str]:
    pieces, current, index = [], "", 0
    while index < len(text):
        if text[index] == "*":
            pieces.append(current)
            current = ""
            index += 1
        elif text[index] == "[":
            end = class_end(text, index) + 1
            current += text[index:end]
            index = end
        else:
            current += text[index]
            index += 1
    return [*pieces, current]


def _plain(piece: str, any_character: str) -> str:
    expression, index = "", 0
    while index < len(piece):
        if piece[index] == "[":
            end = class_end(piece, index) + 1
            expression += _class(piece[index:end])
            index = end
        else:
            expression += any_character if piece[index] == "?" else re.escape(piece[index])
            index += 1
    return expression


def _class(text: str) -> str:
    inside = text[1:-1]
    negated = inside[0] in "!^"
    inside = inside[1:] if negated else inside
    escaped = "".join(f"\\{each}" if each in "\\[]^&~|" else each for each in inside)
    return f"(?!/)[{'^' if negated else ''}{escaped}]"


def _plain_pieces(text: str) -> list[str]:
    pieces, index = [""], 0
    while index < len(text):
        if text[index] == "[":
            index = class_end(text, index)
            pieces.append("")
        elif text[index] in "*?":
            pieces.append("")
        else:
            pieces[-1] += text[index]
        index += 1
    return pieces
