"""The statements of a document: its sentences, and its list items with what leads to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolcrib.files.markdown.fences import without_code

_LONGEST = 400

_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'*(])")
_NO_HEADING = re.compile(
    r"(?:don['’]?ts?|do not|never|must not|must never|forbidden|prohibited|not allowed)\W*$", re.I
)
_YES_HEADING = re.compile(r"(?:must|required|mandatory|always)\W*$", re.I)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence and the line in which it begins.

    `lead` is what a list item depends on: "A repository must:", or a heading such as "Don't".
    `headings` are those of the sections that it stands in, the outermost first.
    """

    text: str
    line: int
    lead: str = ""
    headings: tuple[str, ...] = ()


def statements(body: str, first_line: int) -> Iterator[Statement]:
    """Each statement of the prose, in order; code, tables and headings are none."""
    lead = ""
    sections: list[tuple[int, str]] = []
    headings: tuple[str, ...] = ()
    for lines, start, is_item in _paragraphs(body, first_line):
        if lines[0].startswith("#"):
            lead = _of_heading(lines[0])
            level = len(lines[0]) - len(lines[0].lstrip("#"))
            sections = [each for each in sections if each[0] < level]
            sections.append((level, lines[0].strip("# \t")))
            headings = tuple(title for _, title in sections)
            continue
        found = list(_split(lines, start))
        for text, line in found:
            yield Statement(text, line, lead if is_item else "", headings)
        if not is_item:
            last = found[-1][0] if found else ""
            lead = last.rstrip("*_ ").removesuffix(":") if last.rstrip("*_ ").endswith(":") else ""


def _of_heading(line: str) -> str:
    title = line.strip("# \t*_:")
    if _NO_HEADING.match(title):
        return "must not"
    return "must" if _YES_HEADING.match(title) else ""


def _paragraphs(body: str, first_line: int) -> Iterator[tuple[list[str], int, bool]]:
    """Runs of lines that belong together, where they begin, and whether they are a list item."""
    lines: list[str] = []
    start, is_item = first_line, False
    for number, line in enumerate([*without_code(body).split("\n"), ""], first_line):
        stripped = line.strip()
        item = bool(_ITEM.match(line)) and bool(stripped)
        heading = stripped.startswith("#")
        if lines and (not stripped or item or heading):
            yield lines, start, is_item
            lines = []
        if heading:
            yield [stripped], number, False
        elif not stripped.startswith(("|", "<!--")):
            words = _ITEM.sub("", line).strip().lstrip("> ") if stripped else ""
            if words and not lines:
                start, is_item = number, item
            if words:
                lines.append(words)


def _split(lines: Sequence[str], start: int) -> Iterator[tuple[str, int]]:
    """The sentences of a paragraph, each with its line."""
    text = " ".join(lines)
    at = 0
    for sentence in _END.split(text):
        begin = text.index(sentence, at)
        at = begin + len(sentence)
        number, seen = start, 0
        for line in lines:
            seen += len(line) + 1
            if seen > begin:
                break
            number += 1
        if sentence.strip() and len(sentence) <= _LONGEST:
            yield sentence.strip(), number
