"""Markdown documents: decoded text, front matter, title, and notes on problems."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from toolcrib.core.errors import FileUnreadable
from toolcrib.core.support.records import record
from toolcrib.files.decoding import decode
from toolcrib.files.markdown import asciidoc
from toolcrib.files.markdown.frontmatter import read_front_matter
from toolcrib.files.markdown.outline import first_heading


@record
class Document:
    """One text file of the repo.

    `text` is the whole of it without a byte order mark and with `\\n` at the end of each line;
    `body` is what follows the front matter, and begins in line `body_line`.
    """

    path: str
    text: str
    body: str
    body_line: int
    front_matter: Mapping[str, Any]
    title: str
    encoding: str
    size: int
    notes: tuple[str, ...] = ()


def parse(path: str, data: bytes) -> Document:
    """Parse `data` as a document; problems become notes, not errors."""
    try:
        decoded = decode(data)
    except FileUnreadable as error:
        raise FileUnreadable(f"{path} is not text", why=error.why) from None
    text = _unix_lines(decoded.text)
    notes = [decoded.note] if decoded.note else []
    front_matter, start = read_front_matter(text, path, notes)
    body = text[start:]
    return Document(
        path=path,
        text=text,
        body=body,
        body_line=text.count("\n", 0, start) + 1 if start else 1,
        front_matter=front_matter,
        title=_title(front_matter, body, path),
        encoding=decoded.encoding,
        size=len(data),
        notes=tuple(notes),
    )


def _unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _title(front_matter: Mapping[str, Any], body: str, path: str) -> str:
    given = front_matter.get("title")
    if isinstance(given, (str, int, float)) and not isinstance(given, bool) and str(given).strip():
        return " ".join(str(given).split())
    file = PurePosixPath(path)
    heading = asciidoc.first_title if file.suffix.casefold() in asciidoc.SUFFIXES else first_heading
    return heading(body) or file.stem
