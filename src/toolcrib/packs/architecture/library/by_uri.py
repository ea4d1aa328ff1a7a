"""The records of one snapshot by URI, created from their pages on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from toolcrib.packs.architecture.library.pages import Key, LibraryPage
from toolcrib.packs.architecture.library.records import DecisionLink, DocumentRecord, name_in
from toolcrib.packs.architecture.reading.links import Directory


class RecordsByUri(Mapping[str, DocumentRecord]):
    """The records in the order of their URIs; of a hundred thousand, few are ever needed."""

    __slots__ = ("_directory", "_keys", "_made", "_own", "_pages")

    def __init__(
        self,
        pages: Mapping[Key, LibraryPage],
        keys: Mapping[str, Key],
        directory: Directory,
        own: int | None = None,
        made: dict[str, DocumentRecord] | None = None,
    ) -> None:
        """`keys` tell the place of each uri's page; `made` are records that are as they were."""
        self._pages = pages
        self._keys = keys
        self._directory = directory
        self._own = own
        self._made = {} if made is None else made

    def __getitem__(self, uri: str) -> DocumentRecord:
        found = self._made.get(uri)
        if found is None:
            page = self._pages[self._keys[uri]]
            found = self._made[uri] = make_record(page, uri, self._directory, self._own)
        return found

    def __contains__(self, uri: object) -> bool:
        return uri in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def places(self) -> Mapping[str, Key]:
        """The place of each uri's page."""
        return self._keys

    def made(self, stale: Iterable[str]) -> dict[str, DocumentRecord]:
        """Those that were made already, but for these."""
        found = self._made.copy()
        for uri in stale:
            found.pop(uri, None)
        return found


def make_record(
    page: LibraryPage, uri: str, directory: Directory, own: int | None = None
) -> DocumentRecord:
    """The record of a page, its links tied to the documents that they mean."""
    facts, status = page.metadata, page.metadata.status
    links = page.links and _tied(page, uri, directory)
    # A hundred thousand of them are made at a start: named arguments would take a fifth more.
    return DocumentRecord(
        uri,
        page.kind,
        page.entry.path,
        page.root,
        page.file,
        facts.title,
        page.entry.size,
        facts.description,
        status.name if status else _implied(links),
        status.text if status else None,
        facts.date,
        facts.tags,
        name_in(uri) if page.kind == "adr" else None,
        facts.number,
        links,
        facts.is_decision,
        page.find.scope if page.find and page.root != own else "",
    )


def _tied(page: LibraryPage, uri: str, directory: Directory) -> tuple[DecisionLink, ...]:
    links = [
        DecisionLink(
            link.kind, link.target, directory.resolve(link.target, page.root, page.path), link.line
        )
        for link in page.links
    ]
    return tuple([link for link in links if link.uri != uri])


def _implied(links: Iterable[DecisionLink]) -> str | None:
    """A document without a status that names its successor states one all the same."""
    kinds = {link.kind for link in links}
    return "superseded" if "superseded_by" in kinds else None
