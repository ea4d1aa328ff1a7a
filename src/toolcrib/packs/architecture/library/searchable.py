"""The documents of the library as they are offered to the one search over all packs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from toolcrib.core.pack import KnowledgeKind, Searchable
from toolcrib.packs.architecture.library.records import DocumentRecord, Kind

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library

_KINDS: dict[Kind, KnowledgeKind] = {
    "guidelines": "guideline",
    "patterns": "pattern",
    "adr": "decision",
}


def searchable(library: Library) -> Iterator[Searchable]:
    """Every guideline, pattern and decision; a template or an index page is a plain document."""
    snapshot = library.snapshot
    for record in snapshot.records:
        page = snapshot.pages[record.root, record.path]
        stamp = f"{page.entry.size} {page.entry.mtime_ns} {page.entry.inode}"
        read = partial(_read, library, record)
        other = record.kind == "adr" and not record.is_decision
        kind = "document" if other else _KINDS[record.kind]
        yield Searchable(kind, record.uri, record.file, stamp, read)


def _read(library: Library, record: DocumentRecord) -> tuple[str, str]:
    return record.title, f"{' '.join(record.tags)}\n{library.document(record).body}"
