"""Documents of the library as the page shows them: their text, and where their links lead."""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from typing import Any
from urllib.parse import quote, unquote

from toolcrib.core.errors import ToolcribError
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.records import DocumentRecord
from toolcrib.web.render import LONGEST_DOCUMENT, Lead, Renderer
from toolcrib.web.views.text import without_front_matter

Unread = dict[str, str]


def shown_document(renderer: Renderer, text: str, lead: Lead | None = None) -> dict[str, Any]:
    """A document as its article shows it: cleaned, and cut where it is too long."""
    return {
        "html": renderer.markdown(without_front_matter(text)[:LONGEST_DOCUMENT], lead),
        "cut": len(text) > LONGEST_DOCUMENT,
    }


def read_document(renderer: Renderer, library: Library, record: DocumentRecord) -> dict[str, Any]:
    """The same of a record's file, or why it cannot be read."""
    problem, text = None, ""
    try:
        text = library.text(record)
    except ToolcribError as error:
        problem = str(error)
    shown = shown_document(renderer, text, leading(library, record))
    return {**shown, "problem": problem, "raw": raw_address(record.uri)}


def unreadable(library: Library | None, folders: Collection[str] | None = None) -> list[Unread]:
    """The documents that cannot be read, and why; with `folders`, those in one of them."""
    found = library.snapshot.problems if library is not None else ()
    return [
        {"file": file, "text": text}
        for file, text in found
        if folders is None or posixpath.dirname(file) in folders
    ]


def raw_address(uri: str) -> str:
    """Where the text stands as it is in the file."""
    return f"/library?uri={quote(uri, safe='')}&raw=1"


def leading(library: Library, record: DocumentRecord) -> Lead:
    """From a link of a record's file to another to that one's uri, where it is in the library."""
    uris = {each.file: each.uri for each in library.records()}
    folder = posixpath.dirname(record.file)

    def lead(target: str) -> str | None:
        path = unquote(target.partition("#")[0])
        return uris.get(posixpath.normpath(posixpath.join(folder, path))) if path else None

    return lead
