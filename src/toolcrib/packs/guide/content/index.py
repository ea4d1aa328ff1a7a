"""The documents of one category: found by pattern in an instant, however many there are."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from urllib.parse import quote

from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import nearest
from toolcrib.files.globs import compile_glob, expand_braces
from toolcrib.files.root import FileEntry
from toolcrib.packs.guide.content.definitions import Category, Origin

# Enough candidates to find the few nearest among, few enough to compare one by one.
_CANDIDATES = 8
_MOST_FINDS = 200
_RARE = 8


@record
class DocumentEntry:
    """One document of a category; `name` is its path below the category's folder."""

    category: str
    name: str
    path: str
    entry: FileEntry
    origin: Origin = "folder"

    @property
    def key(self) -> str:
        """How an expression addresses it."""
        return f"{self.category}/{self.name}"

    @property
    def uri(self) -> str:
        """How a client addresses it."""
        return f"guide://{self.category}/{quote(self.name)}"


class CategoryIndex:
    """A category's documents, sorted by name; never changed once made."""

    def __init__(self, category: Category, named: Iterable[tuple[str, FileEntry]]) -> None:
        self.category = category
        documents = (
            DocumentEntry(category.name, name, entry.path, entry, category.origin)
            for name, entry in named
        )
        self.documents = sorted(documents, key=lambda document: document.name)
        self._names = [document.name for document in self.documents]
        self._by_name: dict[str, list[int]] = {}
        for position, name in enumerate(self._names):
            self._by_name.setdefault(name, []).append(position)
            short = without_extension(name)
            if short != name:
                self._by_name.setdefault(short, []).append(position)
        self._selected: dict[str, Sequence[int]] = {}
        self._text = "\n".join(self._names)
        self._starts = [0, *accumulate(len(name) + 1 for name in self._names)]

    @classmethod
    def of(cls, category: Category, entries: Iterable[FileEntry]) -> CategoryIndex:
        """The files below the category's folder that match one of its patterns."""
        start = len(category.dir) + 1 if category.dir else 0
        globs = [
            # `*.md` says which extension it means, and does not mean `notes.md.bak`.
            compile_glob(each, extension="." not in each.rsplit("/", 1)[-1])
            for pattern in category.patterns
            for each in expand_braces(pattern)
        ]
        named = ((entry.path[start:], entry) for entry in entries)
        return cls(category, (pair for pair in named if any(g.matches(pair[0]) for g in globs)))

    def select(self, patterns: Sequence[str]) -> tuple[list[DocumentEntry], list[str]]:
        """The documents that match any pattern, sorted, and the patterns that match none."""
        if not patterns:
            return self.documents, []
        found: set[int] = set()
        unmatched = []
        for pattern in patterns:
            positions = self._matching(pattern)
            found.update(positions)
            if not positions:
                unmatched.append(pattern)
        if len(found) == len(self.documents):
            return self.documents, unmatched
        return [self.documents[each] for each in sorted(found)], unmatched

    def get(self, name: str) -> list[DocumentEntry]:
        """The documents of that very name, with or without extension."""
        return [self.documents[each] for each in self._by_name.get(name, ())]

    def nearest(self, pattern: str) -> list[str]:
        """The names that resemble a pattern most; looks at a few that share letters with it."""
        wanted = pattern.strip("*").rsplit("/", 1)[-1] or pattern
        counted: Counter[int] = Counter()
        spelt = {wanted, wanted.lower(), wanted.upper(), wanted.capitalize()}
        pieces = {word[at : at + 3] for word in spelt for at in range(max(1, len(word) - 2))}
        for gram in sorted(pieces):
            counted.update(islice(self._containing(gram), _MOST_FINDS))
        likely = [self._names[position] for position, _ in counted.most_common(_CANDIDATES)]
        return nearest(without_extension(pattern), map(without_extension, likely))

    def folder(self, name: str) -> bool:
        """Whether that name is a folder with documents in it."""
        return f"\n{name}/" in f"\n{self._text}"

    def _matching(self, pattern: str) -> Sequence[int]:
        known = self._selected.get(pattern)
        if known is None:
            if len(self._selected) > 100:  # a list of ten thousand positions takes 80 kB
                self._selected.clear()
            known = self._selected[pattern] = self._scan(pattern)
        return known

    def _scan(self, pattern: str) -> Sequence[int]:
        glob = compile_glob(pattern, extension=True)
        if glob.all_of():
            return range(len(self._names))
        if glob.literal is not None:
            return self._by_name.get(glob.literal, ())
        hint, matches, names = glob.hint, glob.matches, self._names
        if glob.prefix:
            start = bisect_left(names, glob.prefix)
            end = bisect_left(names, glob.prefix + chr(sys.maxunicode))
            return [each for each in range(start, end) if matches(names[each])]
        # A rare piece of text is found faster in all names at once than in each of them.
        if hint and self._text.count(hint) * _RARE < len(names):
            return [each for each in self._containing(hint) if matches(names[each])]
        return [each for each, name in enumerate(names) if hint in name and matches(name)]

    def _containing(self, text: str) -> Iterator[int]:
        """The positions of the names that contain a text, in order."""
        at = self._text.find(text) if text else -1
        while at >= 0:
            position = bisect_right(self._starts, at) - 1
            yield position
            at = self._text.find(text, self._starts[position + 1] - 1)


def without_extension(name: str) -> str:
    """`a.b/python.md` as `a.b/python`."""
    folder, slash, last = name.rpartition("/")
    stem, dot, _ = last.rpartition(".")
    return folder + slash + stem if dot and stem else name
