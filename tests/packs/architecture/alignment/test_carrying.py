from __future__ import annotations

import pytest

from support.decisions import decision
from toolcrib.packs.architecture.alignment.carrying import Carrying
from toolcrib.packs.architecture.alignment.corpus import Decisions
from toolcrib.packs.architecture.alignment.judge import Judge
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.verbs.deeds import spoken

RECORDS = {
    "Hints for developers": (
        "## Decision\n\nHints for developers must be wrapped within a `__TRACE__` block.\n"
        "Sizes are computed by `measureText` on the server.\n"
    ),
    "Sealed Parcels": "## Decision\n\nFiles travel between steps in Sealed Parcels.\n",
    "Money": (
        "## Options\n\n* Decimal type\n* Represent prices as cents\n\n## Decision\n\n"
        "Chosen option: Represent prices as cents\n"
    ),
    "Use Gatekeeper": "## Decision\n\nWe adopt Gatekeeper for the rules of the cluster.\n",
    "Use Playwright for browser tests": (
        "## Options\n\n* Cypress\n* Playwright\n\n## Decision\n\nChosen option: Playwright\n"
    ),
    "Data migrations": "## Decision\n\nTo change old rows, write a rake task.\n",
    "Use feature flags": "## Decision\n\nUnfinished work is switched by feature flags.\n",
    "Cold copies": (
        "## Decision\n\nServers with a backup tag are saved each night. The web server is separate"
        " from the job runner.\n"
    ),
    "Send mails from a queue": "## Decision\n\nWe send mails from a queue.\n",
}


SHELF = Decisions(decision(n, *each) for n, each in enumerate(RECORDS.items(), 1))


def verdict(text: str, title: str) -> str:
    proposal = Proposal.of(text)
    found = SHELF.related(proposal, 30)
    judged = Judge(proposal, SHELF).judge_all(found)
    places = [at for at, each in enumerate(found) if each.decision.title == title]
    return judged[places[0]].alignment if places else "related"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Put the note on long loops in a __TRACE__ block.", "Hints for developers"),
        ("The label's width comes from measureText.", "Hints for developers"),
        ("The scanner hands its report on as a Sealed Parcel.", "Sealed Parcels"),
        ("Refuse images without a tag by a Gatekeeper rule.", "Use Gatekeeper"),
        ("Port the last Cypress suite to Playwright.", "Use Playwright for browser tests"),
        (
            "The sign-in gets checked nightly from a Playwright job.",
            "Use Playwright for browser tests",
        ),
        ("Bake one Playwright script per shop.", "Use Playwright for browser tests"),
    ],
)
def test_who_does_it_the_decided_way_supports_the_decision(text: str, title: str) -> None:
    """A-7: what restates a decision, in any words, supports it; so does what carries it out."""
    assert verdict(text, title) == "supports"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Rename the __TRACE__ flag in the handbook.", "Hints for developers"),
        ("Why is measureText so slow on Mondays?", "Hints for developers"),
        ("Find out who invented sealed parcels.", "Sealed Parcels"),
        ("Upgrade Gatekeeper before Christmas.", "Use Gatekeeper"),
        ("Lunch with a Playwright author.", "Use Playwright for browser tests"),
        ("Measure a Playwright script on the old laptop.", "Use Playwright for browser tests"),
        ("The parcels of the shop get sealed by hand.", "Sealed Parcels"),
    ],
)
def test_work_near_a_decision_is_only_related(text: str, title: str) -> None:
    """A-7: an unsure verdict is `related`."""
    assert verdict(text, title) == "related"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Port the last Playwright suite to Cypress.", "Use Playwright for browser tests"),
        ("Do not wrap hints for developers within a __TRACE__ block.", "Hints for developers"),
    ],
)
def test_the_opposite_of_a_practice_does_not_support_it(text: str, title: str) -> None:
    """A-7: what gives up what was chosen, or takes what was rejected, conflicts."""
    assert verdict(text, title) == "conflicts"


def test_a_record_is_met_by_a_name_of_its_practices() -> None:
    """A-7: a verdict rests on a sentence of the decision."""
    clause = read_clauses("Compute the width by measureText.")[0]
    carrying = Carrying(SHELF, {clause: spoken(clause.text, clause.wanted)}, {clause: {}})
    met = list(carrying.met(clause, SHELF.all[0]))
    assert [stance.sentence for _, stance in met] == [
        "Sizes are computed by measureText on the server."
    ]


def test_the_same_thing_in_another_manner_conflicts() -> None:
    """A-7: who wants what was chosen, but mandatory where it is optional, decides otherwise."""
    shelf = {
        "Picture tests": "## Decision\n\nWe integrate BackstopJS as an optional part.\n",
        "Release notes": (
            "## Decision\n\nEach change adds its line to the notes, rather than at release time.\n"
        ),
    }
    decisions = Decisions(decision(n, *each) for n, each in enumerate(shelf.items(), 1))
    for text, title, expected in (
        ("BackstopJS becomes a mandatory part of the build.", "Picture tests", "conflicts"),
        ("BackstopJS stays an optional part of the build.", "Picture tests", "supports"),
        ("Add the lines to the notes at release time.", "Release notes", "conflicts"),
        ("The time of the release is shown to all.", "Release notes", "related"),
    ):
        proposal = Proposal.of(text)
        found = decisions.related(proposal, 30)
        judged = Judge(proposal, decisions).judge_all(found)
        got = {each.decision.title: v.alignment for each, v in zip(found, judged, strict=True)}
        assert got.get(title, "related") == expected, text


def test_a_part_of_another_name_is_no_practice() -> None:
    """A-7: "fog-cents" is not "cents"."""
    assert verdict("Measure it with fog-measureText.", "Hints for developers") == "related"


@pytest.mark.parametrize(
    ("proposal", "title"),
    [
        ("Fill the new column of old rows with a rake task.", "Data migrations"),
        ("Hide the new filters behind a feature flag until they are done.", "Use feature flags"),
        ("Put the backup tag on the mail host.", "Cold copies"),
        ("The clean-up of old rows becomes a rake task.", "Data migrations"),
    ],
)
def test_a_thing_of_two_words_as_the_means_carries_a_decision_out(
    proposal: str, title: str
) -> None:
    """A-7: "with a rake task" does what the decision tells, though neither word is a name."""
    assert verdict(proposal, title) == "supports"


@pytest.mark.parametrize(
    ("proposal", "title"),
    [
        ("List the rake tasks by how long they take.", "Data migrations"),
        ("Count the feature flags that nobody has touched for a year.", "Use feature flags"),
        ("Handle the jobs inside the web server.", "Cold copies"),
    ],
)
def test_a_thing_of_two_words_that_is_only_spoken_of_decides_nothing(
    proposal: str, title: str
) -> None:
    """A-7: work on a thing, or in a place, carries nothing out."""
    assert verdict(proposal, title) == "related"
