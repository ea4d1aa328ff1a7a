"""Scanning the folders: which documents are there, new, changed or unreadable."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.markdown.document import Document, parse
from toolcrib.files.root import Blob, FileEntry, RootUnavailable
from toolcrib.packs.architecture.library.kept_pages import WORTH_KEEPING, KeptPages
from toolcrib.packs.architecture.library.pages import Key, LibraryPage, make_pages, version_of
from toolcrib.packs.architecture.library.snapshot import Snapshot
from toolcrib.packs.architecture.library.sources import SUFFIX, Source

logger = logging.getLogger(__name__)

_BATCH = 64


@dataclass(slots=True)
class Inventory:
    """The pages of all sources, to be brought up to date.

    `read` holds the documents that were read on the way, `problems` what is wrong with a file,
    `away` the folders that cannot be seen now: what was read from them stays as it was. `lost` are
    the numbers of folders that were found once and hold no decisions any more. With `takes_over`,
    files that are as an earlier process read them are not read again.
    """

    sources: Sequence[Source]
    pages: dict[Key, LibraryPage] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    read: dict[Key, Document] = field(default_factory=dict)
    keep_read: bool = True
    takes_over: bool = False
    lost: frozenset[int] = frozenset()

    @classmethod
    def of(cls, snapshot: Snapshot, sources: Sequence[Source]) -> Inventory:
        """Begin with what a snapshot knows."""
        return cls(
            sources,
            dict(snapshot.pages),
            dict(snapshot.problems),
            set(snapshot.unavailable),
        )

    def update(self, changed: Sequence[Path] = ()) -> None:
        """Look at the changed paths, or at everything when none is named."""
        names = [path.as_posix() for path in changed]
        held = {root for root, _ in self.pages}
        for number, source in enumerate(self.sources):
            if number in self.lost:
                self._forget(number, source)
                continue
            # A folder that was away is looked at whole: changes meanwhile were not reported.
            whole = not changed or source.folder in self.away
            paths = None if whole else _concerned(source, names)
            if paths == []:
                continue
            try:
                self._look(number, source, paths)
                self.away.discard(source.folder)
            except RootUnavailable as error:
                if source.find is not None:
                    self._forget(number, source)  # nobody asked for it: it is simply gone
                elif source.folder not in self.away and number in held:
                    logger.warning(
                        "The folder %s is unavailable; the last index is kept (%s)",
                        source.folder,
                        error.why,
                    )
                    self.away.add(source.folder)

    def differs(self, snapshot: Snapshot) -> bool:
        """Whether anything is not as the snapshot has it."""
        return (
            len(self.pages) != len(snapshot.pages)
            or self.away != set(snapshot.unavailable)
            or self.problems != dict(snapshot.problems)
            or any(self.pages.get(key) is not page for key, page in snapshot.pages.items())
        )

    def _forget(self, number: int, source: Source) -> None:
        for key in [key for key in self.pages if key[0] == number]:
            self._drop(key, source)

    def _look(self, number: int, source: Source, paths: list[str] | None) -> None:
        kept: KeptPages | None = None
        entries: Sequence[FileEntry] = ()
        if paths is None:
            entries = source.entries()
            if self.takes_over and len(entries) >= WORTH_KEEPING:
                kept = KeptPages(source, number)
                known = kept.unchanged(entries)
                self.pages |= {(number, path): page for path, page in known.items()}
                paths = [entry.path for entry in entries if entry.path not in known]
            else:
                paths = self._new_in(number, source, entries)
        elif not source.root.available():
            raise RootUnavailable(f"The folder {source.folder} is unavailable")
        for start in range(0, len(paths), _BATCH):
            self._take(number, source, paths[start : start + _BATCH])
        if kept is not None and kept.is_worth_writing(len(entries), len(paths)):
            kept.keep([page for (root, _), page in self.pages.items() if root == number])

    def _new_in(self, number: int, source: Source, entries: Sequence[FileEntry]) -> list[str]:
        """The files that are new or changed; those that are gone are dropped."""
        present = {entry.path for entry in entries}
        for root, path in [key for key in self.pages if key[0] == number]:
            if path not in present:
                self._drop((root, path), source)
        return [
            entry.path
            for entry in entries
            if (known := self.pages.get((number, entry.path))) is None
            or known.version != version_of(entry)
        ]

    def _take(self, number: int, source: Source, paths: Sequence[str]) -> None:
        blobs = [blob for path in paths if (blob := self._read(number, source, path))]
        parsed = [(blob.entry, self._parsed(number, source, blob)) for blob in blobs]
        documents = [(entry, document) for entry, document in parsed if document]
        for page, document in make_pages(source, number, documents):
            key = (number, page.path)
            self.pages[key] = page
            self.problems.pop(page.file, None)
            if self.keep_read:
                self.read[key] = document

    def _read(self, number: int, source: Source, path: str) -> Blob | None:
        try:
            return source.root.read(path)
        except FileRefused:
            self._drop((number, path), source)
        except RootUnavailable:
            raise
        except FileUnreadable as error:
            self._leave_out(number, source, path, error)
        return None

    def _parsed(self, number: int, source: Source, blob: Blob) -> Document | None:
        try:
            return parse(blob.entry.path, blob.data)
        except FileUnreadable as error:
            self._leave_out(number, source, blob.entry.path, error)
        return None

    def _leave_out(self, number: int, source: Source, path: str, error: FileUnreadable) -> None:
        file = source.file(path)
        before = self.problems.get(file)
        self._drop((number, path), source)
        if before != str(error):
            logger.warning("Left out: %s", error)
        self.problems[file] = str(error)

    def _drop(self, key: Key, source: Source) -> None:
        self.pages.pop(key, None)
        self.problems.pop(source.file(key[1]), None)


def _concerned(source: Source, changed: Sequence[str]) -> list[str] | None:
    """The changed documents below a source; None when the whole folder must be looked at."""
    here = f"{source.root.path.as_posix()}/"
    paths: list[str] = []
    for path in changed:
        if path.startswith(here):
            relative = path[len(here) :]
            if source.flat and "/" in relative:
                continue
            if not relative.lower().endswith(SUFFIX):
                return None
            if "/." not in f"/{relative}" and source.takes(relative):
                paths.append(relative)
        elif here.startswith(f"{path}/"):
            return None
    return paths
