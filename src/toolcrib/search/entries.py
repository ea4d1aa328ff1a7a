"""What an index stores of each document besides its words, read lazily from a stored index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from toolcrib.search.candidates import IndexedDocument

if TYPE_CHECKING:
    from toolcrib.search.index import IndexItem

_REMEMBERED: Final = 4_000
_LISTS: Final = ("key", "name", "words", "path", "opening", "summary", "boost", "facets", "stamp")


class Entries:
    """The entries of the live slots; those of a kept index stay in its columns until needed."""

    __slots__ = ("_columns", "_facets", "_made", "_stamps")

    def __init__(self) -> None:
        self._made: dict[int, IndexedDocument] = {}
        self._columns: Mapping[str, Sequence[Any]] = {}
        self._facets: Sequence[tuple[str, str]] = ()
        self._stamps: Sequence[str] = ()

    def begin(self, columns: Mapping[str, Any]) -> None:
        """Start from the columns of a kept index; raises `ValueError` if they do not fit."""
        lists = {name: columns[name] for name in _LISTS}
        if len({len(each) for each in lists.values()}) != 1:
            raise ValueError("columns of different lengths")
        self._columns = lists
        self._facets = [(name, value) for name, value in columns["facet_pairs"]]
        self._stamps = columns["stamps"]

    def __getitem__(self, slot: int) -> IndexedDocument:
        found = self._made.get(slot)
        if found is None:
            found = self._made[slot] = self._entry(slot)
        return found

    def __setitem__(self, slot: int, entry: IndexedDocument) -> None:
        self._made[slot] = entry

    def _entry(self, slot: int) -> IndexedDocument:
        of = self._columns
        return IndexedDocument(
            key=of["key"][slot],
            name=of["name"][slot],
            words=tuple(of["words"][slot].split()),
            path=of["path"][slot],
            opening=of["opening"][slot],
            summary=of["summary"][slot],
            boost=of["boost"][slot],
            facets=tuple(self._facets[number] for number in of["facets"][slot]),
            stamp=self._stamps[of["stamp"][slot]],
        )

    def key(self, slot: int) -> str:
        """The key of a document."""
        made = self._made.get(slot)
        key: str = made.key if made is not None else self._columns["key"][slot]
        return key

    def stamps(self, slots: Mapping[str, int]) -> dict[str, list[str]]:
        """The keys of documents by what they were made from."""
        stamps, numbers = self._stamps, self._columns.get("stamp", ())
        found: dict[str, list[str]] = {}
        for key, slot in slots.items():
            made = self._made.get(slot)
            stamp = stamps[numbers[slot]] if made is None else made.stamp
            if stamp in found:
                found[stamp].append(key)
            else:
                found[stamp] = [key]
        return found

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the documents: the first of these slots becomes 0, and so on."""
        self._made = {number: self[slot] for number, slot in enumerate(slots)}
        self._columns = {}

    def columns(self, slots: Sequence[int]) -> dict[str, Any]:
        """The entries of these slots as columns, to be kept."""
        found: dict[str, Any] = {name: [] for name in _LISTS}
        facets: dict[tuple[str, str], int] = {}
        stamps: dict[str, int] = {}
        for slot in slots:
            entry = self[slot]
            for name in _LISTS[:-2]:
                found[name].append(getattr(entry, name))
            found["words"][-1] = " ".join(entry.words)
            numbers = [facets.setdefault(pair, len(facets)) for pair in entry.facets]
            found["facets"].append(numbers)
            found["stamp"].append(stamps.setdefault(entry.stamp, len(stamps)))
        return {**found, "facet_pairs": list(facets), "stamps": list(stamps)}

    def members(self) -> Iterator[tuple[tuple[str, str], set[int]]]:
        """The slots of each facet of the kept index."""
        found: list[set[int]] = [set() for _ in self._facets]
        for slot, numbers in enumerate(self._columns.get("facets", ())):
            for number in numbers:
                found[number].add(slot)
        yield from zip(self._facets, found, strict=True)


def facet_pairs(facets: Mapping[str, str | Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """The facets of a document as they are compared: names and values."""
    pairs: list[tuple[str, str]] = []
    for name, values in facets.items():
        if isinstance(values, str):
            pairs.append(_pair(name, values))
        else:
            pairs += [_pair(name, value) for value in values]
    return tuple(pairs)


@lru_cache(_REMEMBERED)
def _pair(name: str, value: str) -> tuple[str, str]:
    """A facet as it is compared; one for all documents that have it."""
    return name, value.casefold()


def each_once(items: list[IndexItem]) -> list[IndexItem]:
    """The last one of each key, in their order."""
    if len({item.key for item in items}) == len(items):
        return items
    last: dict[str, IndexItem] = {}
    for item in items:
        last.pop(item.key, None)
        last[item.key] = item
    return [*last.values()]


def entry_of(
    item: IndexItem,
    name: str,
    texts: Sequence[str],
    stems: Sequence[Sequence[str]],
    facets: tuple[tuple[str, str], ...],
) -> IndexedDocument:
    """What is stored of a document besides its words."""
    about = texts[1] if len(texts) > 1 else ""
    opening = stems[1][0] if len(stems) > 1 and stems[1] else ""
    summary = crc32(about.encode(errors="replace")) if about else 0
    return IndexedDocument(
        item.key, name, tuple(stems[0]), item.path, opening, summary, item.boost, facets, item.stamp
    )
