"""The library on real decision records, and on ten thousand documents.

    python benchmarks/architecture.py [--data FOLDER] [--documents 10000] [--json FILE]

Real records (when the data is there): in how many a status is found, whether every document has a
uri of its own, and how often a search finds the document that another one speaks of. Made-up
documents: processor time for the first index, how long a search takes, how soon a change is found
by a watching server's pack, and whether a burst of changes to all of them is one rebuild that
loses nothing. What has a limit is shown with it, and the exit code says whether all are kept.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import random
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import defaultdict
from itertools import accumulate
from pathlib import Path
from typing import Self

from report import Report

from toolcrib.core.support.workers import in_thread
from toolcrib.files.watch.watcher import Watcher
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.search import Searcher
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.packs.architecture.settings import ArchitectureSettings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "adr"
AT = (1, 5, 10)
QUIET = 0.1
# The best of a few: whatever else the machine does can only make it slower.
ROUNDS = 3
READ, INDEX = "library.records()", "library.index()"
FIRST = """
import sys, time
from pathlib import Path
from toolcrib.packs.architecture.library.library import Library

library = Library(Path(sys.argv[1]))
began = time.process_time()
{way}
print(time.process_time() - began)
"""
CHANGE = """
import sys
from pathlib import Path

for file in Path(sys.argv[1]).rglob("*.md"):
    with file.open("a") as stream:
        stream.write("\\nokapi\\n")
"""
# Written as a label, a heading or a badge: such a document states a status, whoever reads it.
STATES = re.compile(
    r"^\W*(?:\*\*|__)?(?:decision )?status(?:\*\*|__)?[ \t]*(?:[:|].*|$)"
    r"|^#+ *(?:\d+\.? )?status\b|!\[(?:accepted|superseded)\]|\btags: \[(?:accepted|superseded)",
    re.I | re.M,
)


def library_of(folder: Path, corpus: str) -> Library:
    return Library(folder, ArchitectureSettings(resources=(), adr=(corpus,), detect=False))


def on_real_records(report: Report, data: Path, folder: Path) -> None:
    """Status, uris and search on the public records."""
    libraries = {
        f"corpus/{each.name}": library_of(folder, f"corpus/{each.name}")
        for each in sorted((folder / "corpus").iterdir())
    }
    count = sum(len(library.records()) for library in libraries.values())
    stating = [
        record
        for library in libraries.values()
        for record in library.records()
        if STATES.search(library.text(record)[:20_000])
    ]
    uris = sum(len({record.uri for record in each.records()}) for each in libraries.values())
    found = sum(record.status is not None for record in stating)
    report.add(f"of {count} records, those with a uri of their own", uris, "", least=count)
    share = 100 * found / len(stating)
    report.add(f"of {len(stating)} that state a status, found", share, "%", least=97)
    for name, shares in search_recall(data, libraries).items():
        for at, value in zip(AT, shares, strict=True):
            report.add(f"search by {name}, found among the first {at}", value, "%")


def search_recall(data: Path, libraries: dict[str, Library]) -> dict[str, list[float]]:
    """How often the document that is meant is among the first, in percent."""
    with gzip.open(data / "search.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines]
    for library in libraries.values():
        library.index().warm()
    hits: dict[str, list[list[bool]]] = defaultdict(list)
    for case in cases:
        library = libraries[case["corpus_dir"]]
        gold, exclude = set(case["gold"]), set(case["exclude"])
        answer = library.index().search(case["query"], limit=10 + len(exclude))
        records = (library.get(hit.key) for hit in answer.hits)
        paths = [record.path for record in records if record and record.path not in exclude]
        hits[case["set"]].append([bool(gold & set(paths[:at])) for at in AT])
    return {
        name: [round(100 * sum(column) / len(rows), 1) for column in zip(*rows, strict=True)]
        for name, rows in sorted(hits.items())
    }


def make_documents(project: Path, count: int) -> None:
    """Documents of about 1.4 KB; the most frequent word is in every third of them.

    That is how the words of a language are spread once those like "the" are left out.
    """
    dice = random.Random(4)
    letters = ("bcdfghklmnprstvw", "aeiou")
    words = [
        "".join(dice.choice(part) for _ in range(dice.randint(2, 4)) for part in letters)
        for _ in range(6000)
    ]
    weights = list(accumulate(1 / (rank + 100) for rank in range(len(words))))

    def sentence(length: int) -> str:
        return " ".join(dice.choices(words, cum_weights=weights, k=length)).capitalize() + "."

    for number in range(count):
        kind = ("adr", "adr", "patterns", "guidelines")[number % 4]
        folder = project / "mcp" / "resources" / kind
        folder.mkdir(parents=True, exist_ok=True)
        name = "-".join(dice.choices(words, cum_weights=weights, k=4))
        paragraphs = "\n\n".join("\n".join(sentence(12) for _ in range(3)) for _ in range(3))
        title = " ".join(dice.choices(words, cum_weights=weights, k=5)).title()
        head = f"# {number}. {title}\n\nDate: 2024-01-0{number % 9 + 1}\n\n## Status\n\nAccepted\n"
        if kind != "adr":
            head = f"# {title}\n"
        text = f"{head}\n## Context\n\n{paragraphs}\n\n## Decision\n\n{sentence(60)}\n"
        (folder / f"{number:05}-{name}.md").write_text(text)


def on_many(report: Report, project: Path, count: int) -> None:
    """First index, searches, one change, and a change of everything."""
    make_documents(project, count)
    reading, indexing = (min(fresh(way, project) for _ in range(ROUNDS)) for way in (READ, INDEX))
    report.add("reading all documents", reading, "s of CPU")
    report.add("first index, reading included", indexing, "s of CPU", 3 * count / 10_000)
    search_times(report, Library(project))
    asyncio.run(live(report, project))


def fresh(way: str, project: Path) -> float:
    """Processor time in a process that has done nothing before."""
    command = [sys.executable, "-c", FIRST.format(way=way), str(project)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def search_times(report: Report, library: Library) -> None:
    """How long searches take for words of a title, each asked once."""
    dice = random.Random(5)
    titles = [record.title.split() for record in library.records()]
    queries = [" ".join(dice.sample(dice.choice(titles), 3)) for _ in range(200)]
    searcher = Searcher(library)
    searcher.search("nothing")
    times = []
    for query in queries:
        began = time.perf_counter()
        searcher.search(query)
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    report.add("search, p50", statistics.median(times), "ms", 5)
    report.add("search, p95", times[int(len(times) * 0.95)], "ms")


class Serving:
    """A pack whose folders are watched, as a server does it."""

    def __init__(self, project: Path) -> None:
        self.pack = ArchitecturePack(project)
        self.changes: asyncio.Queue[float] = asyncio.Queue()
        self.rebuilds = 0

    async def __aenter__(self) -> Self:
        await in_thread(self.pack.refresh, [])
        await in_thread(self.pack.library.index)
        watcher = Watcher(self.pack.watched, self._refresh, debounce=QUIET)
        self._task = asyncio.create_task(watcher.run())
        await watcher.ready.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.pack.close()

    async def _refresh(self, changed: list[Path]) -> None:
        before = self.pack.library.index()
        await in_thread(self.pack.refresh, changed)
        self.rebuilds += self.pack.library.index() is not before
        self.changes.put_nowait(time.perf_counter())

    def found(self, word: str) -> int:
        return self.pack.library.index().search(word, limit=1).total


async def live(report: Report, project: Path) -> None:
    """One change at a time, then all documents at once, written by another process."""
    files = sorted(project.rglob("*.md"))
    async with Serving(project) as serving:
        times = []
        for number, file in enumerate(files[:: len(files) // 10]):
            word = f"quagga{number}"
            with file.open("a") as stream:
                stream.write(f"\n{word}\n")
            written = time.perf_counter()
            while not serving.found(word):
                await serving.changes.get()
            times.append((time.perf_counter() - written - QUIET) * 1000)
        report.add(
            f"a change is found after {QUIET} s of quiet, p50", statistics.median(times), "ms", 100
        )
        serving.rebuilds = 0
        writer = await asyncio.create_subprocess_exec(sys.executable, "-c", CHANGE, str(project))
        await writer.wait()
        written = time.perf_counter()
        while serving.found("okapi") < len(files) and time.perf_counter() - written < 60:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(serving.changes.get(), 10)
        report.add(
            f"{len(files):,} changes at once, all found after", time.perf_counter() - written, "s"
        )
        report.add("rebuilds for them", serving.rebuilds, "", 1)
        report.add("changes lost", len(files) - serving.found("okapi"), "", 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        if (args.data / "documents.tar.gz").is_file():
            print("real decision records")
            with tarfile.open(args.data / "documents.tar.gz") as archive:
                archive.extractall(folder, filter="data")
            on_real_records(report, args.data, Path(folder))
        else:
            print(f"real decision records: skipped, no data in {args.data.name}")
        print(f"{args.documents:,} documents")
        on_many(report, Path(folder) / "many", args.documents)
    if args.json:
        args.json.write_text(json.dumps(report.rows, indent=2) + "\n")
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
