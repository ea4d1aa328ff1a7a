"""One consistent state of the library: every document with its own URI."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from toolcrib.packs.architecture.library.by_uri import RecordsByUri
from toolcrib.packs.architecture.library.names import name_all, name_pages
from toolcrib.packs.architecture.library.pages import Key, LibraryPage
from toolcrib.packs.architecture.library.records import KINDS, DocumentRecord, Kind
from toolcrib.packs.architecture.library.sources import SUFFIX
from toolcrib.packs.architecture.reading.links import Address, Directory


@dataclass(frozen=True)
class Snapshot:
    """The records of one moment, sorted by uri, and the ways to find them."""

    version: int = 0
    pages: Mapping[Key, LibraryPage] = field(default_factory=dict)
    uris: Mapping[Key, str] = field(default_factory=dict)
    directory: Directory = field(default_factory=lambda: Directory(list))
    by_uri: RecordsByUri = field(default_factory=lambda: RecordsByUri({}, {}, Directory(list)))
    unavailable: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    own: int | None = None
    """The root of the found folder that counts as the project's own, if it has no other."""
    named: Mapping[str, tuple[Key, ...]] | None = None
    """The pages by what they could be called in a uri; from the first change on."""

    @cached_property
    def records(self) -> tuple[DocumentRecord, ...]:
        """All of them."""
        return tuple(self.by_uri.values())

    @cached_property
    def by_kind(self) -> Mapping[Kind, tuple[DocumentRecord, ...]]:
        """Those of each kind."""
        return _by_kind(self.records)

    @cached_property
    def by_number(self) -> Mapping[int, tuple[DocumentRecord, ...]]:
        """The project's own decisions of each number."""
        return _by_number(self.records)

    @cached_property
    def replaced_by(self) -> Mapping[str, tuple[str, ...]]:
        """By uri, the decisions that took the place of one."""
        return _replaced_by(self.records)


def take_snapshot(
    pages: Mapping[Key, LibraryPage],
    before: Snapshot,
    *,
    unavailable: Sequence[str] = (),
    problems: Sequence[tuple[str, str]] = (),
) -> Snapshot:
    """Give each page its uri and tie the links; what did not change is taken from `before`."""
    changed = {key for key, page in pages.items() if page is not before.pages.get(key)}
    own = _own_root(pages)
    if own != before.own:
        before = Snapshot(before.version)  # every name may be another one
    named = before.named if before.pages else None
    uris: Mapping[Key, str]
    if not before.pages:
        uris = name_all(pages, own)
        directory = _directory(pages, uris)
        by_uri = RecordsByUri(pages, _ordered(uris), directory, own)
    elif _stand_still(changed, pages, before):
        uris, directory = before.uris, before.directory
        made = before.by_uri.made(uris[key] for key in changed)
        by_uri = RecordsByUri(pages, before.by_uri.places, directory, own, made)
    else:
        changed |= before.pages.keys() - pages.keys()
        named, again = _named_anew(pages, changed, before)
        uris = _renamed(pages, changed, again, before, own)
        directory = _directory(pages, uris)
        made = before.by_uri.made(_stale(pages, uris, changed | again, before))
        by_uri = RecordsByUri(pages, _ordered(uris), directory, own, made)
    return Snapshot(
        version=before.version + 1,
        pages=pages,
        uris=uris,
        directory=directory,
        by_uri=by_uri,
        unavailable=tuple(unavailable),
        problems=tuple(problems),
        own=own,
        named=named,
    )


def _ordered(uris: Mapping[Key, str]) -> dict[str, Key]:
    """The places by uri, in the order of the uris."""
    places = dict(zip(uris.values(), uris, strict=True))
    return {uri: places[uri] for uri in sorted(places)}


def _own_root(pages: Mapping[Key, LibraryPage]) -> int | None:
    """Where no folder was named for decisions: the found one with the most, nearest to the root."""
    counted: Counter[tuple[int, str]] = Counter()
    for (root, _), page in pages.items():
        if page.kind == "adr" and page.find is None:
            return None
        if page.find is not None and page.metadata.is_decision:
            counted[root, page.find.folder] += 1
    best = max(
        counted, key=lambda each: (counted[each], -each[1].count("/"), not each[1]), default=None
    )
    return None if best is None else best[0]


def _named_anew(
    pages: Mapping[Key, LibraryPage], changed: Iterable[Key], before: Snapshot
) -> tuple[dict[str, tuple[Key, ...]], set[Key]]:
    """The pages by their names, and those that share a name with one that changed.

    Whoever must move over may push the next one: theirs count as well.
    """
    named = dict(_by_name(before.pages) if before.named is None else before.named)
    names: set[str] = set()
    for key in changed:
        then, now = before.pages.get(key), pages.get(key)
        for name in _own_names(key, then) if then is not None else ():
            named[name] = tuple(each for each in named[name] if each != key)
            names.add(name)
        for name in _own_names(key, now) if now is not None else ():
            named[name] = (*named.get(name, ()), key)
            names.add(name)
    again: set[Key] = set()
    pending = list(names)
    while pending:
        for key in named.get(pending.pop(), ()):
            if key in again:
                continue
            again.add(key)
            more = {*_own_names(key, pages[key])} - names
            names |= more
            pending += more
    return named, again


def _by_name(pages: Mapping[Key, LibraryPage]) -> dict[str, tuple[Key, ...]]:
    found: dict[str, tuple[Key, ...]] = {}
    for key, page in pages.items():
        for name in _own_names(key, page):
            found[name] = (*found[name], key) if name in found else (key,)
    return found


def _renamed(
    pages: Mapping[Key, LibraryPage],
    changed: Iterable[Key],
    again: Collection[Key],
    before: Snapshot,
    own: int | None,
) -> dict[Key, str]:
    """The uris of all pages; those of `again` are worked out again, the others stay."""
    uris = dict(before.uris)
    for key in {*changed, *again}:
        uris.pop(key, None)
    uris.update(name_pages({key: pages[key] for key in again}, set(uris.values()), own))
    return uris


def _own_names(key: Key, page: LibraryPage) -> tuple[str, ...]:
    """What the page at a place could be called in a uri; the path contains the stem."""
    stem = key[1].rpartition("/")[2][: -len(SUFFIX)]
    number = page.number_text
    return (stem,) if number is None else (stem, f"#{int(number)}")


def _stand_still(
    changed: Iterable[Key], pages: Mapping[Key, LibraryPage], before: Snapshot
) -> bool:
    """Whether the same files are there under the same numbers: then every uri stays."""
    return len(pages) == len(before.pages) and all(
        (known := before.pages.get(key)) is not None
        and known.number_text == pages[key].number_text
        and known.known_as == pages[key].known_as
        for key in changed
    )


def _directory(pages: Mapping[Key, LibraryPage], uris: Mapping[Key, str]) -> Directory:
    return Directory(
        lambda: [
            Address(uris[key], page.root, page.path, page.metadata.number)
            for key, page in pages.items()
            if page.kind == "adr"
        ]
    )


def _stale(
    pages: Mapping[Key, LibraryPage],
    uris: Mapping[Key, str],
    touched: Collection[Key],
    before: Snapshot,
) -> Iterator[str]:
    """The uris of records that are to be made anew: a page, or one that it speaks of, changed.

    `touched` are the places of all pages that came, went, changed or may have another uri.
    """
    different = {
        key
        for key in touched
        if pages.get(key) is not before.pages.get(key) or uris.get(key) != before.uris.get(key)
    }
    moved: set[str] = set()
    for key in different:
        for page in (pages.get(key), before.pages.get(key)):
            moved |= page.known_as if page is not None else set()
    linked = {
        key for key, page in pages.items() if page.links and not page.speaks_of.isdisjoint(moved)
    }
    for key in different | linked:
        yield from (known[key] for known in (before.uris, uris) if key in known)


def _by_kind(records: Iterable[DocumentRecord]) -> dict[Kind, tuple[DocumentRecord, ...]]:
    found: dict[Kind, list[DocumentRecord]] = {kind: [] for kind in KINDS}
    for record in records:
        found[record.kind].append(record)
    return {kind: tuple(group) for kind, group in found.items()}


def _by_number(records: Iterable[DocumentRecord]) -> dict[int, tuple[DocumentRecord, ...]]:
    found: dict[int, list[DocumentRecord]] = defaultdict(list)
    for record in records:
        if record.number is not None and record.is_decision and not record.scope:
            found[record.number].append(record)
    return {number: tuple(group) for number, group in found.items()}


def _replaced_by(records: Sequence[DocumentRecord]) -> dict[str, tuple[str, ...]]:
    """By uri, the decisions that superseded it, as stated by either side."""
    own: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for record in records:
        for link in record.links:
            if link.uri is None:
                continue
            if link.kind in ("superseded_by", "deprecated_by"):
                own[record.uri].append(link.uri)
            elif link.kind in ("supersedes", "deprecates") and record.status in (
                None,
                "accepted",
                "superseded",
                "deprecated",
            ):
                others[link.uri].append(record.uri)
    return {uri: tuple(dict.fromkeys(own[uri] or others[uri])) for uri in {*own, *others}}
