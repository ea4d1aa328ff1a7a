"""Document embeddings, computed in a background thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from threading import Event, Lock
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from toolcrib.search.embedding import WIDTH
from toolcrib.search.kept import background
from toolcrib.search.tokens import words

if TYPE_CHECKING:
    from toolcrib.search.embedding.model import Model, Vectors

_AT_ONCE: Final = 64
_HEAD_START: Final = 0.2
"""Seconds without a query after which the model is loaded."""
_MOST_PATIENCE: Final = 1.0
"""Seconds after which it is loaded in any case."""
_BATCH: Final = 256
_LONGEST: Final = 1_500
_FAINT_LONGEST: Final = 240
_FAINT: Final = 0.1


Telling = Callable[[str, Sequence[str]], tuple[str, str]]
"""The telling text and the faint one of a document, of its name and the texts of its fields."""


class Texts(NamedTuple):
    """The texts of a document; the faint text counts a tenth."""

    telling: str
    faint: str = ""


class Meanings:
    """One vector per document, the normalised sum of its words' vectors.

    The first query starts a thread that loads the model and embeds the documents; until then, and
    after many changes at once, search is lexical. A few new documents are embedded by the query
    itself.
    """

    def __init__(self, telling: Telling) -> None:
        """`telling` says what a document is understood by; asked when it is worked in."""
        self._telling = telling
        self._waiting: dict[int, tuple[str, Sequence[str]]] = {}
        self._kept: bytes | memoryview | None = None
        self._gone: set[int] = set()
        self._rows: Vectors | None = None
        self._model: Model | None = None
        self._hopeless = False
        self._lock = Lock()
        self._idle = Event()
        self._idle.set()
        self._hurry = Event()
        self._asked = 0.0
        """When the last query came that had to be answered without vectors."""

    @property
    def expected(self) -> bool:
        """Whether a model is installed: then there are vectors soon after the first query."""
        from toolcrib.search.embedding.model import available

        return not self._hopeless and available()

    def add_all(self, documents: Iterable[tuple[int, tuple[str, Sequence[str]]]]) -> None:
        """Know documents, by slot, each by its name and its texts."""
        if not self._hopeless:
            with self._lock:
                self._waiting.update(documents)

    def begin(self, kept: bytes | memoryview | None, count: int) -> None:
        """Start from stored vectors of `count` documents; raises `ValueError` without them.

        Without a model, none are needed.
        """
        from toolcrib.search.embedding.model import available

        if not available():
            self._hopeless = True
        elif kept is None or len(kept) != 2 * WIDTH * count:
            raise ValueError("no vectors")
        else:
            self._kept = kept

    def vectors(self, count: int) -> bytes | None:
        """The vectors of the first `count` documents, to be stored; None unless all are known."""
        with self._lock:
            if self._waiting or self._rows is None or len(self._rows) < count:
                return None
            return self._rows[:count].astype("float16").tobytes()

    def remove(self, slot: int) -> None:
        """Forget a document."""
        with self._lock:
            self._waiting.pop(slot, None)
            if self._kept is not None:
                self._gone.add(slot)
            if self._rows is not None and slot < len(self._rows):
                self._rows[slot] = 0.0

    def pack(self, slots: Sequence[int]) -> None:
        """Renumber the documents: the first of these slots becomes 0, and so on."""
        with self._lock:
            if self._kept is not None:
                self._unfold()
            new = {slot: number for number, slot in enumerate(slots)}
            self._waiting = {new[slot]: texts for slot, texts in self._waiting.items()}
            if self._rows is not None:
                self._grow(max(slots, default=0) + 1)
                self._rows = self._rows[list(slots)]

    def wait(self, timeout: float | None = None) -> bool:
        """Embed all waiting documents; return whether queries can be answered."""
        self._hurry.set()
        self._start()
        return self._idle.wait(timeout) and not self._waiting and self._model is not None

    def settled(self, timeout: float) -> bool:
        """Wait a while; return whether all documents are embedded, or never will be."""
        self._start()
        return self._idle.wait(timeout) and (self._hopeless or not self._waiting)

    def compare(self, query: str, size: int, allowed: set[int] | None = None) -> Likeness | None:
        """Return the similarity of the first `size` slots (or some of them) to a query."""
        if self._hopeless:
            return None
        if self._waiting or self._model is None:
            if self._model is None or len(self._waiting) > _AT_ONCE or not self._idle.is_set():
                self._asked = monotonic()
                self._start()
                return None
            self._work(self._model)
        with self._lock:
            rows = self._grow(size)
        question = Embedder(self._model).embed([Texts(query[:_LONGEST])])[0]
        return Likeness(_products(rows, question), allowed)

    def _start(self) -> None:
        with self._lock:
            if not self._idle.is_set() or self._hopeless:
                return
            self._idle.clear()
        background.start(self._run)

    def _run(self) -> None:
        try:
            self._give_way()
            # The way to the model takes longer than all the rest of this package to import.
            from toolcrib.search.embedding import model as semantic

            found = self._model or semantic.model()
            if background.leaving.is_set():
                return
            if found is None:
                self._hopeless = True
                self._waiting.clear()
                return
            with self._lock:
                self._unfold()
            self._work(found)
            self._model = found
        finally:
            self._idle.set()

    def _give_way(self) -> None:
        """Leave the processor to the answers that are being made, for a while at most."""
        latest = monotonic() + _MOST_PATIENCE
        while not self._hurry.wait(_HEAD_START):
            now = monotonic()
            if now - self._asked >= _HEAD_START or now >= latest or background.leaving.is_set():
                return

    def _unfold(self) -> None:
        """Convert stored vectors to the form used in calculations."""
        import numpy as np

        if self._kept is not None:
            rows = np.frombuffer(self._kept, np.float16).reshape(-1, WIDTH)
            self._rows = rows.astype(np.float32)
            self._rows[list(self._gone)] = 0.0
            self._kept = None

    def _work(self, model: Model) -> None:
        embedder = Embedder(model)
        while not background.leaving.is_set():
            with self._lock:
                batch = dict(islice(self._waiting.items(), _BATCH))
            if not batch:
                return
            told = (self._telling(*given) for given in batch.values())
            cut = [Texts(telling[:_LONGEST], faint[:_FAINT_LONGEST]) for telling, faint in told]
            vectors = embedder.embed(cut)
            with self._lock:
                rows = self._grow(max(batch) + 1)
                for (slot, given), vector in zip(batch.items(), vectors, strict=True):
                    if self._waiting.get(slot) is given:  # else it went meanwhile
                        rows[slot] = vector
                        del self._waiting[slot]

    def _grow(self, size: int) -> Vectors:
        """Make room for more slots, generously; return the rows of the first `size`."""
        import numpy as np

        have = 0 if self._rows is None else len(self._rows)
        if self._rows is None or size > have:
            rows = np.zeros((size + size // 4, WIDTH), np.float32)
            if self._rows is not None:
                rows[:have] = self._rows
            self._rows = rows
        return self._rows[:size]


def _products(rows: Vectors, vector: Vectors) -> Vectors:
    """The product of each row with a vector, in this thread alone.

    The library's own product starts a thread per core, which takes ten times the processor time.
    """
    import numpy as np

    products: Vectors = np.einsum("ij,j->i", rows, vector)
    return products


class Likeness:
    """The similarity in meaning of each document to one query."""

    __slots__ = ("_top", "_values")

    def __init__(self, values: Vectors, allowed: set[int] | None) -> None:
        if allowed is not None:
            chosen = values[list(allowed)]
            values = values * 0
            values[list(allowed)] = chosen
        self._values = values
        self._top = max(float(values.max(initial=0.0)), 1e-9)

    def best(self, count: int, least: float) -> list[int]:
        """The most similar slots above a minimum similarity."""
        import numpy as np

        found = np.nonzero(self._values >= least)[0]
        if len(found) > count:
            found = found[np.argpartition(-self._values[found], count)[:count]]
        slots: list[int] = found.tolist()
        return slots

    def of(self, slots: Sequence[int]) -> list[float]:
        """The similarity of some slots, as a fraction of the best."""
        shares: list[float] = (self._values[list(slots)].clip(0.0) / self._top).tolist()
        return shares


class Embedder:
    """Turns texts into vectors, and caches the vectors of words."""

    def __init__(self, model: Model) -> None:
        import numpy as np

        self._model = model
        self._known: dict[str, int] = {}
        self._vectors = np.zeros((0, WIDTH), np.float32)

    def embed(self, texts: Sequence[Texts]) -> Vectors:
        """Return one vector of length 1 per text, or of length 0 if no word is known."""
        import numpy as np

        known = self._known
        before = len(known)
        numbers = [
            [[known.setdefault(word, len(known)) for word in words(part)] for part in text]
            for text in texts
        ]
        if len(known) > before:
            self._learn(before, list(known)[before:])
        sums = np.zeros((len(texts), WIDTH), np.float32)
        for row, (telling, faint) in zip(sums, numbers, strict=True):
            row += self._vectors[telling].sum(axis=0)
            if faint:
                row += _FAINT * self._vectors[faint].sum(axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        units: Vectors = sums / np.maximum(lengths, 1e-9)
        return units

    def _learn(self, before: int, new: list[str]) -> None:
        import numpy as np

        size = before + len(new)
        if size > len(self._vectors):
            vectors = np.zeros((2 * size, WIDTH), np.float32)
            vectors[:before] = self._vectors[:before]
            self._vectors = vectors
        self._vectors[before:size] = self._model.words(new)
