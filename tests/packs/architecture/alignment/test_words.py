from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.words import phrase, share


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
