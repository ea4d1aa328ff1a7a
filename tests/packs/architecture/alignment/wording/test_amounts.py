from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.amounts import amounts


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("a single ledger", True),
        ("one shared ledger for the branches", True),
        ("the branches share the ledger", True),
        ('a "unified" ledger', True),
        ("two separate ledgers", False),
        ("three independent ledgers", False),
        ("one ledger per branch", False),
        ("a single ledger for each branch", False),
        ("its own ledger", False),
    ],
)
def test_how_many_there_are_is_said_before_a_thing_or_behind_it(text: str, one: bool) -> None:
    """A-7: polarity of each clause; one for all is not one for each."""
    assert [(each.one, "ledger" in each.thing) for each in amounts(text)] == [(one, True)]


@pytest.mark.parametrize("text", ["the ledger", "one of the ledgers", "ledgers", ""])
def test_where_nothing_is_counted_there_is_no_amount(text: str) -> None:
    """A-7: words that do not decide give no verdict."""
    assert amounts(text) == ()


def test_an_amount_denied_is_the_other_one() -> None:
    """A-7: a double negation turns back."""
    (amount,) = amounts("two separate ledgers")
    assert amount.denied.one
    assert amount.denied.denied == amount


def test_what_is_kept_apart_is_not_one_for_both() -> None:
    """A-7: "treat A and B as different things" has one of each."""
    (amount, *_) = amounts("Treat Carty and Carty Free as different, unrelated sources")
    assert (amount.one, amount.thing) == (False, amounts("one Carty")[0].thing)
    assert amounts("Treat Carty and Carty Free as sources") == ()


def test_one_of_each_is_not_one_for_all() -> None:
    """A-7: who wants one of two things and one of the other wants both."""
    assert amounts("one Carty client and one Carty Free client") == ()
    assert amounts("one Carty client for both")[0].one
