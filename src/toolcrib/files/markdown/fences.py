"""Fenced code blocks of Markdown: the one scanner, by the rules of CommonMark.

A block is closed only by a fence of its own character that is at least as long as the one that
opened it, so that a document can show a fence inside of a longer one. A fence inside of an HTML
comment opens nothing. Blocks in list items and in quotations end with these.

Ten thousand documents with few fences may be read at once, so candidates are found with
`str.find`; only lists and quotations are scanned line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARKS = ("```", "~~~", "<!--")
_OPENING = re.compile(r"(?P<mark>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})(?P<info>[^\n]*)")
# What may stand before a fence in its line: blanks, `>` of quotations and markers of list items.
_LEAD = re.compile(r"[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*)*\Z")
_LIST_ITEM = re.compile(r"(?P<lead>[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\S")
_QUOTE = re.compile(r"[ \t]*>[ \t]?")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_FIRST_WORD = re.compile(r"[{.\s]*([^\s{},]+)")
_CODE_INDENT = 4
_MOST_LINES_BACK = 400


class Fence(NamedTuple):
    """The position of one block: its lines from `start` to `end`, its text between the fences.

    `indent` is how far the opening fence is indented, `quoted` whether it stands in a quotation.
    """

    start: int
    text_start: int
    text_end: int
    end: int
    info: str
    indent: int
    quoted: bool
    closed: bool


class Block(NamedTuple):
    """A fenced block: `info` follows the fence, `line` is where its text begins.

    `heading` is the nearest heading above it, `lead` the last line of text before it.
    """

    info: str
    text: str
    line: int
    heading: str = ""
    lead: str = ""

    @property
    def language(self) -> str:
        """The first word of the info string, as it is written; `{.ts}` and `{ts}` are `ts`."""
        word = _FIRST_WORD.match(self.info)
        return word[1] if word else ""


def find_fences(text: str) -> list[Fence]:
    """All fenced blocks of a Markdown text, in order; one that is never closed reaches the end."""
    if "```" not in text and "~~~" not in text:
        return []
    return list(_fences(text))


def fenced_blocks(body: str, first_line: int = 1) -> list[Block]:
    """The blocks of a text whose first line has the number `first_line`."""
    found: list[Block] = []
    heading, at, line = "", 0, first_line
    for fence in find_fences(body):
        lead = ""
        for before in body[at : fence.start].split("\n"):
            title = _HEADING.match(before)
            if title:
                heading, lead = title[1].strip(), ""
            elif before.strip():
                lead = before.strip()
        line += body.count("\n", at, fence.text_start)
        found.append(Block(fence.info, block_text(body, fence), line, heading, lead))
        line += body.count("\n", fence.text_start, fence.end)
        at = fence.end
    return found


def block_text(text: str, fence: Fence) -> str:
    """The text inside of a block, without the indentation of its fence."""
    inside = text[fence.text_start : fence.text_end]
    if not fence.indent and not fence.quoted:
        return inside if not inside or inside.endswith("\n") else inside + "\n"
    lines = inside.removesuffix("\n").split("\n") if inside else []
    return "".join(f"{_unindented(line, fence)}\n" for line in lines)


def without_code(text: str, fences: list[Fence] | None = None) -> str:
    """The text with blanks in place of its fenced blocks; offsets and lines stay the same."""
    fences = find_fences(text) if fences is None else fences
    if not fences:
        return text
    pieces, at = [], 0
    for fence in fences:
        pieces.append(text[at : fence.start])
        code = text[fence.start : fence.end]
        pieces.append("\n".join([" " * len(line) for line in code.split("\n")]))
        at = fence.end
    return "".join([*pieces, text[at:]])


def _fences(text: str) -> Iterator[Fence]:
    at = 0
    places = {mark: text.find(mark) for mark in _MARKS}
    while True:
        for mark, place in places.items():
            if 0 <= place < at:
                places[mark] = text.find(mark, at)
        found, mark = min(((p, m) for m, p in places.items() if p >= 0), default=(-1, ""))
        if found < 0:
            return
        start = text.rfind("\n", 0, found) + 1
        if mark == "<!--":
            at = _after_comment(text, start, found)
            continue
        fence = _opened(text, start, found)
        if fence is not None:
            yield fence
        at = _next_line(text, found) if fence is None else max(fence.end, fence.text_start)


def _after_comment(text: str, start: int, found: int) -> int:
    """Where to continue after a comment; one inside a paragraph hides no fence."""
    if text[start:found].strip(" ") or found - start >= _CODE_INDENT:
        return _next_line(text, found)
    end = text.find("-->", found)
    return len(text) if end < 0 else _next_line(text, end)


def _opened(text: str, start: int, found: int) -> Fence | None:
    """The block that the fence at `found` opens, in the line that begins at `start`."""
    opening = _OPENING.match(text, found)
    lead = text[start:found]
    if opening is None or not _LEAD.match(lead):
        return None
    width = len(lead.expandtabs(_CODE_INDENT))
    inside = 0
    if lead.strip():
        inside = width
    elif width:
        inside = _item_indent(text, start, width)
        if not inside and width >= _CODE_INDENT:
            return None  # indented code, which shows a fence
    quoted = ">" in lead
    text_start = min(_next_line(text, found), len(text))
    closing = _closing_inside if inside else _closing
    text_end, end, closed = closing(text, text_start, opening["mark"], (inside, quoted))
    return Fence(start, text_start, text_end, end, opening["info"].strip(), width, quoted, closed)


def _closing(text: str, at: int, mark: str, _container: tuple[int, bool]) -> tuple[int, int, bool]:
    """Where the text of a block ends, where its closing fence ends, and whether there is one."""
    found = text.find(mark, at)
    while found >= 0:
        start = text.rfind("\n", 0, found) + 1
        line_end = _line_end(text, found)
        indent = text[start:found]
        is_alone = not indent.strip(" ") and not text[found:line_end].lstrip(mark[0]).strip()
        if is_alone and len(indent) < _CODE_INDENT:
            return start, line_end, True
        found = text.find(mark, line_end)
    return len(text), len(text), False


def _closing_inside(
    text: str, at: int, mark: str, container: tuple[int, bool]
) -> tuple[int, int, bool]:
    """The same for a block in a list item or in a quotation, which ends with it at the latest."""
    width, quoted = container
    start = at
    while start < len(text):
        line_end = _line_end(text, start)
        line = text[start:line_end]
        bare = line.lstrip(" \t>") if quoted else line.strip()
        if quoted:
            is_over = not line.lstrip().startswith(">")
        else:
            is_over = bool(bare) and _indent(line) < width
        if is_over:
            return start, max(start - 1, at), False
        is_code = not quoted and _indent(line) >= width + _CODE_INDENT
        if bare.startswith(mark) and not bare.lstrip(mark[0]).strip() and not is_code:
            return start, line_end, True
        start = line_end + 1
    return len(text), len(text), False


def _item_indent(text: str, start: int, width: int) -> int:
    """How far the list item around an indented line is indented; 0 when there is none."""
    limit = width
    for _ in range(_MOST_LINES_BACK):
        if start == 0:
            return 0
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before : start - 1]
        start = before
        indent = _indent(line)
        if not line.strip() or indent >= limit:
            continue
        item = _LIST_ITEM.match(line)
        if item:
            inside = len(item["lead"].expandtabs(_CODE_INDENT))
            if inside <= width < inside + _CODE_INDENT:
                return inside
        if indent == 0:
            return 0
        limit = indent
    return 0


def _unindented(line: str, fence: Fence) -> str:
    if fence.quoted:
        quote = _QUOTE.match(line)
        return line[quote.end() :] if quote else line
    blanks = len(line) - len(line.lstrip(" \t"))
    if "\t" not in line[:blanks]:
        return line[min(blanks, fence.indent) :]
    return line.expandtabs(_CODE_INDENT)[min(_indent(line), fence.indent) :]


def _indent(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(_CODE_INDENT))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _next_line(text: str, at: int) -> int:
    return _line_end(text, at) + 1
