"""What the files of a folder said, kept for the next start: a file that did not change is not read.

A page is taken over where size, inode and both times of its file are as they were when it was
read. One that had changed just before it was read is not kept: a second change within one tick of
the file system's clock would not show.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from toolcrib.files.content_cache import user_cache
from toolcrib.files.root import FileEntry
from toolcrib.packs.architecture.library.pages import LibraryPage, make_page
from toolcrib.packs.architecture.library.records import DecisionLink
from toolcrib.packs.architecture.library.sources import Source
from toolcrib.packs.architecture.reading.metadata import Metadata
from toolcrib.packs.architecture.reading.status import Status
from toolcrib.search.kept import background

WORTH_KEEPING: Final = 500
"""Files below which reading them is as quick."""
_FOLDER: Final = "architecture"
_KIND: Final = "pages"
_FORMAT: Final = 3
_AT_ONCE: Final = 1000
_WORTH_WRITING: Final = 0.1
_SETTLED_NS: Final = 2_000_000_000
_SAID: Final = 5
"""Where in a row stands what the file says, after its path and its version."""

Row = list[Any]


class KeptPages:
    """The pages of one source as they were read last."""

    def __init__(self, source: Source, root: int) -> None:
        self._source = source
        self._root = root
        self._name = os.fsencode(f"{_FORMAT}\0{source.kind}\0{source.root.path}")
        self._begun = time.time_ns()

    def unchanged(self, entries: Iterable[FileEntry]) -> dict[str, LibraryPage]:
        """The pages of those files that are as they were, by path."""
        rows = self._rows()
        found: dict[str, LibraryPage] = {}
        for entry in entries if rows else ():
            path = entry.path
            row = rows.get(path)
            version = [entry.size, entry.mtime_ns, entry.inode, entry.ctime_ns]
            if row is not None and row[1:_SAID] == version:
                found[path] = _page(self._source, self._root, entry, row)
        return found

    def keep(self, pages: Sequence[LibraryPage], read: int) -> None:
        """Write all pages down, in the background, where many of them had to be read."""
        if read > _WORTH_WRITING * max(len(pages), WORTH_KEEPING):
            settled = self._begun - _SETTLED_NS
            kept = [page for page in pages if page.entry.ctime_ns < settled]
            background.start(partial(self._write, kept))

    def _rows(self) -> dict[str, Row]:
        cache = user_cache(_FOLDER)
        texts = cache.get(_KIND, self._name) if cache is not None else None
        try:
            return {row[0]: row for text in texts or () for row in json.loads(text)}
        except (ValueError, IndexError, TypeError):
            return {}

    def _write(self, pages: list[LibraryPage]) -> None:
        cache = user_cache(_FOLDER)
        if cache is not None:
            cache.put(_KIND, self._name, _batches(pages))


def _batches(pages: Iterable[LibraryPage]) -> Iterator[list[Row]]:
    """Rows, some at a time; none after the process was told to end: what is left is read again."""
    left = iter(pages)
    while (batch := [_row(page) for page in islice(left, _AT_ONCE)]) and not _leaving():
        yield batch


def _leaving() -> bool:
    return background.leaving.is_set()


def _version(entry: FileEntry) -> list[int]:
    """What tells two versions of a file apart; devices are numbered anew by each mount."""
    return [entry.size, entry.mtime_ns, entry.inode, entry.ctime_ns]


def _row(page: LibraryPage) -> Row:
    facts = page.metadata
    return [
        page.path,
        *_version(page.entry),
        facts.title,
        facts.number,
        facts.number_text,
        facts.status and [facts.status.name, facts.status.text],
        facts.date,
        facts.tags,
        facts.description,
        facts.is_decision,
        [[link.kind, link.target, link.line] for link in page.links],
    ]


def _page(source: Source, root: int, entry: FileEntry, row: Row) -> LibraryPage:
    title, number, number_text, status, date, tags, description, is_decision, links = row[_SAID:]
    facts = Metadata(
        title,
        number,
        number_text,
        Status(*status) if status else None,
        date,
        tuple(tags),
        description,
        is_decision,
    )
    tied = tuple([DecisionLink(kind, target, None, line) for kind, target, line in links])
    return make_page(source, root, entry, facts, tied)
