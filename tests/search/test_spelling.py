"""Which known word an unknown one was meant to be."""

from __future__ import annotations

import pytest

from toolcrib.search.spelling import begun, mended, split

FREQUENCY = {"branch": 9, "brand": 2, "commit": 7, "command": 5, "merge": 4, "tool": 6, "delete": 3}
ORDERED = sorted(FREQUENCY)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("brnach", "branch"), ("comit", "commit"), ("mergee", "merge"), ("delet", "delete")],
)
def test_one_slip_is_mended(typed: str, meant: str) -> None:
    """S-10: a letter lost, added, changed or swapped."""
    assert mended(typed, ORDERED, FREQUENCY)[0] == meant


def test_the_first_letter_is_taken_as_typed() -> None:
    """C-4: a question in everyday words is no list of slips: `mine` does not mean `wine`."""
    known = {"wine": 3, "sound": 2, "ocean": 1}
    assert mended("mine", sorted(known), known) == mended("pound", sorted(known), known) == []
    assert mended("coean", sorted(known), known) == ["ocean"], "two letters that are swapped"


def test_four_letters_with_another_one_are_another_word() -> None:
    """S-10, C-4: "how do I bake bread" asks for nothing that says `base`; lost and swapped letters
    are mended as ever."""
    known = {"base": 3, "bare": 2, "list": 4}
    assert mended("bake", sorted(known), known) == []
    assert mended("lsit", sorted(known), known) == mended("lits", sorted(known), known) == ["list"]
    assert mended("basee", sorted(known), known) == ["base"]


def test_two_slips_are_mended_in_long_words_only() -> None:
    """S-10: a short word with two other letters is another word."""
    assert mended("comnanf", ORDERED, FREQUENCY) == ["command"]
    assert mended("toil", ORDERED, {"talk": 1}) == []


@pytest.mark.parametrize("typed", ["abc", "x" * 40, "größe", "v123"])
def test_what_is_too_short_too_long_or_no_word_is_left_alone(typed: str) -> None:
    """S-10: no guesses."""
    assert mended(typed, ORDERED, FREQUENCY) == []


def test_a_beginning_finds_the_most_frequent_words_first() -> None:
    """S-10: who types `bra` may mean either."""
    assert begun("bra", ORDERED, FREQUENCY) == ["branch", "brand"]
    assert begun("br", ORDERED, FREQUENCY) == [] and begun("zzz", ORDERED, FREQUENCY) == []


def test_two_words_written_as_one_are_split() -> None:
    """S-10: `mergetool`."""
    assert split("mergetool", FREQUENCY) == ("merge", "tool")
    assert split("mergethis", FREQUENCY) is None
