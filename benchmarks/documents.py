"""How often the right decision or document is found: by a few words, and by a whole proposal.

Real decision records of public repositories, with the links that their authors drew as the truth.
`search.py` runs this as its second half; alone it is `python benchmarks/documents.py`.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import tarfile
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import alignment

from toolcrib.files.markdown.document import Document, parse
from toolcrib.packs.architecture.library.search import WEIGHTS
from toolcrib.search.index import Index
from toolcrib.search.ranking import DOCUMENTS
from toolcrib.search.tokens import tokens

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "adr"
AT = (1, 5, 10)

Folder = dict[str, Document]
Find = Callable[[str, int], list[str]]
Rows = dict[str, list[list[float]]]


def lines(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt") as stream:
        return [json.loads(line) for line in stream]


def read(folder: Path) -> Folder:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.name: parse(path.name, path.read_bytes()) for path in files}


def indexed(folder: Folder, semantic: bool) -> Index:
    index = Index(WEIGHTS, semantic=semantic, ranking=DOCUMENTS)
    for name, document in folder.items():
        fields = {"title": document.title, "names": name, "body": document.body}
        index.add(name, fields)
    if semantic:
        index.warm(60)
    return index


def searching(folder: Folder, semantic: bool) -> Find:
    index = indexed(folder, semantic)
    return lambda text, count: [hit.key for hit in index.search(text, limit=count).hits]


def bm25(folder: Folder) -> Find:
    import bm25s

    names = list(folder)
    index = bm25s.BM25()
    texts = [tokens(f"{each.title} {name} {each.body}") for name, each in folder.items()]
    index.index(texts, show_progress=False)

    def find(text: str, count: int) -> list[str]:
        wanted = [list(dict.fromkeys(tokens(text)))]
        found, _scores = index.retrieve(wanted, k=min(count, len(names)), show_progress=False)
        return [names[int(place)] for place in found[0]]

    return find


class Shelf:
    """The folders of one run, each read and indexed once per ranking."""

    def __init__(self, root: Path, ways: dict[str, Callable[[Folder], Find]]) -> None:
        self._root = root
        self._ways = ways
        self._folders: dict[str, Folder] = {}
        self._made: dict[tuple[str, str], Find] = {}
        self.times: dict[str, list[float]] = defaultdict(list)

    def find(self, way: str, folder: str, text: str, exclude: list[str]) -> list[str]:
        if folder not in self._folders:
            self._folders[folder] = read(self._root / folder)
        if (way, folder) not in self._made:
            self._made[way, folder] = self._ways[way](self._folders[folder])
        begun = time.process_time()
        found = self._made[way, folder](text, max(AT) + len(exclude))
        self.times[way].append(time.process_time() - begun)
        return [name for name in found if name not in exclude]


def shown(title: str, rows: dict[str, Rows], times: dict[str, list[float]]) -> None:
    kinds = sorted({kind for each in rows.values() for kind in each})
    print(f"\n{title:22}" + "".join(f"{kind:>24}" for kind in kinds) + f"{'CPU ms':>9}")
    for way, each in rows.items():
        cells = []
        for kind in kinds:
            means = [100 * statistics.fmean(column) for column in zip(*each[kind], strict=True)]
            cells.append(" / ".join(f"{mean:.1f}" for mean in means))
        median = statistics.median(times[way]) * 1000
        print(f"{way:22}" + "".join(f"{cell:>24}" for cell in cells) + f"{median:9.2f}")


def by_words(root: Path, queries: list[dict[str, Any]]) -> None:
    """How often the document is found that another one speaks of."""
    ways = {
        "toolcrib[semantic]": lambda folder: searching(folder, True),
        "toolcrib": lambda folder: searching(folder, False),
        "BM25 (bm25s)": bm25,
    }
    shelf = Shelf(root, ways)
    rows: dict[str, Rows] = {way: defaultdict(list) for way in ways}
    for query in queries:
        for way in ways:
            found = shelf.find(way, query["corpus_dir"], query["query"], query["exclude"])
            hit = [float(bool(set(found[:k]) & set(query["gold"]))) for k in AT]
            rows[way][query["set"]].append(hit)
    shown("found by words, %", rows, shelf.times)


def by_proposal(root: Path, cases: list[dict[str, Any]]) -> None:
    """How many of the decisions are found that a proposal touches, and that it supersedes."""
    shelf = Shelf(root, {"BM25 (bm25s)": bm25})
    ours, theirs = "check-adr-alignment", "BM25 (bm25s)"
    rows: dict[str, Rows] = {way: defaultdict(list) for way in (ours, theirs)}
    for case in alignment.measure(root, cases):
        text = (root / case["proposal_file"]).read_text(errors="replace")[: alignment.LONGEST]
        shelf.times[ours].append(case["seconds"])
        plain = shelf.find(theirs, case["corpus_blind_dir"], text, case["exclude"])
        for way, found in ((ours, case["found"]), (theirs, plain)):
            for kind, right in (("related", "gold_related"), ("superseded", "gold_conflicts")):
                if case[right]:
                    row = [len(set(found[:k]) & set(case[right])) / len(case[right]) for k in AT]
                    rows[way][f"{case['stratum']} {kind}"].append(row)
    shown("like a proposal, %", rows, shelf.times)


def report(data: Path = DATA) -> None:
    """Print both tables, or a word on why there are none."""
    if not data.is_dir():
        print(f"documents: no data at {data}; nothing to measure", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(data / "documents.tar.gz") as archive:
            archive.extractall(scratch, filter="data")
        by_words(Path(scratch), lines(data / "search.jsonl.gz"))
        by_proposal(Path(scratch), lines(data / "alignment.jsonl.gz"))


if __name__ == "__main__":
    report()
