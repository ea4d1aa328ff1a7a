"""`Library`: the guidelines, patterns and decisions of a repository, read once, kept current."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.packs.architecture.record import KINDS, Kind, Link, LinkKind, Record
from toolcrib.packs.architecture.settings import ArchitectureSettings

if TYPE_CHECKING:
    from toolcrib.files.documents import Document
    from toolcrib.search.index import Index

__all__ = ["KINDS", "Kind", "Library", "Link", "LinkKind", "Record"]


class Library:
    """The documents of a project. Nothing is read before the first question.

    Safe to use from several threads; each answer comes from one consistent state.
    """

    def __init__(self, project: Path, settings: ArchitectureSettings | None = None) -> None:
        self.project = project
        self.settings = settings or ArchitectureSettings()

    @property
    def version(self) -> int:
        """Counts up whenever a document was added, changed or removed: a key for caches."""
        raise NotImplementedError

    def records(self, kind: Kind | None = None) -> Sequence[Record]:
        """All records, or those of one kind, sorted by uri."""
        raise NotImplementedError

    def get(self, uri: str) -> Record | None:
        """The record with exactly that uri."""
        raise NotImplementedError

    def find(self, uri: str) -> Record:
        """The record that `uri` means: `.md`, short ids and escapes are understood.

        Raises `ResourceNotFound` with the nearest ones, and `InvalidParams` with the candidates
        when a short id means more than one.
        """
        raise NotImplementedError

    def resolve_adr(self, short_id: str) -> Record:
        """The decision that `3`, `0003`, `ADR-3` or `0003-use-postgres` means, as in `find`."""
        raise NotImplementedError

    def successor(self, record: Record) -> Record | None:
        """The decision in force that took the place of `record`, through any number of steps."""
        raise NotImplementedError

    def document(self, record: Record) -> Document:
        """The parsed document; raises `FileRefused` when it is gone."""
        raise NotImplementedError

    def text(self, record: Record) -> str:
        """The document's text as it is served."""
        raise NotImplementedError

    def index(self) -> Index:
        """The search index over all records: key is the uri, facet `kind` the kind."""
        raise NotImplementedError
