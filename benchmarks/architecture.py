"""The library on real decision records, and on ten thousand documents.

    python benchmarks/architecture.py [--data FOLDER] [--documents 10000] [--json]

Real records (when the data is there): in how many a status is found, whether every document has a
uri of its own, and how often a search finds the document that another one speaks of. Made-up
documents: processor time for the first index, how soon a change is found, and how long a search
takes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import statistics
import tarfile
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from toolcrib.packs.architecture.library import Library
from toolcrib.packs.architecture.search import Searcher
from toolcrib.packs.architecture.settings import ArchitectureSettings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "adr"
AT = (1, 5, 10)
# Written as a label, a heading or a badge: such a document states a status, whoever reads it.
STATES = re.compile(
    r"^\W*(?:\*\*|__)?(?:decision )?status(?:\*\*|__)?[ \t]*(?:[:|].*|$)"
    r"|^#+ *(?:\d+\.? )?status\b|!\[(?:accepted|superseded)\]|\btags: \[(?:accepted|superseded)",
    re.I | re.M,
)


def library_of(folder: Path, corpus: str) -> Library:
    return Library(folder, ArchitectureSettings(resources=(), adr=(corpus,), detect=False))


def on_real_records(data: Path, folder: Path) -> dict[str, Any]:
    """Status, uris and search on the public records."""
    libraries = {
        f"corpus/{each.name}": library_of(folder, f"corpus/{each.name}")
        for each in sorted((folder / "corpus").iterdir())
    }
    records = [record for library in libraries.values() for record in library.records()]
    stating = [
        (library, record)
        for library in libraries.values()
        for record in library.records()
        if STATES.search(library.text(record)[:20_000])
    ]
    uris = sum(len({record.uri for record in each.records()}) for each in libraries.values())
    found = sum(record.status is not None for _, record in stating)
    return {
        "documents": len(records),
        "own uris": uris,
        "state a status": len(stating),
        "status found": found,
        "status found, percent": round(100 * found / len(stating), 1),
        "search": search_recall(data, libraries),
    }


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
    weights = [1 / (rank + 100) for rank in range(len(words))]

    def sentence(length: int) -> str:
        return " ".join(dice.choices(words, weights, k=length)).capitalize() + "."

    for number in range(count):
        kind = ("adr", "adr", "patterns", "guidelines")[number % 4]
        folder = project / "mcp" / "resources" / kind
        folder.mkdir(parents=True, exist_ok=True)
        name = "-".join(dice.choices(words, weights, k=4))
        paragraphs = "\n\n".join("\n".join(sentence(12) for _ in range(3)) for _ in range(3))
        title = " ".join(dice.choices(words, weights, k=5)).title()
        head = f"# {number}. {title}\n\nDate: 2024-01-0{number % 9 + 1}\n\n## Status\n\nAccepted\n"
        if kind != "adr":
            head = f"# {title}\n"
        text = f"{head}\n## Context\n\n{paragraphs}\n\n## Decision\n\n{sentence(60)}\n"
        (folder / f"{number:05}-{name}.md").write_text(text)


def on_many(project: Path, count: int) -> dict[str, Any]:
    """First index, one change, and searches."""
    make_documents(project, count)
    library = Library(project)
    began = time.process_time()
    library.index()
    first = time.process_time() - began
    file = sorted((project / "mcp/resources/adr").iterdir())[count // 4]
    file.write_text(file.read_text() + "\nquagga\n")
    began = time.perf_counter()
    library.refresh([file])
    assert library.index().search("quagga").total == 1
    changed = time.perf_counter() - began
    return {
        "documents": count,
        "first index, s of CPU": round(first, 2),
        "a change is found after, ms": round(changed * 1000, 1),
        **search_times(library),
    }


def search_times(library: Library) -> dict[str, float]:
    dice = random.Random(5)
    titles = [record.title.split() for record in library.records()]
    queries = [" ".join(dice.sample(dice.choice(titles), 3)) for _ in range(200)]
    searcher = Searcher(library)
    times = []
    for query in queries:
        began = time.perf_counter()
        searcher.search(query)
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return {
        "search p50, ms": round(statistics.median(times), 2),
        "search p95, ms": round(times[int(len(times) * 0.95)], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    shown: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        if (args.data / "documents.tar.gz").is_file():
            with tarfile.open(args.data / "documents.tar.gz") as archive:
                archive.extractall(folder, filter="data")
            shown["real records"] = on_real_records(args.data, Path(folder))
        else:
            shown["real records"] = f"skipped: no data in {args.data.name}"
        shown["many documents"] = on_many(Path(folder) / "many", args.documents)
    print(json.dumps(shown, indent=None if args.json else 2))


if __name__ == "__main__":
    main()
