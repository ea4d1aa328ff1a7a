from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions, Related
from toolcrib.packs.architecture.alignment.overturning import newer_version, says_so
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.library.records import DocumentRecord


def related(title: str, score: float) -> Related:
    record = DocumentRecord(
        uri=f"architecture://adr/{title}", kind="adr", path="a.md", root=0, file="a.md",
        title=title, size=1,
    )  # fmt: skip
    return Related(Decision(record, title), score)


FOUND = [related("Issue Credential Protocol", 0.9)] + [related(f"Queue {n}", 0.1) for n in range(6)]
SHELF = Decisions(each.decision for each in FOUND)


@pytest.mark.parametrize(
    ("title", "newer"),
    [
        ("Issue Credential Protocol 2.0", True),
        ("Issue Credential Protocol", False),
        ("Add Issue Credential Protocol 2.0", False),
        ("Parcel Protocol 2.0", False),
    ],
)
def test_a_higher_version_replaces_the_lower(title: str, newer: bool) -> None:
    assert newer_version(Proposal.of(f"# {title}\n\nText."), FOUND[0], SHELF) is newer


def test_a_record_that_revisits_another_says_so() -> None:
    text = "# Issue credentials\n\nWe revisit our earlier decision about the protocol."
    assert says_so(Proposal.of(text), FOUND) == text.split("\n\n")[1]
    assert says_so(Proposal.of("# Issue credentials\n\nWe sign twice."), FOUND) is None


def test_nobody_is_meant_where_none_stands_out() -> None:
    text = "# Queues\n\nWe revisit our earlier decision."
    assert says_so(Proposal.of(text), FOUND[1:]) is None
