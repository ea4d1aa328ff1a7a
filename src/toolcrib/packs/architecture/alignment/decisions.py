"""`check-adr-alignment`: which decisions are already taken about what is proposed now?"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.tool import JSON, READ_ONLY, CallContext, Tool

if TYPE_CHECKING:
    from toolcrib.packs.architecture.alignment.alignment import Decision, Decisions, Related
    from toolcrib.packs.architecture.alignment.verdicts import Judge, Verdict
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.library.pages import LibraryPage
    from toolcrib.packs.architecture.library.records import Record

MOST_RELATED = 10
# What is far behind the best, or hardly alike at all, is not worth the reader's time.
_LEAST_SHARE = 0.3
_LEAST_SCORE = 0.08
_OVER = ("superseded", "deprecated", "rejected")
# How long to rest after a piece of work, as a multiple of it.
_REST = 1.0

INPUT_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        "decision_description": {
            "type": "string",
            "description": "Description of the proposed decision",
            "maxLength": 5000,
        },
        "decision_context": {
            "type": "string",
            "description": "Context or problem being addressed (optional)",
            "maxLength": 2000,
        },
    },
    "required": ["decision_description"],
}

OUTPUT_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        "related_adrs": {
            "type": "array",
            "maxItems": MOST_RELATED,
            "items": {
                "type": "object",
                "properties": {
                    "uri": {"type": "string"},
                    "title": {"type": "string"},
                    "adr_id": {"type": "string"},
                    "status": {"type": "string"},
                    "alignment": {"type": "string", "enum": ["supports", "conflicts", "related"]},
                    "reason": {"type": "string"},
                },
                "required": ["uri", "title", "adr_id", "status", "alignment", "reason"],
            },
        },
        "conflicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "adr_uri": {"type": "string"},
                    "conflict_description": {"type": "string"},
                },
                "required": ["adr_uri", "conflict_description"],
            },
        },
        "suggestions": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["related_adrs", "conflicts", "suggestions"],
}


def check_alignment_tool(library: Library) -> Tool:
    """The tool over the decisions of a library."""
    book = library.decisions

    def run(arguments: JSON, context: CallContext) -> JSON:
        return check_alignment(
            book, arguments["decision_description"], arguments.get("decision_context", "")
        )

    return Tool(
        name="check-adr-alignment",
        title="Check ADR alignment",
        description="Checks if a decision aligns with existing ADRs",
        input_schema=INPUT_SCHEMA,
        output_schema=OUTPUT_SCHEMA,
        annotations=READ_ONLY,
        category="architecture",
        tags=("architecture", "adr", "decisions"),
        origin=__name__,
        failures="protocol",
        run=run,
    )


class DecisionBook:
    """The decisions of a library, read once and brought up to date when the library is."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._version = -1
        self._read: dict[tuple[int, str], tuple[LibraryPage, Decision]] = {}
        self._decisions: Decisions | None = None
        self._lock = threading.Lock()
        self._waiting: set[int] = set()

    def decisions(self) -> Decisions:
        """All of them as they stand now; only what changed is read again."""
        caller = threading.get_ident()
        self._waiting.add(caller)
        try:
            with self._lock:
                return self._current(lambda _: None)
        finally:
            self._waiting.discard(caller)

    def warm(self, stop: threading.Event) -> None:
        """Read them beside everything else, with long pauses; without any for who waits for it."""

        def breathe(worked: float) -> None:
            if not self._waiting and stop.wait(_REST * worked):
                raise _Stopped

        with contextlib.suppress(_Stopped), self._lock:
            for decision in self._current(breathe).all:
                decision.get_ready()

    def _current(self, breathe: Callable[[float], None]) -> Decisions:
        from toolcrib.packs.architecture.alignment.alignment import Decisions

        snapshot = self.library.snapshot
        if self._decisions is None or snapshot.version != self._version:
            records = [each for each in snapshot.by_kind.get("adr", ()) if each.is_decision]
            read = {}
            for record in records:
                key = (record.root, record.path)
                entry = self._entry(record, snapshot.pages[key], breathe)
                if entry is not None:
                    read[key] = self._read[key] = entry
            self._read = read
            self._decisions = Decisions(entry for _, entry in read.values())
            self._version = snapshot.version
        return self._decisions

    def _entry(
        self, record: Record, page: LibraryPage, breathe: Callable[[float], None]
    ) -> tuple[LibraryPage, Decision] | None:
        from toolcrib.packs.architecture.alignment.alignment import Decision

        known = self._read.get((record.root, record.path))
        if known and known[0] is page and known[1].record == record:
            return known
        began = time.thread_time()
        try:
            made = Decision(record, self.library.document(record).body)
        except (FileRefused, FileUnreadable):
            return None  # gone since it was listed: the next version knows
        breathe(time.thread_time() - began)
        return page, made


class _Stopped(Exception):
    """Somebody said stop."""


def check_alignment(book: DecisionBook, description: str, context: str = "") -> JSON:
    """Compare a proposal with all decisions; the answer of the tool."""
    from toolcrib.packs.architecture.alignment.evidence import Reader
    from toolcrib.packs.architecture.alignment.proposal import Proposal
    from toolcrib.packs.architecture.alignment.verdicts import Judge

    proposal = Proposal.of(description, context)
    decisions = book.decisions()
    found = decisions.related(proposal, 2 * MOST_RELATED)
    judge = Judge(Reader(proposal, decisions))
    entries: dict[str, JSON] = {}
    for at in _worth_telling(found):
        record, verdict = _in_force(book.library, judge, found, at)
        if record.uri not in entries or verdict.alignment == "conflicts":
            entries[record.uri] = _entry(record, verdict)
        if len(entries) == MOST_RELATED:
            break
    related = list(entries.values())
    conflicts = [
        {"adr_uri": each["uri"], "conflict_description": f"{each['title']}: {each['reason']}"}
        for each in related
        if each["alignment"] == "conflicts"
    ]
    return {
        "related_adrs": related,
        "conflicts": conflicts,
        "suggestions": _suggestions(related, len(decisions.all)),
    }


def _worth_telling(found: Sequence[Related]) -> list[int]:
    if not found:
        return []
    least = max(_LEAST_SCORE, _LEAST_SHARE * found[0].score)
    return [at for at, each in enumerate(found) if each.score >= least]


def _in_force(
    library: Library, judge: Judge, found: Sequence[Related], at: int
) -> tuple[Record, Verdict]:
    """The decision to name, and the verdict: one that is no longer in force names its successor."""
    from toolcrib.packs.architecture.alignment.verdicts import Verdict, quote

    decision = found[at].decision
    record = decision.record
    verdict = judge.judge(found, at)
    if record.status not in _OVER:
        return record, verdict
    again = verdict.alignment == "supports" or judge.same_again(decision)
    decided = quote(judge.decided(decision))
    successor = library.successor(record)
    if successor is None:
        if again:
            what = f"The proposal takes a path that was {record.status}"
            return record, Verdict("conflicts", what + decided)
        return record, Verdict("related", f"It is {record.status}. {verdict.reason}")
    if again:
        what = f"The proposal goes back to “{record.title}”, which this decision replaced"
        return successor, Verdict("conflicts", what + decided)
    place = next((n for n, x in enumerate(found) if x.decision.record == successor), None)
    theirs = judge.judge(found, place) if place is not None else None
    if theirs is not None and theirs.alignment != "related":
        return successor, theirs
    what = f"It took the place of “{record.title}”, which speaks of this"
    return successor, Verdict("related", what + decided)


def _entry(record: Record, verdict: Verdict) -> JSON:
    return {
        "uri": record.uri,
        "title": record.title,
        "adr_id": record.adr_id or record.stem,
        "status": record.status or "unknown",
        "alignment": verdict.alignment,
        "reason": verdict.reason,
    }


def _suggestions(related: Sequence[JSON], total: int) -> list[str]:
    if not total:
        return [
            "There are no decision records here yet; `toolcrib architecture new-adr` writes one."
        ]
    if not related:
        return ["None of the decision records speaks of this: record the decision as a new one."]
    named = {
        alignment: [each["adr_id"] for each in related if each["alignment"] == alignment]
        for alignment in ("conflicts", "supports", "related")
    }
    told = []
    if named["conflicts"]:
        which = ", ".join(named["conflicts"])
        told.append(f"Before deciding, settle the conflict with {which}: keep it, or supersede it.")
    if named["supports"]:
        told.append(f"Refer to {', '.join(named['supports'])}, which already decided the same.")
    if named["related"]:
        told.append(f"Read {', '.join(named['related'][:3])} and say how the proposal relates.")
    return told
