"""What must never reach a log, an audit file or an error text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.core.support import redact
from toolcrib.core.support.redact import looks_secret, masked, presentable, sanitized


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password=hunter2 rest", "password=*** rest"),
        ("api_key: 'a b c', x", "api_key: ***, x"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("postgres://me:pw@host/db", "postgres://me:***@host/db"),
        ("ghp_0123456789abcdef0123", "***"),
        ("a token of thanks", "a token of thanks"),
        ("https://host/path?x=1", "https://host/path?x=1"),
    ],
)
def test_what_looks_like_a_secret_is_replaced_by_stars(text: str, shown: str) -> None:
    """K-17: and what does not, stays readable."""
    assert masked(text) == shown


@pytest.mark.parametrize("name", ["password", "API-KEY", "github_token", "session_id", "DB_PASS"])
def test_names_of_secrets_are_known(name: str) -> None:
    """K-17: the value of such a key is never shown."""
    assert looks_secret(name)


@pytest.mark.parametrize("name", ["path", "passenger", "keyboard", "session"])
def test_other_names_are_not_taken_for_secrets(name: str) -> None:
    """K-17: arguments stay useful in the record."""
    assert not looks_secret(name)


def test_arguments_are_masked_and_cut_at_any_depth() -> None:
    """K-17: a record of calls holds no secret and no megabytes."""
    given = {"a": {"token": "x", "list": [{"password": "y"}]}, "long": "z" * 300, "n": 1}
    shown = sanitized(given)
    assert shown["a"] == {"token": "***", "list": [{"password": "***"}]}
    assert shown["long"] == "z" * 100 + "... [300 chars]" and shown["n"] == 1


def test_an_error_is_one_line_without_secrets_and_paths() -> None:
    """K-2: fit for a stranger."""
    error = ValueError("at /home/me/x.py:\n  token=abc")
    assert "/home/me" not in presentable(error) and "abc" not in presentable(error)
    assert "\n" not in presentable(error) and presentable(KeyError()) == "KeyError"


def test_a_hostile_text_costs_no_more_than_its_length() -> None:
    """FAULTS: no text makes the masking slow."""
    assert_grows_slowly(lambda size: masked("token" * size + "a://" * size), 2000)


@given(st.text(alphabet=st.sampled_from("skSKghpoAKIAbearersecrettoken_0123456789ſ"), max_size=13))
def test_a_short_word_is_shown_as_the_pattern_of_secrets_would_show_it(word: str) -> None:
    """FAULTS, secrets: the short way around the pattern changes nothing."""
    if word.isidentifier():
        assert re.sub(redact._TEXTS, "***", word) == word == masked(word)


def test_long_names_are_looked_at_like_short_ones() -> None:
    """FAULTS, secrets: only short names are remembered, all are judged."""
    assert looks_secret("x" * 5000 + "_password") and looks_secret("api_key")
    assert not looks_secret("x" * 5000) and not looks_secret("path")
