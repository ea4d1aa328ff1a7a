from __future__ import annotations

from support.decisions import decision, shelf_of, verdict_on
from toolcrib.packs.architecture.alignment.corpus import Decisions
from toolcrib.packs.architecture.alignment.matcher import Matcher
from toolcrib.packs.architecture.alignment.proposal import Proposal

TRACKING = decision(
    1,
    "Error tracking",
    "## Considered Options\n\n* Sentry\n* Rollbar\n\n## Decision\n\nChosen option: Rollbar\n\n"
    "Exceptions of the web service are sent there.\n",
)
SHELF = Decisions([TRACKING, decision(2, "Log as JSON", "## Decision\n\nWe log JSON lines.\n")])


def rules(text: str) -> set[tuple[str, bool]]:
    found = Matcher(Proposal.of(text), SHELF).signals(TRACKING)
    return {(each.rule, each.agrees) for each in found}


def test_each_rule_has_its_signal() -> None:
    """A-7: a verdict is earned by a reason."""
    assert ("chosen", True) in rules("Use Rollbar.")
    assert ("chosen", False) in rules("Stop using Rollbar.")
    assert ("rejected", False) in rules("Send the exceptions to Sentry.")
    assert ("rejected", True) in rules("Avoid Sentry.")
    assert ("rival", False) in rules("Send the exceptions of the service to Bugsnag.")
    assert ("said", True) in rules("Exceptions of the web service are sent there.")


def test_what_is_done_with_a_thing_must_be_known() -> None:
    """A-7: where words do not decide, `related`; an unknown verb is neither yes nor no."""
    for text in ("Flummox {}.", "We will not flummox {}.", "{} has its ducks in a row."):
        for thing in ("Rollbar", "Sentry", "Bugsnag"):
            assert rules(text.format(thing)) == set(), (text, thing)


def test_likeness_is_no_signal() -> None:
    """A-7: likeness alone never makes a conflict."""
    assert rules("Count the exceptions of the web service every night.") <= {("said", True)}
    assert rules("Which exceptions does Sentry know?") == set()


def test_who_tells_at_length_of_a_thing_works_with_it() -> None:
    """A-7: no saying has the record's own matters in it; an unknown verb then decides nothing."""
    text = "Flummox the exceptions of every nightly web job to {} by its shipping agent."
    assert rules(text.format("Rollbar")) == {("chosen", True), ("used", True)}
    assert rules(text.format("Sentry")) >= {("rejected", False)}
    strange = "Flummox the curtains of every castle kitchen to {} by its gravy boat."
    assert rules(strange.format("Rollbar")) == set()


def test_an_option_of_several_words_is_meant_wherever_it_is_spelt_out() -> None:
    """A-7: word for word, whatever else a sentence says."""
    locks = decision(
        3,
        "Locks",
        "## Options\n\n* File based locks\n* No locks\n\n## Decision\n\nChosen option: No locks\n",
    )
    shelf = Decisions([locks, TRACKING])
    found = Matcher(
        Proposal.of("Let the sidecar of the proxy have file based locks for its uploads."), shelf
    ).signals(locks)
    assert {(each.rule, each.agrees) for each in found} == {("rejected", False)}


def test_end_to_end_ends_nothing() -> None:
    """A-7: the opposite of giving a thing up by its verb: here "end" is no verb."""
    assert ("chosen", True) in rules("Trace exceptions end to end with a Rollbar spec.")
    assert ("chosen", False) in rules("End the use of Rollbar.")


def test_a_name_among_the_examples_of_a_sentence_is_not_the_sentence() -> None:
    """A-7: "no access to systems like X" does not say that X is given up."""
    shelf = shelf_of({
        "Run review apps in an account of their own": "## Status\n\nAccepted\n\n## Decision\n\n"
        "We will run review apps in a new account. There will be no access to other systems like "
        "ACME.UK Notify, or Watcher.\n",
    })  # fmt: skip
    verdict = verdict_on("Run review apps in an account of their own",
                         "Use Postbox instead of ACME.UK Notify", shelf)  # fmt: skip
    assert verdict in {"related", "unlisted"}


def test_a_part_of_a_rejected_mixture_is_not_what_was_rejected() -> None:
    """A-7: who refuses "A in B by C" may well use A elsewhere."""
    title = "Fetch the sea charts"
    shelf = shelf_of({
        title: "## Options\n\n* Fetch them in a Lanternfish filter of Tidepool\n* Fetch them in"
        " the mixin\n\n## Decision\n\nChosen option: Fetch them in the mixin\n\nLanternfish and"
        " Tidepool stay.\n",
        "Names of boats": "## Decision\n\nBoats are named after a star.\n",
        "Sails": "## Decision\n\nSails are white.\n",
    })  # fmt: skip
    assert verdict_on(title, "Fetch the names of all boats with Lanternfish.", shelf) != "conflicts"
    both = "Fetch the sea charts in a Lanternfish filter of Tidepool."
    assert verdict_on(title, both, shelf) == "conflicts"


def test_an_everyday_word_is_the_decided_thing_where_it_is_the_means() -> None:
    """A-7: a record may call a thing `Anchor`; who works with anchor means it."""
    shelf = shelf_of({
        "Timers of the shop": "## Decision\n\nWe will use Anchor for the timers of the shop.\n",
        "Vans": "## Decision\n\nWe lease vans.\n",
    })  # fmt: skip
    for text in (
        "Start the nightly cleanup of the carts with anchor.",
        "Run the cleanup of the carts as a job in anchor.",
    ):
        assert verdict_on("Timers of the shop", text, shelf) == "supports", text


def test_an_everyday_word_that_is_only_spoken_of_decides_nothing() -> None:
    """A-7: likeness alone never decides; a word that a record has for a thing is still a word."""
    shelf = shelf_of({
        "Timers of the shop": "## Decision\n\nWe will use Anchor for the timers of the shop.\n",
        "Vans": "## Decision\n\nWe lease vans.\n",
    })  # fmt: skip
    for text in ("The gift shop sells an anchor.", "Paint an anchor on the wall of the shop."):
        assert verdict_on("Timers of the shop", text, shelf) == "related", text
