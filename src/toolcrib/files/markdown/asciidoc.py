"""The title of an AsciiDoc document: `= Title`, or the first section where there is none."""

from __future__ import annotations

import re

SUFFIXES = (".adoc", ".asciidoc", ".asc")

_HEADING = re.compile(r"(?:={1,6}|#{1,6})[ \t]+(?P<text>\S.*)")
# Listings, literal text and comments hold no headings, nor do examples, sidebars and quotes.
_BLOCK = re.compile(r"(?:([-.+/=*_])\1{3,}$|`{3,}(?=[ \t\w]*$))")
_UNDERLINE = re.compile(r"(?:={4,}|-{4,})[ \t]*$")
# `[source,bash]`, `.A caption`, `:toc:`, `// a remark`, `* an item`: what stands above a block.
_NO_TITLE = ("[", ".", ":", "//", "*", "|", "+", "<")
_CLOSE = 2
"""By how many characters an underline may differ from its title: else it opens a block."""


def first_title(body: str) -> str | None:
    """The text of the first heading outside of delimited blocks."""
    before, opened = "", ""
    for raw in body.split("\n"):
        line = raw.rstrip()
        if opened:
            opened = "" if line == opened else opened
            continue
        heading = _HEADING.match(line)
        if heading:
            return _plain(heading["text"])
        if _underlines(line, before):
            return _plain(before)
        block = _BLOCK.match(line)
        opened = block[0] if block else ""
        before = line
    return None


def _underlines(line: str, title: str) -> bool:
    """Whether the line makes the one above it a heading, as in the older way of writing them."""
    return (
        bool(title)
        and not title.startswith(_NO_TITLE)
        and _UNDERLINE.match(line) is not None
        and abs(len(title) - len(line)) <= _CLOSE
    )


def _plain(text: str) -> str:
    """The words of a heading, without marks for emphasis and code around them."""
    return " ".join(re.sub(r"(?<!\w)([*_`]+)(\S(?:.*?\S)?)\1(?!\w)", r"\2", text).split())
