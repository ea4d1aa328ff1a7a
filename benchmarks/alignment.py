"""How well `check-adr-alignment` finds related decisions and names conflicts, on real records.

    python benchmarks/alignment.py [--data FOLDER] [--half 0|1] [--json FILE]

The truth is what the authors of the records linked: a proposal is read without its links, against
the records of its repository as they stood before. A pair without a link may still conflict, so
the precision is a lower bound. At last all records of all repositories are taken as one library,
for the time that a call takes among so many. What has a limit is shown with it, and the exit code
says whether all are kept. Without the data it says so and does nothing.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
import tarfile
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from report import Report

from toolcrib.packs.architecture.alignment.alignment import Decisions
from toolcrib.packs.architecture.alignment.decisions import DecisionBook, check_alignment
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.settings import ArchitectureSettings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "adr"
LONGEST = 5_000
AT = (1, 5, 10)
# In percent, on decision records.
LEAST = {"related@5": 74, "conflicts F1": 40}


class Before(DecisionBook):
    """The decisions of a repository without some files: those that came with the proposal."""

    def __init__(self, book: DecisionBook, excluded: set[str]) -> None:
        super().__init__(book.library)
        known = [each for each in book.decisions().all if each.record.path not in excluded]
        self._known = Decisions(known)

    def decisions(self) -> Decisions:
        return self._known


def half_of(repo: str) -> int:
    """Which half of the repositories one belongs to: one to tune on, one to verify on."""
    return hashlib.sha256(repo.encode()).digest()[0] % 2


def measure(folder: Path, cases: list[dict]) -> list[dict]:
    """One row per proposal: what was found, what was called a conflict, and how long it took."""
    books: dict[str, DecisionBook] = {}
    rows = []
    for case in cases:
        corpus = case["corpus_blind_dir"]
        if corpus not in books:
            settings = ArchitectureSettings(resources=(), adr=(corpus,), detect=False)
            books[corpus] = DecisionBook(Library(folder, settings))
        book = Before(books[corpus], set(case["exclude"]))
        text = (folder / case["proposal_file"]).read_text(errors="replace")[:LONGEST]
        started = time.process_time()
        answer = check_alignment(book, text)
        took = time.process_time() - started
        paths = {each["uri"]: book.library.get(each["uri"]).path for each in answer["related_adrs"]}
        rows.append(
            {
                **case,
                "found": list(paths.values()),
                "called": [paths[each["adr_uri"]] for each in answer["conflicts"]],
                "seconds": took,
            }
        )
    return rows


def figures(rows: list[dict]) -> dict[str, float]:
    """Recall of related and of superseded records, precision, recall and F1 of conflicts."""
    result: dict[str, float] = {"proposals": len(rows)}
    for name, gold in (("related", "gold_related"), ("superseded", "gold_conflicts")):
        linked = [row for row in rows if row[gold]]
        for at in AT:
            shares = [
                len(set(row["found"][:at]) & set(row[gold])) / len(row[gold]) for row in linked
            ]
            result[f"{name}@{at}"] = sum(shares) / (len(shares) or 1)
    called = sum(len(row["called"]) for row in rows)
    wanted = sum(len(row["gold_conflicts"]) for row in rows)
    right = sum(len(set(row["called"]) & set(row["gold_conflicts"])) for row in rows)
    result["conflicts called"] = called
    result["conflicts precision"] = right / (called or 1)
    result["conflicts recall"] = right / (wanted or 1)
    result["conflicts F1"] = 2 * right / ((called + wanted) or 1)
    times = sorted(row["seconds"] for row in rows)
    # Processor time: the machine may be busy with something else.
    result["ms p50"] = 1000 * times[len(times) // 2]
    result["ms worst"] = 1000 * times[-1]
    return result


def among_all(report: Report, folder: Path, cases: list[dict]) -> None:
    """How long a call takes among all records: the first one, and those after it."""
    settings = ArchitectureSettings(resources=(), adr=("corpus",), detect=False)
    library = Library(folder, settings)
    count = len(library.records())
    texts = [(folder / each["proposal_file"]).read_text(errors="replace") for each in cases[::10]]
    began = time.process_time()
    check_alignment(library.decisions, texts[0][:LONGEST])
    report.add(f"first call among {count}, nothing read", time.process_time() - began, "s of CPU")
    times = []
    for text in texts:
        began = time.process_time()
        check_alignment(library.decisions, text[:LONGEST])
        times.append((time.process_time() - began) * 1000)
    times.sort()
    report.add(f"a call among {count}, p50", times[len(times) // 2], "ms", 100)
    report.add(f"a call among {count}, p95", times[int(len(times) * 0.95)], "ms", 100)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder with alignment.jsonl.gz")
    parser.add_argument("--half", type=int, choices=(0, 1), help="one half of the repositories")
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args()
    if not (args.data / "alignment.jsonl.gz").is_file():
        print(f"no decision records at {args.data}: nothing measured")
        return 0
    with gzip.open(args.data / "alignment.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines]
    if args.half is not None:
        cases = [case for case in cases if half_of(case["repo"]) == args.half]
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(args.data / "documents.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        by_stratum = defaultdict(list)
        for row in measure(folder, cases):
            by_stratum[row["stratum"]].append(row)
        for stratum, rows in sorted(by_stratum.items()):
            print({"adr": "decision records", "proposal": "longer proposals"}.get(stratum, stratum))
            for what, value in figures(rows).items():
                count = what.startswith(("proposals", "conflicts called"))
                unit = "" if count else "ms" if what.startswith("ms") else "%"
                least = LEAST.get(what) if stratum == "adr" else None
                report.add(what, 100 * value if unit == "%" else value, unit, least=least)
        print("all records as one library")
        among_all(report, folder, cases)
    if args.json:
        args.json.write_text(json.dumps(report.rows, indent=2) + "\n")
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
