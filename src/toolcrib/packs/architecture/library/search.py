"""Search in the library: matching documents with excerpts."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Set
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.packs.architecture.library.records import DocumentRecord, Kind
from toolcrib.search.kept import background

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.search.index import Index, IndexItem

# The title is the name of a document: one that has the query in its title comes first. What a
# document means is told by its title, path and tags; the body, below 1, adds a little to that.
WEIGHTS = {"title": 3.0, "names": 2.0, "body": 0.9}
# In a library larger than this, words alone decide: comparing meanings would take longer than
# everything else of a search, and reading them seconds.
_MOST_UNDERSTOOD = 2_000
WIDTH = 240
PATIENCE = 8.0
"""Seconds that a search waits for its index: less than its own deadline."""
_ALL = 100

_MOST_ANSWERS = 256
_MOST_MATCHES = 200
_WORD = re.compile(r"\w{3,}")
_HEADING_MARKS = re.compile(r"^#{1,6}[ \t]+", re.M)


@dataclass(frozen=True, slots=True)
class FoundRecords:
    """One document that matched: how well, from 0 to 1, and the words around the match."""

    record: DocumentRecord
    score: float
    excerpt: str


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The best documents, best first, and how many matched in all."""

    found: tuple[FoundRecords, ...]
    total: int
    note: str = ""
    """Why there is nothing, where the index is not there yet."""


def new_index(documents: int) -> Index:
    """An empty index with the fields of a document, for about so many of them."""
    from toolcrib.search.index import Index
    from toolcrib.search.ranking import DOCUMENTS

    return Index(WEIGHTS, semantic=documents <= _MOST_UNDERSTOOD, ranking=DOCUMENTS)


def item_of(record: DocumentRecord, body: str) -> IndexItem:
    """A document as the index takes it."""
    from toolcrib.search.index import IndexItem

    return IndexItem(
        record.uri,
        {
            "title": record.title,
            "names": f"{record.path[:-3]} {' '.join(record.tags)}",
            "body": body,
        },
        {"kind": record.kind},
    )


class Searcher:
    """Searches one library; an answer is kept until a document changes."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._answers: OrderedDict[tuple[int, str, Kind | None, int], SearchAnswer] = OrderedDict()
        self._lock = threading.Lock()
        self._built: Future[Index] | None = None

    def _index(self) -> Index | None:
        """The index, built in the background; None where that takes longer than a call has."""
        if self._library.progress == _ALL:
            return self._library.index()
        with self._lock:
            if self._built is None or self._built.done():
                self._built = Future()
                background.start(partial(_settle, self._built, self._library.index))
            built = self._built
        try:
            return built.result(PATIENCE)
        except TimeoutError:
            return None

    def search(self, query: str, kind: Kind | None = None, limit: int = 10) -> SearchAnswer:
        """Return the best `limit` documents for a query, of one kind or of all."""
        # Taken first: the new documents are known before the index has them.
        searched = self._library.searched
        index = self._index()
        if index is None:
            progress = self._library.progress
            return SearchAnswer(
                (), 0, f"The index is being built, {progress} %; ask again in a moment"
            )
        question = (searched, query, kind, limit)
        with self._lock:
            known = self._answers.get(question)
            if known is not None:
                self._answers.move_to_end(question)
                return known
        answer = self._answer(index, query, kind, limit)
        with self._lock:
            self._answers[question] = answer
            while len(self._answers) > _MOST_ANSWERS:
                self._answers.popitem(last=False)
        return answer

    def _answer(self, index: Index, query: str, kind: Kind | None, limit: int) -> SearchAnswer:
        hits = index.search(query, limit=limit, where={"kind": kind} if kind else None)
        best = max((hit.score for hit in hits.hits), default=0.0)
        found = []
        for hit in hits.hits:
            record = self._library.get(hit.key)
            if record is not None:  # else it went while the index was read
                score = round(hit.score / best, 4) if best > 0 else 0.0
                found.append(FoundRecords(record, score, self._excerpt(record, query)))
        return SearchAnswer(tuple(found), hits.total - len(hits.hits) + len(found))

    def _excerpt(self, record: DocumentRecord, query: str) -> str:
        try:
            body = self._library.document(record).body
        except (FileRefused, FileUnreadable):
            return record.description
        return excerpt(body, query) or record.description


def _settle(built: Future[Index], build: Callable[[], Index]) -> None:
    """Build, and tell whoever waits how it went."""
    try:
        built.set_result(build())
    except Exception as error:  # noqa: BLE001 - it is raised where the index is asked for
        built.set_exception(error)


def excerpt(body: str, query: str, width: int = WIDTH) -> str:
    """Return about `width` characters of a document around the words of the query.

    It is the stretch with the most different of these words; empty when there is none of them.
    """
    at = _densest(body, query, width)
    if at is None:
        return ""
    begin = max(body.rfind("\n", 0, at) + 1, at - width // 3)
    if begin and body[begin - 1] != "\n":
        begin = body.find(" ", begin, at) + 1 or at
    piece = " ".join(_HEADING_MARKS.sub("", body[begin : begin + 2 * width]).split())
    end = begin + 2 * width
    if len(piece) > width:
        space = piece.rfind(" ", 0, width)
        piece, end = piece[: space if space > 0 else width], 0
    return ("…" if body[:begin].strip() else "") + piece + ("" if end >= len(body) else "…")


def _densest(body: str, query: str, width: int) -> int | None:
    """Where the stretch with the most different words of the query begins."""
    # Words are compared by their beginnings, so that `cached` is found by `caching`.
    words = _WORD.findall(query) or query.split()
    beginnings = {word[: max(4, len(word) - 3)].lower() for word in words}
    if not beginnings:
        return None
    places = list(islice(_places(body, beginnings), _MOST_MATCHES))
    best, most = None, 0
    for number, (at, _) in enumerate(places):
        within = {word for place, word in places[number : number + 20] if place - at < width}
        if len(within) > most:
            best, most = at, len(within)
            if most == len(beginnings):
                break
    return best


def _places(body: str, beginnings: Set[str]) -> Iterator[tuple[int, str]]:
    """Where the words stand, in order."""
    lower = body.lower()
    if len(lower) != len(body):  # a letter became two: the places would be others
        form = re.compile("|".join(re.escape(each) for each in sorted(beginnings)), re.I)
        return ((match.start(), match[0].lower()) for match in form.finditer(body))
    return merge(*(_found(lower, each) for each in beginnings))


def _found(text: str, word: str) -> Iterator[tuple[int, str]]:
    at = text.find(word)
    while at >= 0:
        yield at, word
        at = text.find(word, at + len(word))
