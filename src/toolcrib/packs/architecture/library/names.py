"""The uris of pages: the shortest name of each that no other page has."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from toolcrib.core.support.digests import short_digest
from toolcrib.files.content_cache import user_cache
from toolcrib.packs.architecture.library.kept_pages import FOLDER, WORTH_KEEPING
from toolcrib.packs.architecture.library.pages import Key, LibraryPage
from toolcrib.packs.architecture.library.records import SCHEME
from toolcrib.packs.architecture.library.sources import SUFFIX
from toolcrib.search.kept import background

ROOT = "root"
"""How a uri names the root of the project, where it is a folder of decisions among others."""

_KIND = "names"
_SAFE = "/-._~!$&'()*+,;=:@"
_PLAIN = re.compile(r"[A-Za-z0-9/_.-]+")


def name_all(pages: Mapping[Key, LibraryPage], own: int | None) -> dict[Key, str]:
    """A uri for every page; where there are many, those of the last start if all are as then.

    Names follow from the places and the numbers of all pages: as long as these are the same, so
    are the names, whatever else is in the files.
    """
    cache = user_cache(FOLDER) if len(pages) >= WORTH_KEEPING else None
    if cache is None:
        return name_pages(pages, own=own)
    place, state = _place_and_state(pages, own)
    kept = cache.get(_KIND, place)
    if kept is not None and kept[0] == state:
        return dict(zip(pages, json.loads(kept[1]), strict=True))
    found = name_pages(pages, own=own)
    uris = [found[key] for key in pages]
    background.start(lambda: cache.put(_KIND, place, (json.loads(state), uris)))
    return found


def _place_and_state(pages: Mapping[Key, LibraryPage], own: int | None) -> tuple[bytes, bytes]:
    """What the names are kept by, and all that they follow from."""
    sources = {page.root: page.source for page in pages.values()}
    said = [str(own)]
    for root, source in sources.items():
        said += (str(root), source.kind, source.folder, repr(source.find))
    for (root, path), page in pages.items():
        said += (str(root), path, page.number_text or "")
    place = "\0".join(str(source.root.path) for source in sources.values())
    state = "\0".join(said).encode(errors="surrogatepass")
    return os.fsencode(place), f'"{short_digest(state)}"'.encode()


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
                called = f"{folders[page.root]}/{page.number_text}"
            uri = SCHEME + (called if _PLAIN.fullmatch(called) else quote(called, safe=_SAFE))
            if uri not in taken:
                taken.add(uri)
                named[key] = uri
        left = [pair for pair in left if pair[0] not in named]
    for (root, path), page in left:
        named[root, path] = SCHEME + quote(f"{page.kind}/{root}:{page.file}", safe=_SAFE)
    return named


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
    number = page.number_text
    return None if number is None else f"{folder}/{int(number)}"


def _by_stem(page: LibraryPage, folder: str) -> str | None:
    return f"{folder}/{page.stem}" if page.kind == "adr" else None


def _by_path(page: LibraryPage, folder: str) -> str | None:
    return f"{folder}/{page.entry.path[: -len(SUFFIX)]}"


def _by_file(page: LibraryPage, folder: str) -> str | None:
    return f"{page.kind}/{page.file[: -len(SUFFIX)]}"
