from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.negation import negations, without_negation
from toolcrib.packs.architecture.alignment.wording.words import phrase

THINGS = ("Redis", "Next.js", "the outbox table", "AWS Cloudwatch Synthetic Canary", "gRPC")
GIVING_UP = (
    "Stop using {x}.", "Turn our backs on {x}.", "Leave {x} behind.", "Throw {x} out.",
    "Set {x} aside.", "Show {x} the door.", "Let go of {x}.", "Pull the plug on {x}.",
    "Put an end to {x}.", "Move on from {x}.", "Stay away from {x}.", "Say no to {x}.",
    "I am against {x}.", "We decided against {x}.", "{x} must go.", "{x} is out.", "Retire {x}.",
    "We can do without {x}.", "{x} should be avoided.", "Forget about {x}.", "Boycott {x}.",
    "Nobody should use {x}.", "We rule out {x}.", "Wean ourselves off {x}.",
    "Evict {x}.", "Excise {x}.", "Free ourselves from {x}.", "Liberate the code from {x}.",
    "Give {x} the boot.", "Give {x} a wide berth.", "Say farewell to {x}.", "{x} must die.",
    "{x} has outlived its usefulness.", "{x} bites the dust.", "{x} goes in the bin.",
    "Erase every trace of {x}.", "Pension off {x}.", "Freeze {x} out.", "Enough of {x}.",
)  # fmt: skip


@given(st.sampled_from(GIVING_UP), st.sampled_from(THINGS))
def test_every_way_of_giving_up_says_no(saying: str, thing: str) -> None:
    """A-7: polarity of each clause, whatever the words and the thing between them."""
    clauses = read_clauses(saying.format(x=thing))
    assert clauses
    assert not any(clause.wanted for clause in clauses)


@given(st.sampled_from(GIVING_UP), st.sampled_from(THINGS))
def test_denied_once_more_it_says_yes_again(saying: str, thing: str) -> None:
    """A-7: a double negation turns it back."""
    text = saying.format(x=thing)
    verb = text[0].lower() + text[1:]
    if text.startswith((thing, "I ", "We ", "Nobody")):
        return  # not an imperative: "do not" cannot stand before it
    (clause, *_) = read_clauses(f"We will not {verb}")
    assert clause.wanted


@pytest.mark.parametrize(
    "sentence",
    [
        "Test the menu with Playwright against its story", "Open a request against the repository",
        "Cut the release branch on Monday", "Let operators plug in a sink", "Set up Redis",
        "Put Redis in front of the database", "Leave a note in Redis", "Give Redis a go",
        "Read Redis and be done with it", "Orders are kept in Redis and in nothing else",
        "Nothing but Redis keeps orders", "Separate the reader from the writer",
    ],
)  # fmt: skip
def test_everyday_words_deny_nothing(sentence: str) -> None:
    """A-7: only somebody can be against a thing; "put" and "let" alone give nothing up."""
    assert negations(sentence) == 0


def test_what_denies_is_taken_out_of_a_text() -> None:
    assert phrase(without_negation("Do not use Redis")).core == {"redis"}


@pytest.mark.parametrize("unit", ["throw ", "let it ", "turn our ", "set aside ", "against "])
def test_hostile_text_is_counted_in_no_time(unit: str) -> None:
    """FAULTS: a text with catastrophic backtracking is read in linear time."""
    started = time.process_time()
    negations((unit * 5_000)[:5_000])
    assert_costs_at_most(time.process_time() - started, 200)


@pytest.mark.parametrize(
    "sentence",
    [
        "A button brings a removed parcel back with Redis.",
        "The row moves to a table of deleted ones.",
        "Mentions in the box are done with Redis.",
        "What can go wrong in the parser is an enum of Redis.",
        "Deleting idle accounts becomes a job in Redis.",
        "Removing a label is done by Redis.",
        "Redis must terminate TLS connections.",
        "Set a variable in Redis, so that the trigger knows who deleted the row.",
        "Fill the new field with Redis once the code is out.",
        "The testers get the role that can read everything and change nothing.",
        "Tell every visitor, logged in or not, how many parcels Redis holds.",
    ],
)
def test_what_is_only_told_says_no_to_nothing(sentence: str) -> None:
    """A-7: participles before a noun, relative clauses and deeds as subjects negate nothing."""
    clauses = read_clauses(sentence)
    assert clauses and clauses[0].wanted


@pytest.mark.parametrize(
    "sentence",
    [
        "Redis was removed.", "We are done with Redis.", "Redis goes wrong.",
        "Deleting Redis is the plan.", "Removed Redis.", "Terminate our use of Redis.",
        "Make sure that Redis is never used.", "The removed parts of Redis are deleted.",
    ],
)  # fmt: skip
def test_what_becomes_of_a_thing_still_says_no(sentence: str) -> None:
    """A-7: the same words where they say what becomes of the thing."""
    clauses = read_clauses(sentence)
    assert clauses and not clauses[0].wanted


@pytest.mark.parametrize("word", ["only", "just", "merely", "simply"])
def test_what_is_not_all_of_it_is_not_denied(word: str) -> None:
    """A-7: polarity; "not just a sticker" asks for more, and refuses nothing."""
    assert negations(f"Crates are sealed with wax, not {word} a sticker") == 0
    assert negations("Crates are sealed with wax, not a justified sticker") == 1


def test_who_does_not_just_drop_a_thing_denies_that_it_is_dropped() -> None:
    """A-7: "do not just drop X" keeps X: two denials make a yes."""
    assert negations("Do not just drop the old stickers") == 2


def test_go_with_a_capital_is_a_name() -> None:
    """A-7: "let X look after our Go code" parts from nothing; "let X go" does."""
    assert read_clauses("Let Moppet look after our Go modules.")[0].wanted
    assert not read_clauses("Let Moppet go.")[0].wanted
