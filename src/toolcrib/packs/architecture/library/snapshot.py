"""One consistent state of the library: every document under a uri of its own."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from urllib.parse import quote

from toolcrib.packs.architecture.library.pages import LibraryPage
from toolcrib.packs.architecture.library.records import (
    KINDS,
    SCHEME,
    DecisionLink,
    DocumentRecord,
    Kind,
    name_in,
)
from toolcrib.packs.architecture.library.sources import SUFFIX
from toolcrib.packs.architecture.reading.links import Address, Directory

Key = tuple[int, str]
"""Where a page stands: the number of its root, and its path there."""

ROOT = "root"
"""How a uri names the root of the project, where it is a folder of decisions among others."""

_SAFE = "/-._~!$&'()*+,;=:@"
_PLAIN = re.compile(r"[A-Za-z0-9/_.-]+")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The records of one moment, sorted by uri, and the ways to find them."""

    version: int = 0
    pages: Mapping[Key, LibraryPage] = field(default_factory=dict)
    uris: Mapping[Key, str] = field(default_factory=dict)
    directory: Directory = field(default_factory=lambda: Directory(list))
    by_uri: Mapping[str, DocumentRecord] = field(default_factory=dict)
    by_kind: Mapping[Kind, tuple[DocumentRecord, ...]] = field(default_factory=dict)
    by_number: Mapping[int, tuple[DocumentRecord, ...]] = field(default_factory=dict)
    records: tuple[DocumentRecord, ...] = ()
    replaced_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unavailable: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    own: int | None = None
    """The root of the found folder that counts as the project's own, if it has no other."""
    named: Mapping[str, tuple[Key, ...]] | None = None
    """The pages by what they could be called in a uri; from the first change on."""


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
        uris = name_pages(pages, own=own)
        directory = _directory(pages, uris)
        ordered = sorted(uris.items(), key=itemgetter(1))
        by_uri = {uri: make_record(pages[key], uri, directory, own) for key, uri in ordered}
    elif _stand_still(changed, pages, before):
        uris, directory, by_uri = before.uris, before.directory, dict(before.by_uri)
        for key in changed:
            by_uri[uris[key]] = make_record(pages[key], uris[key], directory, own)
    else:
        changed |= before.pages.keys() - pages.keys()
        named, again = _named_anew(pages, changed, before)
        uris = _renamed(pages, changed, again, before, own)
        directory = _directory(pages, uris)
        by_uri = _records(pages, uris, changed | again, directory, before, own)
    records = tuple(by_uri.values())
    return Snapshot(
        version=before.version + 1,
        pages=pages,
        uris=uris,
        directory=directory,
        by_uri=by_uri,
        by_kind=_by_kind(records),
        by_number=_by_number(records),
        records=records,
        replaced_by=_replaced_by(records),
        unavailable=tuple(unavailable),
        problems=tuple(problems),
        own=own,
        named=named,
    )


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


def name_pages(
    pages: Mapping[Key, LibraryPage], taken: Iterable[str] = (), own: int | None = None
) -> dict[Key, str]:
    """A uri for each page: the shortest of its names that no other page has.

    Where two decisions have one number, both are known by their file's name; where two files
    have one name, by their path; where two roots have one path, by the path in the project. What
    is not the project's own has its folder before its name.
    """
    named: dict[Key, str] = {}
    taken = set(taken)
    left = list(pages.items())
    folders = _Folders(pages, own)
    for level in (_by_own_number, _by_stem, _by_path, _by_file):
        alone: dict[str, tuple[Key, LibraryPage] | None] = {}
        for pair in left:
            page = pair[1]
            name = level(page, folders[page.root])
            if name is not None:
                alone[name] = None if name in alone else pair
        for name, only in alone.items():
            if only is None:
                continue
            key, page = only
            called = name
            if level is _by_own_number:  # as the number is written
                called = f"{folders[page.root]}/{page.metadata.number_text}"
            uri = SCHEME + (called if _PLAIN.fullmatch(called) else quote(called, safe=_SAFE))
            if uri not in taken:
                taken.add(uri)
                named[key] = uri
        left = [pair for pair in left if pair[0] not in named]
    for (root, path), page in left:
        named[root, path] = SCHEME + quote(f"{page.kind}/{root}:{page.file}", safe=_SAFE)
    return named


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
    number = page.metadata.number_text
    return (stem,) if number is None else (stem, f"#{int(number)}")


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


def _stand_still(
    changed: Iterable[Key], pages: Mapping[Key, LibraryPage], before: Snapshot
) -> bool:
    """Whether the same files are there under the same numbers: then every uri stays."""
    return len(pages) == len(before.pages) and all(
        key in before.pages and before.pages[key].known_as == pages[key].known_as for key in changed
    )


def _directory(pages: Mapping[Key, LibraryPage], uris: Mapping[Key, str]) -> Directory:
    return Directory(
        lambda: [
            Address(uris[key], page.root, page.path, page.metadata.number)
            for key, page in pages.items()
            if page.kind == "adr"
        ]
    )


def _records(
    pages: Mapping[Key, LibraryPage],
    uris: Mapping[Key, str],
    touched: Collection[Key],
    directory: Directory,
    before: Snapshot,
    own: int | None,
) -> dict[str, DocumentRecord]:
    """All records sorted by uri; new ones where a page, or one that it speaks of, changed.

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
    found = dict(before.by_uri)
    for key in different & before.uris.keys():
        del found[before.uris[key]]
    linked = {
        key for key, page in pages.items() if page.links and not page.speaks_of.isdisjoint(moved)
    }
    for key in linked | (different & pages.keys()):
        found[uris[key]] = make_record(pages[key], uris[key], directory, own)
    return {uri: found[uri] for uri in sorted(found)}


class _Folders(dict[int, str]):
    """What stands before the names of a root's pages: their kind, and a folder not our own."""

    def __init__(self, pages: Mapping[Key, LibraryPage], own: int | None) -> None:
        super().__init__()
        self._pages = pages
        self._own = own

    def __missing__(self, root: int) -> str:
        page = next(page for page in self._pages.values() if page.root == root)
        folder: str = page.kind
        if page.find is not None and root != self._own:
            folder = f"{page.kind}/{page.find.folder or ROOT}"
        self[root] = folder
        return folder


def _by_own_number(page: LibraryPage, folder: str) -> str | None:
    number = page.metadata.number_text
    return None if number is None else f"{folder}/{int(number)}"


def _by_stem(page: LibraryPage, folder: str) -> str | None:
    return f"{folder}/{page.stem}" if page.kind == "adr" else None


def _by_path(page: LibraryPage, folder: str) -> str | None:
    return f"{folder}/{page.entry.path[: -len(SUFFIX)]}"


def _by_file(page: LibraryPage, folder: str) -> str | None:
    return f"{page.kind}/{page.file[: -len(SUFFIX)]}"


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
