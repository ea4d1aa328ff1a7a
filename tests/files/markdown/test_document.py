"""Bytes as documents: encodings, front matter, titles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import FileUnreadable
from toolcrib.files.decoding import decode
from toolcrib.files.markdown.document import parse
from toolcrib.files.markdown.outline import first_heading


def title(text: str, path: str = "docs/some-page.md") -> str:
    return parse(path, text.encode()).title


def test_utf8_is_read_without_a_word() -> None:
    decoded = decode("Grüße 🎉".encode())
    assert (decoded.text, decoded.encoding, decoded.bom, decoded.note) == (
        "Grüße 🎉",
        "utf-8",
        False,
        None,
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_is_taken_off_and_remembered(encoding: str) -> None:
    """Documents: BOM stripped; UTF-16 read by its mark."""
    mark = "\ufeff" if encoding.endswith("-be") else ""
    decoded = decode((mark + "# Héllo").encode(encoding))
    assert decoded.text == "# Héllo"
    assert decoded.bom
    assert (decoded.note is None) == (encoding == "utf-8-sig")


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"ok\ncaf\xe9 \x93x\x94", "ok\ncafé “x”", "cp1252"),
        (b"ok\n\x81\xe9", "ok\n\x81é", "latin-1"),
        (b"\xef\xbb\xbfok\ncaf\xe9", "ok\ncafé", "cp1252"),
    ],
)
def test_other_encodings_are_guessed_and_said_so(data: bytes, text: str, encoding: str) -> None:
    """Documents: latin-1: fallback encoding stated."""
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.note is not None
    assert "in line 2 is not UTF-8" in decoded.note
    assert f"read as {encoding}" in decoded.note


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x00\x01", b"a\0b", b"\xff\xfea", b"\xff\xfe\0\0"])
def test_binary_is_refused(data: bytes) -> None:
    """Documents: binary is no document."""
    if data == b"\xff\xfe\0\0":
        assert decode(data).text == ""
        return
    with pytest.raises(FileUnreadable):
        decode(data)
    with pytest.raises(FileUnreadable, match=r"logo\.md is not text"):
        parse("logo.md", data)


def test_line_ends_become_newlines() -> None:
    """Documents: CRLF."""
    assert parse("a.md", b"# A\r\none\rtwo\n").text == "# A\none\ntwo\n"


def test_front_matter_is_read_and_the_body_begins_below_it() -> None:
    document = parse("a.md", b"\xef\xbb\xbf---\r\ntitle: T\r\ntags: [x, y]\r\n---\r\n\r\nBody\r\n")
    assert document.front_matter == {"title": "T", "tags": ["x", "y"]}
    assert document.title == "T"
    assert document.body == "\nBody\n"
    assert document.body_line == 5
    assert document.notes == ()
    assert document.size == 45


def test_front_matter_may_end_the_file_or_be_empty() -> None:
    assert parse("a.md", b"---\na: 1\n---").front_matter == {"a": 1}
    assert parse("a.md", b"---\n---\nBody").body == "Body"
    assert parse("a.md", b"---\na: 1\n...\nBody").body == "Body"


@pytest.mark.parametrize(
    "text",
    ["---\nno end\n", "---\n\nJust a rule\n\n---\nand text\n", "Text\n---\na: 1\n---\n", "----\n"],
)
def test_rules_are_not_taken_for_front_matter(text: str) -> None:
    document = parse("a.md", text.encode())
    assert document.front_matter == {}
    assert document.body == text
    assert document.body_line == 1


def test_front_matter_that_is_no_yaml_is_read_line_by_line() -> None:
    """Documents: one bad file never fails the rest."""
    document = parse(
        ".cursor/rules/ts.mdc",
        b"---\ndescription: Use this: always\nglobs: **/*.ts\n"
        b"who:\n  - 'a'\n  - b\nalwaysApply: false\n---\nBody",
    )
    assert document.front_matter == {
        "description": "Use this: always",
        "globs": "**/*.ts",
        "who": ["a", "b"],
        "alwaysApply": "false",
    }
    assert "ts.mdc:2:22: " in document.notes[0]
    assert document.body == "Body"


def test_hostile_front_matter_costs_nothing() -> None:
    """State: a YAML bomb in a document is a note."""
    bomb = "a0: &a0 [x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
    )
    document = parse("a.md", f"---\n{bomb}---\n# Title\n".encode())
    assert document.title == "Title"
    assert "100,000 values" in document.notes[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Use PostgreSQL #\n", "Use PostgreSQL"),
        ("intro\n\n### Third level\n", "Third level"),
        ("Set in two lines\n================\n", "Set in two lines"),
        ("Also\n---\n", "Also"),
        ("```sh\n# a comment\n```\n# Real\n", "Real"),
        ("~~~~\n~~~\n# no\n~~~~\n# Real\n", "Real"),
        ("#hashtag\n# Real\n", "Real"),
        ("# \n# Real\n", "Real"),
        ("# [Link](http://x) and `code` **bold**\n", "Link and code bold"),
        ("| a | b |\n|---|---|\n# Real\n", "Real"),
        ("- item\n---\n# Real\n", "Real"),
        ("    # indented code\n# Real\n", "Real"),
        ("no heading at all\n", "some-page"),
        ("", "some-page"),
        ("---\ntitle: '  From   front matter '\n---\n# H\n", "From front matter"),
        ("---\ntitle: [not, text]\n---\n# H\n", "H"),
        ("---\ntitle: 2024\n---\n# H\n", "2024"),
        ("---\ntitle:\n---\n# H\n", "H"),
    ],
)
def test_the_title_is_what_a_reader_would_call_it(text: str, expected: str) -> None:
    """A-1: title from front matter, first heading, file name."""
    assert title(text) == expected


def test_a_long_line_is_no_trouble() -> None:
    """Documents: 1 MB single line."""
    document = parse("a.md", b"# " + b"x" * 1_000_000)
    assert len(document.title) == 1_000_000
    assert first_heading(" " * 1_000_000 + "#" * 1000) is None


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_a_document_or_refused(data: bytes) -> None:
    try:
        document = parse("x/y.md", data)
    except FileUnreadable:
        return
    assert "\r" not in document.text
    assert document.title
    assert document.text.endswith(document.body)
    assert document.text.count("\n") - document.body.count("\n") == document.body_line - 1
