"""Titles of AsciiDoc documents."""

from __future__ import annotations

import pytest

from toolcrib.files.markdown.asciidoc import first_title
from toolcrib.files.markdown.document import parse

LISTING = "[source,bash]\n----\n# no title\n= none either\n----\n"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("= The Title\n:toc:\n\n== Section\n", "The Title"),
        (f"// a remark\n:toc:\n\n{LISTING}\n== Install `it` *now*\n", "Install it now"),
        ("....\n= literal\n....\n\n== Section\n", "Section"),
        ("////\n= comment\n////\n= Title\n", "Title"),
        ("```bash\n# code\n```\n= Title\n", "Title"),
        ("The Title\n=========\n\nThe Section\n-----------\n", "The Title"),
        ("== Use snake_case_names\n", "Use snake_case_names"),
    ],
)
def test_the_first_heading_is_the_title(body: str, title: str) -> None:
    """G-9: `= Title`, `== Section`, and the older underlined form."""
    assert first_title(body) == title


@pytest.mark.parametrize(
    "body",
    [LISTING, "[NOTE]\n======\nInside.\n======\n", ".Name\n-----\ncode\n-----\n",
     "Run this command in a shell of yours:\n----\nmake\n----\n", "=No blank\n", ""],
)  # fmt: skip
def test_what_opens_a_block_is_no_underline(body: str) -> None:
    """G-9: attributes, captions and sentences above a delimiter are no titles."""
    assert first_title(body) is None


def test_only_asciidoc_is_read_that_way() -> None:
    """G-9: by its suffix; in Markdown an underlined line of any length is a heading."""
    text = b"[source,bash]\n----\nmake\n----\n"
    assert parse("docs/build.adoc", text).title == "build"
    assert parse("docs/build.ADOC", b"= Build it\n").title == "Build it"
    assert parse("docs/build.md", b"A long line of words\n----\n\n= Other\n").title == (
        "A long line of words"
    )
