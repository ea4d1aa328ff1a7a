"""The outline of a Markdown document: its headings, its paragraphs, the labelled lines at its top.

Ten thousand documents may be read at the first request, so this uses tuples and `str.find`; a
regular expression that examines every character would take longer than all the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from toolcrib.files.markdown.fences import without_code
from toolcrib.files.markdown.inline import plain_words

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
_GLUED = re.compile(r"#(\d{1,5}[.:)] .+)")
_ATX = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_SETEXT = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_ANCHOR = re.compile(r"[ \t]*\\?\{#[^{}\n]{1,200}\}[ \t]*$")
_NUMBERING = re.compile(r"^\d+(?:\.\d+)*[.)]?[ \t]+")


class Section(NamedTuple):
    """A heading and the text below it, until the next heading of any level."""

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
    """The headings and labels of one document's body, outside of fenced code.

    `prose` is the body with blanks in place of its code; offsets are the same in both.
    """

    def __init__(self, body: str) -> None:
        self.body = body
        self.prose = without_code(body)
        self.head = self.prose[:HEAD]
        self._sections: tuple[Section, ...] | None = None
        self._labels: tuple[Label, ...] | None = None

    def look(self) -> None:
        """Find headings and labels now instead of on first use."""
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

    def line(self, at: int) -> int:
        """The line of an offset, counted from 1."""
        return self.body.count("\n", 0, at) + 1

    def below(self, at: int, limit: int = 14, *, code: bool = False) -> str:
        """Up to `limit` lines after the offset's own, until the next heading.

        Code is left out unless it is asked for.
        """
        text = self.body if code else self.prose
        line_end = text.find("\n", at)
        if line_end < 0:
            return ""
        lines = text[line_end + 1 : line_end + 3000].split("\n", limit)[:limit]
        for number, line in enumerate(lines):
            if line.startswith("#") and _is_heading(line, 0):
                return "\n".join(lines[:number])
        return "\n".join(lines)

    def _find_sections(self) -> tuple[Section, ...]:
        body = self.prose
        starts = [0] if body.startswith("#") else []
        at = body.find("\n#")
        while at >= 0:
            starts.append(at + 1)
            at = body.find("\n#", at + 1)
        starts = [start for start in starts if _is_heading(body, start)]
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
            if match:
                value = (match[2] or "").strip("| \t")
                found.append(Label(_plain(match[1]), value, start, match.end()))
        return tuple(found)


def first_heading(body: str) -> str | None:
    """The text of the first Markdown heading outside code.

    A document may begin with a numbered one that lacks its blank: `#12. Use X`.
    """
    if glued := _GLUED.match(body.lstrip()):
        return plain_words(glued[1])
    before = ""
    for line in _lines(body):
        if line.lstrip(" \t>")[:3] in ("```", "~~~"):
            prose = without_code(body)
            if prose != body:
                return first_heading(prose)
        atx = _ATX.match(line)
        if atx and atx[1].strip("# \t"):
            return plain_words(_unclosed(atx[1]))
        if before and _SETEXT.match(line):
            return plain_words(before)
        before = line.strip() if _may_be_heading(line) else ""
    return None


def paragraphs(text: str) -> Iterator[str]:
    """The texts between blank lines, lazily: callers usually take the first."""
    lines: list[str] = []
    for line in _lines(text):
        if line and not line.isspace():
            lines.append(line)
        elif lines:
            yield "\n".join(lines).strip()
            lines = []
    if lines:
        yield "\n".join(lines).strip()


def lines_with(text: str, marks: Iterable[str], within: int = 2_000) -> list[int]:
    """The offsets of lines that have one of the marks among their first characters."""
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
    title = _without_anchor(line.strip("# \t"))
    if "<!--" in title:
        title = title[: title.find("<!--")].rstrip(" \\")
    if title[:1].isdigit():
        title = _NUMBERING.sub("", title, count=1)
    return title.strip(" *_\t")


def _lines(text: str) -> Iterator[str]:
    """The lines, lazily: callers usually need the first few."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _may_be_heading(line: str) -> bool:
    """Whether `===` below would make it a heading; not for lists, quotes, tables and code."""
    stripped = line.strip()
    return bool(stripped) and not line.startswith(("    ", "\t")) and stripped[0] not in ">|-*+<"


def _unclosed(heading: str) -> str:
    """The heading without an anchor, `{#id}`, and without a closing `##`."""
    heading = _without_anchor(heading)
    bare = heading.rstrip(" \t").rstrip("#")
    return bare if bare[-1:] in (" ", "\t") else heading


def _without_anchor(heading: str) -> str:
    """A heading without the attributes behind it: `Title {#id .class}`."""
    return _ANCHOR.sub("", heading, count=1) if "{#" in heading else heading
