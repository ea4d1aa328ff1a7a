from __future__ import annotations

import random
import time
from itertools import accumulate

from support.growth import assert_costs_at_most
from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.decisions import LEAST_SCORE
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.library.records import DocumentRecord


def decision(number: int, title: str, body: str = "", date: str | None = None) -> Decision:
    record = DocumentRecord(
        uri=f"architecture://adr/{number:04}",
        kind="adr",
        path=f"{number:04}.md",
        root=0,
        file=f"{number:04}.md",
        title=title,
        size=len(body),
        number=number,
        date=date,
    )
    return Decision(record, f"# {title}\n\n{body}")


SHELF = [
    decision(1, "Record architecture decisions", "We write down what we decide."),
    decision(2, "Use PostgreSQL", "We will use PostgreSQL to keep orders and customers."),
    decision(3, "Render pages on the server", "Pages are rendered with templates."),
    decision(4, "Log as JSON", "Every service writes one JSON object per line."),
    decision(5, "Keep carts in sessions", "A cart lives in the session of its customer."),
    decision(6, "Pay through Stripe", "Payments go through Stripe."),
]


def found(text: str, shelf: list[Decision] = SHELF) -> list[int]:
    related = Decisions(shelf).related(Proposal.of(text))
    return [each.decision.record.number or 0 for each in related]


def test_the_decision_about_the_same_thing_comes_first() -> None:
    """A-7: related decisions, best first."""
    assert found("Move the orders from PostgreSQL to MongoDB")[0] == 2
    assert found("Render product pages in the browser instead of on the server")[0] == 3
    assert found("A cart should survive the end of a session")[0] == 5


def test_what_shares_no_word_is_not_related() -> None:
    assert found("Paint the office blue") == []
    assert found("") == []


def test_a_decision_that_came_later_stands_back() -> None:
    """A-7: a proposal seldom speaks of what was decided after it."""
    twins = [decision(3, "Use Kafka", "Kafka."), decision(9, "Use Kafka too", "Kafka.")]
    assert found("# 5. Replace Kafka\n\nKafka.", [*SHELF, *twins])[:2] == [3, 9]
    related = Decisions(twins).related(Proposal.of("# 5. Replace Kafka\n\nKafka."))
    assert [each.younger for each in related] == [False, True]


def test_no_decisions_at_all_are_no_trouble() -> None:
    assert Decisions([]).related(Proposal.of("Use PostgreSQL")) == []


def test_the_order_never_depends_on_the_order_of_reading() -> None:
    shuffled = list(SHELF)
    random.Random(3).shuffle(shuffled)
    text = "Keep carts and orders in PostgreSQL, log payments as JSON"
    assert found(text, shuffled) == found(text)


def test_650_long_documents_are_compared_within_100_milliseconds() -> None:
    """A-7: 650 long documents within 100 ms per call."""
    chance = random.Random(7)
    vocabulary = [f"word{number}" for number in range(8_000)]
    totals = list(accumulate(1 / (rank + 5) for rank in range(8_000)))

    def words(count: int) -> str:
        return " ".join(chance.choices(vocabulary, cum_weights=totals, k=count))

    shelf = Decisions(decision(n, words(6), words(1_500)) for n in range(650))
    proposal = f"# {words(6)}\n\n{words(800)}"[:5_000]
    times = []
    for _ in range(3):
        started = time.process_time()
        assert len(shelf.related(Proposal.of(proposal))) == 10
        times.append(time.process_time() - started)
    assert_costs_at_most(min(times), 10)


def nearest(text: str, shelf: list[Decision] = SHELF) -> list[int]:
    """The numbers of what is listed, best first, but for what hardly has to do with it."""
    found = Decisions(shelf).related(Proposal.of(text), 3)
    return [each.decision.record.number or 0 for each in found if each.score >= LEAST_SCORE]


def test_a_decision_in_other_words_is_found_by_its_meaning() -> None:
    """A-7: the target is in the list although it shares no telling word with the proposal."""
    spoken = [*SHELF, decision(7, "Delete rows softly", "## Decision\n\nMark a row as deleted.")]
    assert 7 in nearest("Purge removed records from the tables", spoken)
    assert nearest("Build the HTML of the site on a web server")[0] == 3


def test_nothing_is_near_in_meaning_to_what_has_nothing_to_do_with_it() -> None:
    """A-7: the opposite: no decision is named for a likeness by accident, or without words."""
    assert nearest("Tune the violin a quarter tone lower") == []
    assert nearest("") == []
    assert nearest("Purge removed records", []) == []
