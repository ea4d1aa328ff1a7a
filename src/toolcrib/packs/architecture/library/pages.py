"""One file of the library, parsed once, before it has a URI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote

from toolcrib.files.markdown.document import Document
from toolcrib.files.markdown.outline import Outline
from toolcrib.files.root import FileEntry
from toolcrib.packs.architecture.library.finds import Find
from toolcrib.packs.architecture.library.records import DecisionLink, Kind
from toolcrib.packs.architecture.library.said import Said, has_no_links, understood
from toolcrib.packs.architecture.library.sources import SUFFIX, Source
from toolcrib.packs.architecture.reading.links import find_links
from toolcrib.packs.architecture.reading.metadata import Metadata, read_metadata

Key = tuple[int, str]
"""Where a page stands: the number of its root, and its path there."""

_NUMBER = re.compile(r"\d{1,5}")


class LibraryPage:
    """One file and its content: read, or stored and parsed on demand.

    A start may create a hundred thousand, and use a few of them.
    """

    __slots__ = ("_said", "_speaks_of", "entry", "number_text", "root", "source", "version")

    def __init__(
        self,
        source: Source,
        root: int,
        entry: FileEntry,
        version: str,
        number_text: str | None,
        said: Said | bytes,
    ) -> None:
        self.source = source
        self.root = root
        self.entry = entry
        self.version = version
        """What tells two versions of the file apart, in words."""
        self.number_text = number_text
        self._said = said
        self._speaks_of: frozenset[str] | None = None

    @property
    def kind(self) -> Kind:
        """The kind of document."""
        return self.source.kind

    @property
    def find(self) -> Find | None:
        """Where it lies, if nobody named that folder."""
        return self.source.find

    @property
    def file(self) -> str:
        """The file as a person names it, from the project's root."""
        return self.source.file(self.entry.path)

    @property
    def metadata(self) -> Metadata:
        """What it says of itself."""
        return self.said.metadata

    @property
    def links(self) -> tuple[DecisionLink, ...]:
        """What it says of other decisions."""
        said = self._said
        return () if isinstance(said, bytes) and has_no_links(said) else self.said.links

    @property
    def said(self) -> Said:
        """All that it says."""
        said = self._said
        if isinstance(said, bytes):
            said = self._said = understood(said)
        return said

    @property
    def speaks_of(self) -> frozenset[str]:
        """The names and numbers that its links mention."""
        found = self._speaks_of
        if found is None:
            names = [name for link in self.links for name in _names(link.target)]
            found = self._speaks_of = frozenset(names)
        return found

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
        said = Said(metadata, spoken)
        number = metadata.number_text
        yield LibraryPage(source, root, entry, version_of(entry), number, said), document


def version_of(entry: FileEntry) -> str:
    """What tells two versions of a file apart; devices are numbered anew by each mount."""
    return f"{entry.size} {entry.mtime_ns} {entry.inode} {entry.ctime_ns}"


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
