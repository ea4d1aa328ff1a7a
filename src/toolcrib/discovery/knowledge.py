"""The index over everything but tools: documents, decisions, rules, skills, guide content."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, get_args

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.pack import KnowledgeKind, Searchable
from toolcrib.core.tool import JSON

# What a start does not need is imported where it is used: a session begins with every start.
if TYPE_CHECKING:
    from toolcrib.search.index import Index, IndexItem

KINDS: Final[tuple[str, ...]] = get_args(KnowledgeKind)
WEIGHTS: Final = {"title": 3.0, "names": 2.0, "body": 0.9}
_PATIENCE: Final = 8.0
"""Seconds that a search waits for its index: less than its own deadline."""
_MOST_UNDERSTOOD: Final = 2_000
"""In a larger library words alone decide: meanings would take longer than all the rest."""
_WIDTH: Final = 240
_LONGEST_SUFFIX: Final = 8

Offer = Callable[[], Iterable[Searchable]]


class Knowledge:
    """Searches the packs' documents, as they were at the first search.

    The index is built in the background by the first search, and kept on disk for a `place`.
    """

    def __init__(self, offers: Iterable[Offer], place: str = "") -> None:
        self._offers = list(offers)
        self._place = place
        self._documents: dict[str, Searchable] = {}
        self._index: Index | None = None
        self._failure: BaseException | None = None
        self._built = threading.Event()
        self._begun = False
        self._done = 0
        self._lock = threading.Lock()

    def search(
        self, query: str, kinds: Sequence[str] = (), limit: int = 10, *, explain: bool = False
    ) -> JSON:
        """The best documents of some kinds, or of all, and how many matched; on request why."""
        self._begin()
        if not self._built.wait(_PATIENCE):
            note = f"The index is being built, {self._progress} %; ask again in a moment"
            return {"results": [], "total_matches": 0, "note": note}
        if self._index is None:
            raise self._failure or RuntimeError("no index")
        wanted = [kind for kind in KINDS if not kinds or kind in kinds]
        every = None if len(wanted) == len(KINDS) else {"kind": wanted}
        hits = self._index.search(query, limit=limit, where=every, explain=explain)
        best = max((hit.score for hit in hits.hits), default=0.0) or 1.0
        results = [self._shown(hit.key, query, hit.score / best) for hit in hits.hits]
        found: JSON = {"results": results, "total_matches": hits.total}
        return found | {"explain": [hit.why for hit in hits.hits]} if explain else found

    @property
    def _progress(self) -> int:
        return min(99, 100 * self._done // max(1, len(self._documents)))

    def _shown(self, uri: str, query: str, score: float) -> JSON:
        from toolcrib.search.tokens import excerpt

        found = self._documents[uri]
        title, text = _read(found)
        return {
            "kind": found.kind,
            "uri": uri,
            "title": title,
            "excerpt": excerpt(text, query, _WIDTH),
            "score": round(score, 4),
        }

    def _begin(self) -> None:
        from toolcrib.search.kept import background

        with self._lock:
            if not self._begun:
                self._begun = True
                self._built.clear()
                background.start(self._build)

    def _build(self) -> None:
        from toolcrib.search.kept.keeping import kept_index

        try:
            self._documents = offered(self._offers)
            wanted = {
                f"{each.uri} {each.kind} {each.stamp}": each for each in self._documents.values()
            }
            new = partial(_new_index, len(wanted))
            self._index = kept_index(new, "documents", self._place, wanted, self._items)
        except Exception as error:  # noqa: BLE001 - it is told to whoever asked
            self._failure = error
            self._begun = False
        finally:
            self._built.set()

    def _items(self, document: Searchable) -> Iterator[IndexItem]:
        from toolcrib.search.index import IndexItem

        self._done += 1
        names, _, suffix = document.uri.partition("://")[2].rpartition(".")
        names = names if len(suffix) <= _LONGEST_SUFFIX else document.uri.partition("://")[2]
        title, text = _read(document)
        fields = {"title": title, "names": names, "body": text}
        yield IndexItem(document.uri, fields, {"kind": document.kind})


def offered(offers: Iterable[Offer]) -> dict[str, Searchable]:
    """The packs' documents by URI: each file once, with its first kind."""
    by_file: dict[str, Searchable] = {}
    for offer in offers:
        for each in offer():
            known = by_file.get(each.file)
            if known is None or KINDS.index(each.kind) < KINDS.index(known.kind):
                by_file[each.file] = each
    return {each.uri: each for each in by_file.values()}


def _new_index(documents: int) -> Index:
    from toolcrib.search.index import Index
    from toolcrib.search.ranking import DOCUMENTS

    return Index(WEIGHTS, semantic=documents <= _MOST_UNDERSTOOD, ranking=DOCUMENTS)


def _read(document: Searchable) -> tuple[str, str]:
    """The title and text of a document; its name and no text if it is gone or not text."""
    try:
        return document.read()
    except (FileRefused, FileUnreadable):
        return document.uri.rsplit("/", 1)[-1], ""
