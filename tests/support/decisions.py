"""Decisions for the tests of alignment: records from titles and texts, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.judge import Judge
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.library.records import DocumentRecord


def decision(number: int, title: str, body: str) -> Decision:
    """A record as it is read from a file."""
    record = DocumentRecord(
        uri=f"architecture://adr/{number}", kind="adr", path=f"{number}.md", root=0,
        file=f"{number}.md", title=title, size=len(body), number=number,
    )  # fmt: skip
    return Decision(record, f"# {title}\n\n{body}")


def shelf_of(records: Mapping[str, str]) -> Decisions:
    """All records of a library, from their titles and texts."""
    return Decisions(decision(number, *each) for number, each in enumerate(records.items(), 1))


def verdict_on(title: str, proposal: str, shelf: Decisions) -> str:
    """What is said of one record of a shelf; of one that is not found, nothing is."""
    read = Proposal.of(proposal)
    found = shelf.related(read, 30)
    verdicts = Judge(read, shelf).judge_all(found)
    places = [at for at, each in enumerate(found) if each.decision.title == title]
    return verdicts[places[0]].alignment if places else "unlisted"
