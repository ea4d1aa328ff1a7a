"""Parts of short texts, found by one scan."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.search.lines import Details, KeptTexts, LineTable, having, plain_line

texts = st.lists(st.text(max_size=40), min_size=1, max_size=6)


@given(texts, st.data())
def test_every_piece_of_a_line_finds_it(lines, data):
    """C-14: a fragment of three characters or more finds what has it, and nothing else."""
    plain = {number: plain_line(text) for number, text in enumerate(lines)}
    table = LineTable()
    table.put(plain)
    number = data.draw(st.sampled_from(sorted(plain)))
    text = plain[number]
    if len(text) < 3:
        return
    start = data.draw(st.integers(0, len(text) - 3))
    piece = plain_line(text[start : start + data.draw(st.integers(3, len(text)))])
    if len(piece) >= 3:
        assert having(table, piece) == {slot for slot, each in plain.items() if piece in each}


def test_a_removed_line_is_gone_and_slots_are_renumbered():
    table = LineTable()
    table.put({0: "one thing", 1: "another thing", 2: "a third thing"})
    table.remove(1)
    table.remove(7)
    assert having(table, "thing") == {0, 2}
    table.pack([0, 2])
    assert having(table, "third") == {1}
    assert len(table) == 2


def test_less_than_three_characters_and_more_than_two_hundred_are_no_piece():
    table = LineTable()
    table.put({0: "ab" * 200})
    assert having(table, "ab") == set()
    assert having(table, "ab" * 150) == set()
    assert having(table, "aba") == {0}


@given(st.dictionaries(st.integers(0, 9), st.text(max_size=9)))
def test_details_that_are_kept_are_the_same(texts):
    """X-31: texts of a stored index are read from its file, whatever their letters."""
    details = Details()
    details.put(texts.items())
    again = Details()
    again.begin(details.kept(10))
    assert [again[slot] for slot in range(11)] == [texts.get(slot, "") for slot in range(11)]
    again.pack([3, 1])
    assert [again[0], again[1], again[2]] == [texts.get(3, ""), texts.get(1, ""), ""]


def test_details_that_were_cut_off_are_refused():
    kept = KeptTexts(array("Q", [4]), b"abc")
    with pytest.raises(ValueError, match="do not fit"):
        Details().begin(kept)
