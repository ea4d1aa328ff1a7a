"""`check-adr-alignment`: which earlier decisions concern a proposal?"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.tool import JSON, READ_ONLY, CallContext, Tool
from toolcrib.packs.architecture.library.finds import WHOLE

if TYPE_CHECKING:
    from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions, Related
    from toolcrib.packs.architecture.alignment.judge import Alignment, AlignmentVerdict, Judge
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.library.pages import LibraryPage
    from toolcrib.packs.architecture.library.records import DocumentRecord

MOST_RELATED = 10
_LOOKED_AT = 30
_SURELY = 0.6
# What is far behind the best, or hardly alike at all, is not worth the reader's time.
_LEAST_SHARE = 0.2
LEAST_SCORE = 0.06
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
    """The decisions of a library, read once and updated with the library."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._version = -1
        self._read: dict[tuple[int, str], tuple[LibraryPage, Decision]] = {}
        self._decisions: dict[frozenset[str], Decisions] = {}
        self._lock = threading.Lock()
        self._waiting: set[int] = set()

    def decisions(self, text: str = "") -> Decisions:
        """All that count, as they stand now; only what changed is read again.

        Those of a part of the repository count where `text` names a path in that part.
        """
        caller = threading.get_ident()
        self._waiting.add(caller)
        try:
            with self._lock:
                return self._current(lambda _: None, self._scopes(text))
        finally:
            self._waiting.discard(caller)

    def warm(self, stop: threading.Event) -> None:
        """Read them beside everything else, with long pauses; without any for who waits for it."""

        def breathe(worked: float) -> None:
            if not self._waiting and stop.wait(_REST * worked):
                raise _Stopped

        with contextlib.suppress(_Stopped):
            with self._lock:
                decisions = self._current(breathe, self._scopes(""))
            for decision in decisions.all:  # without the lock: nobody has to wait for this
                began = time.thread_time()
                decision.get_ready()
                breathe(time.thread_time() - began)

    def _scopes(self, text: str) -> frozenset[str]:
        """The parts of the repository that a text names a path of."""
        scopes = {record.scope for record in self.library.records("adr") if record.scope}
        return frozenset(
            scope
            for scope in scopes
            if scope == WHOLE or re.search(rf"(?<![\w/.-]){re.escape(scope)}(?![\w-])", text)
        )

    def _current(self, breathe: Callable[[float], None], scopes: frozenset[str]) -> Decisions:
        from toolcrib.packs.architecture.alignment.corpus import Decisions

        snapshot = self.library.snapshot
        if snapshot.version != self._version:
            self._decisions.clear()
        known = self._decisions.get(scopes)
        if known is None:
            read = {}
            for record in snapshot.by_kind.get("adr", ()):
                if not record.is_decision or (record.scope and record.scope not in scopes):
                    continue
                key = (record.root, record.path)
                entry = self._entry(record, snapshot.pages[key], breathe)
                if entry is not None:
                    read[key] = self._read[key] = entry
            if not self._decisions:
                self._read = read
            known = self._decisions[scopes] = Decisions(entry for _, entry in read.values())
            self._version = snapshot.version
        return known

    def _entry(
        self, record: DocumentRecord, page: LibraryPage, breathe: Callable[[float], None]
    ) -> tuple[LibraryPage, Decision] | None:
        from toolcrib.packs.architecture.alignment.corpus import Decision

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
    from toolcrib.packs.architecture.alignment.judge import Judge
    from toolcrib.packs.architecture.alignment.proposal import Proposal

    proposal = Proposal.of(description, context)
    decisions = book.decisions(f"{description}\n{context}")
    found = decisions.related(proposal, _LOOKED_AT)
    judge = Judge(proposal, decisions)
    verdicts = judge.judge_all(found)
    places = _best_first(found, verdicts)
    entries: dict[str, JSON] = {}
    for at in places:
        for record, alignment, reason in _in_force(book.library, judge, found, verdicts, at):
            known = entries.get(record.uri)
            if known is None or (known["alignment"] == "related" and alignment == "conflicts"):
                entries[record.uri] = _entry(record, alignment, reason)
        if len(entries) >= MOST_RELATED:
            break
    related = list(entries.values())[:MOST_RELATED]
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


def _best_first(found: Sequence[Related], verdicts: Sequence[AlignmentVerdict]) -> list[int]:
    """The places worth telling: first what is sure, then what is nearest."""
    if not found:
        return []
    sure = [at for at, each in enumerate(verdicts) if each.alignment != "related"]
    sure.sort(key=lambda at: -verdicts[at].surely)
    least = max(LEAST_SCORE, _LEAST_SHARE * found[0].score)
    near = [at for at, each in enumerate(found) if each.score >= least and at not in sure]
    return [*sure, *near]


def _in_force(
    library: Library,
    judge: Judge,
    found: Sequence[Related],
    verdicts: Sequence[AlignmentVerdict],
    at: int,
) -> list[tuple[DocumentRecord, Alignment, str]]:
    """The decisions to name, each with its verdict: for one that is over its successor.

    The one that is over follows it where the proposal itself is about it, and makes no conflict.
    """
    decision, verdict = found[at].decision, verdicts[at]
    record = decision.record
    if record.status not in _OVER:
        return [(record, verdict.alignment, judge.reason(decision, verdict))]
    again = verdict.alignment == "supports" and verdict.surely >= _SURELY
    decided = judge.decided(decision)
    successor = library.successor(record)
    if successor is None:
        if record.status == "rejected" and judge.refuses_too(decision, verdict):
            return [(record, verdict.alignment, judge.reason(decision, verdict))]
        if again and record.status == "rejected" and not decision.position.denied_title[1]:
            what = f"The proposal takes a path that was {record.status}"
            return [(record, "conflicts", what + decided)]
        had = f", and had decided{decided}" if _says(decided) else decided
        return [(record, "related", f"It is {record.status}{had}")]
    place = next((n for n, each in enumerate(found) if each.decision.record == successor), None)
    told: list[tuple[DocumentRecord, Alignment, str]] = []
    theirs = verdicts[place] if place is not None else None
    if place is not None and theirs is not None and not (again and verdict.surely > theirs.surely):
        told.append((successor, theirs.alignment, judge.reason(found[place].decision, theirs)))
    elif again:
        what = f"The proposal goes back to “{record.title}”, which this decision replaced"
        told.append((successor, "conflicts", what + decided))
    else:
        what = f"It took the place of “{record.title}”, which speaks of this"
        told.append((successor, "related", what + decided))
    if at == 0 or verdict.alignment != "related":
        had = f". It had decided{decided}" if _says(decided) else decided
        what = f"It is {record.status}: “{successor.title}” took its place{had}"
        told.append((record, "related", what))
    return told


def _says(decided: str) -> bool:
    """Whether a sentence of the decision could be quoted; else there is but the full stop."""
    return decided != "."


def _entry(record: DocumentRecord, alignment: Alignment, reason: str) -> JSON:
    return {
        "uri": record.uri,
        "title": record.title,
        "adr_id": record.adr_id or record.stem,
        "status": record.status or "unknown",
        "alignment": alignment,
        "reason": reason,
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
