from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.breaking import deeds, pieces


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Drop Redis; use Kafka", ["Drop Redis", "use Kafka"]),
        ("Redis is fine, but use Kafka", ["use Kafka"]),
        ("Redis is slow, but use it", ["Redis is slow", "use it"]),
        ("Once Redis is gone, use Kafka", ["use Kafka"]),
        ("Instead of Redis, use Kafka", ["Instead of Redis, use Kafka"]),
    ],
)
def test_a_sentence_has_a_piece_for_each_thing_that_it_proposes(
    sentence: str, expected: list[str]
) -> None:
    """A-7: what is only granted, or a condition, is not proposed."""
    assert [each.strip() for each in pieces(sentence)] == expected


def test_who_gives_one_thing_up_and_does_another_does_two_things() -> None:
    """A-7: polarity of each clause."""
    assert deeds("Drop Redis and fetch directly") == ["Drop Redis", "fetch directly"]
    assert deeds("Use Redis and fetch directly") == ["Use Redis and fetch directly"]
    assert deeds("Drop Redis and Kafka") == ["Drop Redis and Kafka"]


def test_a_sentence_behind_brackets_begins_anew() -> None:
    """A-7: what stands in brackets before a sentence does not hide its verb."""
    assert pieces("(From orders to bills) We decide against Fooml")[-1].startswith("We decide")
