from __future__ import annotations

import time

import pytest

from support.growth import assert_costs_at_most
from toolcrib.packs.architecture.alignment.choices import given_up_in, read_choice
from toolcrib.packs.architecture.alignment.proposal import terms


def stems(text: str) -> frozenset[str]:
    return frozenset(terms(text))


@pytest.mark.parametrize(
    ("title", "chosen", "given_up", "purpose"),
    [
        ("Use Heroku for hosting", "heroku", "", "hosting"),
        ("AWS as hosting environment", "aws", "", "hosting environment"),
        ("Use Vitest instead of Jest", "vitest", "jest", ""),
        ("Replace Elasticsearch with Opensearch", "opensearch", "elasticsearch", ""),
        ("Migrate to Sveltekit", "sveltekit", "", ""),
        ("Move from Travis to Github actions", "github actions", "travis", ""),
        ("Remove the Bullet gem", "", "bullet gem", ""),
        ("Store money as integer cents", "integer cents", "", "money"),
        ("Keep carts in server-side sessions", "server side sessions", "", "carts"),
        ("An outbox table instead of a message broker", "outbox table", "message broker", ""),
        ("Record architecture decisions", "", "", ""),
    ],
)
def test_a_title_tells_its_choice(title: str, chosen: str, given_up: str, purpose: str) -> None:
    """A-7: same subject and same choice, or another: what a decision chooses must be known."""
    choice = read_choice(title)
    assert (choice.chosen, choice.given_up, choice.purpose) == (
        stems(chosen),
        stems(given_up),
        stems(purpose),
    )


def test_a_refusal_is_told_from_a_choice() -> None:
    for title in ("No integration tests", "Disallow multiple meshes", "Stop using Redis"):
        assert read_choice(title).negated
    for title in ("Integration tests", "Allow multiple meshes", "Use Redis"):
        assert not read_choice(title).negated


@pytest.mark.parametrize(
    "sentence",
    [
        "We will replace Auth0 with our own strategy.",
        "Auth0 is no longer affordable.",
        "We will use devise instead of Auth0.",
        "Auth0 was deprecated last year.",
        "We migrate users from Auth0 to devise.",
        "Remove Auth0 in favour of devise.",
    ],
)
def test_a_sentence_tells_what_it_gives_up(sentence: str) -> None:
    assert any(stems("auth0") <= found for found in given_up_in(sentence))


def test_a_sentence_that_keeps_everything_gives_up_nothing() -> None:
    assert given_up_in("We will continue to use Auth0 for everything.") == []


def test_hostile_sentences_take_no_time() -> None:
    for unit in ("instead of ", "move ", "no longer ", "x to "):
        started = time.process_time()
        given_up_in((unit * 5_000)[:5_000])
        read_choice((unit * 5_000)[:300])
        assert_costs_at_most(time.process_time() - started, 200)
