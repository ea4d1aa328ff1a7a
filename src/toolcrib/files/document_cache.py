"""Parsed documents, cached until their files change."""

from __future__ import annotations

import threading
import time

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.records import record
from toolcrib.files.markdown.document import Document, parse
from toolcrib.files.root import TICK_NS, FileEntry, Root


@record
class _Kept:
    entry: FileEntry
    document: Document
    settled: bool
    """Whether the time stamp was old enough at reading that a later write must change it."""


class DocumentCache:
    """The documents of a root; a file is read again only after a change.

    Safe to use from several threads; two that ask for one new document may both read it.
    """

    def __init__(self, root: Root) -> None:
        self.root = root
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def get(self, path: str) -> Document:
        """Return the current document; raises what `Root.read` and `parse` raise."""
        kept = self._kept.get(path)
        if kept is not None and kept.settled and kept.entry == self.root.stat(path):
            return kept.document
        try:
            blob = self.root.read(path)
            document = parse(blob.entry.path, blob.data)
        except (FileRefused, FileUnreadable):
            self.forget(path)
            raise
        settled = time.time_ns() - blob.entry.mtime_ns > TICK_NS
        with self._lock:
            self._kept[path] = _Kept(blob.entry, document, settled)
        return document

    def forget(self, path: str) -> None:
        """Drop one document."""
        with self._lock:
            self._kept.pop(path, None)
