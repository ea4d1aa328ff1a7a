"""One file of the library, read once: what it says, before it has a uri."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import unquote

from toolcrib.files.documents import Document, parse
from toolcrib.files.root import Entry
from toolcrib.packs.architecture.links import find_links
from toolcrib.packs.architecture.metadata import Metadata, read_metadata
from toolcrib.packs.architecture.outline import Outline
from toolcrib.packs.architecture.record import Kind, Link
from toolcrib.packs.architecture.sources import SUFFIX, Source

_NUMBER = re.compile(r"\d{1,5}")


@dataclass(frozen=True, slots=True)
class Page:
    """What one file says. `speaks_of` are the names and numbers that its links mention."""

    kind: Kind
    root: int
    entry: Entry
    file: str
    metadata: Metadata
    links: tuple[Link, ...]
    speaks_of: frozenset[str]

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


def read_page(source: Source, root: int, path: str) -> tuple[Page, Document]:
    """Read one file; raises `FileRefused` or `FileUnreadable`."""
    blob = source.root.read(path)
    document = parse(path, blob.data)
    decision = source.kind == "adr"
    outline = Outline(document.body)
    metadata = read_metadata(
        path, document.title, outline, document.front_matter, decision=decision
    )
    links = find_links(outline, document.front_matter) if decision else ()
    if document.body_line > 1:
        links = tuple(_shifted(link, document.body_line - 1) for link in links)
    page = Page(
        kind=source.kind,
        root=root,
        entry=blob.entry,
        file=f"{source.folder}/{path}",
        metadata=metadata,
        links=links,
        speaks_of=frozenset(name for link in links for name in _names(link.target)),
    )
    return page, document


def _shifted(link: Link, lines: int) -> Link:
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
