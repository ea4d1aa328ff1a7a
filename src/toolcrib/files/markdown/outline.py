"""The outline of a Markdown document: its headings and the labelled lines at its top.

Ten thousand documents are read at the first question, so this leans on `str.find` (a regular
expression that looks at every character would take longer than all the rest) and on tuples.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

HEAD = 3_000
"""How far labelled lines (`Status: accepted`) are looked for, in characters."""

_MOST_LABELS = 60
_LONGEST_LABEL = 50
_MARKS = (":", "|", "tatus", "TATUS")
_LABEL = re.compile(
    r"[ \t>*+•|_`~-]*(?:<[a-z]+>)*[*_`~]*(?P<name>[A-Za-z][A-Za-z _-]{1,28}?)[*_`~ \t]*"
    r"(?:</[a-z]+>)*[ \t]*(?:\([^()\n]*\)[ \t]*)?"
    r"(?:(?:[:：|]+|=|[–—-][ \t]|(?<=[*>][ \t]))[*_`~ \t]*(?:</[a-z]+>)*(?P<value>[^\n]*)|$)",
    re.M,
)
_NUMBERING = re.compile(r"^\d+(?:\.\d+)*[.)]?[ \t]+")


class Section(NamedTuple):
    """A heading and what stands below it, until the next heading of any level."""

    title: str
    start: int
    body_start: int
    end: int


class Label(NamedTuple):
    """A line such as `* **Status**: accepted`; `name` is in small letters, `start` an offset."""

    name: str
    value: str
    start: int
    end: int


class Outline:
    """The headings and labels of one document's body, outside of fenced code."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.head = body[:HEAD]
        self._fences = list(_fenced(body)) if "```" in body or "~~~" in body else []
        self._sections: tuple[Section, ...] | None = None
        self._labels: tuple[Label, ...] | None = None

    def look(self) -> None:
        """Find headings and labels now, not when they are first asked for."""
        self._sections = self._find_sections()
        self._labels = self._find_labels()

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections in their order."""
        if self._sections is None:
            self._sections = self._find_sections()
        return self._sections

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labelled lines of the head, table rows included, in their order."""
        if self._labels is None:
            self._labels = self._find_labels()
        return self._labels

    def in_code(self, at: int) -> bool:
        """Whether the offset lies in a fenced block."""
        if not self._fences:
            return False
        number = bisect_right(self._fences, (at, len(self.body))) - 1
        return number >= 0 and at < self._fences[number][1]

    def line(self, at: int) -> int:
        """The line of an offset, counted from 1."""
        return self.body.count("\n", 0, at) + 1

    def below(self, at: int, limit: int = 14) -> str:
        """Up to `limit` lines after the offset's own, until the next heading."""
        line_end = self.body.find("\n", at)
        if line_end < 0:
            return ""
        lines = self.body[line_end + 1 : line_end + 3000].split("\n", limit)[:limit]
        for number, line in enumerate(lines):
            if line.startswith("#") and _is_heading(line, 0):
                return "\n".join(lines[:number])
        return "\n".join(lines)

    def _find_sections(self) -> tuple[Section, ...]:
        body = self.body
        starts = [0] if body.startswith("#") else []
        at = body.find("\n#")
        while at >= 0:
            starts.append(at + 1)
            at = body.find("\n#", at + 1)
        starts = [start for start in starts if _is_heading(body, start) and not self.in_code(start)]
        found = []
        for start, end in pairwise([*starts, len(body)]):
            line_end = body.find("\n", start, end)
            line_end = end if line_end < 0 else line_end
            found.append(Section(_heading(body[start:line_end]), start, line_end, end))
        return tuple(found)

    def _find_labels(self) -> tuple[Label, ...]:
        found = []
        head = self.head
        for start in lines_with(head, _MARKS, _LONGEST_LABEL)[:_MOST_LABELS]:
            match = _LABEL.match(head, start)
            if match and not self.in_code(start):
                value = (match[2] or "").strip("| \t")
                found.append(Label(_plain(match[1]), value, start, match.end()))
        return tuple(found)


def lines_with(text: str, marks: Iterable[str], within: int = 2_000) -> list[int]:
    """Where the lines begin that have one of the marks among their first characters."""
    starts = set()
    for mark in marks:
        at = text.find(mark)
        while at >= 0:
            start = text.rfind("\n", 0, at) + 1
            if at - start < within:
                starts.add(start)
            line_end = text.find("\n", at)
            at = text.find(mark, line_end) if line_end >= 0 else -1
    return sorted(starts)


def _plain(name: str) -> str:
    return name.strip(" _-").replace("_", " ").replace("-", " ").casefold()


def _is_heading(text: str, start: int) -> bool:
    return text[start : start + 7].lstrip("#")[:1] in (" ", "\t")


def _heading(line: str) -> str:
    title = line.strip("# \t*_")
    if title.isalpha():
        return title
    title = line.strip("# \t")
    if "<!--" in title:
        title = title[: title.find("<!--")].rstrip(" \\")
    if title[:1].isdigit():
        title = _NUMBERING.sub("", title, count=1)
    return title.strip(" *_\t")


def _fenced(body: str) -> Iterator[tuple[int, int]]:
    """Where fenced blocks begin and end, each by its own kind of fence."""
    at = 0
    while True:
        opened = min(
            (found for mark in ("```", "~~~") if (found := _line_start(body, mark, at)) >= 0),
            default=-1,
        )
        if opened < 0:
            return
        mark = body[opened : opened + 3]
        closed = _line_start(body, mark, body.find("\n", opened) + 1 or len(body))
        end = len(body) if closed < 0 else closed + 3
        yield opened, end
        at = end


def _line_start(body: str, mark: str, at: int) -> int:
    """The first `mark` at or after `at` with nothing but blanks before it in its line."""
    found = body.find(mark, at)
    while found >= 0:
        start = body.rfind("\n", 0, found) + 1
        if not body[start:found].strip():
            return found
        found = body.find(mark, found + 3)
    return -1
