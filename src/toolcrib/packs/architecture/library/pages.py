"""One file of the library, read once: what it says, before it has a uri."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote

from toolcrib.core.support.records import record
from toolcrib.files.markdown.document import Document
from toolcrib.files.markdown.outline import Outline
from toolcrib.files.root import FileEntry
from toolcrib.packs.architecture.library.finds import Find
from toolcrib.packs.architecture.library.records import DecisionLink, Kind
from toolcrib.packs.architecture.library.sources import SUFFIX, Source
from toolcrib.packs.architecture.reading.links import find_links
from toolcrib.packs.architecture.reading.metadata import Metadata, read_metadata

_NUMBER = re.compile(r"\d{1,5}")
_NONE: frozenset[str] = frozenset()


@record
class LibraryPage:
    """What one file says. `speaks_of` are the names and numbers that its links mention."""

    kind: Kind
    root: int
    entry: FileEntry
    file: str
    metadata: Metadata
    links: tuple[DecisionLink, ...]
    speaks_of: frozenset[str]
    find: Find | None = None
    """Where it lies, if nobody named that folder."""

    @property
    def path(self) -> str:
        """Relative to its root."""
        return self.entry.path

    @property
    def stem(self) -> str:
        """The file's name without folder and ending."""
        return self.path.rsplit("/", 1)[-1][: -len(SUFFIX)]

    @property
    def known_as(self) -> set[str]:
        """The names under which links may speak of it."""
        names = {self.stem.casefold()}
        if "/" in self.path:
            names.add(self.path.rsplit("/", 2)[-2].casefold())
        if self.metadata.number is not None:
            names.add(str(self.metadata.number))
        return names


def make_pages(
    source: Source, root: int, read: Sequence[tuple[FileEntry, Document]]
) -> Iterator[tuple[LibraryPage, Document]]:
    """What the documents of a source say.

    Each step is taken for all of them before the next: code that stays in the processor's cache
    is half as slow again.
    """
    outlines = [Outline(document.body) for _, document in read]
    for outline in outlines:
        outline.look()
    decision = source.kind == "adr"
    facts = [
        read_metadata(each.path, document.title, outline, document.front_matter, decision=decision)
        for (each, document), outline in zip(read, outlines, strict=True)
    ]
    links = [
        _links(document, outline) if decision else ()
        for (_, document), outline in zip(read, outlines, strict=True)
    ]
    for (entry, document), metadata, spoken in zip(read, facts, links, strict=True):
        yield make_page(source, root, entry, metadata, spoken), document


def make_page(
    source: Source, root: int, entry: FileEntry, metadata: Metadata, links: tuple[DecisionLink, ...]
) -> LibraryPage:
    """The page of a file that says these things."""
    spoken = frozenset([n for link in links for n in _names(link.target)]) if links else _NONE
    # A hundred thousand of them are made at a start: named arguments would take a fifth more.
    file = source.file(entry.path)
    return LibraryPage(source.kind, root, entry, file, metadata, links, spoken, source.find)


def _links(document: Document, outline: Outline) -> tuple[DecisionLink, ...]:
    links = find_links(outline, document.front_matter)
    if links and document.body_line > 1:
        return tuple(_shifted(link, document.body_line - 1) for link in links)
    return links


def _shifted(link: DecisionLink, lines: int) -> DecisionLink:
    """A line of the body as a line of the file."""
    return link if link.line is None else replace(link, line=link.line + lines)


def _names(target: str) -> set[str]:
    """What `Page.known_as` could call the target."""
    parts = [part for part in unquote(target.split("#", 1)[0]).casefold().split("/") if part]
    names = {part.removesuffix(SUFFIX) for part in parts[-2:]}
    number = _NUMBER.search(parts[-1]) if parts else None
    if number:
        names.add(str(int(number[0])))
    return names
