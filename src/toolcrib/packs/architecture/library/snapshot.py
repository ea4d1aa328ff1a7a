"""One consistent state of the library: every document under a uri of its own."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    if _stand_still(changed, pages, before):
        uris, directory, by_uri = before.uris, before.directory, dict(before.by_uri)
        for key in changed:
            by_uri[uris[key]] = make_record(pages[key], uris[key], directory, own)
    else:
        uris = _renamed(pages, changed, before, own)
        directory = _directory(pages, uris)
        by_uri = _records(pages, uris, directory, before, own)
    records = tuple(by_uri.values())
    return Snapshot(
        version=before.version + 1,
        pages=pages,
        uris=uris,
        directory=directory,
        by_uri=by_uri,
        by_kind={kind: tuple(r for r in records if r.kind == kind) for kind in KINDS},
        by_number=_by_number(records),
        records=records,
        replaced_by=_replaced_by(records),
        unavailable=tuple(unavailable),
        problems=tuple(problems),
        own=own,
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
    left = list(pages)
    for level in (_by_own_number, _by_stem, _by_path, _by_file):
        groups: dict[str, list[Key]] = defaultdict(list)
        for key in left:
            name = level(pages[key], own)
            if name is not None:
                groups[name].append(key)
        for keys in groups.values():
            if len(keys) == 1:
                uri = _uri(pages[keys[0]], level, own)
                if uri not in taken:
                    taken.add(uri)
                    named[keys[0]] = uri
        left = [key for key in left if key not in named]
    for root, path in left:
        page = pages[root, path]
        named[root, path] = SCHEME + quote(f"{page.kind}/{root}:{page.file}", safe=_SAFE)
    return named


def _renamed(
    pages: Mapping[Key, LibraryPage], changed: Iterable[Key], before: Snapshot, own: int | None
) -> dict[Key, str]:
    """The uris of all pages, worked out again only where a name is shared with a changed one."""
    if not before.pages:
        return name_pages(pages, own=own)
    gone = before.pages.keys() - pages.keys()
    touched = [
        page for key in {*changed, *gone} for page in (pages.get(key), before.pages.get(key))
    ]
    names = {name for page in touched if page is not None for name in _own_names(page)}
    again: set[Key] = set()
    while True:
        found = {key for key, page in pages.items() if not names.isdisjoint(_own_names(page))}
        if len(found) == len(again):
            break
        # Whoever must move over may push the next one.
        again = found
        names = {name for key in again for name in _own_names(pages[key])}
    uris = {key: uri for key, uri in before.uris.items() if key in pages and key not in again}
    uris.update(name_pages({key: pages[key] for key in again}, set(uris.values()), own))
    return uris


def _own_names(page: LibraryPage) -> tuple[str, ...]:
    """What the page could be called in a uri; the path contains the stem."""
    number = page.metadata.number_text
    return (page.stem,) if number is None else (page.stem, f"#{int(number)}")


def make_record(
    page: LibraryPage, uri: str, directory: Directory, own: int | None = None
) -> DocumentRecord:
    """The record of a page, its links tied to the documents that they mean."""
    facts = page.metadata
    links = page.links and _tied(page, uri, directory)
    return DocumentRecord(
        uri=uri,
        kind=page.kind,
        path=page.path,
        root=page.root,
        file=page.file,
        title=facts.title,
        size=page.entry.size,
        description=facts.description,
        status=facts.status.name if facts.status else _implied(links),
        status_text=facts.status.text if facts.status else None,
        date=facts.date,
        tags=facts.tags,
        adr_id=name_in(uri) if page.kind == "adr" else None,
        number=facts.number,
        links=links,
        is_decision=facts.is_decision,
        scope=page.find.scope if page.find and page.root != own else "",
    )


def _tied(page: LibraryPage, uri: str, directory: Directory) -> tuple[DecisionLink, ...]:
    links = (
        replace(link, uri=directory.resolve(link.target, page.root, page.path))
        for link in page.links
    )
    return tuple(link for link in links if link.uri != uri)


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
    directory: Directory,
    before: Snapshot,
    own: int | None,
) -> dict[str, DocumentRecord]:
    """All records sorted by uri; new ones where a page, or one that it speaks of, changed."""
    moved = _moved(pages, uris, before) if before.pages else set()
    by_uri: dict[str, DocumentRecord] = {}
    for uri, key in sorted((uri, key) for key, uri in uris.items()):
        page = pages[key]
        known = before.by_uri.get(uri)
        if (
            known is None
            or page is not before.pages.get(key)
            or not page.speaks_of.isdisjoint(moved)
        ):
            known = make_record(page, uri, directory, own)
        by_uri[uri] = known
    return by_uri


def _moved(pages: Mapping[Key, LibraryPage], uris: Mapping[Key, str], before: Snapshot) -> set[str]:
    """The names of all documents that came, went, changed or are called differently now."""
    moved: set[str] = set()
    for key in pages.keys() | before.pages.keys():
        now, then = pages.get(key), before.pages.get(key)
        if now is not then or uris.get(key) != before.uris.get(key):
            moved |= now.known_as if now else set()
            moved |= then.known_as if then else set()
    return moved


Level = Callable[[LibraryPage, int | None], str | None]


def _folder_of(page: LibraryPage, own: int | None) -> str:
    """What stands before the name of a page: its kind, and the folder if it is not our own."""
    if page.find is None or page.root == own:
        return page.kind
    return f"{page.kind}/{page.find.folder or ROOT}"


def _by_own_number(page: LibraryPage, own: int | None) -> str | None:
    number = page.metadata.number_text
    return None if number is None else f"{_folder_of(page, own)}/{int(number)}"


def _by_stem(page: LibraryPage, own: int | None) -> str | None:
    return f"{_folder_of(page, own)}/{page.stem}" if page.kind == "adr" else None


def _by_path(page: LibraryPage, own: int | None) -> str | None:
    return f"{_folder_of(page, own)}/{page.path[: -len(SUFFIX)]}"


def _by_file(page: LibraryPage, own: int | None) -> str | None:
    return f"{page.kind}/{page.file[: -len(SUFFIX)]}"


def _uri(page: LibraryPage, level: Level, own: int | None) -> str:
    name = level(page, own) or ""
    if level is _by_own_number:
        name = f"{_folder_of(page, own)}/{page.metadata.number_text}"
    return SCHEME + (name if _PLAIN.fullmatch(name) else quote(name, safe=_SAFE))


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
