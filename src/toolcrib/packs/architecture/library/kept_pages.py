"""The parsed pages of a folder, kept for the next start: unchanged files are not read again.

A page is reused if size, inode and both times of its file are unchanged. A page whose file changed
just before it was read is not kept: a second change within one tick of the file system's clock
would not show.

Paths, versions and numbers are stored as columns, and the content of each page as a line: a start
compares the columns, and a line is parsed when its document is needed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from toolcrib.files.content_cache import user_cache
from toolcrib.files.root import FileEntry
from toolcrib.packs.architecture.library.pages import LibraryPage, version_of
from toolcrib.packs.architecture.library.sources import Source
from toolcrib.search.kept import background

WORTH_KEEPING: Final = 500
"""Files below which reading them is as quick."""
FOLDER: Final = "architecture"
_KIND: Final = "pages"
_FORMAT: Final = 5
_WORTH_WRITING: Final = 0.1
_SETTLED_NS: Final = 2_000_000_000


class _Columns(NamedTuple):
    paths: Sequence[str]
    versions: Sequence[str]
    numbers: Sequence[str | None]
    lines: Sequence[bytes]


_EMPTY: Final = _Columns((), (), (), ())


class KeptPages:
    """The pages of one source as they were read last."""

    def __init__(self, source: Source, root: int) -> None:
        self._source = source
        self._root = root
        self._name = os.fsencode(f"{_FORMAT}\0{source.kind}\0{source.root.path}")
        self._begun = time.time_ns()

    def unchanged(self, entries: Sequence[FileEntry]) -> dict[str, LibraryPage]:
        """The pages of those files that are as they were, by path."""
        source, root, kept = self._source, self._root, self._columns()
        rows = dict(zip(kept.paths, zip(*kept[1:], strict=True), strict=True))
        found: dict[str, LibraryPage] = {}
        for entry in entries if rows else ():
            path = entry.path
            row = rows.get(path)
            if row is not None and row[0] == version_of(entry):
                found[path] = LibraryPage(source, root, entry, *row)
        return found

    def is_worth_writing(self, files: int, read: int) -> bool:
        """Whether so many of so many files had to be read that the next start gains by it."""
        return read > _WORTH_WRITING * max(files, WORTH_KEEPING)

    def keep(self, pages: Sequence[LibraryPage]) -> None:
        """Write all pages down, in the background."""
        settled = self._begun - _SETTLED_NS
        kept = [page for page in pages if page.entry.ctime_ns < settled]
        background.start(partial(self._write, kept))

    def _columns(self) -> _Columns:
        cache = user_cache(FOLDER)
        texts = cache.get(_KIND, self._name) if cache is not None else None
        try:
            paths, versions, numbers = (json.loads(text) for text in (texts or ())[:3])
            kept = _Columns(paths, versions, numbers, (texts or ())[3:])
        except (ValueError, TypeError):
            return _EMPTY
        return kept if len({*map(len, kept)}) == 1 else _EMPTY

    def _write(self, pages: list[LibraryPage]) -> None:
        cache = user_cache(FOLDER)
        if cache is not None:
            cache.put(_KIND, self._name, _texts(pages))


def _texts(pages: Sequence[LibraryPage]) -> Iterator[Any]:
    """The columns, then the rows; where the process is told to end, too few to count."""
    yield [page.path for page in pages]
    yield [page.version for page in pages]
    yield [page.number_text for page in pages]
    for page in pages:
        if background.leaving.is_set():
            return
        yield page.said.row()
