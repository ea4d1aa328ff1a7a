"""`Library`: the guidelines, patterns and decisions of a repository, read once, kept current."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from toolcrib.core.errors import FileRefused, FileUnreadable, InvalidParams, ResourceNotFound
from toolcrib.core.support.gc_pause import lasting, no_collections, passing
from toolcrib.core.support.suggest import nearest
from toolcrib.packs.architecture.library.finds import finder_of
from toolcrib.packs.architecture.library.records import (
    KINDS,
    SCHEME,
    DecisionLink,
    DocumentRecord,
    Kind,
    LinkKind,
)
from toolcrib.packs.architecture.library.sources import SUFFIX, find_sources, found_sources
from toolcrib.packs.architecture.settings import ArchitectureSettings

if TYPE_CHECKING:
    from toolcrib.files.document_cache import DocumentCache
    from toolcrib.files.markdown.document import Document
    from toolcrib.packs.architecture.alignment.decisions import DecisionBook
    from toolcrib.packs.architecture.library.inventory import Inventory
    from toolcrib.packs.architecture.library.pages import Key
    from toolcrib.packs.architecture.library.snapshot import Snapshot
    from toolcrib.search.index import Index, IndexItem

__all__ = ["KINDS", "DecisionLink", "DocumentRecord", "Kind", "Library", "LinkKind", "Updates"]

_SHORT_ID = r"(?i)(?:adr|madr|rfc|decision)?[-_ #]*(\d{1,5})"
# Above this, a fresh index is built beside the old one instead of changing it in place.
_BURST = 100
_MOST_CACHED = 512


class Updates(NamedTuple):
    """What a refresh found: new, removed and changed documents, and whether the list changed."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    listing: bool = False


class Library:
    """The documents of a project. Nothing is read before the first question.

    Safe to use from several threads; each answer comes from one consistent state, and a refresh
    never keeps a reader waiting.
    """

    def __init__(self, project: Path, settings: ArchitectureSettings | None = None) -> None:
        self.project = project
        self.settings = settings or ArchitectureSettings()
        self.sources = find_sources(project, self.settings)
        self._lost: frozenset[int] = frozenset()
        if self.settings.detect:
            self.sources += found_sources(project, self.sources, finder_of(project).known())
        self._flat: dict[Path, int] = {}
        self._cached: dict[Key, None] = {}
        self._snapshot: Snapshot | None = None
        self._index: Index | None = None
        self._writing = threading.RLock()
        self._read_for_index = self._to_index = 0
        self.searched = 0
        """Counts up when a change is worked in, the index included: a key for answers."""

    @cached_property
    def _caches(self) -> list[DocumentCache]:
        from toolcrib.files.document_cache import DocumentCache

        return [DocumentCache(source.root) for source in self.sources]

    @cached_property
    def decisions(self) -> DecisionBook:
        """The decisions, to be compared with proposals."""
        from toolcrib.packs.architecture.alignment.decisions import DecisionBook

        return DecisionBook(self)

    @property
    def loaded(self) -> bool:
        """Whether the documents have been read."""
        return self._snapshot is not None

    @property
    def snapshot(self) -> Snapshot:
        """The current state; the first question reads the documents."""
        snapshot = self._snapshot
        return snapshot if snapshot is not None else self._load(with_index=False)

    @property
    def version(self) -> int:
        """Counts up whenever a document was added, changed or removed: a key for caches."""
        return self.snapshot.version

    def records(self, kind: Kind | None = None) -> Sequence[DocumentRecord]:
        """All records, or those of one kind, sorted by uri."""
        snapshot = self.snapshot
        return snapshot.records if kind is None else snapshot.by_kind.get(kind, ())

    def get(self, uri: str) -> DocumentRecord | None:
        """The record with exactly that uri."""
        return self.snapshot.by_uri.get(uri)

    def find(self, uri: str) -> DocumentRecord:
        """The record that `uri` means: `.md`, short ids and escapes are understood.

        Raises `ResourceNotFound` with the nearest ones, and `InvalidParams` with the candidates
        when a short id means more than one.
        """
        snapshot = self.snapshot
        known = snapshot.by_uri.get(uri)
        if known is not None:
            return known
        kind, _, name = uri.removeprefix(SCHEME).partition("/")
        if not uri.startswith(SCHEME) or kind not in KINDS or not name:
            raise self._unknown(uri, name or kind)
        return self._chosen(self._meant(snapshot, kind, name), uri, name)

    def resolve_adr(self, short_id: str) -> DocumentRecord:
        """The decision that `3`, `0003`, `ADR-3` or `0003-use-postgres` means, as in `find`."""
        return self.find(f"{SCHEME}adr/{short_id.strip()}")

    def successor(self, record: DocumentRecord) -> DocumentRecord | None:
        """The decision in force that took the place of `record`, through any number of steps."""
        snapshot = self.snapshot
        current, seen = record, {record.uri}
        while True:
            following = _next(snapshot, current)
            if following is None or following.uri in seen:
                return None if current is record else current
            seen.add(following.uri)
            current = following

    def document(self, record: DocumentRecord) -> Document:
        """The parsed document; raises `FileRefused` when it is gone."""
        key = (record.root, record.path)
        document = self._caches[record.root].get(record.path)
        self._cached.pop(key, None)
        self._cached[key] = None
        if len(self._cached) > _MOST_CACHED:
            self._trim()
        return document

    def text(self, record: DocumentRecord) -> str:
        """The document's text as it is served."""
        return self.document(record).text

    def index(self) -> Index:
        """The search index over all records: key is the uri, facet `kind` the kind."""
        index = self._index
        if index is None:
            with self._writing:
                if self._snapshot is None:
                    self._load(with_index=True)
                if self._index is None:
                    with no_collections():
                        self._index = self._indexed(self.snapshot, {})
                index = self._index
        return index

    @property
    def progress(self) -> int:
        """How much of the search index is built, in percent; 100 when it is there."""
        if self._index is not None:
            return 100
        total = self._to_index
        return min(99, 100 * self._read_for_index // total) if total else 0

    def refresh(self, changed: Sequence[Path] = ()) -> Updates:
        """Take note of changed paths, or look at everything when none is named."""
        with self._writing, no_collections():
            before = self._snapshot
            if before is None:
                self._load(with_index=False)
                return Updates()
            from toolcrib.packs.architecture.library.inventory import Inventory

            inventory = Inventory.of(before, self.sources)
            inventory.lost = self._lost
            inventory.update(changed)
            if not inventory.differs(before):
                return Updates()
            after = self._snapshot = _snapshot_of(inventory, before)
            for root, path in before.pages.keys() - after.pages.keys():
                self._caches[root].forget(path)
            updates = _compare(before, after, inventory.read)
            self._update_index(after, updates, inventory.read)
            self.searched += 1
            return updates

    def look_around(self, *, now: bool = False) -> Updates:
        """Look for folders of decisions that nobody named; `now` even if that was just done."""
        if not self.settings.detect:
            return Updates()
        finds = finder_of(self.project).look(now=now)
        with self._writing:
            known = set(finds)
            lost = frozenset(
                number
                for number, source in enumerate(self.sources)
                if source.find is not None and source.find not in known
            )
            # A folder that was let go may come back as another find, with its sub-folders.
            held = [source for n, source in enumerate(self.sources) if n not in lost]
            new = found_sources(self.project, held, finds)
            if not new and lost == self._lost:
                return self._look_at_flat()
            from toolcrib.files.document_cache import DocumentCache

            # Numbers stay as they are: whoever holds a record finds its folder by its number.
            self._caches.extend(DocumentCache(source.root) for source in new)
            self.sources += new
            self._lost = lost
            return self.refresh() if self.loaded else Updates()

    def watched(self) -> list[Path]:
        """What to watch: the folders of documents; of a flat one the documents themselves.

        All that lies below a flat one may be the whole repository.
        """
        flat = {number for number, source in enumerate(self.sources) if source.flat}
        folders = [s.root.path for n, s in enumerate(self.sources) if n not in flat]
        pages = self._snapshot.pages if self._snapshot is not None else {}
        return folders + [self.sources[n].root.path / path for n, path in pages if n in flat]

    def _look_at_flat(self) -> Updates:
        """Look at the flat folders in which something came or went."""
        before, self._flat = self._flat, {}
        for source in self.sources:
            if source.flat:
                with suppress(OSError):
                    self._flat[source.root.path] = source.root.path.stat().st_mtime_ns
        changed = [path for path, at in self._flat.items() if before.get(path, at) != at]
        return self.refresh(changed) if changed and self.loaded else Updates()

    def close(self) -> None:
        """Close the folders; the next use opens them again."""
        for source in self.sources:
            source.root.close()
        if self.loaded:
            passing()

    def _load(self, *, with_index: bool) -> Snapshot:
        with self._writing, lasting():
            if self._snapshot is None:
                # Reading takes many regular expressions: a start without a question has none.
                from toolcrib.packs.architecture.library.inventory import Inventory
                from toolcrib.packs.architecture.library.snapshot import Snapshot

                inventory = Inventory(
                    self.sources, keep_read=with_index, takes_over=True, lost=self._lost
                )
                inventory.update()
                snapshot = _snapshot_of(inventory, Snapshot())
                if with_index:
                    self._index = self._indexed(snapshot, inventory.read)
                self._snapshot = snapshot
            return self._snapshot

    def _indexed(self, snapshot: Snapshot, read: dict[Key, Document]) -> Index:
        """An index over all records; of what was kept on disk, only what changed is read again."""
        # Only those who search need them.
        from toolcrib.packs.architecture.library.search import new_index
        from toolcrib.search.kept.keeping import kept_index

        pages, by_uri = snapshot.pages, snapshot.by_uri
        self._read_for_index, self._to_index = 0, len(by_uri)
        wanted = {f"{uri} {pages[key].version}": uri for uri, key in by_uri.places.items()}
        new = partial(new_index, len(by_uri))
        place = str(self.project.absolute())

        def items(uri: str) -> Iterator[IndexItem]:
            return self._items((by_uri[uri],), read)

        return kept_index(new, "architecture", place, wanted, items)

    def _fill(
        self, index: Index, records: Iterable[DocumentRecord], read: dict[Key, Document]
    ) -> None:
        index.add_all(self._items(records, read))

    def _items(
        self, records: Iterable[DocumentRecord], read: dict[Key, Document]
    ) -> Iterator[IndexItem]:
        from toolcrib.files.markdown.document import parse
        from toolcrib.packs.architecture.library.search import item_of

        for record in records:
            self._read_for_index += 1
            key = (record.root, record.path)
            document = read.pop(key, None)  # of many, the texts would be most of the memory
            if document is None:
                try:
                    blob = self.sources[record.root].root.read(record.path)
                    document = parse(record.path, blob.data)
                except (FileRefused, FileUnreadable):
                    continue  # gone since it was listed: the next refresh knows
            yield item_of(record, document.body)

    def _update_index(self, after: Snapshot, updates: Updates, read: dict[Key, Document]) -> None:
        index = self._index
        if index is None:
            return
        fresh = [after.by_uri[uri] for uri in (*updates.added, *updates.updated)]
        if len(fresh) + len(updates.removed) > _BURST:
            self._index = self._indexed(after, read)
            return
        for uri in updates.removed:
            index.remove(uri)
        self._fill(index, fresh, read)

    def _trim(self) -> None:
        while len(self._cached) > _MOST_CACHED // 2:
            key = next(iter(self._cached), None)
            if key is None:
                return
            self._cached.pop(key, None)
            self._caches[key[0]].forget(key[1])

    def _meant(self, snapshot: Snapshot, kind: str, name: str) -> list[DocumentRecord]:
        wanted = unquote(name).removesuffix(SUFFIX).strip("/")
        exact = snapshot.by_uri.get(f"{SCHEME}{kind}/{wanted}")
        if exact is not None:
            return [exact]
        folded = wanted.casefold()
        among = [record for record in snapshot.records if record.kind == kind]
        found = [r for r in among if r.name.casefold() == folded]
        own = [r for r in among if not r.scope]
        called = found or _called(own, kind, folded) or _called(among, kind, folded)
        return called or self._called_below(among, kind, folded)

    def _called_below(
        self, among: Sequence[DocumentRecord], kind: str, name: str
    ) -> list[DocumentRecord]:
        """The records that a name below a folder of records means; the longest folder first."""
        from toolcrib.packs.architecture.library.names import ROOT

        folders = [
            ((ROOT if source.folder == "." else source.folder).casefold(), number)
            for number, source in enumerate(self.sources)
            if source.kind == kind
        ]
        for folder, number in sorted(folders, key=lambda each: -len(each[0])):
            if name.startswith(f"{folder}/"):
                inside = [record for record in among if record.root == number]
                if found := _called(inside, kind, name[len(folder) + 1 :]):
                    return found
        return []

    def _chosen(self, found: list[DocumentRecord], uri: str, name: str) -> DocumentRecord:
        if len(found) == 1:
            return found[0]
        if not found:
            raise self._unknown(uri, name)
        candidates = [record.uri for record in found]
        raise InvalidParams(
            f"Ambiguous: {uri} means {len(found)} documents: {', '.join(candidates[:20])}",
            data={"uri": uri, "candidates": candidates},
            next="Use one of these uris.",
        )

    def _unknown(self, uri: str, name: str) -> ResourceNotFound:
        """Likeness is a matter of names: the scheme is the same in all of them."""
        names: dict[str, list[str]] = {}
        for record in self.snapshot.records:
            names.setdefault(record.name, []).append(record.uri)
        near = nearest(unquote(name).removesuffix(SUFFIX), names)
        return ResourceNotFound(uri, [each for found in near for each in names[found]])


def _called(among: Sequence[DocumentRecord], kind: str, name: str) -> list[DocumentRecord]:
    """The records that a path, a file's name or a short id means, in that order."""
    found = [r for r in among if r.path[: -len(SUFFIX)].casefold() == name]
    if not found and kind == "adr":
        found = [r for r in among if r.stem.casefold() == name]
        short = re.fullmatch(_SHORT_ID, name)
        if not found and short:
            number = int(short[1])
            found = [r for r in among if r.number == number and r.is_decision]
    return found


def _snapshot_of(inventory: Inventory, before: Snapshot) -> Snapshot:
    from toolcrib.packs.architecture.library.snapshot import take_snapshot

    return take_snapshot(
        inventory.pages,
        before,
        unavailable=sorted(inventory.away),
        problems=sorted(inventory.problems.items()),
    )


def _compare(before: Snapshot, after: Snapshot, read: dict[Key, Document]) -> Updates:
    added = tuple(uri for uri in after.by_uri if uri not in before.by_uri)
    removed = tuple(uri for uri in before.by_uri if uri not in after.by_uri)
    updated = tuple(
        sorted(uri for key in read if (uri := after.uris.get(key)) in before.by_uri and uri)
    )
    listing = bool(added or removed) or any(
        _listed(before.by_uri[uri]) != _listed(after.by_uri[uri]) for uri in updated
    )
    return Updates(added, removed, updated, listing)


def _listed(record: DocumentRecord) -> tuple[str | None, ...]:
    """What a listing shows, but for the size: that changes with every edit."""
    return record.title, record.description, record.status, record.date


def _next(snapshot: Snapshot, record: DocumentRecord) -> DocumentRecord | None:
    """The decision that replaced `record`, one step on; the newest where there are several."""
    partly = record.status == "accepted" and any(
        link.kind in ("superseded_by", "deprecated_by") for link in record.links
    )
    if partly:
        return None
    found = [snapshot.by_uri[uri] for uri in snapshot.replaced_by.get(record.uri, ())]
    return max(
        found,
        key=lambda each: (each.status == "accepted", each.number or 0, each.date or "", each.uri),
        default=None,
    )
