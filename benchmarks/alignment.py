"""How far the answers of `check-adr-alignment` can be believed, on real records.

    python benchmarks/alignment.py [--data FOLDER] [--half 0|1] [--json FILE]

Verdicts: proposals that restate, oppose or have nothing to do with a record, mined from 25
repositories; the same with other verbs and with options cut to a word or two; and proposals
worded by hand. Right is what was expected, wrong the other way round; all else is undecided.
Beside each figure stands that of release 0.1. Nothing is fitted to these repositories: the rules
have no weights that were learnt.

Superseding: the truth is what the authors of the records linked. A proposal is read without its
links, against the records of its repository as they stood before. A pair without a link may still
conflict, so the precision is a lower bound.

At last the records of all repositories are taken as one library, for the time that a call takes
among so many. What has a limit is shown with it, and the exit code says whether all are kept.
Without the data it says so and does nothing.
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

import wording
from report import Report

from toolcrib.packs.architecture.alignment.corpus import Decisions
from toolcrib.packs.architecture.alignment.decisions import DecisionBook, check_alignment
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.settings import ArchitectureSettings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "adr"
LONGEST = 5_000
AT = (1, 5, 10)
# In percent, on decision records.
LEAST = {"related@5": 74, "conflicts F1": 40}
MOST_WRONG, ENOUGH = 5, 100
LARGE = 800
# Kinds of one expectation: what is counted, of which kinds, the limit, and release 0.1.
NOT_CONFLICTS = ("s_title", "s_topic", "s_full")
AT_LEAST = (
    ("own title → supports", ("s_title",), 93, 73.9),
    ("own sentence → supports", ("s_sentence",), 93, 30.6),
    ("chosen option → supports", ("s_option",), 93, 41.8),
    ("negated → conflicts", ("c_negated",), 90, 68.7),
    ("stopped → conflicts", ("c_stop",), 90, 69.5),
    ("replaced → conflicts", ("c_replace",), 90, 73.1),
    ("rejected option with its purpose → conflicts", ("c_rejected",), 80, 68.1),
    ("rejected option, bare → conflicts", ("c_rejected_bare",), 65, 37.3),
    ("do not use what was rejected → supports", ("s_neg",), 75, 0.4),
)


class Before(DecisionBook):
    """The decisions of a repository without some files: those that came with the proposal."""

    def __init__(self, book: DecisionBook, excluded: set[str]) -> None:
        super().__init__(book.library)
        known = [each for each in book.decisions().all if each.record.path not in excluded]
        self._known = Decisions(known)

    def decisions(self, text: str = "") -> Decisions:
        return self._known


class Shelves:
    """The decisions of each repository, without those that a proposal is not to see."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._books: dict[str, DecisionBook] = {}
        self._before: dict[tuple[str, ...], Before] = {}

    def get(self, corpus: str, excluded: list[str]) -> DecisionBook:
        """The book of one repository."""
        if corpus not in self._books:
            settings = ArchitectureSettings(resources=(), adr=(corpus,), detect=False)
            self._books[corpus] = DecisionBook(Library(self._folder, settings))
        key = (corpus, *sorted(excluded))
        if key not in self._before:
            self._before[key] = Before(self._books[corpus], set(excluded))
        return self._before[key]


def judged(shelves: Shelves, case: dict) -> dict:
    """A case with what came of it: right, wrong or undecided, and conflicts with other records."""
    book = shelves.get(case["corpus"], case["exclude"])
    answer = check_alignment(book, case["proposal"][:LONGEST])
    listed = {book.library.get(e["uri"]).path: e["alignment"] for e in answer["related_adrs"]}
    called = [path for path, alignment in listed.items() if alignment == "conflicts"]
    target, expected = case["adr_id"], case["expected"]
    got = listed.get(target) if target else None
    if target is None:
        outcome = "wrong" if called else "right"
    elif expected == "not_conflicts":
        outcome = "wrong" if got == "conflicts" else "right"
    elif got == expected:
        outcome = "right"
    elif got == "conflicts" or (got == "supports" and expected == "conflicts"):
        outcome = "wrong"
    else:
        outcome = "undecided"
    others = len([path for path in called if path != target]) if target else 0
    return {**case, "outcome": outcome, "got": got, "others": others}


def percent(rows: list[dict], field: str, value: object) -> float:
    """How many of the rows have the value, in percent."""
    return 100 * sum(1 for row in rows if row[field] == value) / (len(rows) or 1)


def was(what: str, before: float) -> str:
    """A figure's name with what it was in release 0.1."""
    return f"{what} (0.1: {before:g})"


def verdicts(report: Report, shelves: Shelves, cases: list[dict]) -> None:
    """The mined proposals, kind by kind."""
    rows = [judged(shelves, case) for case in cases]
    by_kind = defaultdict(list)
    for row in rows:
        by_kind[row["kind"]].append(row)
    report.add(was("wrong, all", 23.5), percent(rows, "outcome", "wrong"), "%", 2)
    report.add(was("right, all", 56.1), percent(rows, "outcome", "right"), "%")
    for kind, group in sorted(by_kind.items()):
        limit = MOST_WRONG if len(group) >= ENOUGH else None
        report.add(f"wrong, {kind} ({len(group)})", percent(group, "outcome", "wrong"), "%", limit)
    own = [row for kind in NOT_CONFLICTS for row in by_kind[kind]]
    what = was("own title, topic, full text → conflicts", 35.8)
    report.add(what, percent(own, "got", "conflicts"), "%", 1)
    for what, kinds, least, before in AT_LEAST:
        group = [row for kind in kinds for row in by_kind[kind]]
        report.add(was(what, before), percent(group, "outcome", "right"), "%", least=least)
    other = percent(by_kind["u_other"], "outcome", "wrong")
    report.add(was("unrelated → any conflict", 1.1), other, "%", 0.5)
    elsewhere = sum(row["others"] for row in rows) / len(rows)
    report.add(was("conflicts on other records, per proposal", 0.013), elsewhere, "", 0.04)


def reworded(report: Report, shelves: Shelves, cases: list[dict]) -> None:
    """The mined proposals with other verbs, and with their options cut short."""
    rows = [judged(shelves, case) for case in wording.reworded(cases)]
    report.add(f"right ({len(rows)})", percent(rows, "outcome", "right"), "%", least=60)
    report.add("wrong", percent(rows, "outcome", "wrong"), "%", 4)


def other_ways(report: Report, shelves: Shelves, cases: list[dict]) -> None:
    """Options taken, given up and worked on, in sentences of several sets (`ways.txt`)."""
    for (number, kind), sentences in wording.ways().items():
        rows = [judged(shelves, case) for case in wording.said_in(sentences, kind, cases)]
        what = f"set {number}, {kind.replace('_', ' ')} ({len(rows)})"
        report.add(f"{what}: right", percent(rows, "outcome", "right"), "%")
        report.add(f"{what}: wrong", percent(rows, "outcome", "wrong"), "%")


def by_hand(report: Report, shelves: Shelves, cases: list[dict]) -> None:
    """Proposals as an engineer or an agent would word them."""
    rows = [judged(shelves, case) for case in cases]
    named = [row for row in rows if row.get("how") == "named"]
    related = [row for row in rows if row["expected"] == "related"]
    aimed = [row for row in rows if row["adr_id"]]
    report.add(was("right, all", 35.3), percent(rows, "outcome", "right"), "%", least=55)
    report.add(was("wrong, all", 9.2), percent(rows, "outcome", "wrong"), "%", 5)
    right = percent(named, "outcome", "right")
    report.add(was("right, where the thing is named", 32), right, "%", least=70)
    report.add("related called a conflict", percent(related, "got", "conflicts"), "%", 5)
    listed = 100 - percent(aimed, "got", None)
    report.add(was("the target is in the list", 88.8), listed, "%", least=92)


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
    book = library.decisions
    count = len(library.records("adr"))
    texts = [(folder / each["proposal_file"]).read_text(errors="replace") for each in cases[::10]]
    began = time.process_time()
    check_alignment(book, texts[0][:LONGEST])
    report.add(f"first call among {count}, nothing read", time.process_time() - began, "s of CPU")
    book = Before(book, {each.record.path for each in book.decisions().all[LARGE:]})
    count = len(book.decisions().all)
    for decision in book.decisions().all:
        decision.get_ready()
    times = []
    for text in texts:
        began = time.process_time()
        check_alignment(book, text[:LONGEST])
        times.append((time.process_time() - began) * 1000)
    times.sort()
    report.add(f"a call among {count}, p50", times[len(times) // 2], "ms of CPU")
    report.add(f"a call among {count}, p95", times[int(len(times) * 0.95)], "ms of CPU", 20)


def lines(file: Path) -> list[dict]:
    """The cases of a file, none where there is no such file."""
    if not file.is_file():
        return []
    with gzip.open(file, "rt") as text:
        return [json.loads(line) for line in text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder with alignment.jsonl.gz")
    parser.add_argument("--half", type=int, choices=(0, 1), help="one half of the repositories")
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args()
    if not (args.data / "alignment.jsonl.gz").is_file():
        print(f"no decision records at {args.data}: nothing measured")
        return 0
    cases = lines(args.data / "alignment.jsonl.gz")
    mined = lines(args.data / "verdicts.jsonl.gz")
    worded = lines(args.data / "hand.jsonl.gz")
    if args.half is not None:
        cases, mined, worded = (
            [case for case in group if half_of(case["repo"].replace("__", "/")) == args.half]
            for group in (cases, mined, worded)
        )
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for archive in ("documents.tar.gz", "more-documents.tar.gz"):
            if (args.data / archive).is_file():
                with tarfile.open(args.data / archive) as packed:
                    packed.extractall(folder, filter="data")
        shelves = Shelves(folder)
        for heading, work, group in (
            ("verdicts on mined proposals", verdicts, mined),
            ("the same with other verbs, options cut short", reworded, mined),
            ("short options in ways that no rule was first made for", other_ways, mined),
            ("proposals worded by hand", by_hand, worded),
        ):
            if group:
                print(heading)
                work(report, shelves, group)
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
