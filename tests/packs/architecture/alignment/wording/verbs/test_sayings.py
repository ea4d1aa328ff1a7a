"""Sayings that part from a thing or take it."""

from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.verbs.sayings import parts, takes


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pull plug on", ""),
        ("put", "out of misery"),
        ("", "be on last leg"),
        ("to say goodbye to", ""),
        ("", "see better day"),
    ],
)
def test_a_saying_of_the_language_parts(before: str, after: str) -> None:
    """A-7: gives up what was chosen, in the words that people have for it."""
    assert parts(before.split(), after.split())
    assert not takes(before.split(), after.split())


@pytest.mark.parametrize(
    ("before", "after"),
    [("give", "another chance"), ("stick with", ""), ("", "fit bill"), ("", "be here to stay")],
)
def test_a_saying_of_the_language_takes(before: str, after: str) -> None:
    """A-7: what restates a decision, in any words, supports it."""
    assert takes(before.split(), after.split())
    assert not parts(before.split(), after.split())


@pytest.mark.parametrize(
    ("before", "after"), [("kick off with", ""), ("alert us when", "go"), ("", "go well"), ("", "")]
)
def test_a_part_of_a_saying_is_none(before: str, after: str) -> None:
    """A-7: an unsure one is `related`."""
    assert not parts(before.split(), after.split())
