"""Indexes that are kept between starts: only changes are indexed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from toolcrib.core.support.digests import short_digest
from toolcrib.core.support.folders import cache_folder
from toolcrib.files.content_cache import cache_key
from toolcrib.search.index import Index, IndexItem
from toolcrib.search.kept import background, storage

_WORTH_KEEPING: Final = 500
_WORTH_WRITING: Final = 0.1
_LOOK_UP: Final = 0.1

Wanted = TypeVar("Wanted")
Make = Callable[[Wanted], Iterable[IndexItem]]


def digest(*parts: object) -> str:
    """A short digest of these texts."""
    said = "\0".join(map(str, parts)).encode(errors="surrogatepass")
    return short_digest(said)


def kept_index(
    new: Callable[[], Index],
    kind: str,
    place: str,
    wanted: Mapping[str, Wanted],
    make: Make[Wanted],
) -> Index:
    """An index of the documents that are `wanted`, by what they were made from.

    `make` gives the items of one of them.

    What was stored for this `place` is reused as far as its sources are unchanged. The index is
    written again, in the background, if much of it is new.
    """
    file = _file(kind, place)
    index = new()
    there: dict[str, list[str]] = {}
    if file is not None and storage.load(index, *file):
        there = index.stamps()
    if 2 * len(there.keys() & wanted.keys()) <= len(there):  # afresh it is there sooner
        index, there = new(), {}
    changed = _brought_up_to_date(index, there, wanted, make)
    if file is not None and changed > _WORTH_WRITING * max(len(index), _WORTH_KEEPING):
        background.start(partial(_write, index, *file))
    return index


def _file(kind: str, place: str) -> tuple[Path, bytes] | None:
    """Where an index is kept, and the key that it is sealed with."""
    folder, key = cache_folder(), cache_key()
    if folder is None or key is None or not place:
        return None
    return folder / "indexes" / f"{kind}-{digest(place)}{storage.SUFFIX}", key


def _brought_up_to_date(
    index: Index, there: Mapping[str, list[str]], wanted: Mapping[str, Wanted], make: Make[Wanted]
) -> int:
    """Add wanted documents, remove the others; return how many documents differ.

    `there` are the keys of its documents by their source. A changed document is removed and added,
    and counts once.
    """
    removed = 0
    for stamp in there.keys() - wanted.keys():
        for key in there[stamp]:
            index.remove(key)
        removed += len(there[stamp])
    before = len(index)
    index.add_all(
        IndexItem(*item[:-1], stamp)
        for stamp, each in wanted.items()
        if stamp not in there
        for item in make(each)
    )
    return max(removed, len(index) - before)


def _write(index: Index, path: Path, key: bytes) -> None:
    """Write an index once its embeddings are known, unless the process ends before."""
    while not index.settled(_LOOK_UP):
        if background.leaving.is_set():
            return
    if len(index) >= _WORTH_KEEPING:
        storage.save(index, path, key)
