"""Whether it is known what a clause says of a thing."""

from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.verbs.deeds import becomes, spoken, understood

THING = frozenset({"rollbar"})
OWN = frozenset({"exception", "report"})


def is_understood(text: str) -> bool:
    return understood(spoken(text), THING, OWN)


@pytest.mark.parametrize(
    "text",
    [
        "Use Rollbar",
        "We should embrace Rollbar",
        "Gradually adopt Rollbar",
        "Report to Rollbar",
        "Rollbar is the way to go",
        "Rollbar for the nightly crawler",
        "Unhandled failures of the crawler arrive in Rollbar",
        "Let's drop Rollbar",
        "Rollbar",
        "Wire up Rollbar",
        "Crashes are triaged in Rollbar",
        "The nightly crawl is watched by a Rollbar project",
        "Rollbar paints the picture of each crash",
        "Rollbar captures each crash",
        "The adoption of Rollbar",
        "Everything on top of Rollbar",
        "Our dashboards are Rollbar dashboards",
        "Rollbar utility classes for the crawler",
        "Rollbar is deployed beside it",
        "Rollbar was a mistake",
        "Rollbar is a nuisance",
    ],
)
def test_known_words_and_those_of_the_record_are_understood(text: str) -> None:
    """A-7: taking a thing, giving it up by a word that negates, or naming it as a means."""
    assert is_understood(text)


@pytest.mark.parametrize(
    "text",
    [
        "Defenestrate Rollbar",
        "We should not defenestrate Rollbar",
        "Wriggle out of Rollbar",
        "We can do better than Rollbar",
        "Rollbar stinks",
        "Rollbar slows the builds",
        "Rollbar leaves the stage",
        "Rollbar is more than meets the eye",
        "Rescue the crawler from Rollbar",
        "Everybody at work is tired of Rollbar",
        "People lament the state of things in Rollbar",
        "Rollbar eats our time",
        "The last days of Rollbar",
        "Write a test for Rollbar",
        "Print a hint when Rollbar is slow",
        "Tidy Rollbar",
        "Rein in Rollbar",
        "Cross Rollbar off the list",
        "Steer the crawler off Rollbar",
        "The new Rollbar project is on its way out",
        "Rollbar, thanks and so long",
        "Call it a day with Rollbar",
        "Keep an eye on Rollbar",
        "Put a link to Rollbar into the footer",
        "We have fallen out of love with Rollbar",
        "Rollbar must make way",
        "Rollbar can take a hike",
        "Rollbar has seen better days",
        "Leave Rollbar to others",
        "Good riddance to Rollbar",
        "Reverse the choice of Rollbar",
        "Follow the news about Rollbar",
        "Thank the people behind Rollbar",
        "Withhold our support from Rollbar",
        "Take notes while Rollbar counts",
        "Look elsewhere than Rollbar",
    ],
)
def test_a_word_that_nobody_knows_decides_nothing(text: str) -> None:
    """A-7: where words do not decide, `related`: an unknown verb is no yes."""
    assert not is_understood(text)


def test_a_clause_without_the_thing_has_nothing_to_understand() -> None:
    """A-7: a rule about one thing does not touch what is said of others."""
    assert is_understood("Defenestrate the crawler")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Build the new questions with Rollbar", True),  # of what is made the words may be any
        ("Build the new questions against Rollbar", False),
        ("Bring up the open questions with Rollbar", False),
    ],
)
def test_what_is_made_with_a_thing_takes_it(text: str, known: bool) -> None:
    """A-7: a thing is taken by which something is made."""
    assert is_understood(text) is known


def test_what_something_is_turned_into_it_becomes() -> None:
    """A-7: "turn the shed into a mill" takes the mill; "look into a mill" does not."""
    thing = frozenset({"mill"})
    assert becomes(spoken("Turn the old shed into a mill"), thing)
    assert not becomes(spoken("Look with care into a mill"), thing)
