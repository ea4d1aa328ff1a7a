from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.words import (
    OPPOSITES,
    Phrase,
    other_number,
    phrase,
    prefixed,
    share,
    spelt_out,
    versions,
)


def even(_: str) -> float:
    return 1.0


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("TravisCI", "Travis CI"), ("travisci", "Travis CI"), ("HashiCorp", "Hashicorp Vault"),
        ("GitHub Actions", "Github Actions"), ("csv-safe", "the csv-safe gem"),
    ],
)  # fmt: skip
def test_a_name_is_found_however_it_is_written(one: str, two: str) -> None:
    assert share(phrase(one).core, phrase(two), even) == 1.0


def test_words_of_doing_name_nothing() -> None:
    assert not phrase("we will use it")
    assert phrase("Use Redis").core == phrase("Adopt Redis").core


def test_the_language_go_is_a_name_and_the_verb_is_none() -> None:
    assert phrase("written in Go").core == phrase("written in golang").core
    assert "golang" not in phrase("Go with Redis").core


def test_how_much_is_there_is_a_share() -> None:
    assert share(phrase("redis cache").core, phrase("a cache"), even) == 0.5
    assert share((), phrase("a cache"), even) == 0.0


def test_versions_and_numbers_tell_phrases_apart() -> None:
    """A-7: Python 2.7 is not Python 3.6; one cluster for all is not one for each."""
    assert versions(phrase("Python 2.7 and 3.6+")) == {"2.7", "3.6"}
    assert other_number(phrase("All units share one cluster"), phrase("a cluster for each unit"))
    assert not other_number(phrase("one cluster"), phrase("one big cluster"))


def test_opposites_deny_each_other() -> None:
    for stem, others in OPPOSITES.items():
        assert stem not in others
        assert all(stem in OPPOSITES[other] for other in others)


def test_a_word_that_stands_alone_is_no_part_of_a_name() -> None:
    assert {"api", "fastapi"} <= phrase("Serve the API with FastAPI").core


@pytest.mark.parametrize(
    ("text", "name"),
    [("a small C++ class", "cpp"), ("write it in C#", "csharp"), ("Pure C++", "cpp")],
)
def test_languages_with_signs_are_names(text: str, name: str) -> None:
    """A-7: "C++" is a thing, and no letter among others."""
    assert name in phrase(text).raw


def test_signs_that_are_no_language_stay() -> None:
    """A-7: a heading or a counter names no language."""
    assert spelt_out("## C is first, i++ later") == "## C is first, i++ later"


@pytest.mark.parametrize(
    ("short", "long"),
    [("repo", "repository"), ("auth", "authentication"), ("mails", "emails"), ("db", "database")],
)
def test_a_short_form_is_the_same_word(short: str, long: str) -> None:
    """A-7: the same purpose in other words."""
    assert phrase(short).core == phrase(long).core


def test_what_is_non_something_is_one_word_and_denies_it() -> None:
    """A-7: polarity; `non-magnetic` is not what `magnetic` is."""
    hull = phrase("a non-magnetic hull")
    assert phrase("magnetic").core.isdisjoint(hull.core)
    assert prefixed(phrase("a magnetic hull").raw)["nonmagnetic"] == "magnetic"
    assert prefixed(hull.raw)["magnetic"] == "nonmagnetic"


def test_a_share_does_not_depend_on_the_order_in_which_words_are_read() -> None:
    """A-7: the same proposal has the same verdict each time."""
    weights = {f"word{number}": 1 / (number + 3) for number in range(40)}
    there = Phrase(frozenset(), frozenset(list(weights)[::3]))
    shares = {share(sorted(weights, key=by), there, weights.__getitem__) for by in (str, hash, len)}
    assert len(shares) == 1
