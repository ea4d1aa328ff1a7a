from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.alignment import Decision, Decisions
from toolcrib.packs.architecture.alignment.evidence import Evidence, Reader
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.alignment.verdicts import Judge, clear_signs, likelihood, quote
from toolcrib.packs.architecture.library.records import Record

BACKGROUND = [
    ("Record architecture decisions", "We write down what we decide."),
    ("Log as JSON", "Every service writes one JSON object per line."),
    ("Pay through Stripe", "Payments go through Stripe."),
    ("Render pages on the server", "Pages are rendered with templates."),
    ("Deploy with containers", "Every service is a container."),
    ("Write tests first", "A change begins with its test."),
]


def verdict(proposal: str, title: str, body: str):
    shelf = [*BACKGROUND, (title, body)]
    decisions = Decisions(
        Decision(
            Record(
                uri=f"architecture://adr/{at:04}",
                kind="adr",
                path=f"{at:04}.md",
                root=0,
                file="x",
                title=name,
                size=0,
            ),
            f"# {name}\n\n## Decision\n\n{text}\n",
        )
        for at, (name, text) in enumerate(shelf)
    )
    read = Proposal.of(proposal)
    found = decisions.related(read)
    at = next(n for n, each in enumerate(found) if each.decision.record.title == title)
    return Judge(Reader(read, decisions)).judge(found, at)


@pytest.mark.parametrize(
    ("proposal", "title", "body"),
    [
        ("Use MongoDB as the database", "Use PostgreSQL", "We will use PostgreSQL for orders."),
        ("Use GOV.UK PaaS for hosting", "Use Heroku for hosting", "We host on Heroku."),
        ("Replace Redis with Memcached", "Use Redis", "We will use Redis as a cache."),
        ("Remove the Bullet gem", "Use Bullet to catch queries", "We use the Bullet gem."),
        ("Allow several carts", "Disallow several carts", "A customer has one cart."),
        ("Store money as floats", "Store money as integer cents", "Money is an integer of cents."),
        ("Issue Credential Protocol 2.0", "Issue Credential Protocol", "It issues a credential."),
    ],
)
def test_another_choice_for_the_same_thing_conflicts(proposal: str, title: str, body: str) -> None:
    """A-7: same subject and another choice → conflicts, with the sentence it rests on."""
    found = verdict(proposal, title, body)
    assert found.alignment == "conflicts", found.reason
    assert f"“{body}”" in found.reason or f"“{title}”" in found.reason


def test_an_option_that_was_turned_down_conflicts() -> None:
    """A-7: a rejected alternative proposed again → conflicts."""
    body = (
        "We send mail with Postmark.\n\n## Considered options\n\n* Postmark\n* SendGrid: no logs\n"
    )
    found = verdict("Use SendGrid to send mail", "Send mail with Postmark", body)
    assert found.alignment == "conflicts"
    assert "did not take it: “SendGrid" in found.reason


@pytest.mark.parametrize(
    ("proposal", "title", "body"),
    [
        ("Use PostgreSQL for reports too", "Use PostgreSQL", "We will use PostgreSQL for orders."),
        ("Adopt containers for the jobs", "Use containers for jobs", "Every job is a container."),
    ],
)
def test_the_same_choice_supports(proposal: str, title: str, body: str) -> None:
    """A-7: same subject and same choice → supports."""
    found = verdict(proposal, title, body)
    assert found.alignment == "supports", found.reason
    assert f"“{body}”" in found.reason


def test_words_that_do_not_decide_are_related_and_say_what_to_compare() -> None:
    """A-7: where the words do not decide, it is `related` and says what to look at."""
    found = verdict(
        "Show the number of orders on the start page",
        "Use PostgreSQL",
        "We will use PostgreSQL for orders.",
    )
    assert found.alignment == "related"
    assert "Both speak of orders" in found.reason
    assert "“We will use PostgreSQL for orders.”" in found.reason


def test_one_of_a_series_is_no_conflict() -> None:
    series = [(f"{name} dead letter queue", f"{name} has a queue.") for name in ("Redis", "Kafka")]
    BACKGROUND.extend(series)
    try:
        found = verdict("SQS dead letter queue", "Mqtt dead letter queue", "Mqtt has a queue.")
    finally:
        del BACKGROUND[-2:]
    assert found.alignment == "related"


def test_no_sign_is_no_conflict_however_near_the_words_are() -> None:
    """A-7: no conflict without a sentence that shows it."""
    assert clear_signs(Evidence(margin=1.0)) == []
    assert likelihood(Evidence()) < 0.05
    assert likelihood(Evidence(margin=0.6, reversed=1.0)) > 0.9
    assert likelihood(Evidence(margin=0.6, title=0.4, extends=1.0)) < 0.4


def test_quotes_are_short_and_plain() -> None:
    assert quote("**We   will** use it.\n") == ": “We will** use it.”"
    assert len(quote("word " * 200)) < 300
