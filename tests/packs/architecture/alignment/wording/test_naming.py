from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.architecture.alignment.wording.naming import (
    begins_with,
    heads_differ,
    mentioned,
    named,
    said_names,
    spelt,
    telling_words,
)
from toolcrib.search.tokens import tokens


@pytest.mark.parametrize(
    ("sentence", "option", "wanted"),
    [
        ("We will use Redis.", "Redis", True),
        ("I propose that we use the Redis cluster", "Redis cluster", True),
        ("Do not use Redis", "Redis", False),
        ("Stop using Redis.", "Redis", False),
        ("We will not mock the API calls.", "Mock the API calls", False),
        ("We will not mock the API calls.", "Do not mock the API calls", False),
        ("Use Redis for the queue of jobs", "Use Redis", True),
        ("Replace MADR 2.1.2 with a patch with plain MADR", "MADR 2.1.2 with a patch", False),
        ("Replace entries with instances.", "Replace entries with instances", False),
    ],
)
def test_an_option_is_named_by_its_words_in_their_order(
    sentence: str, option: str, wanted: bool
) -> None:
    """A-7: what somebody says outright has not to be weighed."""
    assert named(sentence).means(named(option))
    assert named(sentence).wanted is wanted


@pytest.mark.parametrize(
    ("sentence", "option"),
    [
        ("Support Python 2.7 and 3.6+", "Support Python 2.7 and 3.5+"),
        ("Use ESLint with Airbnb rules", "ESLint"),
        ("Use Redis cluster", "Redis"),
        ("Use Redis", "Redis cluster"),
        ("Replace Redis", "Redis"),
    ],
)
def test_what_begins_alike_is_not_the_same(sentence: str, option: str) -> None:
    assert not named(sentence).means(named(option))


def test_a_longer_name_hides_its_parts() -> None:
    """A-7: "Use SLF4J with Logback" speaks for that option, and not for SLF4J alone."""
    names = [named(each) for each in ("SLF4J", "SLF4J with Logback", "Log4j")]
    assert mentioned(names, "We will use SLF4J with Logback instead of Log4j") == {1}
    assert mentioned(names, "We do not want Log4j") == set()


WORDS = st.lists(st.sampled_from("redis kafka queue of small events v2.1".split()), min_size=1)  # noqa: SIM905


@given(WORDS)
def test_a_name_means_itself_and_its_denial_denies_it(words: list[str]) -> None:
    name = " ".join(words)
    own = named(name)
    assert own.words == spelt(name)
    assert named(f"We will use {name}.").means(own)
    assert named(f"We will not use {name}.").wanted is not own.wanted


@given(st.text(max_size=200))
def test_any_text_names_something_or_nothing(text: str) -> None:
    assert isinstance(named(text).words, tuple)


def test_a_name_before_another_noun_is_another_thing() -> None:
    """A-7: an "IAM user" is no "IAM role", though both have the name."""
    name = frozenset({"iam"})
    assert heads_differ(name, "create an IAM user", "Use IAM roles for services")
    assert not heads_differ(name, "create an IAM role", "Use IAM roles for services")
    assert not heads_differ(name, "use IAM", "Use IAM roles for services")
    assert not heads_differ(name, "the user gets IAM roles", "Use IAM roles for services")


def test_two_products_of_one_house_are_two_things() -> None:
    """A-7: "ACME.UK Notify" is no "ACME.UK Signon"; a heading in capitals names no product."""
    name = frozenset({"acme.uk"})
    assert heads_differ(name, "ACME.UK Notify", "instead of ACME.UK Signon")
    assert not heads_differ(name, "ACME.UK Notify", "send it by ACME.UK Notify")
    assert not heads_differ(name, "ACME.UK Notify", "all of ACME.UK")
    assert not heads_differ(frozenset({"yarn"}), "run yarn install", "Npm over Yarn Records")


def test_a_name_of_several_words_tells_one_thing() -> None:
    """A-7: who says no more than a name has not said a sentence again."""
    assert telling_words("ACME.UK Notify", frozenset(tokens("ACME.UK Notify"))) == 1
    assert telling_words("notify users by letter", frozenset(tokens("notify users letter"))) == 3


def test_what_a_text_begins_with_is_behind_its_article() -> None:
    """A-7: "replace the Alembic revisions" says no to Alembic."""
    assert begins_with(frozenset({"alembic"}), "the Alembic revisions")
    assert not begins_with(frozenset({"alembic"}), "revisions of Alembic")


def test_names_meet_however_they_are_written() -> None:
    """A-7: `X-Y`, `X Y` and `XY` are one name."""
    assert said_names(frozenset({"acme-id"}), frozenset({"acmeid"})) == {"acme-id"}
    assert said_names(frozenset({"acme", "id"}), frozenset({"acmeid"})) == {"acme", "id"}
    assert not said_names(frozenset({"acme"}), frozenset({"other"}))


def test_a_framework_of_a_name_is_the_name() -> None:
    """A-7: an "ABC app" is made with the "ABC framework"; an "ABC user" is no "ABC role"."""
    assert not heads_differ(frozenset({"abc"}), "Ship it as an ABC app", "The ABC framework")
    assert heads_differ(frozenset({"abc"}), "Add an ABC user", "One ABC role per team")


def test_of_what_is_removed_the_noun_behind_a_name_tells() -> None:
    """A-7: who removes the "Tracer proxy" keeps the "Tracer cluster"."""
    name = frozenset({"tracer"})
    assert heads_differ(name, "point it at the Tracer cluster", "Remove the Tracer proxy", True)
    assert not heads_differ(name, "keep the Tracer proxy", "Remove the Tracer proxy", True)
    assert not heads_differ(name, "use Tracer directly", "Remove the Tracer proxy", True)
    assert not heads_differ(name, "point it at the Tracer cluster", "Remove the Tracer proxy")


def test_what_points_to_a_thing_is_not_the_thing() -> None:
    """A-7: likeness alone makes no conflict; who changes a link to Tracer does not bring it in."""
    name, refused = frozenset({"tracer"}), "Skip the Tracer integration"
    assert heads_differ(name, "Open the link to Tracer in a new tab", refused, True)
    assert heads_differ(name, "Put a page about the Tracer into the menu", refused, True)
    assert not heads_differ(name, "Link the orders to Tracer", refused, True)
    assert not heads_differ(name, "Open the link to Tracer in a new tab", refused)
